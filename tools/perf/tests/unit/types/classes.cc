// SPDX-License-Identifier: GPL-2.0-or-later
// The marks stand on the lines they speak of.
// clang-format off
/*
 * Marks as in fields.c.
 * @locals struct Point* | struct Point& | Shape* | Circle* | Shape& | int | Circle& | const Shape* | unsigned char | Handle* | Handle +0 (to)
 * @locals Link* | struct Link* | struct Entry* | struct Entry +0 (next) | struct Entry +0x8 (kind) | struct Entry +0x10 (value) | char** | struct Point (one of several) | struct Link (one of several) | struct Point +0 (x) | struct Point +0x4 (y) | Circle +0 (id) | Holder<Point> +0 (tag) | Holder<Point> (one of several)
 * @locals Holder<Point> +0x8 (value.x) | Holder<Point> +0xc (value.y) | Holder* | Holder<Point>* | Holder<Point>& | struct Point&& | (function_type)*
 */
#ifdef __clang__
#define NOINLINE __attribute__((noinline))
#else
#define NOINLINE __attribute__((noipa))
#endif

struct Point {
	int x, y;
};

class Shape {
      public:
	int id;
	Point origin;
	NOINLINE int get_id() const { return id; } // @must Shape +0 (id)
};

class Circle : public Shape {
      public:
	int radius;
	NOINLINE int get_radius() { return radius; } // @must Circle +0xc (radius)
	NOINLINE int get_y() { return origin.y; } // @must Circle +0x8 (origin.y)
};

template <class T> class Holder {
      public:
	long tag;
	T value;
};

struct Link {
	Link *next;
	int kind;
};

struct Entry : Link {
	long value;
};

/* What is behind the base class is the only derived one's. */
NOINLINE long last(Link *link)
{
	while (link->next) // @must struct Link +0 (next)
		link = link->next;
	return static_cast<Entry *>(link)->value; // @must struct Entry +0x10 (value)
}

class Nothing {};
class Less : public Nothing {};

class Handle : public Less {
      public:
	Point *to;
	NOINLINE Point *get() { return to; } // @must Handle +0 (to)
};

namespace store
{
int hits;
static Point corner;
}

NOINLINE int by_reference(Point &p) { return p.y; } // @must struct Point +0x4 (y)
NOINLINE int by_rvalue(Point &&p) { return p.x; } // @must struct Point +0 (x)
NOINLINE int of_template(Holder<Point> &h) { return h.value.y; } // @must Holder<Point> +0xc (value.y)
NOINLINE void hit() { store::hits++; } // @zero int +0 (no field)
NOINLINE void move_corner(int y) { store::corner.y = y; } // @zero struct Point +0x4 (y)
NOINLINE int get_corner() { return store::corner.y; } // @zero struct Point +0x4 (y)

int main(int argc, char **argv)
{
	Circle circle;
	Holder<Point> holder;
	Handle handle;
	Entry entry = {};
	Point point = { 1, 2 };

	circle.id = holder.tag = 0;
	holder.value = point;
	handle.to = &point;
	hit();
	move_corner(argc);
	return argc > 99 ? circle.get_id() + circle.get_radius() + circle.get_y() + handle.get()->x +
				   by_reference(point) + of_template(holder) + get_corner() +
				   by_rvalue(Point{ argc, 2 }) + static_cast<int>(last(&entry))
			 : 0;
}
