// SPDX-License-Identifier: GPL-2.0-or-later
/* Texts of -e, against a small forged sysfs and tracefs; and the other texts of this room. */
#include <stdlib.h>

#include "perfevent/parse.h"
#include "perfevent/proc.h"
#include "perfevent/ring.h"
#include "tests/unit/perfevent_tree.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerInitialize(int *argc, char ***argv);

static struct tree *tree(void)
{
	static struct tree t;

	return &t;
}

static void remove_tree(void)
{
	tree_release(tree());
}

#define PMU "sys/bus/event_source/devices/cpu/"

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	struct tree *t = tree();

	tree_init(t);
	atexit(remove_tree);
	tree_put(t, PMU "type", "4\n");
	tree_put(t, PMU "format/event", "config:0-7,32-35\n");
	tree_put(t, PMU "format/edge", "config:18\n");
	tree_put(t, PMU "format/wide", "config1:0-63\n");
	tree_put(t, PMU "events/ev", "event=0x3c,edge=?\n");
	tree_put(t, "tracing/events/header_page", "");
	tree_put(t, "tracing/events/a/b/id", "7\n");
	tree_put(t, "tracing/events/a/bc/id", "8\n");
	return 0;
}

static void parse_texts(const char *text)
{
	const struct kernel_paths *paths = &tree()->paths;
	g_autofree char *line = g_strdup(text);
	GError *error = NULL;
	struct event_list list;
	struct proc_map map;
	GArray *ints;
	bool rounded;
	u32 pages;

	event_list_init(&list);
	/* either events, each with a name and a leader, or an error and none */
	if (event_list_parse(&list, paths, text, &error)) {
		g_assert(!error && list.specs->len);
		for (u32 i = 0; i < list.specs->len; i++) {
			const struct evsel *evsel = event_list_at(&list, i)->evsel;

			g_assert(evsel->name && evsel->idx == i && evsel->leader <= i);
		}
	} else {
		g_assert(error && !list.specs->len);
		g_error_free(error);
	}
	event_list_release(&list);
	if (proc_map_parse(line, &map))
		g_assert(map.start < map.end && map.name);
	if ((ints = cpu_list_parse(text, NULL)))
		g_array_unref(ints);
	if ((ints = pid_list_parse(text, NULL)))
		g_array_unref(ints);
	if (ring_pages_parse(paths, text, &pages, &rounded, NULL))
		g_assert(pages && !(pages & (pages - 1)));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = g_strndup((const char *)data, size);

	parse_texts(text);
	g_free(text);
	return 0;
}
