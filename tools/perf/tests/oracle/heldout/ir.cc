// SPDX-License-Identifier: GPL-2.0-or-later
/* A compiler's middle: values with kinds instead of virtual functions, operands in front of their user, small vectors. */
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <new>
#include <utility>

#include "truth.hh"

#define NOINLINE __attribute__((noinline))

namespace ir
{
class User;
class Value;
class Block;

class Use
{
	Value *val = nullptr;
	Use *next = nullptr;
	Use **prev = nullptr;
	User *parent = nullptr;
	friend class Value;
	friend class User;

public:
	Value *get() const { return val; }
	User *user() const { return parent; }
	Use *following() const { return next; }
	void set(Value *v);
};

class Value
{
public:
	enum Kind : uint8_t { ArgumentKind, ConstantKind, BlockKind, BinaryKind, LoadKind, PhiKind, BranchKind };

private:
	const Kind kind;

protected:
	uint8_t flags = 0;
	uint16_t extra = 0;
	uint32_t nr_operands = 0;
	Use *uses = nullptr;
	explicit Value(Kind k) : kind(k) {}
	friend class Use;

public:
	Kind getKind() const { return kind; }
	Use *firstUse() const { return uses; }
	NOINLINE unsigned countUses() const
	{
		unsigned n = 0;
		for (Use *u = uses; u; u = u->following())
			n++;
		return n;
	}
	NOINLINE void replaceWith(Value *v)
	{
		while (uses)
			uses->set(v);
	}
	uint16_t mark = 0;
};

NOINLINE void Use::set(Value *v)
{
	if (val) {
		*prev = next;
		if (next)
			next->prev = prev;
	}
	val = v;
	if (v) {
		next = v->uses;
		if (next)
			next->prev = &next;
		prev = &v->uses;
		v->uses = this;
	}
}

template <class To, class From> bool isa(const From *v) { return To::classof(v); }
template <class To, class From> To *dyn(From *v) { return To::classof(v) ? static_cast<To *>(v) : nullptr; }

class Argument : public Value
{
public:
	unsigned number;
	const char *name;
	Argument(unsigned n, const char *text) : Value(ArgumentKind), number(n), name(text) {}
	static bool classof(const Value *v) { return v->getKind() == ArgumentKind; }
};

class Constant : public Value
{
public:
	int64_t value;
	Constant *next;
	Constant(int64_t v, Constant *n) : Value(ConstantKind), value(v), next(n) {}
	static bool classof(const Value *v) { return v->getKind() == ConstantKind; }
};

/* Operands lie in front of the object. */
class User : public Value
{
protected:
	User(Kind k, unsigned nr) : Value(k)
	{
		nr_operands = nr;
		for (unsigned i = 0; i < nr; i++)
			ops()[i].parent = this;
	}

public:
	Use *ops() { return reinterpret_cast<Use *>(this) - nr_operands; }
	const Use *ops() const { return reinterpret_cast<const Use *>(this) - nr_operands; }
	unsigned nr() const { return nr_operands; }
	Value *op(unsigned i) const { return ops()[i].get(); }
	void setOp(unsigned i, Value *v) { ops()[i].set(v); }
	static bool classof(const Value *v) { return v->getKind() >= BinaryKind; }
	template <class T, class... A> static T *make(unsigned nr, A &&...args)
	{
		char *raw = static_cast<char *>(truth_alloc(nr * sizeof(Use) + sizeof(T), "unsigned char", 1));
		truth_object(raw, nr * sizeof(Use), truth::name_of<Use>(), strlen(truth::name_of<Use>()), nr);
		truth_object(raw + nr * sizeof(Use), sizeof(T), truth::name_of<T>(), strlen(truth::name_of<T>()), 1);
		for (unsigned i = 0; i < nr; i++)
			new (raw + i * sizeof(Use)) Use;
		return new (raw + nr * sizeof(Use)) T(nr, std::forward<A>(args)...);
	}
};

class Instruction : public User
{
public:
	Block *block = nullptr;
	Instruction *before = nullptr, *after = nullptr;
	uint32_t order = 0;
	float cost = 1;

protected:
	Instruction(Kind k, unsigned nr) : User(k, nr) {}
};

class Binary : public Instruction
{
public:
	char opcode;
	Binary(unsigned nr, char op, Value *a, Value *b) : Instruction(BinaryKind, nr), opcode(op)
	{
		setOp(0, a);
		setOp(1, b);
	}
	static bool classof(const Value *v) { return v->getKind() == BinaryKind; }
};

class Load : public Instruction
{
public:
	uint32_t align;
	double weight;
	Load(unsigned nr, Value *p, uint32_t a) : Instruction(LoadKind, nr), align(a), weight(a * 0.5) { setOp(0, p); }
	static bool classof(const Value *v) { return v->getKind() == LoadKind; }
};

template <class T, unsigned N> class SmallVector
{
	T *begin_ = reinterpret_cast<T *>(storage);
	uint32_t size_ = 0, room = N;
	alignas(T) char storage[N * sizeof(T)];

public:
	SmallVector() { truth_object(storage, sizeof(storage), truth::name_of<T>(), strlen(truth::name_of<T>()), N); }
	~SmallVector()
	{
		if (begin_ != reinterpret_cast<T *>(storage))
			truth_free(begin_);
	}
	NOINLINE void push(T v)
	{
		if (size_ == room) {
			T *fresh = static_cast<T *>(truth_alloc(sizeof(T) * room * 2, truth::name_of<T>(), room * 2));
			for (uint32_t i = 0; i < size_; i++)
				fresh[i] = begin_[i];
			if (begin_ != reinterpret_cast<T *>(storage))
				truth_free(begin_);
			begin_ = fresh;
			room *= 2;
		}
		begin_[size_++] = v;
	}
	T pop() { return begin_[--size_]; }
	T *begin() { return begin_; }
	T *end() { return begin_ + size_; }
	bool empty() const { return !size_; }
	uint32_t size() const { return size_; }
	T &operator[](uint32_t i) { return begin_[i]; }
};

class Block : public Value
{
public:
	Instruction *first = nullptr, *last = nullptr;
	Block *next = nullptr;
	SmallVector<Block *, 2> preds;
	int depth = 0;
	uint64_t frequency = 16;
	Block() : Value(BlockKind) {}
	static bool classof(const Value *v) { return v->getKind() == BlockKind; }
	NOINLINE void append(Instruction *i)
	{
		i->block = this;
		i->before = last;
		if (last)
			last->after = i;
		else
			first = i;
		last = i;
	}
	NOINLINE void erase(Instruction *i)
	{
		(i->before ? i->before->after : first) = i->after;
		(i->after ? i->after->before : last) = i->before;
		for (unsigned n = 0; n < i->nr(); n++)
			i->setOp(n, nullptr);
		i->block = nullptr;
	}
};

class Phi : public Instruction
{
public:
	Block *incoming[4] = {};
	Phi(unsigned nr) : Instruction(PhiKind, nr) {}
	static bool classof(const Value *v) { return v->getKind() == PhiKind; }
};

/* Open addressing from pointers to numbers. */
class Numbering
{
	struct Bucket {
		const Value *key;
		uint32_t number;
		uint16_t height;
	};
	Bucket *buckets;
	uint32_t mask, used = 0;

public:
	explicit Numbering(uint32_t size) : mask(size - 1)
	{
		buckets = static_cast<Bucket *>(truth_alloc(sizeof(Bucket) * size, truth::name_of<Bucket>(), size));
	}
	~Numbering() { truth_free(buckets); }
	NOINLINE Bucket &at(const Value *v)
	{
		uint32_t i = static_cast<uint32_t>(reinterpret_cast<uintptr_t>(v) >> 4) & mask;
		while (buckets[i].key && buckets[i].key != v)
			i = (i + 1) & mask;
		if (!buckets[i].key) {
			buckets[i].key = v;
			buckets[i].number = ++used;
		}
		return buckets[i];
	}
	NOINLINE uint32_t total() const
	{
		uint32_t sum = 0;
		for (uint32_t i = 0; i <= mask; i++)
			if (buckets[i].key)
				sum += buckets[i].number * buckets[i].height;
		return sum;
	}
};

struct Function {
	Block *entry = nullptr;
	SmallVector<Argument *, 4> args;
	Constant *constants = nullptr;
	uint32_t folded = 0, dead = 0;

	NOINLINE Constant *constant(int64_t v)
	{
		for (Constant *c = constants; c; c = c->next)
			if (c->value == v)
				return c;
		return constants = truth::make<Constant>(v, constants);
	}
};

NOINLINE Value *fold(Function &f, Binary *b)
{
	auto *l = dyn<Constant>(b->op(0)), *r = dyn<Constant>(b->op(1));
	if (l && r)
		switch (b->opcode) {
		case '+': return f.constant(l->value + r->value);
		case '*': return f.constant(l->value * r->value % 1000);
		case '-': return f.constant(l->value - r->value);
		}
	if (r && r->value == 0 && b->opcode != '*')
		return b->op(0);
	return nullptr;
}

NOINLINE void run(Function &f)
{
	SmallVector<Instruction *, 8> work;
	for (Block *b = f.entry; b; b = b->next)
		for (Instruction *i = b->first; i; i = i->after)
			work.push(i);
	while (!work.empty()) {
		Instruction *i = work.pop();
		if (!i->block)
			continue;
		if (auto *b = dyn<Binary>(static_cast<Value *>(i)))
			if (Value *v = fold(f, b)) {
				for (Use *u = i->firstUse(); u; u = u->following())
					if (isa<User>(static_cast<Value *>(u->user())))
						work.push(static_cast<Instruction *>(u->user()));
				i->replaceWith(v);
				f.folded++;
			}
		if (!i->firstUse() && !isa<Load>(static_cast<Value *>(i)) && !isa<Phi>(static_cast<Value *>(i))) {
			i->block->erase(i);
			f.dead++;
		}
	}
}

NOINLINE uint32_t heights(Function &f)
{
	Numbering numbers(256);
	double cost = 0;
	for (Block *b = f.entry; b; b = b->next) {
		for (Instruction *i = b->first; i; i = i->after) {
			uint16_t height = 0;
			for (unsigned n = 0; n < i->nr(); n++) {
				uint16_t h = numbers.at(i->op(n)).height;
				height = h > height ? h : height;
			}
			numbers.at(i).height = height + 1;
			i->order = height;
			i->cost += height * 0.25f;
			if (auto *l = dyn<Load>(static_cast<Value *>(i)))
				cost += l->weight / l->align;
			else if (auto *p = dyn<Phi>(static_cast<Value *>(i)))
				cost += p->incoming[0]->depth + p->incoming[1]->frequency;
			cost += i->cost;
		}
		for (Block *p : b->preds)
			b->frequency += p->frequency / 2;
	}
	return numbers.total() + static_cast<uint32_t>(cost);
}
} // namespace ir

int main()
{
	using namespace ir;
	Function f;
	static const char *const names[] = { "a", "b", "c" };
	Block *last = nullptr;
	Instruction *carried = nullptr;
	for (unsigned i = 0; i < 3; i++)
		f.args.push(truth::make<Argument>(i, names[i]));
	for (int n = 0; n < 6; n++) {
		Block *b = truth::make<Block>();
		if (last) {
			last->next = b;
			b->preds.push(last);
			b->preds.push(f.entry);
			b->preds.push(b);
		} else {
			f.entry = b;
		}
		b->depth = n;
		Value *v = f.constant(n * 3);
		for (int k = 0; k < 8; k++) {
			Instruction *i;
			if (k % 4 == 3)
				i = User::make<Load>(1, v, 8u << (k & 1));
			else
				i = User::make<Binary>(2, "+*-"[k % 3], v, k % 5 < 3 ? static_cast<Value *>(f.constant(k % 3)) : f.args[k % 3]);
			b->append(i);
			v = i;
		}
		if (carried) {
			auto *p = User::make<Phi>(2);
			p->setOp(0, v);
			p->setOp(1, carried);
			p->incoming[0] = b;
			p->incoming[1] = last;
			b->append(p);
			v = p;
		}
		carried = b->last;
		last = b;
	}
	run(f);
	uint32_t h = heights(f);
	printf("%u folded, %u dead, %u, %u\n", f.folded, f.dead, h, f.args[0]->countUses() + f.args[0]->number);
}
