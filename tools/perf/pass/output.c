// SPDX-License-Identifier: GPL-2.0-or-later
#include "pass/output.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "perfdata/write/writer.h"

struct output_pass {
	struct pass pass;
	char *path;
	const struct perfdata_info *info;
	struct perfdata_writer *writer;
};

static struct output_pass *output_pass(struct pass *p)
{
	return container_of(p, struct output_pass, pass);
}

static bool begin(struct pass *p, GPtrArray *evsels, GError **error)
{
	const struct perfdata_options plain = { 0 };
	struct output_pass *out = output_pass(p);

	out->writer = perfdata_create(out->path, &plain, (struct evsel *const *)evsels->pdata,
				      evsels->len, out->info, error);
	return out->writer;
}

static bool take(struct pass *p, const struct event *ev, GError **error)
{
	return perfdata_write(output_pass(p)->writer, ev->raw, ev->size, error);
}

bool output_pass_finish(struct pass *p, const struct perfdata_info *info, GError **error)
{
	struct perfdata_writer *writer = g_steal_pointer(&output_pass(p)->writer);

	return perfdata_finish(writer, info, error);
}

/* An incomplete recording must not look like a complete one. */
static void remove_begun(struct output_pass *out)
{
	struct stat st;

	perfdata_abandon(out->writer);
	if (strcmp(out->path, "-") != 0 && !lstat(out->path, &st) && S_ISREG(st.st_mode))
		unlink(out->path);
}

static void free_output(struct pass *p)
{
	struct output_pass *out = output_pass(p);

	if (out->writer)
		remove_begun(out);
	g_free(out->path);
	g_free(out);
}

static const struct pass_ops output_ops = {
	.name = "output",
	.takes_raw_samples = true,
	.begin = begin,
	.take = take,
	.free = free_output,
};

struct pass *output_pass_new(const char *path, const struct perfdata_info *info)
{
	struct output_pass *out = g_new0(struct output_pass, 1);

	out->pass.ops = &output_ops;
	out->path = g_strdup(path);
	out->info = info;
	return &out->pass;
}
