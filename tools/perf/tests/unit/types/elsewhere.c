// SPDX-License-Identifier: GPL-2.0-or-later
/* What fields.c uses and another unit defines. */
struct pair {
	int x, y;
};

struct pair elsewhere;
char elsewhere_table[1600];

void sink(void *p)
{
	__asm__ volatile("" : : "r"(p) : "memory");
}
