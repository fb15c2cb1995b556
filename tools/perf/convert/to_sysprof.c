// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Records without a time (of what existed at the start) get the capture's start time, which the header states. They
 * wait until the first record with a time.
 */
#include "convert/to_sysprof.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "dso/buildid.h"
#include "sysprof/frame.h"

#define FLUSH_SIZE (256u << 10)

struct to_sysprof {
	struct pass pass;
	char *path;
	const struct perfdata_info *info;
	int fd; /* -1: none */
	struct sysprof_header header;
	bool stacks;
	bool begun; /* the header was made */
	bool finished;
	GByteArray *out;   /* not written yet; before the first time: frames that wait for it */
	GArray *ips;	   /* u64: chain of a sample that has none */
	GHashTable *names; /* intern: "MMAP of kernel code" -> count + 1 */
};

static struct to_sysprof *to_sysprof(struct pass *p)
{
	return container_of(p, struct to_sysprof, pass);
}

static void pass_over(struct to_sysprof *t, const char *name)
{
	gpointer count = g_hash_table_lookup(t->names, name);

	g_hash_table_insert(t->names, g_strdup(name),
			    GSIZE_TO_POINTER(GPOINTER_TO_SIZE(count) + 1));
}

static bool write_out(struct to_sysprof *t, GError **error)
{
	if (!file_write_fd(t->fd, t->out->data, t->out->len))
		return error_set_errno(error, errno, "%s: write", t->path);
	g_byte_array_set_size(t->out, 0);
	return true;
}

/* Sets the time of day at which the recording started, if the recording has it; else the present time. */
static void date_header(struct to_sysprof *t)
{
	const struct perfdata_info *info = t->info;
	time_t day = time(NULL);
	struct tm tm;

	if (perfdata_info_has(info, FEAT_CLOCK_DATA))
		day = (time_t)((info->clock_data_wall_ns +
				((u64)t->header.time - info->clock_data_clock_ns)) /
			       1000000000u);
	if (gmtime_r(&day, &tm))
		strftime(t->header.date, sizeof(t->header.date), "%Y-%m-%dT%H:%M:%SZ", &tm);
}

static void begin_capture(struct to_sysprof *t, u64 time)
{
	g_autoptr(GByteArray) waiting = g_steal_pointer(&t->out);
	const size_t time_at = 8;
	u16 size;

	t->begun = true;
	t->header.time = (s64)time;
	date_header(t);
	t->out = g_byte_array_new();
	sysprof_header_encode(&t->header, t->out);
	for (u32 at = 0; at < waiting->len; at += size) {
		memcpy(waiting->data + at + time_at, &time, sizeof(time));
		memcpy(&size, waiting->data + at, sizeof(size));
	}
	g_byte_array_append(t->out, waiting->data, waiting->len);
}

static bool put_frame(struct to_sysprof *t, struct sysprof_frame *frame, const struct event *ev,
		      GError **error)
{
	if (!t->begun && ev->id.time)
		begin_capture(t, ev->id.time);
	frame->time = ev->id.time ? (s64)ev->id.time : t->header.time;
	frame->cpu = ev->id.cpu == EVENT_NO_CPU ? -1 : (s32)ev->id.cpu;
	t->header.end_time = MAX(t->header.end_time, frame->time);
	if (!sysprof_frame_encode(frame, t->out))
		pass_over(t, "call chain too long for a frame");
	return !t->begun || t->out->len < FLUSH_SIZE || write_out(t, error);
}

static bool take_map(struct to_sysprof *t, const struct event *ev, GError **error)
{
	const struct event_mmap *m = &ev->mmap;
	struct build_id id = build_id_of(m->build_id, m->has_build_id ? m->build_id_size : 0);
	char hex[BUILD_ID_HEX];
	struct sysprof_frame frame = { .type = SYSPROF_MAP, .pid = (s32)m->pid };

	if ((ev->misc & PERF_RECORD_MISC_CPUMODE_MASK) == PERF_RECORD_MISC_KERNEL)
		return pass_over(t, "MMAP of kernel code"), true;
	frame.map = (struct sysprof_map){ .start = m->start,
					  .end = m->start + m->len,
					  .offset = m->pgoff,
					  .inode = m->ino,
					  .filename = m->filename,
					  .build_id = id.size ? build_id_hex(&id, hex) : NULL };
	return put_frame(t, &frame, ev, error);
}

static bool take_comm(struct to_sysprof *t, const struct event *ev, GError **error)
{
	struct sysprof_frame frame = { .type = SYSPROF_PROCESS,
				       .pid = (s32)ev->comm.pid,
				       .cmdline = ev->comm.text };

	/* A capture has no thread names. */
	return ev->comm.pid != ev->comm.tid || put_frame(t, &frame, ev, error);
}

static bool take_task(struct to_sysprof *t, const struct event *ev, GError **error)
{
	struct sysprof_frame frame = { .type = SYSPROF_FORK,
				       .pid = (s32)ev->task.ptid,
				       .child = (s32)ev->task.tid };

	if (ev->type == PERF_RECORD_EXIT)
		frame = (struct sysprof_frame){ .type = SYSPROF_EXIT, .pid = (s32)ev->task.tid };
	return put_frame(t, &frame, ev, error);
}

/* The sample's chain. If it has none: the sampled address, after a marker with its mode. */
static void take_chain(struct to_sysprof *t, const struct event *ev, struct sysprof_sample *s)
{
	bool kernel = (ev->misc & PERF_RECORD_MISC_CPUMODE_MASK) == PERF_RECORD_MISC_KERNEL;
	const u64 marker = kernel ? (u64)PERF_CONTEXT_KERNEL : (u64)PERF_CONTEXT_USER;

	s->addrs = ev->sample.ips;
	s->nr = (u32)MIN(ev->sample.nr_ips, UINT16_MAX);
	if (s->nr)
		return;
	g_array_set_size(t->ips, 0);
	g_array_append_val(t->ips, marker);
	g_array_append_val(t->ips, ev->sample.ip);
	s->addrs = (const u64 *)t->ips->data;
	s->nr = t->ips->len;
}

/* The registers that a StackUser frame has, in its order: ax to ip, r8 to r15 (linux/asm/perf_regs.h). */
#define STACK_REGS_MASK 0xff01ffull
#define STACK_REGS_NR	17
#define STACK_COPY_MAX	(SYSPROF_FRAME_MAX - SYSPROF_FRAME_HEAD - 32 - STACK_REGS_NR * 8)

static bool put_stack(struct to_sysprof *t, const struct event *ev, GError **error)
{
	const struct sample_regs *regs = &ev->sample.user_regs;
	const struct sample_bytes *stack = &ev->sample.user_stack;
	struct sysprof_frame frame = { .type = SYSPROF_STACK_USER, .pid = (s32)ev->id.pid };
	u64 values[STACK_REGS_NR], size = MIN(stack->size, stack->dyn_size);
	u32 nr = 0, at = 0;

	for (u32 bit = 0; bit < 64; bit++) {
		if (!(regs->mask >> bit & 1))
			continue;
		if (STACK_REGS_MASK >> bit & 1)
			values[nr++] = regs->regs[at];
		at++;
	}
	frame.stack = (struct sysprof_stack){ .tid = (s32)ev->id.tid,
					      .size = MIN(size, STACK_COPY_MAX) & ~7ull,
					      .bytes = stack->data,
					      .nr_regs = nr,
					      .abi = (u32)regs->abi,
					      .regs = values };
	return put_frame(t, &frame, ev, error);
}

static bool take_sample(struct to_sysprof *t, const struct event *ev, GError **error)
{
	struct sysprof_frame frame = { .type = SYSPROF_SAMPLE, .pid = (s32)ev->id.pid };

	if (!ev->evsel || ev->evsel->idx) {
		g_autofree char *name = g_strconcat(
			"SAMPLE of ", ev->evsel ? ev->evsel->name : "an unknown event", NULL);

		pass_over(t, name);
		return true;
	}
	if (t->stacks && ev->sample.user_regs.regs)
		return put_stack(t, ev, error);
	frame.sample.tid = (s32)ev->id.tid;
	take_chain(t, ev, &frame.sample);
	return put_frame(t, &frame, ev, error);
}

static bool take(struct pass *p, const struct event *ev, GError **error)
{
	struct to_sysprof *t = to_sysprof(p);
	const char *name = event_type_name(ev->type);

	switch (ev->type) {
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
		return take_map(t, ev, error);
	case PERF_RECORD_COMM:
		return take_comm(t, ev, error);
	case PERF_RECORD_FORK:
	case PERF_RECORD_EXIT:
		return take_task(t, ev, error);
	case PERF_RECORD_SAMPLE:
		return take_sample(t, ev, error);
	default:
		/* Records with types from 64 on describe the file, not what happened. */
		if (ev->type < PERFDATA_USER_TYPE_START)
			pass_over(t, name ? name : "of unknown types");
		return true;
	}
}

static bool begin(struct pass *p, GPtrArray *evsels, GError **error)
{
	struct to_sysprof *t = to_sysprof(p);

	t->fd = strcmp(t->path, "-") == 0 ? STDOUT_FILENO : file_create(t->path, O_RDWR);
	if (t->fd < 0)
		return error_set_errno(error, errno, "%s: create", t->path);
	return !isatty(t->fd) ||
	       error_set(error, PERF_ERROR_USAGE, "%s: a terminal cannot hold a capture", t->path);
}

bool to_sysprof_finish(struct pass *p, GError **error)
{
	struct to_sysprof *t = to_sysprof(p);
	g_autoptr(GByteArray) header = g_byte_array_new();

	if (!t->begun)
		begin_capture(t, 0);
	if (!write_out(t, error))
		return false;
	t->finished = true;
	/* In a pipe, the end time stays 0. */
	sysprof_header_encode(&t->header, header);
	if (pwrite(t->fd, header->data, header->len, 0) < 0 && errno != ESPIPE)
		return error_set_errno(error, errno, "%s: write", t->path);
	return true;
}

static gint compare_names(gconstpointer a, gconstpointer b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

char *to_sysprof_passed_over(const struct pass *p)
{
	const struct to_sysprof *t = container_of(p, const struct to_sysprof, pass);
	g_autofree const char **names =
		(const char **)g_hash_table_get_keys_as_array(t->names, NULL);
	guint nr = g_hash_table_size(t->names);
	GString *out = g_string_new(NULL);

	qsort(names, nr, sizeof(*names), compare_names);
	for (guint i = 0; i < nr; i++)
		g_string_append_printf(out, "%s%zu %s", i ? ", " : "",
				       GPOINTER_TO_SIZE(g_hash_table_lookup(t->names, names[i])),
				       names[i]);
	return g_string_free(out, !out->len);
}

static void free_to_sysprof(struct pass *p)
{
	struct to_sysprof *t = to_sysprof(p);
	struct stat st;

	if (t->fd > STDERR_FILENO) {
		close(t->fd);
		if (!t->finished && !lstat(t->path, &st) && S_ISREG(st.st_mode))
			unlink(t->path);
	}
	g_byte_array_unref(t->out);
	g_array_unref(t->ips);
	g_hash_table_unref(t->names);
	g_free(t->path);
	g_free(t);
}

static const struct pass_ops to_sysprof_ops = {
	.name = "to-sysprof",
	.begin = begin,
	.take = take,
	.free = free_to_sysprof,
};

struct pass *to_sysprof_pass_new(const char *path, const struct perfdata_info *info, bool stacks)
{
	struct to_sysprof *t = g_new0(struct to_sysprof, 1);

	t->pass.ops = &to_sysprof_ops;
	t->path = g_strdup(path);
	t->info = info;
	t->stacks = stacks;
	t->fd = -1;
	t->out = g_byte_array_new();
	t->ips = g_array_new(FALSE, FALSE, sizeof(u64));
	t->names = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	return &t->pass;
}
