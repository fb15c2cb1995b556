// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * As in upstream, the recording is read once for the files that samples and their callers hit. Only these are copied,
 * since a system has thousands of files mapped.
 */
#include "cmd/buildid/copies.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <time.h>

#include "dso/cache.h"
#include "dso/dso.h"
#include "dso/open_files.h"
#include "dso/kallsyms.h"
#include "dso/vdso.h"
#include "session/session.h"

struct copies {
	const struct copies_options *o;
	char *dir; /* of the cache */
	GPtrArray *copied;
	GError *refused; /* the cache cannot be written */
};

static bool add(struct copies *c, const struct build_id *id, const char *name, const char *kind,
		const char *path)
{
	g_autoptr(GError) error = NULL;

	if (cache_add(c->dir, id, name, kind, path, &error))
		return true;
	if (c->o->verbose)
		fprintf(stderr, "perf: no copy of %s: %s\n", name, error->message);
	if (error->code == PERF_ERROR_PERMISSION && !c->refused)
		c->refused = g_steal_pointer(&error);
	return false;
}

/* Symbols of the kernel have other addresses after each boot, and modules come and go. */
static bool is_of_this_boot(const char *dir, const struct build_id *id)
{
	struct timespec now, up;
	char hex[BUILD_ID_HEX];
	g_autofree char *path =
		g_build_filename(dir, "[kernel.kallsyms]", build_id_hex(id, hex), "kallsyms", NULL);
	struct stat st;

	clock_gettime(CLOCK_REALTIME, &now);
	clock_gettime(CLOCK_BOOTTIME, &up);
	return !stat(path, &st) && st.st_mtim.tv_sec > now.tv_sec - up.tv_sec;
}

/* Reports on other machines take data types from it. It is the same in each boot. */
static void copy_types(struct copies *c, const struct build_id *id)
{
	const char *types = "/sys/kernel/btf/vmlinux";

	if (!cache_use(c->dir, id, "btf") && !access(types, R_OK))
		add(c, id, "[kernel.kallsyms]", "btf", types);
}

static bool copy_kernel(struct copies *c, const struct build_id *id)
{
	bool present = cache_use(c->dir, id, "kallsyms");
	g_autofree char *text = NULL;
	struct build_id running;
	size_t size;

	if (!build_id_read_kernel(&running, NULL) || !build_id_equal(&running, id))
		return present;
	copy_types(c, id);
	if (present && is_of_this_boot(c->dir, id))
		return present;
	/* Without the permission, all addresses are 0. */
	text = kallsyms_read("/proc/kallsyms", &size, NULL);
	return text ? add(c, id, "[kernel.kallsyms]", "kallsyms", "/proc/kallsyms") : present;
}

static bool copy_vdso(struct copies *c, const struct build_id *id, const char *name)
{
	enum vdso which = strcmp(name, vdso_name(VDSO_NARROW)) ? VDSO_OWN : VDSO_NARROW;
	struct build_id own;

	if (!cache_use(c->dir, id, "vdso") && vdso_build_id(which, &own) &&
	    build_id_equal(&own, id))
		vdso_keep(which, c->dir);
	return cache_has(c->dir, id, "vdso");
}

static bool copy_file(struct copies *c, const struct build_id *id, const char *name)
{
	g_autofree char *held = c->o->held ? open_files_path(c->o->held, id) : NULL;

	return cache_use(c->dir, id, "elf") || add(c, id, name, "elf", held ?: name);
}

/* Of the functions that a process generated. Without the recorder, its file may be another process's by now. */
static bool copy_list(struct copies *c, const struct build_id *id, const char *name)
{
	g_autofree char *held = c->o->held ? open_files_path(c->o->held, id) : NULL;

	return cache_use(c->dir, id, "map") || (held && add(c, id, name, "map", held));
}

static bool copy(struct copies *c, struct dso *dso, const struct build_id *id)
{
	const char *name = dso_long_name(dso);

	switch (dso_kind(dso)) {
	case DSO_KERNEL:
		return copy_kernel(c, id);
	case DSO_VDSO:
		return copy_vdso(c, id, name);
	case DSO_JIT:
		return copy_list(c, id, name);
	default:
		return name[0] == '/' && copy_file(c, id, name);
	}
}

static void take_hit(struct dso *dso, void *arg)
{
	struct copies *c = arg;
	const struct build_id id = dso_identity(dso);
	struct copied *copied;

	if (!id.size)
		return;
	copied = g_new0(struct copied, 1);
	*copied = (struct copied){ id, g_strdup(dso_long_name(dso)), copy(c, dso, &id) };
	g_ptr_array_add(c->copied, copied);
}

static void copied_free(void *p)
{
	g_free(((struct copied *)p)->name);
	g_free(p);
}

static bool read_hits(struct copies *c, GError **error)
{
	const struct session_options options = { .input = c->o->input, .force = c->o->force };
	struct session *session = session_open(&options, error);
	struct dsos *dsos;
	bool good;

	if (!session)
		return false;
	good = session_each_hit(session, take_hit, c, error);
	dsos = session_dsos(session);
	for (u32 i = 0; good && c->o->all && i < dsos_count(dsos); i++)
		take_hit(dsos_at(dsos, i), c);
	session_close(session);
	if (good && c->refused)
		g_propagate_error(error, g_steal_pointer(&c->refused));
	return good && (!error || !*error);
}

GPtrArray *copies_keep(const struct copies_options *options, GError **error)
{
	struct copies c = { .o = options, .dir = cache_folder() };

	c.copied = g_ptr_array_new_with_free_func(copied_free);
	if (!read_hits(&c, error))
		g_clear_pointer(&c.copied, g_ptr_array_unref);
	g_clear_error(&c.refused);
	g_free(c.dir);
	return c.copied;
}

static bool is_wanted(const struct record_options *o)
{
	struct stat st;

	return options_keep_copies(o) && !stat(o->output, &st) && S_ISREG(st.st_mode);
}

void copies_keep_recorded(const struct record_options *o, struct open_files *held, u64 limit)
{
	const struct copies_options options = {
		.input = o->output, .all = o->buildid_all, .verbose = o->verbose > 0, .held = held
	};
	g_autoptr(GError) error = NULL;
	g_autofree char *dir = NULL;
	GPtrArray *copied;

	if (!is_wanted(o))
		return;
	copied = copies_keep(&options, &error);
	if (!copied) {
		fprintf(stderr, "perf: no copies of the recorded programs: %s\n", error->message);
		return;
	}
	g_ptr_array_unref(copied);
	dir = cache_folder();
	cache_trim(dir, limit);
}
