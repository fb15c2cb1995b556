// SPDX-License-Identifier: GPL-2.0-or-later
/* Reads the file header: which form it has, and where the parts are. */
#include <inttypes.h>
#include <string.h>

#include "base/cursor.h"
#include "base/error.h"
#include "perfdata/features.h"
#include "perfdata/read/reader_private.h"

/* Until perf 2.6.34, the header ended before the features. */
#define HEADER_MIN_SIZE offsetof(struct perfdata_file_header, features)

static void unmap(void *mapping)
{
	g_mapped_file_unref(mapping);
}

struct perfdata *reader_new(const char *path)
{
	struct perfdata *pd = g_new0(struct perfdata, 1);

	pd->path = g_strdup(path);
	format_init(&pd->format);
	pd->info = perfdata_info_new();
	pd->mappings = g_ptr_array_new_with_free_func(unmap);
	pd->copies = g_hash_table_new_full(NULL, NULL, NULL, g_free);
	pd->marks = g_array_new(false, false, sizeof(struct perfdata_part));
	pd->old_names = g_ptr_array_new_with_free_func(g_free);
	return pd;
}

void perfdata_close(struct perfdata *pd)
{
	if (!pd)
		return;
	input_free(pd->input);
	inflate_free(pd->inflate);
	format_release(&pd->format);
	perfdata_info_free(pd->info);
	g_hash_table_unref(pd->copies);
	g_array_unref(pd->marks);
	g_ptr_array_unref(pd->old_names);
	g_clear_pointer(&pd->assembled, g_byte_array_unref);
	g_ptr_array_unref(pd->mappings);
	g_free(pd->path);
	g_free(pd);
}

bool reader_add_events(struct perfdata *pd, struct evsel *const *evsels, u32 nr, GError **error)
{
	const char *problem;

	for (u32 i = 0; i < nr; i++) {
		struct evsel *evsel = evsel_copy(evsels[i]);

		if (format_add(&pd->format, evsel, &problem))
			continue;
		evsel_free(evsel);
		return error_set(error, PERF_ERROR_FORMAT, "%s: expected %s", pd->path, problem);
	}
	reader_name_events(pd);
	return true;
}

static bool bad_header(const struct perfdata *pd, u64 foff, GError **error, const char *what)
{
	return error_set(error, PERF_ERROR_FORMAT, "%s: at offset 0x%" PRIx64 ": expected %s",
			 pd->path, foff, what);
}

/* Checks magic and size, which are the same in both forms. */
static bool check_magic(const struct perfdata *pd, const void *data, u64 size, GError **error)
{
	struct perfdata_pipe_header head;

	if (size == 0)
		return error_set(
			error, PERF_ERROR_FORMAT,
			"%s: at offset 0x0: the file is empty, expected a perf.data header",
			pd->path);
	if (size < sizeof(head))
		return bad_header(pd, 0, error,
				  "a perf.data header of 104 bytes (or of 16 in a pipe)");
	memcpy(&head, data, sizeof(head));
	switch (head.magic) {
	case PERFDATA_MAGIC:
		break;
	case PERFDATA_MAGIC_SWAPPED:
		return error_set(
			error, PERF_ERROR_UNSUPPORTED,
			"%s: at offset 0x0: recorded on a machine of the other byte order, "
			"expected this machine's",
			pd->path);
	case PERFDATA_MAGIC_V1:
		return error_set(error, PERF_ERROR_UNSUPPORTED,
				 "%s: at offset 0x0: the format of perf before 3.x (PERFFILE), "
				 "expected PERFILE2",
				 pd->path);
	default:
		return bad_header(pd, 0, error, "the magic PERFILE2: this is not a perf.data file");
	}
	if (head.size != sizeof(head) && (head.size < HEADER_MIN_SIZE || head.size > 4096))
		return bad_header(pd, 8, error, "a header size of 104, or 16 for a pipe");
	return true;
}

struct whole_file {
	const u8 *data;
	u64 size;
};

/* Whether the file has all of @section. */
static bool holds(const struct whole_file *whole, struct perfdata_section section)
{
	return section.offset <= whole->size && section.size <= whole->size - section.offset;
}

static bool read_attr(struct perfdata *pd, const struct whole_file *whole, u64 foff, u64 *ids_total,
		      GError **error)
{
	const u8 *at = whole->data + foff;
	u64 attr_size = pd->header.attr_size - sizeof(struct perfdata_section);
	struct perfdata_section ids;
	struct evsel *evsel;
	const char *problem;
	u32 stated;

	memcpy(&stated, at + 4, sizeof(stated));
	memcpy(&ids, at + attr_size, sizeof(ids));
	if (!holds(whole, ids) || ids.size % sizeof(u64))
		return bad_header(pd, foff + attr_size, error,
				  "a section of event ids inside the file");
	/* Overlapping sections would turn a small file into much memory. */
	*ids_total += ids.size;
	if (*ids_total > whole->size)
		return bad_header(pd, foff + attr_size, error,
				  "fewer event ids than the file has bytes");
	evsel = evsel_new();
	if (stated && stated < attr_size)
		attr_size = stated;
	if (!evsel_set_attr_bytes(evsel, at, attr_size)) {
		evsel_free(evsel);
		return bad_header(pd, foff + 4, error, "an attr size of at least 64 bytes");
	}
	evsel->nr_ids = (u32)(ids.size / sizeof(u64));
	evsel->ids = g_memdup2(whole->data + ids.offset, ids.size);
	if (format_add(&pd->format, evsel, &problem))
		return true;
	evsel_free(evsel);
	return bad_header(pd, foff, error, problem);
}

static bool read_attrs(struct perfdata *pd, const struct whole_file *whole, GError **error)
{
	const struct perfdata_section *attrs = &pd->header.attrs;
	u64 each = pd->header.attr_size, ids_total = 0;

	if (each < PERF_ATTR_SIZE_VER0 + sizeof(struct perfdata_section) || each > 65536)
		return bad_header(pd, 16, error, "an entry of an event to be 80 to 65536 bytes");
	if (!holds(whole, *attrs) || attrs->size % each)
		return bad_header(pd, 24, error, "a section of whole events inside the file");
	if (!attrs->size)
		return bad_header(pd, 32, error, "at least one event");
	for (u64 at = 0; at < attrs->size; at += each) {
		if (!read_attr(pd, whole, attrs->offset + at, &ids_total, error))
			return false;
	}
	format_settle(&pd->format);
	return true;
}

static bool read_features(struct perfdata *pd, const struct whole_file *whole, GError **error)
{
	const struct perfdata_file_header *header = &pd->header;
	u64 table = header->data.offset + header->data.size;

	for (u32 feat = 0; feat < FEAT_BITS; feat++) {
		struct perfdata_section section;
		g_autoptr(GBytes) bytes = NULL;

		if (!(header->features[feat / 64] >> (feat % 64) & 1))
			continue;
		if (!holds(whole, (struct perfdata_section){ table, sizeof(section) }))
			return bad_header(pd, table, error,
					  "the table of header features inside the file");
		memcpy(&section, whole->data + table, sizeof(section));
		if (!holds(whole, section))
			return bad_header(pd, table, error,
					  "the section of a header feature inside the file");
		bytes = g_bytes_new_static(whole->data + section.offset, section.size);
		if (!reader_take_feature(pd, feat, bytes, section.offset, error))
			return false;
		table += sizeof(section);
	}
	return true;
}

/* Reads the extension records in the section that upstream ignores: they are known before any record. */
static bool read_extensions(struct perfdata *pd, const struct whole_file *whole, GError **error)
{
	struct perfdata_section section = pd->header.event_types;
	struct cursor c;

	if (!holds(whole, section))
		return bad_header(pd, 56, error, "the event_types section inside the file");
	c = cursor_of(whole->data + section.offset, section.size);
	while (cursor_left(&c) >= sizeof(struct perf_event_header)) {
		struct perf_event_header header;
		g_autofree struct perf_event_header *raw = NULL;
		const void *at = c.pos;
		struct event ev;

		memcpy(&header, at, sizeof(header));
		/* Before 3.x the section had other content, which is not needed. */
		if (header.type != PERFDATA_EVENT_TYPE || header.size < sizeof(header) ||
		    !cursor_bytes(&c, header.size))
			return true;
		raw = g_memdup2(at, header.size);
		if (!perfdata_decode(pd, raw, section.offset, &ev, error))
			return false;
		if (ev.ext.kind == PERFDATA_EXT_NOTES &&
		    !notes_read(pd->info, ev.ext.payload.data, ev.ext.payload.size))
			return bad_header(pd, section.offset, error, "pairs of strings");
	}
	return true;
}

/*
 * Are there no features? Every recorder writes them last; before that, data.size may be old. If COMPRESSED is the only
 * one, our recorder has written it with a flush, and then data.size is valid.
 */
static bool no_features(const struct perfdata_file_header *header, bool but_compressed)
{
	const struct perfdata_section *data = &header->data;

	/* perf inject of a pipe writes the events behind the records, because only then it knows the records' end. */
	if (data->size && header->attrs.offset >= data->offset + data->size)
		return false;
	for (u32 i = 0; i < ARRAY_SIZE(header->features); i++) {
		u64 but = i == FEAT_COMPRESSED / 64 && but_compressed ? 1ULL << FEAT_COMPRESSED % 64
								      : 0;

		if (header->features[i] & ~but)
			return false;
	}
	return true;
}

static bool read_number(const struct perfdata *pd, const char *key, u64 *number)
{
	const char *text = perfdata_info_note(pd->info, key);
	guint64 value;

	if (!text || !g_ascii_string_to_unsigned(text, 10, 0, G_MAXUINT64, &value, NULL))
		return false;
	*number = value;
	return true;
}

/* Takes the clock from the notes, if the recorder died before it wrote the feature. */
static void take_noted_clock(struct perfdata *pd)
{
	struct perfdata_info *info = pd->info;
	u64 id, wall, time;

	if (perfdata_info_has(info, FEAT_CLOCK_DATA) || !read_number(pd, INFO_NOTE_CLOCK_ID, &id) ||
	    !read_number(pd, INFO_NOTE_CLOCK_WALL, &wall) ||
	    !read_number(pd, INFO_NOTE_CLOCK_TIME, &time))
		return;
	info->clock_data_clockid = (u32)id;
	info->clock_data_wall_ns = wall;
	info->clock_data_clock_ns = time;
	perfdata_info_set(info, FEAT_CLOCK_DATA);
}

static bool open_seekable(struct perfdata *pd, const struct whole_file *whole, GError **error)
{
	struct perfdata_file_header *header = &pd->header;
	struct perfdata_section *data = &header->data;
	u64 size;

	memcpy(&size, whole->data + 8, sizeof(size));
	if (whole->size < size)
		return bad_header(pd, whole->size, error, "the rest of the file header");
	memcpy(header, whole->data, MIN(size, sizeof(*header)));
	if (!read_attrs(pd, whole, error))
		return false;
	if (data->offset > whole->size)
		return bad_header(pd, 40, error, "the data section inside the file");
	pd->open_ended = no_features(header, true);
	if (!data->size || (no_features(header, false) && holds(whole, *data))) {
		/* The recorder died before it could write the parts after the records. */
		pd->open_ended = true;
		data->size = whole->size - data->offset;
		memset(header->features, 0, sizeof(header->features));
	} else if (!holds(whole, *data)) {
		return error_set(error, PERF_ERROR_FORMAT,
				 "%s: at offset 0x%" PRIx64
				 ": truncated: expected the data section to end at 0x%" PRIx64,
				 pd->path, whole->size, data->offset + data->size);
	}
	pd->counts.cut = pd->open_ended;
	if (!read_features(pd, whole, error) || !read_extensions(pd, whole, error))
		return false;
	take_noted_clock(pd);
	pd->input = input_new_bytes(pd->path, whole->data + data->offset, data->size, data->offset);
	pd->size = data->size;
	reader_name_events(pd);
	return true;
}

/* A pipe's output that was saved to a file: one pass over it collects its events and features. */
static bool open_saved_pipe(struct perfdata *pd, const struct whole_file *whole, GError **error)
{
	struct event ev;
	int got;

	pd->pipe_form = true;
	pd->size = whole->size - sizeof(struct perfdata_pipe_header);
	pd->input = input_new_bytes(pd->path, whole->data + sizeof(struct perfdata_pipe_header),
				    pd->size, sizeof(struct perfdata_pipe_header));
	pd->want = PERFDATA_WANT_SIDEBAND;
	while ((got = perfdata_next(pd, &ev, error)) > 0)
		;
	pd->want = PERFDATA_WANT_ALL;
	if (got < 0)
		return false;
	if (!pd->format.evsels->len)
		return bad_header(pd, sizeof(struct perfdata_pipe_header), error,
				  "at least one ATTR record");
	return perfdata_rewind(pd, error);
}

bool reader_open_whole(struct perfdata *pd, const void *data, u64 size, GError **error)
{
	const struct whole_file whole = { data, size };
	u64 header_size;

	if (!check_magic(pd, data, size, error))
		return false;
	memcpy(&header_size, whole.data + 8, sizeof(header_size));
	if (header_size == sizeof(struct perfdata_pipe_header))
		return open_saved_pipe(pd, &whole, error);
	return open_seekable(pd, &whole, error);
}

struct perfdata *perfdata_open_bytes(const char *name, const void *data, size_t size,
				     GError **error)
{
	struct perfdata *pd = reader_new(name);

	if (!reader_open_whole(pd, data, size, error)) {
		perfdata_close(pd);
		return NULL;
	}
	return pd;
}

bool reader_open_pipe(struct perfdata *pd, int fd, bool close_fd, GError **error)
{
	const struct perfdata_pipe_header *head;
	const u8 *at;
	u64 left;

	pd->input = input_new_fd(pd->path, fd, close_fd, 0);
	if (input_peek(pd->input, sizeof(*head), &at, &left, error) < 0)
		return false;
	if (!check_magic(pd, at, left, error))
		return false;
	head = (const void *)at;
	if (head->size != sizeof(*head))
		return error_set(
			error, PERF_ERROR_UNSUPPORTED,
			"%s: at offset 0x8: a file of the seekable form cannot be read from "
			"a pipe, expected a header size of 16",
			pd->path);
	pd->pipe_form = pd->one_pass = true;
	return input_skip(pd->input, sizeof(*head), error) > 0;
}
