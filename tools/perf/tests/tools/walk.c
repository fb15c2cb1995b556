// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * walk FILE: decodes all records of a perf.data file, and does nothing with them. Its run time is a lower bound for every
 * program that reads the file.
 */
#include <stdio.h>

#include "perfdata/read/reader.h"

int main(int argc, char **argv)
{
	g_autoptr(GError) error = NULL;
	struct perfdata *pd = argc == 2 ? perfdata_open(argv[1], &error) : NULL;
	u64 nr = 0;
	struct event ev;
	int got = -1;

	while (pd && (got = perfdata_next(pd, &ev, &error)) > 0)
		nr++;
	perfdata_close(pd);
	if (got < 0) {
		fprintf(stderr, "walk: %s\n", error ? error->message : "usage: walk FILE");
		return 1;
	}
	printf("%llu records\n", (unsigned long long)nr);
	return 0;
}
