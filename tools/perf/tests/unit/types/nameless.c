// SPDX-License-Identifier: GPL-2.0-or-later
/* Types without a name, by every way in which C declares one. */
struct outer {
	int first;
	union {
		long bits;
		double real;
	};
	struct {
		int x, y;
		union {
			int inner;
			float other;
		};
	} point;
	struct {
		int z;
	} row[4];
};

typedef struct {
	int unit;
	struct {
		int depth;
	} at;
} named_t;

volatile struct {
	long hits, misses;
} counters;
struct {
	int step;
} *volatile cursor;
volatile enum { RED, GREEN } colour;
volatile struct outer object;
volatile named_t named;

int main(int argc, char **argv)
{
	struct {
		int seen;
	} local[2] = { { argc }, { argc + 1 } };

	counters.hits += argc + local[argc & 1].seen;
	if (cursor)
		counters.misses += cursor->step;
	object.point.y = argc;
	named.at.depth = argc;
	colour = argc > 1 ? GREEN : RED;
	return (int)counters.hits - (int)counters.hits + object.point.x;
}
