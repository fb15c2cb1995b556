// SPDX-License-Identifier: GPL-2.0-or-later
#include "cmd/list_json.h"

#include <glib.h>
#include <inttypes.h>
#include <linux/perf_event.h>
#include <string.h>

#include "perfevent/parse.h"

/* Names of events are what files of the kernel say: anything but a NUL. */
static void print_text(FILE *out, const char *text)
{
	fputc('"', out);
	for (; *text; text++) {
		if ((unsigned char)*text < 0x20)
			fprintf(out, "\\u%04x", *text);
		else if (*text == '"' || *text == '\\')
			fprintf(out, "\\%c", *text);
		else
			fputc(*text, out);
	}
	fputc('"', out);
}

static void print_member(struct list_json *json, const char *name, const char *text)
{
	fprintf(json->out, ",\n\t\"%s\": ", name);
	print_text(json->out, text);
}

/* The PMU of "pmu/event/", or of the events that the kernel has for all machines. */
static char *unit_of(const char *name, const struct perf_event_attr *attr)
{
	const char *slash = strchr(name, '/');

	if (slash)
		return g_strndup(name, (gsize)(slash - name));
	if (attr->type == PERF_TYPE_SOFTWARE)
		return g_strdup("software");
	return g_strdup(attr->type == PERF_TYPE_TRACEPOINT ? "tracepoint" : "cpu");
}

static void print_attr(struct list_json *json, const char *name, const struct perf_event_attr *attr)
{
	g_autofree char *unit = unit_of(name, attr);
	g_autoptr(GString) encoding = g_string_new(unit);

	g_string_append_printf(encoding, "/config=0x%" PRIx64, (uint64_t)attr->config);
	if (attr->config1)
		g_string_append_printf(encoding, ",config1=0x%" PRIx64, (uint64_t)attr->config1);
	if (attr->config2)
		g_string_append_printf(encoding, ",config2=0x%" PRIx64, (uint64_t)attr->config2);
	if (attr->sample_period && strchr(name, '/'))
		g_string_append_printf(encoding, ",period=%" PRIu64, (uint64_t)attr->sample_period);
	g_string_append_c(encoding, '/');
	print_member(json, "Unit", unit);
	print_member(json, "Encoding", encoding->str);
}

void list_json_event(struct list_json *json, const char *name, const char *alias, const char *kind)
{
	struct event_list list;

	fprintf(json->out, "%s{\n\t\"EventName\": ", json->nr++ ? ",\n" : "[\n");
	print_text(json->out, name);
	if (alias)
		print_member(json, "EventAlias", alias);
	print_member(json, "EventType", kind);
	event_list_init(&list);
	if (event_list_parse(&list, kernel_paths_host(), name, NULL))
		print_attr(json, name, &event_list_at(&list, 0)->evsel->attr);
	event_list_release(&list);
	fputs("\n}", json->out);
}

void list_json_finish(struct list_json *json)
{
	fputs(json->nr ? "\n]\n" : "[\n]\n", json->out);
}
