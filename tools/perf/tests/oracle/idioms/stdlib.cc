// SPDX-License-Identifier: GPL-2.0-or-later
/* An index of words: containers of the standard library and what they allocate. */
#include <cstdio>
#include <list>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "truth.hh"

namespace search
{
template <class T> using vector = std::vector<T, truth::allocator<T>>;
template <class T> using list = std::list<T, truth::allocator<T>>;
template <class K, class V> using map = std::map<K, V, std::less<K>, truth::allocator<std::pair<const K, V>>>;
template <class K, class V>
using hash = std::unordered_map<K, V, std::hash<K>, std::equal_to<K>, truth::allocator<std::pair<const K, V>>>;

struct Posting {
	int document;
	float weight;
};

struct Term {
	long id = 0;
	vector<Posting> postings;
	Term *next = nullptr;
};

class Index
{
      public:
	void add(int word, int document, float weight)
	{
		Term *&term = terms_[word];

		if (!term) {
			term = truth::make<Term>();
			term->id = word;
			term->next = last_;
			last_ = term;
		}
		term->postings.push_back({ document, weight });
		lengths_[document] += 1;
		recent_.push_front(word);
		if (recent_.size() > 8)
			recent_.pop_back();
	}

	float score(int word, int document) const
	{
		auto at = terms_.find(word);
		float sum = 0;

		if (at == terms_.end())
			return 0;
		for (const Posting &p : at->second->postings)
			if (p.document == document)
				sum += p.weight;
		return sum / (1 + static_cast<float>(length(document)));
	}

	int length(int document) const
	{
		auto at = lengths_.find(document);

		return at == lengths_.end() ? 0 : at->second;
	}

	long walk() const
	{
		long sum = 0;

		for (const Term *t = last_; t; t = t->next)
			sum += t->id * static_cast<long>(t->postings.size());
		for (int word : recent_)
			sum = sum * 3 + word;
		for (const auto &entry : terms_)
			sum ^= entry.first;
		for (const auto &entry : lengths_)
			sum += entry.first * entry.second;
		return sum;
	}

      private:
	map<int, Term *> terms_;
	hash<int, int> lengths_;
	list<int> recent_;
	Term *last_ = nullptr;
};

struct Node {
	int key;
	std::shared_ptr<Node> left, right;

	explicit Node(int k) : key(k)
	{
	}
};

static void insert(std::shared_ptr<Node> &root, int key)
{
	if (!root)
		root = std::allocate_shared<Node>(truth::allocator<Node>(), key);
	else
		insert(key < root->key ? root->left : root->right, key);
}

static int depth(const std::shared_ptr<Node> &root)
{
	if (!root)
		return 0;
	return 1 + std::max(depth(root->left), depth(root->right));
}

struct Closer {
	void operator()(Term *t) const
	{
		truth::destroy(t);
	}
};
} // namespace search

int main()
{
	auto *index = truth::make<search::Index>();
	std::shared_ptr<search::Node> tree;
	std::unique_ptr<search::Term, search::Closer> own(truth::make<search::Term>());
	search::vector<search::vector<int>> rows(4);
	float score = 0;
	int sum = 0;

	for (int d = 0; d < 6; d++)
		for (int w = 0; w < 9; w++)
			if ((d * w) % 4 != 1)
				index->add(w * w % 13, d, 0.5f + static_cast<float>(w));
	for (int d = 0; d < 6; d++)
		score += index->score(d + 3, d);
	for (int i = 0; i < 15; i++)
		search::insert(tree, i * 7 % 16);
	own->postings.push_back({ 1, 2.0f });
	own->postings.push_back({ 2, 3.0f });
	own->id = static_cast<long>(own->postings.size());
	for (unsigned i = 0; i < rows.size(); i++)
		for (int j = 0; j < 5; j++)
			rows[i].push_back(static_cast<int>(i) * j);
	for (const auto &row : rows)
		for (int v : row)
			sum += v;
	std::printf("%.2f %ld %d %ld %d\n", score, index->walk(), search::depth(tree), own->id, sum);
	return 0;
}
