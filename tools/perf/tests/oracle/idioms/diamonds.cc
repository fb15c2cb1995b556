// SPDX-License-Identifier: GPL-2.0-or-later
/* Widgets and streams with virtual bases: members of a base whose place only the object's table knows. */
#include <cstdint>
#include <cstdio>
#include <cstring>

#include "truth.hh"

namespace ui
{
struct Node {
	explicit Node(int id) : id(id)
	{
	}
	virtual ~Node() = default;
	virtual int weight() const
	{
		return id;
	}
	int id;
	int visits = 0;
	Node *parent = nullptr;
};

struct Sized : virtual Node {
	Sized(int w, int h) : Node(0), w(w), h(h)
	{
	}
	int area() const
	{
		return w * h + id;
	}
	virtual void grow(int by)
	{
		w += by;
		h += by;
		visits++;
	}
	int w, h;
};

struct Styled : virtual Node {
	explicit Styled(unsigned colour) : Node(0), colour(colour)
	{
	}
	virtual void paint(uint64_t *sum)
	{
		*sum += colour + (unsigned)id;
		visits += 2;
		if (parent)
			parent->visits++;
	}
	unsigned colour;
	unsigned char border = 1;
};

struct Button : Sized, Styled {
	Button(int id, int w, unsigned colour) : Node(id), Sized(w, w / 2), Styled(colour)
	{
	}
	int weight() const override
	{
		return area() + presses;
	}
	void grow(int by) override
	{
		Sized::grow(by);
		border++;
		presses++;
	}
	void paint(uint64_t *sum) override
	{
		Styled::paint(sum);
		*sum += (uint64_t)w * border;
	}
	int presses = 0;
	char label[12] = "push";
};

struct Panel : Sized {
	explicit Panel(int id) : Node(id), Sized(10, 10)
	{
		memset(children, 0, sizeof(children));
	}
	void add(Node *n)
	{
		n->parent = this;
		children[nr++] = n;
	}
	int weight() const override
	{
		int sum = id;

		for (int i = 0; i < nr; i++)
			sum += children[i]->weight();
		return sum;
	}
	Node *children[8];
	int nr = 0;
};

int visit_all(Panel *p)
{
	int sum = 0;

	for (int i = 0; i < p->nr; i++) {
		p->children[i]->visits++;
		sum += p->children[i]->visits;
	}
	p->visits = sum;
	return sum;
}
} // namespace ui

namespace io
{
class Base
{
      public:
	Base() : state_(0), width_(6)
	{
	}
	virtual ~Base() = default;
	int state() const
	{
		return state_;
	}
	void fail(int bit)
	{
		state_ |= bit;
	}
	int width() const
	{
		return width_;
	}

      protected:
	int state_, width_;
	char *buffer_ = nullptr;
	size_t size_ = 0;
};

class Out : public virtual Base
{
      public:
	Out &put(char c)
	{
		if (at_ < size_)
			buffer_[at_++] = c;
		else
			fail(4);
		return *this;
	}
	Out &print(long n)
	{
		char digits[24];
		int i = 0;

		do
			digits[i++] = (char)('0' + n % 10);
		while (n /= 10);
		for (int pad = i; pad < width_; pad++)
			put(' ');
		while (i)
			put(digits[--i]);
		return *this;
	}

      protected:
	size_t at_ = 0;
};

class In : public virtual Base
{
      public:
	int get()
	{
		if (got_ >= size_) {
			fail(1);
			return -1;
		}
		return buffer_[got_++];
	}
	long parse()
	{
		long n = 0;
		int c = get();

		while (c == ' ')
			c = get();
		for (; c >= '0' && c <= '9'; c = get())
			n = n * 10 + c - '0';
		return n;
	}

      protected:
	size_t got_ = 0;
};

class Both : public In, public Out
{
      public:
	explicit Both(size_t size)
	{
		buffer_ = static_cast<char *>(truth_alloc(size, "char", size));
		size_ = size;
	}
	void rewind()
	{
		size_ = at_;
		got_ = 0;
		state_ = 0;
	}
	int changes = 0;
};
} // namespace io

int main()
{
	auto *panel = truth::make<ui::Panel>(1);
	ui::Button *buttons[4];
	auto *stream = truth::make<io::Both>(256);
	uint64_t sum = 0;
	long total = 0;

	for (int i = 0; i < 4; i++) {
		buttons[i] = truth::make<ui::Button>(i + 2, 10 * i, 100u + (unsigned)i);
		panel->add(buttons[i]);
	}
	for (int k = 0; k < 3; k++)
		for (auto *b : buttons) {
			ui::Styled *styled = b;
			ui::Sized *sized = b;

			styled->paint(&sum);
			sized->grow(k);
			sum += (uint64_t)b->weight() + (uint64_t)sized->area();
		}
	sum += (uint64_t)visit_all(panel) + (uint64_t)panel->weight();
	for (long i = 1; i < 6; i++)
		stream->print(i * 111).put(' ');
	stream->rewind();
	while (!stream->state())
		total += stream->parse();
	printf("%lu %ld %d\n", (unsigned long)sum, total, stream->width());
	return 0;
}
