// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdlib.h>
#include <string.h>

static int by_value(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static long grow(int depth, const char *from)
{
	char *words[100];
	long sum = 0;

	if (depth)
		return grow(depth - 1, from) + 1;
	for (int i = 0; i < 100; i++)
		words[i] = strdup(from + rand() % 20);
	qsort(words, 100, sizeof(*words), by_value);
	for (int i = 0; i < 100; i++) {
		sum += words[i][0];
		free(words[i]);
	}
	return sum;
}

int main(void)
{
	long sum = 0;

	for (int i = 0;; i++)
		sum += grow(i % 20, "the quick brown fox jumps over the lazy dog");
}
