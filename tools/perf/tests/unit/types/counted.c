// SPDX-License-Identifier: GPL-2.0-or-later
// The marks stand on the lines they speak of.
// clang-format off
/*
 * Loops over whole tables. clang counts up to 0, so that the displacement is the table's end, where the next table begins, or nothing
 * at all. See flow.c for the marks.
 *
 * @locals int | long | long int | char** | struct item[]*
 */
#define NOINLINE __attribute__((noinline))
#define KNOWN(...) __asm__ volatile("" : : __VA_ARGS__ : "memory")

struct item { int key, weight; long sum; };
struct point { int x, y, z, w; };
struct moments { long sum, squares; };

static struct item items[64];
static int order[256];
static struct point points[64];
static int scales[256];
static struct moments moments[32];
static int rest[64];
static struct item last[16];

NOINLINE long sum_items(void)
{
	long sum = 0;
	for (int i = 0; i < 64; i++) {
		sum += items[i].key; // @must struct item +0 (key) | struct item (one of several)
		sum += items[i].weight; // @type struct item +0x4 (weight) | struct item (one of several)
		sum += order[i]; // @type int[] +0 (no field) | int +0 (no field)
	}
	return sum;
}

NOINLINE int scale_points(void)
{
	int sum = 0;
	for (int i = 0; i < 64; i++) {
		sum ^= scales[i]; // @type int[] +0 (no field) | int +0 (no field)
		sum += points[i].x; // @type struct point +0 (x) | struct point (one of several)
		sum += points[i].y; // @type struct point +0x4 (y) | struct point (one of several)
	}
	return sum;
}

/* gcc has all its vector instructions on one line. */
NOINLINE void move_points(int by)
{
	for (int i = 0; i < 64; i++) {
		points[i].x += by; // @type struct point +0 (x) | struct point +0x4 (y) | struct point +0x8 (z) | struct point +0xc (w) | struct point (one of several)
		points[i].y += by; // @type struct point +0 (x) | struct point +0x4 (y) | struct point +0x8 (z) | struct point +0xc (w) | struct point (one of several)
		points[i].z -= by; // @type struct point +0 (x) | struct point +0x4 (y) | struct point +0x8 (z) | struct point +0xc (w) | struct point (one of several)
		points[i].w ^= by; // @type struct point +0 (x) | struct point +0x4 (y) | struct point +0x8 (z) | struct point +0xc (w) | struct point (one of several)
	}
}

NOINLINE void add_moments(long by)
{
	for (int i = 0; i < 32; i++) {
		moments[i].sum += by; // @type struct moments +0 (sum) | struct moments (one of several)
		moments[i].squares += by; // @type struct moments +0x8 (squares) | struct moments (one of several)
	}
}

NOINLINE int sum_rest(void)
{
	int sum = 0;
	for (int i = 0; i < 64; i++) {
		sum += rest[i]; // @type int[] +0 (no field) | int +0 (no field)
		sum ^= order[4 * i]; // @type int[] +0 (no field) | int +0 (no field)
	}
	return sum;
}

/* Behind this table is nothing. */
NOINLINE void halve_last(void)
{
	for (int i = 0; i < 16; i++) {
		last[i].sum /= 2; // @must struct item +0x8 (sum)
		last[i].key += 1; // @type struct item +0 (key) | struct item (one of several)
		last[i].weight ^= (int)last[i].sum; // @type struct item +0x4 (weight) | struct item +0x8 (sum) | struct item (one of several)
	}
}

int main(int argc, char **argv)
{
	long sum = argc;
	KNOWN("r"(items), "r"(order), "r"(points), "r"(scales), "r"(moments), "r"(rest), "r"(last));
	sum += sum_items() + scale_points();
	move_points(argc);
	add_moments(argc);
	halve_last();
	return (int)sum + sum_rest();
}
