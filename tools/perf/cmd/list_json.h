/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The events of perf list as a JSON array, in upstream's names: one object after the other. */
#ifndef PERF_CMD_LIST_JSON_H
#define PERF_CMD_LIST_JSON_H

#include <stdio.h>

struct list_json {
	FILE *out;
	unsigned nr; /* objects so far */
};

/* An event called @name, also @alias (may be NULL); @kind is "Tracepoint event" or the like. */
void list_json_event(struct list_json *json, const char *name, const char *alias, const char *kind);

/* Ends the array, which may be empty. */
void list_json_finish(struct list_json *json);

#endif
