// SPDX-License-Identifier: GPL-2.0-or-later
#include "ship/push.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "export/exchange/content_id.h"
#include "export/exchange/exchange.h"
#include "export/exchange/row_tables.h"
#include "session/session.h"

#define QUERY_ID "perf-ship-%016" PRIx64

struct sending {
	struct exchange_push x;
	const char *path;
	bool fresh; /* the server cannot have any of its samples */
};

/* After a failure: true to try again, after a while. */
static bool again(struct pusher *p, enum server_result result, GError **why, GError **error)
{
	if (result == SERVER_REFUSES || result == SERVER_STOPPED) {
		g_propagate_error(error, g_steal_pointer(why));
		return false;
	}
	if (!patience_wait(&p->patience, why, error))
		return false;
	g_clear_error(why);
	return !p->meanwhile || p->meanwhile(p->arg, error);
}

static bool greet(struct pusher *p, s32 *offset_ms, GError **error)
{
	for (;;) {
		g_autoptr(GError) why = NULL;
		enum server_result result = server_greet(p->server, offset_ms, &why);

		if (result == SERVER_DONE)
			return true;
		if (!again(p, result, &why, error))
			return false;
	}
}

static bool ask(struct pusher *p, const char *sql, u64 *number, GError **error)
{
	for (;;) {
		g_autoptr(GError) why = NULL;
		enum server_result result = server_ask(p->server, sql, number, &why);

		if (result == SERVER_DONE)
			return true;
		if (!again(p, result, &why, error))
			return false;
	}
}

static bool is_complete(struct pusher *p, u64 id, bool *complete, GError **error)
{
	g_autofree char *sql =
		g_strdup_printf("SELECT count() FROM pushes WHERE push_id = %" PRIu64, id);
	u64 rows;

	if (!ask(p, sql, &rows, error))
		return false;
	*complete = rows > 0;
	return true;
}

/* How many samples of the push the server has, when no insert of it runs. The times spare it other days. */
static bool rows_there(struct pusher *p, const struct sending *push, u64 *rows, GError **error)
{
	g_autofree char *running = g_strdup_printf(
		"SELECT count() FROM system.processes WHERE query_id LIKE '" QUERY_ID "-%%'",
		push->x.id);
	g_autofree char *count =
		g_strdup_printf("SELECT count() FROM samples WHERE push_id = %" PRIu64
				" AND time >= %" PRIu64 " AND time <= %" PRIu64,
				push->x.id, push->x.first, push->x.last);
	u64 inserts;

	for (;;) {
		g_autoptr(GError) why = NULL;

		if (!ask(p, running, &inserts, error))
			return false;
		if (!inserts)
			return ask(p, count, rows, error);
		error_set(&why, PERF_ERROR_SYSTEM, "%s: the server is still inserting it",
			  push->path);
		if (!again(p, SERVER_UNKNOWN, &why, error))
			return false;
	}
}

static char *read_block(const struct sending *push, const struct exchange_block *b, GError **error)
{
	g_autofree char *bytes = g_malloc(b->size);
	ssize_t got = pread(fileno(push->x.out), bytes, b->size, (off_t)b->offset);

	if (got == (ssize_t)b->size)
		return g_steal_pointer(&bytes);
	error_set_errno(error, got < 0 ? errno : EIO, "temporary file of %s", push->path);
	return NULL;
}

static bool wrong_rows(const struct sending *push, u64 rows, GError **error)
{
	return error_set(error, PERF_ERROR_FORMAT,
			 "%s: the server has %" PRIu64 " samples of push %" PRIu64
			 ", which is no number of whole blocks: delete them there",
			 push->path, rows, push->x.id);
}

/* @before: the samples before this block, which are there. */
static bool send_block(struct pusher *p, const struct sending *push, u32 number, u64 before,
		       GError **error)
{
	const struct exchange_block *b =
		&g_array_index(push->x.blocks, struct exchange_block, number);
	g_autofree char *bytes = read_block(push, b, error);
	g_autofree char *id = g_strdup_printf(QUERY_ID "-%u", push->x.id, number);
	u64 rows = before;

	while (bytes) {
		g_autoptr(GError) why = NULL;
		enum server_result result = server_insert(p->server, row_tables[b->table].name, id,
							  bytes, b->size, &why);

		if (result == SERVER_DONE)
			break;
		if (!again(p, result, &why, error))
			return false;
		if (b->table == TABLE_SAMPLES && result == SERVER_UNKNOWN &&
		    !rows_there(p, push, &rows, error))
			return false;
		if (rows == before + b->rows)
			break;
		if (rows != before)
			return wrong_rows(push, rows, error);
	}
	if (bytes)
		patience_reset(&p->patience);
	return bytes;
}

static bool send_samples(struct pusher *p, const struct sending *push, GError **error)
{
	u64 before = 0, there = 0;

	if (!push->fresh && !rows_there(p, push, &there, error))
		return false;
	for (u32 i = 0; i < push->x.blocks->len; i++) {
		const struct exchange_block *b =
			&g_array_index(push->x.blocks, struct exchange_block, i);

		if (b->table != TABLE_SAMPLES)
			continue;
		if (there < before + b->rows) {
			if (there > before)
				return wrong_rows(push, there, error);
			if (!send_block(p, push, i, before, error))
				return false;
		}
		before += b->rows;
		there = MAX(there, before);
	}
	p->samples += before;
	return there == before || wrong_rows(push, there, error);
}

static bool send_table(struct pusher *p, const struct sending *push, enum row_table table,
		       GError **error)
{
	for (u32 i = 0; i < push->x.blocks->len; i++)
		if (g_array_index(push->x.blocks, struct exchange_block, i).table == table &&
		    !send_block(p, push, i, 0, error))
			return false;
	return true;
}

/* What samples refer to is there before them. */
static bool send_all(struct pusher *p, const struct sending *push, GError **error)
{
	static const enum row_table before[] = { TABLE_LOCATIONS, TABLE_STACKS, TABLE_TYPES,
						 TABLE_SPANS,	  TABLE_HOSTS,	TABLE_EVENTS };

	for (u32 i = 0; i < ARRAY_SIZE(before); i++)
		if (!send_table(p, push, before[i], error))
			return false;
	return send_samples(p, push, error) && send_table(p, push, TABLE_PUSHES, error);
}

static FILE *temporary_file(GError **error)
{
	g_autofree char *path = g_build_filename(g_get_tmp_dir(), "perf-ship-XXXXXX", NULL);
	int fd = g_mkstemp_full(path, O_RDWR | O_CLOEXEC, 0600);

	if (fd < 0) {
		error_set_errno(error, errno, "temporary file in %s", g_get_tmp_dir());
		return NULL;
	}
	unlink(path);
	return fdopen(fd, "w+");
}

/* Writes the blocks into a temporary file. *@damaged: the recording is the reason for @error. */
static bool convert(struct pusher *p, struct sending *push, bool *damaged, GError **error)
{
	bool written;

	*damaged = false;
	push->x.out = temporary_file(error);
	if (!push->x.out)
		return false;
	g_array_set_size(push->x.blocks, 0);
	push->x.written = 0;
	p->session->input = push->path;
	if (!exchange_write_push(p->session, &push->x, error)) {
		*damaged = true;
		return false;
	}
	written = !(fflush(push->x.out) | ferror(push->x.out));
	return written || error_set_errno(error, errno, "temporary file of %s", push->path);
}

/* The temporary folder may be full for a while. */
static bool convert_patiently(struct pusher *p, struct sending *push, bool *damaged, GError **error)
{
	for (;;) {
		g_autoptr(GError) why = NULL;

		if (convert(p, push, damaged, &why))
			return true;
		if (push->x.out)
			fclose(push->x.out);
		push->x.out = NULL;
		if (*damaged) {
			g_propagate_error(error, g_steal_pointer(&why));
			return false;
		}
		if (!again(p, SERVER_UNSENT, &why, error))
			return false;
	}
}

static bool drop(struct pusher *p, struct ledger_file *file, const char *why, GError **error)
{
	fprintf(stderr, "perf ship: %s is not sent: %s\n", file->name, why);
	return ledger_end(p->ledger, file, LEDGER_DROPPED, error);
}

/* Hashes the recording. False: it is none, or cannot be read; errno tells. */
static bool number_of(int fd, u64 *id)
{
	g_autofree char *bytes = g_malloc(1 << 20);
	struct content_id content;
	ssize_t got = pread(fd, bytes, 8, 0);

	if (got != 8 || memcmp(bytes, "PERFILE2", 8)) {
		errno = got < 0 ? errno : 0;
		return false;
	}
	content_id_begin(&content, "perf ship 1");
	while ((got = read(fd, bytes, 1 << 20)) > 0)
		g_checksum_update(content.sha, (const guchar *)bytes, got);
	*id = content_id_end(&content);
	return !got;
}

/* The same file as the one that was hashed, when it has been read by its name. */
static bool is_unchanged(struct pusher *p, const struct ledger_file *file)
{
	int fd = ledger_open_file(p->ledger, file);

	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

static bool send_recording(struct pusher *p, struct ledger_file *file, struct sending *push,
			   GError **error)
{
	struct ledger_counts dropped;
	g_autoptr(GError) why = NULL;
	bool damaged, good;

	if (!ledger_begin(p->ledger, file, push->x.id, &dropped, &push->fresh, error))
		return false;
	push->x.dropped_files = dropped.files;
	push->x.dropped_bytes = dropped.bytes;
	good = convert_patiently(p, push, &damaged, &why);
	if (!good && !damaged) {
		g_propagate_error(error, g_steal_pointer(&why));
		return false;
	}
	if (!good || !is_unchanged(p, file))
		return drop(p, file, good ? "it has vanished" : why->message, error);
	if (!send_all(p, push, error))
		return false;
	p->files++;
	return ledger_end(p->ledger, file, LEDGER_SENT, error);
}

/* Asks the server before anything is converted. */
static bool push_number(struct pusher *p, struct ledger_file *file, u64 id, bool readable,
			GError **error)
{
	g_autofree char *path = ledger_path(p->ledger, file);
	struct sending push = { .x = { .id = id, .mask = p->mask }, .path = path };
	bool complete, good;

	if (!greet(p, &push.x.clock_offset_ms, error) || !is_complete(p, id, &complete, error))
		return false;
	patience_reset(&p->patience);
	if (complete) {
		p->there_already++;
		return ledger_end(p->ledger, file, LEDGER_SENT, error);
	}
	if (!readable)
		return drop(p, file, "it has vanished", error);
	push.x.blocks = g_array_new(FALSE, FALSE, sizeof(struct exchange_block));
	good = send_recording(p, file, &push, error);
	g_array_unref(push.x.blocks);
	if (push.x.out)
		fclose(push.x.out);
	return good;
}

/* @id: kept if the file cannot be read. Returns 0, or an errno; -1: it is no recording. */
static int look_at(struct pusher *p, const struct ledger_file *file, u64 *id)
{
	int fd = ledger_open_file(p->ledger, file), why;

	if (fd < 0)
		return errno;
	why = number_of(fd, id) ? 0 : errno ?: -1;
	close(fd);
	return why;
}

bool push_file(struct pusher *p, struct ledger_file *file, GError **error)
{
	u64 id = file->push;
	int why = look_at(p, file, &id);

	if (!why || file->push)
		return push_number(p, file, id, !why, error);
	if (why < 0)
		return ledger_end(p->ledger, file, LEDGER_OTHER, error);
	return drop(p, file, why == ENOENT ? "it has vanished" : g_strerror(why), error);
}
