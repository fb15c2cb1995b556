// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A program without a library, of which bin/walk is the build that the cases refer to:
 *
 *	gcc -gdwarf-5 -O2 -static -nostdlib -fno-stack-protector -no-pie -fno-pie \
 *		-Wl,--build-id=none,-z,noseparate-code -Wl,-Ttext=0x401000,-Tdata=0x404000,-Tbss=0x404000 \
 *		-fdebug-prefix-map=$PWD=/src -o bin/walk walk.c
 */
struct list {
	struct list *next;
};

struct pair {
	int x, y;
};

struct node {
	long key;
	struct list l;
	struct pair pairs[3];
	unsigned b : 3, c : 5;
	union {
		int i;
		long j;
	};
	char tail[];
};

struct node *global;
struct pair table[4];
__thread long tls;

static inline __attribute__((always_inline)) int inner(struct pair *p, int i)
{
	static int hits;
	int v;

	hits++;
	v = p[i].y;
	return v + hits;
}

__attribute__((noinline)) long walk(struct node *n, int i)
{
	long sum = 0;

	while (n) {
		sum += n->key + inner(n->pairs, i) + table[i & 3].x;
		tls++;
		n = (struct node *)n->l.next;
	}
	return sum;
}

void _start(void)
{
	struct pair local[2] = { { 1, 2 } };

	walk(global, local[1].x);
	for (;;)
		;
}
