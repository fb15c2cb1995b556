// SPDX-License-Identifier: GPL-2.0-or-later
#include "export/xcapture_files.h"

#include <errno.h>
#include <fcntl.h>
#include <time.h>

#include "base/clock.h"

#define MOST_OPEN   16
#define HOUR_LENGTH 32

static const struct {
	const char *name, *titles;
} kinds[XCAPTURE_NR_FILES] = {
	[XCAPTURE_SAMPLES] = { "samples",
			       "TIMESTAMP,WEIGHT_US,TID,TGID,PIDNS,CGROUP_ID,STATE,USERNAME,EXE,"
			       "COMM,SYSCALL,SYSCALL_ACTIVE,SYSC_ENTRY_TIME,SYSC_NS_SO_FAR,"
			       "SYSC_SEQ_NUM,IORQ_SEQ_NUM,SYSC_ARG1,SYSC_ARG2,SYSC_ARG3,SYSC_ARG4,"
			       "SYSC_ARG5,SYSC_ARG6,FILENAME,CONNECTION,CONN_STATE,EXTRA_INFO,"
			       "KSTACK_HASH,USTACK_HASH" },
	[XCAPTURE_SYSCEND] = { "syscend", "TYPE,TID,TGID,SYSCALL_NAME,DURATION_NS,SYSC_RET_VAL,"
					  "SYSC_SEQ_NUM,SYSC_ENTER_TIME" },
	[XCAPTURE_IORQEND] = { "iorqend",
			       "TYPE,INSERT_TID,INSERT_TGID,ISSUE_TID,ISSUE_TGID,COMPLETE_TID,"
			       "COMPLETE_TGID,DEV_MAJ,DEV_MIN,SECTOR,BYTES,IORQ_FLAGS,IORQ_SEQ_NUM,"
			       "DURATION_NS,SERVICE_NS,QUEUED_NS,ISSUE_TIMESTAMP,ERROR" },
	[XCAPTURE_KSTACKS] = { "kstacks", "KSTACK_HASH,KSTACK_SYMS" },
	[XCAPTURE_USTACKS] = { "ustacks", "USTACK_HASH,USTACK_SYMS" },
	[XCAPTURE_CGROUPS] = { "cgroups", "CGROUP_ID,CGROUP_PATH" },
};

/* The files of one hour. */
struct hour {
	FILE *files[XCAPTURE_NR_FILES];
	bool begun[XCAPTURE_NR_FILES];
	GHashTable *seen[XCAPTURE_NR_FILES]; /* ids, as u64 * */
};

struct xcapture_files {
	char *folder;
	GHashTable *hours; /* "2026-11-22.09" -> struct hour * */
	u32 nr_open;
	bool failed;
};

static void close_hour(struct xcapture_files *f, struct hour *h)
{
	for (u32 i = 0; i < XCAPTURE_NR_FILES; i++) {
		if (!h->files[i])
			continue;
		f->failed |= ferror(h->files[i]) | fclose(h->files[i]);
		h->files[i] = NULL;
		f->nr_open--;
	}
}

static void hour_free(void *arg)
{
	struct hour *h = arg;

	for (u32 i = 0; i < XCAPTURE_NR_FILES; i++)
		g_hash_table_unref(h->seen[i]);
	g_free(h);
}

struct xcapture_files *xcapture_files_new(const char *folder, GError **error)
{
	struct xcapture_files *f;

	if (g_mkdir_with_parents(folder, 0777)) {
		error_set_errno(error, errno, "%s", folder);
		return NULL;
	}
	f = g_new0(struct xcapture_files, 1);
	f->folder = g_strdup(folder);
	f->hours = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, hour_free);
	return f;
}

static void close_all(struct xcapture_files *f)
{
	GHashTableIter i;
	void *hour;

	g_hash_table_iter_init(&i, f->hours);
	while (g_hash_table_iter_next(&i, NULL, &hour))
		close_hour(f, hour);
}

bool xcapture_files_close(struct xcapture_files *f, GError **error)
{
	bool ok;

	close_all(f);
	ok = !f->failed ||
	     error_set(error, PERF_ERROR_SYSTEM, "%s: not all could be written", f->folder);
	g_hash_table_unref(f->hours);
	g_free(f->folder);
	g_free(f);
	return ok;
}

static void local_time(u64 wall_ns, struct tm *out)
{
	time_t seconds = (time_t)(wall_ns / NS_PER_S);

	localtime_r(&seconds, out);
}

static struct hour *hour_of(struct xcapture_files *f, u64 wall_ns, char *name)
{
	struct hour *h;
	struct tm tm;

	local_time(wall_ns, &tm);
	strftime(name, HOUR_LENGTH, "%Y-%m-%d.%H", &tm);
	h = g_hash_table_lookup(f->hours, name);
	if (h)
		return h;
	h = g_new0(struct hour, 1);
	for (u32 i = 0; i < XCAPTURE_NR_FILES; i++)
		h->seen[i] = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
	g_hash_table_insert(f->hours, g_strdup(name), h);
	return h;
}

/* Neither follows a link nor writes to a file that was there before. */
static FILE *open_own(const char *path, bool is_new)
{
	int fd = open(path,
		      O_WRONLY | O_CLOEXEC | (is_new ? O_CREAT | O_EXCL : O_APPEND | O_NOFOLLOW),
		      0600);

	return fd < 0 ? NULL : fdopen(fd, is_new ? "w" : "a");
}

FILE *xcapture_files_at(struct xcapture_files *f, enum xcapture_file which, u64 wall_ns,
			GError **error)
{
	char name[HOUR_LENGTH];
	struct hour *h = hour_of(f, wall_ns, name);
	g_autofree char *path = NULL;

	if (h->files[which])
		return h->files[which];
	if (f->nr_open >= MOST_OPEN)
		close_all(f);
	path = g_strdup_printf("%s/xcapture_%s_%s.csv", f->folder, kinds[which].name, name);
	h->files[which] = open_own(path, !h->begun[which]);
	if (!h->files[which]) {
		error_set_errno(error, errno, "%s", path);
		return NULL;
	}
	f->nr_open++;
	if (!h->begun[which])
		fprintf(h->files[which], "%s\n", kinds[which].titles);
	h->begun[which] = true;
	return h->files[which];
}

bool xcapture_files_has(struct xcapture_files *f, enum xcapture_file which, u64 wall_ns, u64 id)
{
	char name[HOUR_LENGTH];
	struct hour *h = hour_of(f, wall_ns, name);

	return !g_hash_table_add(h->seen[which], g_memdup2(&id, sizeof(id)));
}

void xcapture_append_time(GString *out, u64 wall_ns)
{
	char text[HOUR_LENGTH];
	struct tm tm;

	local_time(wall_ns, &tm);
	strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%S", &tm);
	g_string_append_printf(out, "%s.%06u", text, (u32)(wall_ns % NS_PER_S / 1000));
}
