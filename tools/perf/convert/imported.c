// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A function's place has 8 bytes: a call instruction, and what is behind it. A sample is at the call; a caller is at the
 * address behind the call, since call chains have return addresses.
 *
 *	base of the object + ELF_MADE_FIRST + 8 * number	e8 00 00 00 00	call
 *							+ 5	90 90 90
 */
#include "convert/imported.h"

#include <elf.h>
#include <inttypes.h>
#include <linux/perf_event.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "activity/layout.h"
#include "base/json_out.h"
#include "btf/elf_made.h"
#include "dso/packed.h"
#include "perfdata/event.h"
#include "perfdata/info.h"
#include "perfdata/wall.h"
#include "perfdata/write/encode.h"
#include "perfdata/write/writer.h"

#define PLACE_SIZE     8u
#define BEHIND_CALL    5u
#define FIRST_VADDR    0x1000u
#define OBJECT_ROOM    (1ull << 32) /* of addresses */
#define FIRST_BASE     (1ull << 40)
#define MOST_OBJECTS   16384u
#define MOST_FUNCTIONS (1u << 24) /* of an object */
#define MOST_SPANS     (1u << 20) /* names of more are left out */
#define MOST_LABELS    4096u	  /* bytes of one sample's */
#define MOST_TEXT      127u	  /* bytes of a key or value */
#define LAYOUT	       "labels"

struct imported_object {
	char *path;
	GPtrArray *functions; /* char * */
	GHashTable *numbers;  /* function -> number + 1 */
};

struct imported {
	int fd;
	struct perfdata_writer *writer;
	GPtrArray *evsels;	    /* struct evsel * */
	GPtrArray *objects;	    /* struct imported_object * */
	GHashTable *object_numbers; /* path -> number + 1 */
	GHashTable *mapped;	    /* u64 (pid, object) */
	GHashTable *comms;	    /* u64 (pid, tid) -> char * */
	GHashTable *spans;	    /* trace and span id */
	struct json_out names;	    /* of spans, lines of OTLP JSON */
	GByteArray *record, *tls;
	GArray *ips; /* u64 */
	u64 order;   /* samples so far */
};

static void object_free(void *arg)
{
	struct imported_object *o = arg;

	g_ptr_array_unref(o->functions);
	g_hash_table_unref(o->numbers);
	g_free(o->path);
	g_free(o);
}

static struct evsel *evsel_of(const struct imported_event *event, u32 idx)
{
	struct evsel *e = evsel_new();
	u64 id = idx + 1;

	e->idx = e->leader = idx;
	e->nr_members = 1;
	e->name = g_strdup(event->name);
	e->ids = g_memdup2(&id, sizeof(id));
	e->nr_ids = 1;
	e->attr.type = event->is_time ? PERF_TYPE_SOFTWARE : PERF_TYPE_RAW;
	e->attr.config = event->is_time ? PERF_COUNT_SW_CPU_CLOCK : idx;
	e->attr.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID |
			      PERF_SAMPLE_TIME | PERF_SAMPLE_PERIOD | PERF_SAMPLE_CALLCHAIN |
			      PERF_SAMPLE_TLS_USER;
	e->sample_tls_user = ACTIVITY_WINDOW_MIN;
	e->attr.read_format = PERF_FORMAT_ID;
	e->attr.sample_id_all = 1;
	e->attr.use_clockid = 1;
	e->attr.clockid = CLOCK_MONOTONIC;
	return e;
}

static bool write_event(struct imported *im, const struct event *ev, GError **error)
{
	g_byte_array_set_size(im->record, 0);
	return event_encode(ev, ev->evsel, im->record, error) &&
	       perfdata_write(im->writer, im->record->data, im->record->len, error);
}

static struct event event_of(const struct imported *im, u32 type, u32 pid, u32 tid, u64 time)
{
	const struct evsel *evsel = im->evsels->pdata[0];

	return (struct event){ .type = type,
			       .misc = PERF_RECORD_MISC_USER,
			       .evsel = evsel,
			       .id = { .pid = pid,
				       .tid = tid,
				       .time = time,
				       .id = evsel->ids[0],
				       .has_time = true } };
}

/* All processes have their labels in the same form. */
static bool write_layout(struct imported *im, GError **error)
{
	struct event ev = event_of(im, PERFDATA_EVENT_TYPE, 0, 0, 0);

	ev.evsel = NULL;
	ev.misc = 0;
	ev.ext.kind = PERFDATA_EXT_TLS_LAYOUT;
	ev.ext.tls_layout = (struct event_tls_layout){ .pid = ACTIVITY_EVERY_PROCESS,
						       .tp_offset = -8,
						       .size = 8,
						       .kind = ACTIVITY_LABELS,
						       .layout = LAYOUT,
						       .symbol = LAYOUT,
						       .object = "",
						       .where = ACTIVITY_APPENDED,
						       .framed = true };
	return write_event(im, &ev, error);
}

struct imported *imported_new(int fd, const struct imported_event *events, u32 nr, GError **error)
{
	struct imported *im = g_new0(struct imported, 1);

	im->fd = fd;
	im->evsels = g_ptr_array_new_with_free_func((GDestroyNotify)evsel_free);
	for (u32 i = 0; i < nr; i++)
		g_ptr_array_add(im->evsels, evsel_of(&events[i], i));
	im->objects = g_ptr_array_new_with_free_func(object_free);
	im->object_numbers = g_hash_table_new(g_str_hash, g_str_equal);
	im->mapped = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
	im->comms = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, g_free);
	im->spans = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	json_out_init(&im->names, NULL);
	im->names.one_line = true;
	im->record = g_byte_array_new();
	im->tls = g_byte_array_new();
	im->ips = g_array_new(FALSE, FALSE, sizeof(u64));
	im->writer = perfdata_create_fd(fd, "imported profile", &(struct perfdata_options){ 0 },
					(struct evsel *const *)im->evsels->pdata, nr, NULL, error);
	if (im->writer && write_layout(im, error))
		return im;
	imported_free(im);
	return NULL;
}

void imported_free(struct imported *im)
{
	if (!im)
		return;
	if (im->writer)
		perfdata_abandon(im->writer);
	g_ptr_array_unref(im->evsels);
	g_hash_table_unref(im->object_numbers);
	g_ptr_array_unref(im->objects);
	g_hash_table_unref(im->mapped);
	g_hash_table_unref(im->comms);
	g_hash_table_unref(im->spans);
	json_out_release(&im->names);
	g_byte_array_unref(im->record);
	g_byte_array_unref(im->tls);
	g_array_unref(im->ips);
	g_free(im);
}

/* Packed files have absolute paths. */
static struct imported_object *object_of(struct imported *im, const char *path, u32 *number)
{
	g_autofree char *absolute = NULL;
	struct imported_object *o;

	if (!*path)
		path = "[unknown]";
	if (*path != '/')
		path = absolute = g_strconcat("/", path, NULL);
	*number = GPOINTER_TO_UINT(g_hash_table_lookup(im->object_numbers, path));
	if (*number)
		return im->objects->pdata[*number - 1];
	o = g_new0(struct imported_object, 1);
	o->path = g_strdup(path);
	o->functions = g_ptr_array_new_with_free_func(g_free);
	o->numbers = g_hash_table_new(g_str_hash, g_str_equal);
	g_ptr_array_add(im->objects, o);
	*number = im->objects->len;
	g_hash_table_insert(im->object_numbers, o->path, GUINT_TO_POINTER(*number));
	return o;
}

static char *bare_name(const char *path, u64 address)
{
	const char *slash = strrchr(path, '/');

	return g_strdup_printf("%s%s0x%" PRIx64, slash ? slash + 1 : path, *path ? "+" : "",
			       address);
}

u64 imported_frame(struct imported *im, const char *path, const char *function, u64 address,
		   GError **error)
{
	g_autofree char *bare = *function ? NULL : bare_name(path, address);
	u32 object, number;
	struct imported_object *o = object_of(im, path, &object);
	char *copy;

	function = bare ?: function;
	number = GPOINTER_TO_UINT(g_hash_table_lookup(o->numbers, function));
	if (!number) {
		copy = g_strdup(function);
		g_ptr_array_add(o->functions, copy);
		number = o->functions->len;
		g_hash_table_insert(o->numbers, copy, GUINT_TO_POINTER(number));
	}
	if (object > MOST_OBJECTS || number > MOST_FUNCTIONS) {
		error_set(error, PERF_ERROR_UNSUPPORTED, "too many %s",
			  object > MOST_OBJECTS ? "mappings" : "functions");
		return 0;
	}
	return FIRST_BASE + (object - 1) * OBJECT_ROOM + ELF_MADE_FIRST +
	       (u64)(number - 1) * PLACE_SIZE;
}

/* At most MOST_TEXT bytes of whole characters. */
static u8 text_size(const char *text, size_t size)
{
	if (size <= MOST_TEXT)
		return (u8)size;
	size = MOST_TEXT;
	while (size && ((u8)text[size] & 0xc0) == 0x80)
		size--;
	return (u8)size;
}

void imported_label(GByteArray *labels, const char *key, const char *value)
{
	size_t sizes[2] = { strlen(key), strlen(value) };
	u8 head[2] = { text_size(key, sizes[0]), text_size(value, sizes[1]) };
	u8 marked[2];

	if (!sizes[0] || labels->len + sizeof(head) + head[0] + head[1] > MOST_LABELS)
		return;
	for (u32 i = 0; i < 2; i++)
		marked[i] = head[i] | (head[i] < sizes[i] ? ACTIVITY_TEXT_CUT : 0);
	g_byte_array_append(labels, marked, sizeof(marked));
	g_byte_array_append(labels, (const u8 *)key, head[0]);
	g_byte_array_append(labels, (const u8 *)value, head[1]);
}

static void put_pair(struct json_out *j, const char *key, const char *value)
{
	json_out_key(j, key);
	json_out_text(j, value);
}

void imported_span(struct imported *im, const char *trace_id, const char *span_id, const char *name,
		   const char *service)
{
	g_autofree char *both = g_strconcat(trace_id, ":", span_id, NULL);
	struct json_out *j = &im->names;

	if (g_hash_table_size(im->spans) >= MOST_SPANS || g_hash_table_contains(im->spans, both))
		return;
	g_hash_table_add(im->spans, g_steal_pointer(&both));
	json_out_begin(j, '{');
	json_out_key(j, "resourceSpans");
	json_out_begin(j, '[');
	json_out_begin(j, '{');
	json_out_key(j, "resource");
	json_out_begin(j, '{');
	json_out_key(j, "attributes");
	json_out_begin(j, '[');
	if (*service) {
		json_out_begin(j, '{');
		put_pair(j, "key", "service.name");
		json_out_key(j, "value");
		json_out_begin(j, '{');
		put_pair(j, "stringValue", service);
		json_out_end(j, '}');
		json_out_end(j, '}');
	}
	json_out_end(j, ']');
	json_out_end(j, '}');
	json_out_key(j, "scopeSpans");
	json_out_begin(j, '[');
	json_out_begin(j, '{');
	json_out_key(j, "spans");
	json_out_begin(j, '[');
	json_out_begin(j, '{');
	put_pair(j, "traceId", trace_id);
	put_pair(j, "spanId", span_id);
	put_pair(j, "name", name);
	json_out_end(j, '}');
	for (const char *c = "]}]}]}"; *c; c++)
		json_out_end(j, *c);
	json_out_line(j);
	j->comma = false;
}

static bool map_object(struct imported *im, u32 pid, u32 object, GError **error)
{
	struct event ev = event_of(im, PERF_RECORD_MMAP2, pid, pid, 0);
	u64 key = (u64)pid << 32 | object;

	if (g_hash_table_contains(im->mapped, &key))
		return true;
	g_hash_table_add(im->mapped, g_memdup2(&key, sizeof(key)));
	ev.mmap = (struct event_mmap){
		.pid = pid,
		.tid = pid,
		.start = FIRST_BASE + object * OBJECT_ROOM,
		.len = OBJECT_ROOM,
		.prot = PROT_READ | PROT_EXEC,
		.flags = MAP_PRIVATE,
		.has_inode = true,
		.filename = ((struct imported_object *)im->objects->pdata[object])->path
	};
	return write_event(im, &ev, error);
}

static bool name_thread(struct imported *im, const struct imported_sample *s, u64 time,
			GError **error)
{
	struct event ev = event_of(im, PERF_RECORD_COMM, s->pid, s->tid, time);
	u64 key = (u64)s->pid << 32 | s->tid;
	const char *known = g_hash_table_lookup(im->comms, &key);

	if (!*s->comm || !g_strcmp0(known, s->comm))
		return true;
	if (!known)
		ev.id.time = 0;
	g_hash_table_insert(im->comms, g_memdup2(&key, sizeof(key)), g_strdup(s->comm));
	ev.comm = (struct event_comm){ s->pid, s->tid, s->comm, false };
	return write_event(im, &ev, error);
}

/* The labels as a program's that a BPF program has read: see struct activity_frame. */
static void make_tls(struct imported *im, const GByteArray *labels)
{
	struct activity_entry entry = { .format = ACTIVITY_LABELS,
					.state = ACTIVITY_OK,
					.size = (u16)labels->len };
	u32 padding = (0u - labels->len) & 7;
	struct activity_frame frame = { .version = ACTIVITY_FRAME_VERSION, .nr = 1 };
	static const u8 zeros[8];

	g_byte_array_set_size(im->tls, 0);
	if (!labels->len)
		return;
	frame.size = (u16)(sizeof(frame) + sizeof(entry) + labels->len + padding);
	g_byte_array_append(im->tls, (const u8 *)&frame, sizeof(frame));
	g_byte_array_append(im->tls, (const u8 *)&entry, sizeof(entry));
	g_byte_array_append(im->tls, labels->data, labels->len);
	g_byte_array_append(im->tls, zeros, padding);
}

static bool make_chain(struct imported *im, const struct imported_sample *s, GError **error)
{
	u64 context = PERF_CONTEXT_USER;

	g_array_set_size(im->ips, 0);
	g_array_append_val(im->ips, context);
	for (u32 i = 0; i < MIN(s->nr_frames, IMPORTED_MOST_FRAMES); i++) {
		u64 ip = s->frames[i] + (i ? BEHIND_CALL : 0);

		g_array_append_val(im->ips, ip);
		if (!map_object(im, s->pid, (u32)((ip - FIRST_BASE) / OBJECT_ROOM), error))
			return false;
	}
	return true;
}

bool imported_add(struct imported *im, const struct imported_sample *s, GError **error)
{
	const struct evsel *evsel = im->evsels->pdata[s->event];
	u64 time = s->time ?: ++im->order;
	struct event ev = event_of(im, PERF_RECORD_SAMPLE, s->pid, s->tid, time);

	if (!name_thread(im, s, time, error) || !make_chain(im, s, error))
		return false;
	make_tls(im, s->labels);
	ev.evsel = evsel;
	ev.sample = (struct sample){
		.type = evsel->attr.sample_type,
		.ip = s->nr_frames ? s->frames[0] : 0,
		.pid = s->pid,
		.tid = s->tid,
		.time = time,
		.id = evsel->ids[0],
		.period = s->period,
		.nr_ips = im->ips->len,
		.ips = (const u64 *)(const void *)im->ips->data,
		.tls = { .size = im->tls->len, .data = im->tls->data, .dyn_size = im->tls->len }
	};
	return write_event(im, &ev, error);
}

static bool pack_object(struct packing *packing, const struct imported_object *o, GError **error)
{
	static const u8 place[PLACE_SIZE] = { 0xe8, 0, 0, 0, 0, 0x90, 0x90, 0x90 };
	g_autoptr(GByteArray) code = g_byte_array_new();
	struct elf_made *made = elf_made_new();
	g_autofree char *name = g_strconcat(PACKED_FILES, o->path, NULL);
	g_autoptr(GBytes) bytes = NULL;

	for (u32 i = 0; i < o->functions->len; i++)
		g_byte_array_append(code, place, sizeof(place));
	elf_made_segment(made, FIRST_VADDR, PF_R | PF_X, code->data, code->len);
	for (u32 i = 0; i < o->functions->len; i++)
		elf_made_function(made, o->functions->pdata[i], FIRST_VADDR + i * PLACE_SIZE,
				  PLACE_SIZE);
	bytes = elf_made_finish(made);
	return packing_add_bytes(packing, name, g_bytes_get_data(bytes, NULL),
				 g_bytes_get_size(bytes), error);
}

static bool pack(struct imported *im, GError **error)
{
	struct packing *packing;
	bool ok = true;
	u32 nr;

	lseek(im->fd, 0, SEEK_END);
	packing = packing_new(im->fd, error);
	if (!packing)
		return false;
	for (u32 i = 0; ok && i < im->objects->len; i++)
		ok = pack_object(packing, im->objects->pdata[i], error);
	if (ok && im->names.text->len)
		ok = packing_add_bytes(packing, PACKED_SPANS "names.json", im->names.text->str,
				       im->names.text->len, error);
	if (ok)
		return packing_end(packing, &nr, error);
	packing_abandon(packing);
	return false;
}

bool imported_finish(struct imported *im, const char *host, const char *from, bool has_wall,
		     GError **error)
{
	struct perfdata_info *info = perfdata_info_new();
	bool ok;

	perfdata_info_add_note(info, "converted.from", from);
	if (host) {
		info->hostname = g_strdup(host);
		perfdata_info_set(info, FEAT_HOSTNAME);
	}
	if (has_wall) {
		info->clock_data_clockid = CLOCK_MONOTONIC;
		info->clock_data_wall_ns = info->clock_data_clock_ns = 1;
		perfdata_info_set(info, FEAT_CLOCK_DATA);
	}
	ok = perfdata_finish(g_steal_pointer(&im->writer), info, error);
	perfdata_info_free(info);
	return ok && pack(im, error);
}
