// SPDX-License-Identifier: GPL-2.0-or-later
// A text editor without a screen: pieces of buffers, undo by commands, marks that move, observers, a search.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <variant>
#include <vector>

#include "truth.hh"

namespace text
{
template <class T> using list = std::vector<T, truth::allocator<T>>;

enum class Origin : std::uint8_t { File, Typed };

struct Piece {
	Origin origin;
	std::uint32_t start, length, newlines;
};

struct Mark {
	int id;
	std::size_t at;
	bool sticky;
};

struct Change {
	std::size_t at;
	long delta;
};

class Observer
{
      public:
	virtual ~Observer() = default;
	virtual void changed(const Change &change) = 0;
	unsigned calls = 0;
};

class Buffer
{
	list<char> typed_;
	std::string_view file_;
	list<Piece> pieces_;
	list<Mark> marks_;
	list<Observer *> observers_;
	std::size_t size_ = 0;
	mutable struct {
		std::size_t piece, before;
	} last_{ 0, 0 };

	const char *data(const Piece &p) const
	{
		return (p.origin == Origin::File ? file_.data() : typed_.data()) + p.start;
	}
	std::uint32_t newlines(const Piece &p) const
	{
		const char *at = data(p);

		return static_cast<std::uint32_t>(std::count(at, at + p.length, '\n'));
	}
	/* Splits so that a piece begins at @at; its number. */
	std::size_t split(std::size_t at)
	{
		std::size_t before = 0, i = 0;

		for (; i < pieces_.size() && before + pieces_[i].length <= at; i++)
			before += pieces_[i].length;
		if (i < pieces_.size() && at > before) {
			Piece right = pieces_[i];
			auto cut = static_cast<std::uint32_t>(at - before);

			right.start += cut;
			right.length -= cut;
			pieces_[i].length = cut;
			pieces_[i].newlines = newlines(pieces_[i]);
			right.newlines = newlines(right);
			pieces_.insert(pieces_.begin() + static_cast<long>(++i), right);
		}
		return i;
	}
	void tell(const Change &change)
	{
		for (auto &m : marks_)
			if (m.at > change.at || (m.at == change.at && !m.sticky))
				m.at = static_cast<std::size_t>(
					std::max<long>(static_cast<long>(change.at),
						       static_cast<long>(m.at) + change.delta));
		for (auto *o : observers_)
			o->changed(change);
		last_ = { 0, 0 };
	}

      public:
	explicit Buffer(std::string_view file) : file_(file), size_(file.size())
	{
		Piece all{ Origin::File, 0, static_cast<std::uint32_t>(file.size()), 0 };

		all.newlines = newlines(all);
		pieces_.push_back(all);
	}
	void insert(std::size_t at, std::string_view s)
	{
		std::size_t i = split(at);
		Piece p{ Origin::Typed, static_cast<std::uint32_t>(typed_.size()),
			 static_cast<std::uint32_t>(s.size()), 0 };

		typed_.insert(typed_.end(), s.begin(), s.end());
		p.newlines = newlines(p);
		pieces_.insert(pieces_.begin() + static_cast<long>(i), p);
		size_ += s.size();
		tell({ at, static_cast<long>(s.size()) });
	}
	void erase(std::size_t at, std::size_t n)
	{
		std::size_t from = split(at), to = split(at + n);

		pieces_.erase(pieces_.begin() + static_cast<long>(from),
			      pieces_.begin() + static_cast<long>(to));
		size_ -= n;
		tell({ at, -static_cast<long>(n) });
	}
	char operator[](std::size_t at) const
	{
		if (at < last_.before)
			last_ = { 0, 0 };
		while (at >= last_.before + pieces_[last_.piece].length)
			last_.before += pieces_[last_.piece++].length;
		return data(pieces_[last_.piece])[at - last_.before];
	}
	std::size_t size() const
	{
		return size_;
	}
	std::size_t lines() const
	{
		std::size_t n = 1;

		for (const auto &p : pieces_)
			n += p.newlines;
		return n;
	}
	int mark(std::size_t at, bool sticky)
	{
		marks_.push_back({ static_cast<int>(marks_.size()) + 1, at, sticky });
		return marks_.back().id;
	}
	std::optional<Mark> find(int id) const
	{
		auto at = std::find_if(marks_.begin(), marks_.end(),
				       [id](const Mark &m) { return m.id == id; });

		return at == marks_.end() ? std::nullopt : std::optional<Mark>(*at);
	}
	void watch(Observer *o)
	{
		observers_.push_back(o);
	}
};

class Counter final : public Observer
{
      public:
	long inserted = 0, erased = 0;
	void changed(const Change &c) override
	{
		calls++;
		(c.delta > 0 ? inserted : erased) += c.delta;
	}
};

class Journal final : public Observer
{
	std::array<Change, 8> ring_{};
	unsigned next_ = 0;

      public:
	void changed(const Change &c) override
	{
		calls++;
		ring_[next_++ % ring_.size()] = c;
	}
	long weight() const
	{
		long sum = 0;

		for (const auto &c : ring_)
			sum += static_cast<long>(c.at) * c.delta;
		return sum;
	}
};

struct Insert {
	std::size_t at;
	std::string_view what;
};
struct Erase {
	std::size_t at, count;
	char kept[16];
};
using Command = std::variant<Insert, Erase>;

class Session
{
	Buffer &buffer_;
	list<Command> undo_, redo_;

	struct Apply {
		Buffer &b;
		Command operator()(const Insert &i) const
		{
			Erase e{ i.at, i.what.size(), {} };

			b.insert(i.at, i.what);
			return e;
		}
		Command operator()(const Erase &e) const
		{
			static char kept[8][16];
			static unsigned next;
			char *at = kept[next++ % 8];

			for (std::size_t k = 0; k < e.count; k++)
				at[k] = b[e.at + k];
			b.erase(e.at, e.count);
			return Insert{ e.at, std::string_view(at, e.count) };
		}
	};

      public:
	explicit Session(Buffer &b) : buffer_(b)
	{
	}
	void run(const Command &c)
	{
		undo_.push_back(std::visit(Apply{ buffer_ }, c));
		redo_.clear();
	}
	bool undo()
	{
		if (undo_.empty())
			return false;
		redo_.push_back(std::visit(Apply{ buffer_ }, undo_.back()));
		undo_.pop_back();
		return true;
	}
	bool again()
	{
		if (redo_.empty())
			return false;
		undo_.push_back(std::visit(Apply{ buffer_ }, redo_.back()));
		redo_.pop_back();
		return true;
	}
};

/* Boyer and Moore's, as Horspool has it. */
class Finder
{
	std::string_view what_;
	std::array<std::uint8_t, 256> skip_;

      public:
	explicit Finder(std::string_view what) : what_(what)
	{
		skip_.fill(static_cast<std::uint8_t>(what.size()));
		for (std::size_t i = 0; i + 1 < what.size(); i++)
			skip_[static_cast<unsigned char>(what[i])] =
				static_cast<std::uint8_t>(what.size() - 1 - i);
	}
	template <class F> unsigned each(const Buffer &b, F &&found) const
	{
		unsigned n = 0;

		for (std::size_t at = 0; at + what_.size() <= b.size();) {
			std::size_t k = what_.size();

			while (k && b[at + k - 1] == what_[k - 1])
				k--;
			if (!k) {
				n++;
				found(at);
			}
			at += skip_[static_cast<unsigned char>(b[at + what_.size() - 1])];
		}
		return n;
	}
};
} // namespace text

int main()
{
	static const char file[] =
		"the quick brown fox\njumps over the lazy dog\nand the cat looks on\n";
	using Words = std::unordered_map<std::size_t, unsigned, std::hash<std::size_t>,
					 std::equal_to<std::size_t>,
					 truth::allocator<std::pair<const std::size_t, unsigned>>>;
	auto *buffer = truth::make<text::Buffer>(std::string_view(file, sizeof(file) - 1));
	auto *counter = truth::make<text::Counter>();
	auto *journal = truth::make<text::Journal>();
	auto *session = truth::make<text::Session>(*buffer);
	text::Finder finder("the");
	Words words;
	std::size_t sum = 0;
	int m = buffer->mark(20, true);

	buffer->watch(counter);
	buffer->watch(journal);
	for (std::size_t i = 0; i < 12; i++) {
		if (i % 3 == 2)
			session->run(text::Erase{ i * 3, 2 + i % 4, {} });
		else
			session->run(text::Insert{ i * 4, i & 1 ? "the end\n" : "x" });
	}
	for (int i = 0; i < 5; i++)
		session->undo();
	while (session->again())
		;
	unsigned n = finder.each(*buffer, [&](std::size_t at) {
		sum += at;
		words[at % 5]++;
	});
	for (const auto &w : words)
		sum += w.first * w.second;
	if (auto mark = buffer->find(m))
		sum += mark->at;
	std::printf("%u %zu %zu %zu %ld %ld %u %ld\n", n, sum, buffer->size(), buffer->lines(),
		    counter->inserted, counter->erased, journal->calls, journal->weight());
	truth::destroy(session);
	truth::destroy(buffer);
	truth::destroy(journal);
	truth::destroy(counter);
}
