// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A program without a library, whose statics are arrays, have arrays in them, or are none; and with moves of integers. bin/elements is
 *
 *	gcc -gdwarf-5 -O2 -static -nostdlib -fno-stack-protector -no-pie -fno-pie \
 *		-Wl,--build-id=none,-z,noseparate-code -Wl,-Ttext=0x401000,-Tdata=0x402000 \
 *		-fdebug-prefix-map=$PWD=/src -o bin/elements elements.c
 */
struct stats {
	long hits, misses;
};

struct three {
	struct stats first, second, third;
};

struct shop {
	long nr, pad;
	struct stats at[4];
};

struct stats plain[4] = { { 1, 1 } };
struct three three = { { 1, 1 } };
struct shop shop = { 1 };
struct stats grid[2][4] = { { { 1, 1 } } };
union {
	long whole[8];
	struct stats parts[4];
} both = { { 1 } };
long counters[8] = { 1 };

__attribute__((noinline)) void touch(struct stats *stats)
{
	stats->misses++;
}

__attribute__((noinline)) void count(long i)
{
	counters[i]++;
}

struct job {
	long id;
	unsigned state;
	int balance;
	short kind;
};

__attribute__((noinline)) long take(struct job *job, unsigned state)
{
	long id = job->id;
	int balance = job->balance;

	job->state = state;
	job->kind = 7;
	return id * 3 + balance;
}

void _start(void)
{
	for (int i = 0;; i = (i + 1) & 3) {
		touch(&plain[i]);
		touch(&three.second);
		touch(&shop.at[i]);
		touch(&grid[i & 1][i]);
		touch(&both.parts[i]);
		count(i);
	}
}
