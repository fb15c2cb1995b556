// SPDX-License-Identifier: GPL-2.0-or-later
#include "jit/jitdump.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define JITDUMP_MAGIC	  0x4a695444u
#define JITDUMP_VERSION	  1
#define JITDUMP_HEADER	  40
#define JITDUMP_PREFIX	  16
#define JITDUMP_CYCLES	  1ull	 /* a flag of the header */
#define JITDUMP_SAME_FILE "\xff" /* stands for the file name of the previous line */

struct jitdump {
	char *name;
	GMappedFile *mapped; /* NULL: opened by jitdump_open_bytes() */
	const u8 *data;
	struct cursor c;
	u32 machine;
	u64 flags;
	bool closed;
};

static bool fail_at(const struct jitdump *j, u64 at, GError **error, const char *expected)
{
	return error_set(error, PERF_ERROR_FORMAT, "%s: at offset 0x%" PRIx64 ": expected %s",
			 j->name, at, expected);
}

static bool read_header(struct jitdump *j, GError **error)
{
	u32 magic = cursor_u32(&j->c), version = cursor_u32(&j->c), size = cursor_u32(&j->c);

	j->machine = cursor_u32(&j->c);
	cursor_u32(&j->c);
	cursor_u32(&j->c); /* the process id */
	cursor_u64(&j->c);
	j->flags = cursor_u64(&j->c);
	if (magic != JITDUMP_MAGIC)
		return fail_at(j, 0, error, "the magic of a jitdump of this byte order");
	if (version != JITDUMP_VERSION)
		return fail_at(j, 4, error, "version 1 of jitdump");
	if (j->c.failed || size < JITDUMP_HEADER || !cursor_bytes(&j->c, size - JITDUMP_HEADER))
		return fail_at(j, 8, error, "a whole header");
	return true;
}

static struct jitdump *open_on(const char *name, GMappedFile *mapped, const void *data, size_t size,
			       GError **error)
{
	struct jitdump *j = g_new0(struct jitdump, 1);

	j->name = g_strdup(name);
	j->mapped = mapped;
	j->data = data;
	j->c = cursor_of(data ? data : "", size);
	if (read_header(j, error))
		return j;
	jitdump_close(j);
	return NULL;
}

struct jitdump *jitdump_open_bytes(const char *name, const void *data, size_t size, GError **error)
{
	return open_on(name, NULL, data, size, error);
}

static bool is_own(int fd, const char *path, bool force, GError **error)
{
	struct stat st;

	if (fstat(fd, &st))
		return error_set_errno(error, errno, "%s", path);
	if (!S_ISREG(st.st_mode))
		return error_set(error, PERF_ERROR_FORMAT, "%s: is not a regular file", path);
	if (!force && st.st_uid && st.st_uid != geteuid())
		return error_set(error, PERF_ERROR_PERMISSION,
				 "%s: belongs neither to this user nor to root: read it with -f",
				 path);
	return true;
}

struct jitdump *jitdump_open(const char *path, bool force, GError **error)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	GMappedFile *mapped;

	if (fd < 0) {
		error_set_errno(error, errno, "%s", path);
		return NULL;
	}
	mapped = is_own(fd, path, force, error) ? g_mapped_file_new_from_fd(fd, FALSE, error)
						: NULL;
	close(fd);
	if (!mapped)
		return NULL;
	return open_on(path, mapped, g_mapped_file_get_contents(mapped),
		       g_mapped_file_get_length(mapped), error);
}

void jitdump_close(struct jitdump *j)
{
	if (!j)
		return;
	if (j->mapped)
		g_mapped_file_unref(j->mapped);
	g_free(j->name);
	g_free(j);
}

u16 jitdump_machine(const struct jitdump *j)
{
	return (u16)j->machine;
}

bool jitdump_counts_cycles(const struct jitdump *j)
{
	return j->flags & JITDUMP_CYCLES;
}

static void read_place(struct cursor *c, struct jitdump_record *r)
{
	r->pid = cursor_u32(c);
	r->tid = cursor_u32(c);
	cursor_u64(c); /* vma: the code's address again */
	if (r->kind == JITDUMP_MOVE)
		r->old_address = cursor_u64(c);
	r->address = cursor_u64(c);
	r->size = cursor_u64(c);
	r->index = cursor_u64(c);
}

static bool read_body(struct cursor *c, struct jitdump_record *r)
{
	switch (r->kind) {
	case JITDUMP_LOAD:
		read_place(c, r);
		r->name = cursor_string(c);
		r->code = cursor_bytes(c, r->size);
		break;
	case JITDUMP_MOVE:
		read_place(c, r);
		break;
	case JITDUMP_DEBUG:
		r->address = cursor_u64(c);
		r->nr_lines = cursor_u64(c);
		r->rest = *c;
		break;
	case JITDUMP_UNWINDING:
		r->unwinding_size = cursor_u64(c);
		r->eh_frame_hdr_size = cursor_u64(c);
		cursor_u64(c); /* mapped_size */
		r->unwinding = cursor_bytes(c, r->unwinding_size);
		return !c->failed && r->eh_frame_hdr_size <= r->unwinding_size;
	default:
		break;
	}
	return !c->failed;
}

int jitdump_next(struct jitdump *j, struct jitdump_record *out, GError **error)
{
	u64 at = (u64)(j->c.pos - j->data);
	struct cursor prefix = j->c, body;
	u32 size;

	*out = (struct jitdump_record){ 0 };
	if (j->closed || cursor_left(&j->c) < JITDUMP_PREFIX)
		return 0;
	out->kind = cursor_u32(&prefix);
	size = cursor_u32(&prefix);
	out->time = cursor_u64(&prefix);
	if (size < JITDUMP_PREFIX)
		return fail_at(j, at, error, "a record of at least 16 bytes"), -1;
	if (size > cursor_left(&j->c))
		return 0;
	body = cursor_of(j->c.pos + JITDUMP_PREFIX, size - JITDUMP_PREFIX);
	cursor_bytes(&j->c, size);
	if (!read_body(&body, out))
		return fail_at(j, at, error, "the fields of its kind in a record"), -1;
	j->closed = out->kind == JITDUMP_CLOSE;
	return 1;
}

bool jitdump_line(struct jitdump_record *r, struct jitdump_line *out)
{
	const char *before = out->file;
	const char *file;

	if (!r->nr_lines)
		return false;
	r->nr_lines--;
	out->address = cursor_u64(&r->rest);
	out->line = cursor_u32(&r->rest);
	cursor_u32(&r->rest); /* the discriminator */
	file = cursor_string(&r->rest);
	if (!file)
		return false;
	out->file = strcmp(file, JITDUMP_SAME_FILE) == 0 && before ? before : file;
	return true;
}
