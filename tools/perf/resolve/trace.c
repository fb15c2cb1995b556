// SPDX-License-Identifier: GPL-2.0-or-later
#include "resolve/trace.h"

#include <event-parse.h>
#include <string.h>
#include <trace-seq.h>

#include "base/cursor.h"
#include "base/text.h"
#include "perfdata/event.h"
#include "resolve/resolve.h"

struct trace_formats {
	struct tep_handle *tep;
	struct trace_seq text;
	bool has_functions; /* the file has a table of them */
	struct resolver *resolver;
	u64 time; /* of the sample being printed */
};

static const u8 trace_magic[] = { 0x17, 0x08, 0x44, 't', 'r', 'a', 'c', 'i', 'n', 'g' };

/* Reads a block with a size field of @size_size bytes (4 or 8) before it. */
static const void *read_block(struct cursor *c, int size_size, u64 *size)
{
	*size = size_size == 8 ? cursor_u64(c) : cursor_u32(c);
	return cursor_bytes(c, *size);
}

static bool read_head(struct tep_handle *tep, struct cursor *c)
{
	const void *magic = cursor_bytes(c, sizeof(trace_magic));
	const char *version = cursor_string(c);
	u8 big_endian = cursor_u8(c);
	u8 long_size = cursor_u8(c);
	u32 page_size = cursor_u32(c);
	const char *name;
	u64 size;
	const void *data;

	if (c->failed || memcmp(magic, trace_magic, sizeof(trace_magic)) != 0 || !version)
		return false;
	tep_set_file_bigendian(tep, big_endian ? TEP_BIG_ENDIAN : TEP_LITTLE_ENDIAN);
	tep_set_long_size(tep, long_size);
	tep_set_page_size(tep, (int)page_size);

	name = cursor_string(c);
	data = read_block(c, 8, &size);
	if (!name || !data || strcmp(name, "header_page") != 0)
		return false;
	if (size && size <= INT32_MAX)
		tep_parse_header_page(tep, (char *)data, size, long_size);
	name = cursor_string(c);
	data = read_block(c, 8, &size);
	return name && data && strcmp(name, "header_event") == 0;
}

/* libtraceevent expects a NUL at the end of texts. The file may lack it, so the text is copied. */
static void parse_event(struct tep_handle *tep, const char *text, u64 size, const char *system)
{
	g_autofree char *copy = g_strndup(text, size);

	tep_parse_event(tep, copy, strlen(copy), system);
}

static bool read_events(struct tep_handle *tep, struct cursor *c, const char *system)
{
	u32 nr = cursor_u32(c);

	for (u32 i = 0; i < nr && !c->failed; i++) {
		u64 size;
		const void *text = read_block(c, 8, &size);

		if (text)
			parse_event(tep, text, size, system);
	}
	return !c->failed;
}

static bool read_formats(struct tep_handle *tep, struct cursor *c)
{
	u32 nr_systems;

	if (!read_events(tep, c, "ftrace"))
		return false;
	nr_systems = cursor_u32(c);
	for (u32 i = 0; i < nr_systems; i++) {
		const char *system = cursor_string(c);

		if (!system || !read_events(tep, c, system))
			return false;
	}
	return true;
}

/*
 * The lines of @table that have a string ("0xffffffff81000000 : "text""). For another line, libtraceevent
 * takes the next line as the string, or what is in memory behind the last line. The caller frees the result.
 */
static char *complete_strings(const char *table, u64 size)
{
	g_autofree char *copy = g_strndup(table, size);
	g_auto(GStrv) lines = g_strsplit(copy, "\n", 0);
	GString *complete = g_string_new(NULL);

	for (char **line = lines; *line; line++) {
		const char *colon = strchr(*line, ':');

		if (colon && colon != *line && colon[1])
			g_string_append_printf(complete, "%s\n", *line);
	}
	return g_string_free(complete, false);
}

/* Reads two tables by address: symbols for %pS, and strings for %s. A file may lack both. */
static void read_tables(struct trace_formats *formats, struct cursor *c)
{
	struct tep_handle *tep = formats->tep;
	u64 size;
	const void *data = read_block(c, 4, &size);

	if (data && size) {
		g_autofree char *copy = g_strndup(data, size);

		tep_parse_kallsyms(tep, copy);
		formats->has_functions = true;
	}
	data = read_block(c, 4, &size);
	if (data && size) {
		g_autofree char *strings = complete_strings(data, size);

		tep_parse_printk_formats(tep, strings);
	}
}

struct trace_formats *trace_formats_new(GBytes *blob, GError **error)
{
	struct trace_formats *formats = g_new0(struct trace_formats, 1);
	size_t size;
	const void *data = g_bytes_get_data(blob, &size);
	struct cursor c = cursor_of(data, size);

	tep_set_loglevel(TEP_LOG_NONE);
	trace_seq_init(&formats->text);
	formats->tep = tep_alloc();
	tep_set_local_bigendian(formats->tep, tep_is_bigendian());
	if (!read_head(formats->tep, &c) || !read_formats(formats->tep, &c)) {
		error_set(error, PERF_ERROR_FORMAT,
			  "tracepoint formats: offset 0x%zx of %zu bytes: expected the next part "
			  "of a trace.dat head",
			  (size_t)(c.pos - (const u8 *)data), size);
		trace_formats_free(formats);
		return NULL;
	}
	read_tables(formats, &c);
	return formats;
}

void trace_formats_free(struct trace_formats *formats)
{
	if (!formats)
		return;
	tep_free(formats->tep);
	trace_seq_destroy(&formats->text);
	g_free(formats);
}

static char *find_function(void *arg, unsigned long long *addr, char **module)
{
	struct trace_formats *formats = arg;
	u64 start = *addr;
	const char *name =
		resolver_kernel_function(formats->resolver, *addr, formats->time, &start);

	*addr = start;
	*module = NULL;
	return (char *)name;
}

void trace_formats_resolve(struct trace_formats *formats, struct resolver *resolver)
{
	formats->resolver = resolver;
	if (!formats->has_functions)
		tep_set_function_resolver(formats->tep, find_function, formats);
}

static struct tep_event *find_event(struct trace_formats *formats, const struct evsel *evsel)
{
	if (!formats || evsel->attr.type != PERF_TYPE_TRACEPOINT || evsel->attr.config > INT32_MAX)
		return NULL;
	return tep_find_event(formats->tep, (int)evsel->attr.config);
}

/* Are there enough bytes for the event's fixed fields? If not, the record is not of this event. */
static bool covers_fields(const struct tep_event *event, u32 size)
{
	for (const struct tep_format_field *f = event->format.fields; f; f = f->next)
		if (f->offset < 0 || f->size < 0 || (u64)f->offset + (u64)f->size > size)
			return false;
	return true;
}

static struct tep_record record_of(const struct sample *sample)
{
	return (struct tep_record){
		.ts = sample->time,
		.cpu = (int)sample->cpu,
		.data = (void *)sample->raw,
		.size = (int)sample->raw_size,
		.record_size = (int)sample->raw_size,
	};
}

/* A dynamic array states its own position in the record. Check it before printing. */
static bool dynamic_fields_inside(const struct tep_event *event, const struct sample *sample)
{
	for (const struct tep_format_field *f = event->format.fields; f; f = f->next) {
		u32 where;
		u64 offset;

		if (!(f->flags & TEP_FIELD_IS_DYNAMIC) || f->size != sizeof(where))
			continue;
		memcpy(&where, (const char *)sample->raw + f->offset, sizeof(where));
		offset = where & 0xffff;
		if (f->flags & TEP_FIELD_IS_RELATIVE)
			offset += (u64)f->offset + (u64)f->size;
		if (offset + (where >> 16) > sample->raw_size)
			return false;
	}
	return true;
}

static struct tep_event *printable_event(struct trace_formats *formats, const struct evsel *evsel,
					 const struct sample *sample)
{
	struct tep_event *event = find_event(formats, evsel);

	if (!event || !sample->raw || !covers_fields(event, sample->raw_size) ||
	    !dynamic_fields_inside(event, sample))
		return NULL;
	return event;
}

bool trace_print(struct trace_formats *formats, const struct evsel *evsel,
		 const struct sample *sample, GString *out)
{
	struct tep_event *event = printable_event(formats, evsel, sample);
	struct tep_record record;

	if (!event)
		return false;
	record = record_of(sample);
	formats->time = sample->time;
	trace_seq_reset(&formats->text);
	tep_print_event(formats->tep, &formats->text, &record, "%s", TEP_PRINT_INFO);
	trace_seq_terminate(&formats->text);
	if (formats->text.state == TRACE_SEQ__GOOD)
		text_append_shown(out, formats->text.buffer, strlen(formats->text.buffer), false);
	return true;
}

/* The position of the field's bytes. printable_event() has checked that they are inside of the sample. */
static const char *field_bytes(const struct tep_format_field *field, const struct sample *sample,
			       u32 *size)
{
	u64 offset = (u64)field->offset;
	u32 where;

	*size = (u32)field->size;
	if (field->flags & TEP_FIELD_IS_DYNAMIC && field->size == sizeof(where)) {
		memcpy(&where, (const char *)sample->raw + field->offset, sizeof(where));
		if (field->flags & TEP_FIELD_IS_RELATIVE)
			offset += *size + (where & 0xffff);
		else
			offset = where & 0xffff;
		*size = where >> 16;
	}
	return (const char *)sample->raw + offset;
}

static void text_value(const struct tep_format_field *field, const struct sample *sample,
		       struct trace_value *out)
{
	u32 size;
	const char *bytes = field_bytes(field, sample, &size);

	*out = (struct trace_value){
		.is_text = true,
		.text = bytes,
		.text_size = (u32)strnlen(bytes, size),
	};
}

/* Finds a field of @event whose bytes are inside of the sample. */
static struct tep_format_field *field_inside(struct tep_event *event, const struct sample *sample,
					     const char *name)
{
	struct tep_format_field *field = event ? tep_find_any_field(event, name) : NULL;

	if (!field || field->offset < 0 || field->size < 0 ||
	    (u64)field->offset + (u64)field->size > sample->raw_size)
		return NULL;
	return field;
}

bool trace_field(struct trace_formats *formats, const struct evsel *evsel,
		 const struct sample *sample, const char *name, struct trace_value *out)
{
	struct tep_event *event = printable_event(formats, evsel, sample);
	struct tep_format_field *field = field_inside(event, sample, name);
	unsigned long long number = 0;

	if (!field)
		return false;
	if (field->flags & TEP_FIELD_IS_STRING) {
		text_value(field, sample, out);
		return true;
	}
	if (tep_read_number_field(field, sample->raw, &number) != 0)
		return false;
	*out = (struct trace_value){ .number = (s64)number };
	if ((field->flags & TEP_FIELD_IS_SIGNED) && field->size == 4)
		out->number = (s32)number;
	else if ((field->flags & TEP_FIELD_IS_SIGNED) && field->size == 2)
		out->number = (s16)number;
	else if ((field->flags & TEP_FIELD_IS_SIGNED) && field->size == 1)
		out->number = (s8)number;
	return true;
}

/* Finds "S" in "prev_pid=7 prev_state=S ==> ...". A value ends at the next blank. */
static bool find_in_text(const char *text, const char *name, GString *out)
{
	size_t size = strlen(name);

	for (const char *at = text; at; at = strchr(at, ' ')) {
		at += strspn(at, " ");
		if (strncmp(at, name, size) != 0 || at[size] != '=')
			continue;
		at += size + 1;
		g_string_append_len(out, at, (gssize)strcspn(at, " "));
		return true;
	}
	return false;
}

bool trace_field_print(struct trace_formats *formats, const struct evsel *evsel,
		       const struct sample *sample, const char *name, bool raw, GString *out)
{
	struct tep_event *event = printable_event(formats, evsel, sample);
	struct tep_format_field *field = field_inside(event, sample, name);
	g_autoptr(GString) text = g_string_new(NULL);
	struct trace_value value;

	if (!field)
		return false;
	if (field->flags & TEP_FIELD_IS_STRING) {
		text_value(field, sample, &value);
		text_append_shown(out, value.text, (size_t)value.text_size, false);
		return true;
	}
	if (!raw && trace_print(formats, evsel, sample, text) && find_in_text(text->str, name, out))
		return true;
	trace_seq_reset(&formats->text);
	tep_print_field(&formats->text, (void *)sample->raw, field);
	trace_seq_terminate(&formats->text);
	if (formats->text.state == TRACE_SEQ__GOOD)
		text_append_shown(out, formats->text.buffer, strlen(formats->text.buffer), false);
	return true;
}

bool trace_field_bytes(struct trace_formats *formats, const struct evsel *evsel,
		       const struct sample *sample, const char *name, const void **bytes, u32 *size)
{
	struct tep_event *event = printable_event(formats, evsel, sample);
	struct tep_format_field *field = field_inside(event, sample, name);

	if (!field)
		return false;
	*bytes = field_bytes(field, sample, size);
	return true;
}

bool trace_has_field(struct trace_formats *formats, const struct evsel *evsel, const char *name,
		     u32 *width)
{
	struct tep_event *event = find_event(formats, evsel);
	struct tep_format_field *field = event ? tep_find_any_field(event, name) : NULL;

	if (!field)
		return false;
	if (width)
		*width = field->flags & TEP_FIELD_IS_STRING ? (u32)field->size
							    : (u32)field->size * 2 + 2;
	return true;
}

char **trace_field_names(struct trace_formats *formats, const struct evsel *evsel)
{
	const struct tep_event *event = find_event(formats, evsel);
	GPtrArray *names;

	if (!event)
		return NULL;
	names = g_ptr_array_new();
	for (const struct tep_format_field *f = event->format.fields; f; f = f->next)
		g_ptr_array_add(names, g_strdup(f->name));
	g_ptr_array_add(names, NULL);
	return (char **)g_ptr_array_free(names, FALSE);
}
