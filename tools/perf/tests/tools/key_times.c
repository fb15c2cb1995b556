// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Measures the CPU time (ms) of keys in perf report's browser, on an in-memory screen of 200x50:
 *
 *	key_times "End Home E" report -i perf.data -s symoff,tid,addr
 *	start 1870.2
 *	End 0.3
 *	...
 *
 * The names of keys are those of tests/screens.
 */
#include <stdio.h>
#include <stdlib.h>

#include "cli/config.h"
#include "cmd/report/report_screen.h"
#include "term/keys.h"
#include "term/memory.h"

int main(int argc, char **argv)
{
	g_auto(GStrv) names = argc > 2 ? g_strsplit(argv[1], " ", -1) : NULL;
	struct screen *screen = memory_screen_new(50, 200);
	struct config *config = config_load(CONFIG_ALL);
	const GArray *costs;
	int status;

	if (!names) {
		fprintf(stderr, "usage: key_times KEYS report [OPTION]...\n");
		return 2;
	}
	for (u32 i = 0; names[i]; i++) {
		if (!key_find(names[i])) {
			fprintf(stderr, "no key is called '%s'\n", names[i]);
			return 2;
		}
		memory_screen_press(screen, key_find(names[i]));
	}
	status = report_on_screen(screen, config, argc - 2, argv + 2);
	costs = memory_screen_costs(screen);
	for (u32 i = 0; i < costs->len; i++)
		printf("%s %.1f\n", i ? names[i - 1] : "start",
		       (double)g_array_index(costs, u64, i) / 1e6);
	screen_free(screen);
	config_free(config);
	return status;
}
