// SPDX-License-Identifier: GPL-2.0-or-later
/* The recordings that questions are about. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "ask/ask_private.h"

struct ask {
	const struct ask_options *o;
	GPtrArray *files; /* struct ask_file * */
};

static void file_close(struct ask_file *f)
{
	if (!f->is_open)
		return;
	explorer_free(f->explorer);
	report_release(&f->report);
	session_close(f->session);
	/* What the command gave stays the command's. */
	f->options.spans = (struct span_options){ 0 };
	report_options_release(&f->options);
	*f = (struct ask_file){ .path = f->path };
}

static void file_free(void *arg)
{
	file_close(arg);
	g_free(arg);
}

struct ask *ask_new(const struct ask_options *o)
{
	struct ask *ask = g_new0(struct ask, 1);

	ask->o = o;
	ask->files = g_ptr_array_new_with_free_func(file_free);
	for (u32 i = 0; i < o->paths->len; i++) {
		struct ask_file *f = g_new0(struct ask_file, 1);

		f->path = o->paths->pdata[i];
		g_ptr_array_add(ask->files, f);
	}
	return ask;
}

void ask_free(struct ask *ask)
{
	g_ptr_array_unref(ask->files);
	g_free(ask);
}

const GPtrArray *ask_files(const struct ask *ask)
{
	return ask->files;
}

/* The options of perf report --format=json -i PATH, with how the command was told to read. */
static bool file_options(const struct ask *ask, struct ask_file *f, GError **error)
{
	struct report_options *o = &f->options;
	const struct report_options *reading = ask->o->reading;
	struct pager none = { 0 };

	if (!report_options_begin(o, ask->o->config))
		return error_set(error, PERF_ERROR_USAGE, "a configuration file is invalid");
	o->session = reading->session;
	o->types = reading->types;
	o->quiet = true;
	o->format = "json";
	o->children_given = true;
	o->children = false;
	o->show_samples = true;
	o->show_period = true;
	o->chain.mode = CHAIN_NONE;
	o->inputs = g_ptr_array_new();
	g_ptr_array_add(o->inputs, (void *)f->path);
	if (report_options_complete(o, 0, NULL, &none))
		return error_set(error, PERF_ERROR_USAGE, "%s: cannot be opened", f->path);
	/* report_options_complete() has put its own, empty ones there. */
	span_options_release(&o->spans);
	o->spans = reading->spans;
	o->session.span_files = reading->session.span_files;
	o->session.span_labels = reading->session.span_labels;
	o->session.trace_names = reading->session.trace_names;
	o->session.span_names = reading->session.span_names;
	o->session.charge_interrupts = reading->session.charge_interrupts;
	o->session.filter = reading->session.filter;
	return true;
}

static bool file_open(struct ask *ask, struct ask_file *f, GError **error)
{
	bool ok;

	if (f->is_open)
		return true;
	f->is_open = true;
	ok = file_options(ask, f, error);
	if (ok)
		f->session = session_open(&f->options.session, error);
	f->report = (struct report){ .options = &f->options, .session = f->session };
	if (!f->session || !report_settle(&f->report, error)) {
		file_close(f);
		return false;
	}
	f->report.columns_options.no_filler = true;
	f->explorer = explorer_new(&(struct explorer_options){
		.session = f->session,
		.lexicon = f->report.lexicon,
		.columns = f->report.columns_options,
		.profile = f->report.profile_options,
		.pages = report_pages_options(&f->report),
	});
	return true;
}

static bool is_named(const char *path, const char *name)
{
	size_t at = strlen(path) - MIN(strlen(path), strlen(name));

	return !strcmp(path + at, name) && (!at || path[at - 1] == '/');
}

/* Only recordings of the command line: a client cannot name others. */
struct ask_file *ask_file_named(struct ask *ask, const char *name, GError **error)
{
	for (u32 i = 0; i < ask->files->len; i++) {
		struct ask_file *f = ask->files->pdata[i];

		if (!name || is_named(f->path, name))
			return file_open(ask, f, error) ? f : NULL;
	}
	error_set(error, PERF_ERROR_USAGE, "there is no recording '%s': about lists them", name);
	return NULL;
}

/* Resident memory of this process in bytes; 0: not known. */
static u64 memory_now(void)
{
	FILE *file = fopen("/proc/self/statm", "re");
	unsigned long size, resident = 0;

	if (!file)
		return 0;
	if (fscanf(file, "%lu %lu", &size, &resident) != 2)
		resident = 0;
	fclose(file);
	return (u64)resident * (u64)sysconf(_SC_PAGESIZE);
}

void ask_close_if_large(struct ask *ask)
{
	u64 most = (u64)sysconf(_SC_PHYS_PAGES) * (u64)sysconf(_SC_PAGESIZE) / 4;

	for (u32 i = 0; memory_now() > most && i < ask->files->len; i++)
		file_close(ask->files->pdata[i]);
}
