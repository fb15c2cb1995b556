/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Classes with virtual functions: only the unit that has their tables says what they hold. */
namespace chain
{
struct Node {
	long value;
	Node *next;
};

class Holder
{
      public:
	virtual Node *first();
	virtual int size() const;
	virtual ~Holder();
	int held;
};

class Named
{
      public:
	const char *name;
	virtual const Node *named() const;
};

class Outer : public Holder, public Named
{
      public:
	Node *first() override;
	virtual Holder *holder();
	Holder *direct;
};

class Device
{
      public:
	long reads;
	virtual int read();
};

class Disk : public virtual Device
{
      public:
	int sector;
	int read() override;
};

class Drive : public Named, public Disk
{
      public:
	long spins;
	int read() override;
};
} // namespace chain
