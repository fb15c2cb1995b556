// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Makes spans from JSON. spans/steps.h tells what each object and each value is. Here the facts of a span, and of the
 * process that made it, are collected until its object ends.
 */
#include "spans/load.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/progress.h"
#include "json/json.h"
#include "spans/steps.h"
#include "spans/values.h"

#define VALUE_MAX 512
#define KEY_MAX	  128 /* longer member and attribute names match nothing */

/* To another span. It is the parent, if it is of the same trace: the span's own trace id may come later in the file. */
struct reference {
	u8 trace_id[SPAN_TRACE_ID_SIZE];
	u64 span;
	bool child_of;
};

struct loading {
	struct spans *spans;
	u32 nr_before; /* spans from earlier files */
	struct steps steps;
	char key[KEY_MAX + 1]; /* the next value's name, in IN_PROCESSES and IN_TAGS */

	struct span_facts span;
	u64 end_ns;
	u32 owner; /* the span's owner: index in @owners */

	/* Do attributes belong to the process that made the span, not to the span? */
	bool about_owner;
	struct span_owner maker;
	char attribute[KEY_MAX + 1];
	GString *value; /* text of a list: values separated by commas */
	u32 nr_values;

	struct reference reference;
	GArray *references; /* struct reference, of the span */

	GArray *owners;	     /* struct span_owner, of the present batch */
	GHashTable *numbers; /* Jaeger: "p1" -> index in owners */
	bool zipkin;	     /* the outermost object is a span */
	bool known_format;
	bool has_values; /* values other than empty arrays */
};

/* Reads facts that OTLP has in members of their own, and Jaeger and Zipkin have in attributes. */
static void take_meaning(struct loading *l, const char *key, const char *text, size_t length)
{
	if (!strcmp(key, "span.kind"))
		l->span.kind = value_kind(text, length);
	else if (!strcmp(key, "otel.status_code"))
		l->span.status = value_status(text, length);
	else if (!strcmp(key, "error") && !value_ends_in(text, length, "false"))
		l->span.status = SPAN_ERROR;
}

static void take_attribute(struct loading *l, const char *key, const char *text, size_t length)
{
	u32 *labels = l->about_owner ? &l->maker.labels : &l->span.labels;

	if (!*key)
		return;
	if (l->about_owner && !strcmp(key, "service.name"))
		l->maker.service = spans_text_id(l->spans, text, length);
	if (!l->about_owner)
		take_meaning(l, key, text, length);
	if (spans_is_kept(l->spans, key, strlen(key)))
		*labels = spans_add_label(l->spans, *labels, key, strlen(key), text, length);
}

static void copy_key(char key[KEY_MAX + 1], const char *text, size_t length)
{
	if (length > KEY_MAX)
		length = 0;
	memcpy(key, text, length);
	key[length] = '\0';
}

/* The index of the process called @name. The process itself may come later in the file. */
static u32 owner_number(struct loading *l, const char *name)
{
	struct span_owner nobody = { 0, 0 };
	gpointer number = g_hash_table_lookup(l->numbers, name);

	if (number)
		return GPOINTER_TO_UINT(number) - 1;
	g_array_append_val(l->owners, nobody);
	g_hash_table_insert(l->numbers, g_strdup(name), GUINT_TO_POINTER(l->owners->len));
	return l->owners->len - 1;
}

static void take_process_id(struct loading *l, const char *text, size_t length)
{
	char name[KEY_MAX + 1];

	copy_key(name, text, length);
	l->owner = owner_number(l, name);
}

static void take_value(struct loading *l, const char *text, size_t length)
{
	if (l->value->len + length > VALUE_MAX)
		return;
	if (l->nr_values++)
		g_string_append(l->value, ", ");
	g_string_append_len(l->value, text, (gssize)length);
}

static void take_fact(struct loading *l, enum span_fact fact, const char *text, size_t length)
{
	switch (fact) {
	case FACT_TRACE_ID:
		value_trace_id(text, length, l->span.trace_id);
		break;
	case FACT_ZIPKIN_ID:
		l->known_format = l->zipkin = true;
		/* fall through */
	case FACT_SPAN_ID:
		l->span.id = value_span_id(text, length);
		break;
	case FACT_PARENT_ID:
		l->span.parent = value_span_id(text, length);
		break;
	case FACT_NAME:
		l->span.name = spans_text_id(l->spans, text, length);
		break;
	case FACT_KIND:
		l->span.kind = value_kind(text, length);
		break;
	case FACT_START_NS:
		l->span.start_ns = value_number(text, length);
		break;
	case FACT_END_NS:
		l->end_ns = value_number(text, length);
		break;
	case FACT_START_US:
		l->span.start_ns = value_us(text, length);
		break;
	case FACT_DURATION_US:
		l->span.duration_ns = value_us(text, length);
		break;
	case FACT_STATUS:
		l->span.status = value_status(text, length);
		break;
	case FACT_SHARED:
		l->span.shared = length == 4;
		break;
	case FACT_SERVICE:
		l->maker.service = spans_text_id(l->spans, text, length);
		break;
	case FACT_PROCESS_ID:
		take_process_id(l, text, length);
		break;
	case FACT_REF_TYPE:
		l->reference.child_of = value_ends_in(text, length, "CHILD_OF");
		break;
	case FACT_REF_TRACE:
		value_trace_id(text, length, l->reference.trace_id);
		break;
	case FACT_REF_SPAN:
		l->reference.span = value_span_id(text, length);
		break;
	case FACT_KEY:
		copy_key(l->attribute, text, length);
		break;
	case FACT_VALUE:
		take_value(l, text, MIN(length, VALUE_MAX));
		break;
	case FACT_TAG:
		take_attribute(l, l->key, text, length);
		break;
	case FACT_NONE:
		break;
	}
}

static void begin_batch(struct loading *l)
{
	l->maker = (struct span_owner){ 0, 0 };
	l->owner = 0;
	g_array_set_size(l->owners, 0);
	g_hash_table_remove_all(l->numbers);
}

static void begin_span(struct loading *l)
{
	memset(&l->span, 0, sizeof(l->span));
	l->end_ns = 0;
	l->about_owner = false;
	g_array_set_size(l->references, 0);
}

static void begin(struct loading *l, enum json_state state)
{
	switch (state) {
	case IN_ROOT:
		begin_batch(l);
		begin_span(l);
		l->zipkin = false;
		break;
	case IN_BATCH:
	case IN_TRACE:
		l->known_format = true;
		begin_batch(l);
		break;
	case IN_SPAN:
		begin_span(l);
		break;
	case IN_JAEGER:
		begin_span(l);
		l->owner = UINT32_MAX;
		break;
	case IN_RESOURCE:
	case IN_PROCESS:
		l->maker = (struct span_owner){ 0, 0 };
		l->about_owner = true;
		break;
	case IN_REFERENCE:
		memset(&l->reference, 0, sizeof(l->reference));
		break;
	case IN_ATTRIBUTE:
		l->attribute[0] = '\0';
		l->nr_values = 0;
		g_string_truncate(l->value, 0);
		break;
	default:
		break;
	}
}

static void take_reference(struct loading *l, const struct reference *r)
{
	bool same = !memcmp(r->trace_id, l->span.trace_id, sizeof(l->span.trace_id));

	if (same && r->span && (r->child_of || !l->span.parent))
		l->span.parent = r->span;
}

static void end_span(struct loading *l)
{
	for (u32 i = 0; i < l->references->len; i++)
		take_reference(l, &g_array_index(l->references, struct reference, i));
	if (l->end_ns > l->span.start_ns)
		l->span.duration_ns = l->end_ns - l->span.start_ns;
	spans_add(l->spans, &l->span, l->owner);
}

/* Ends a process: one with a name in "processes", or one inside of a span. */
static void end_process(struct loading *l, enum json_state around)
{
	u32 number;

	l->about_owner = false;
	if (around == IN_PROCESSES) {
		number = owner_number(l, l->key);
		g_array_index(l->owners, struct span_owner, number) = l->maker;
	} else {
		g_array_append_val(l->owners, l->maker);
		l->owner = l->owners->len - 1;
	}
}

static void end_batch(struct loading *l)
{
	if (!l->owners->len)
		g_array_append_val(l->owners, l->maker);
	spans_end_batch(l->spans, (const struct span_owner *)(void *)l->owners->data,
			l->owners->len);
}

static void end(struct loading *l, enum json_state state, enum json_state around)
{
	switch (state) {
	case IN_SPAN:
	case IN_JAEGER:
		end_span(l);
		break;
	case IN_ROOT:
		if (l->zipkin)
			end_span(l);
		end_batch(l);
		break;
	case IN_BATCH:
	case IN_TRACE:
		end_batch(l);
		break;
	case IN_RESOURCE:
		l->about_owner = false;
		break;
	case IN_PROCESS:
		end_process(l, around);
		break;
	case IN_REFERENCE:
		g_array_append_val(l->references, l->reference);
		break;
	case IN_ATTRIBUTE:
		if (l->nr_values)
			take_attribute(l, l->attribute, l->value->str, l->value->len);
		break;
	default:
		break;
	}
}

static void take_key(struct loading *l, const char *text, size_t length)
{
	enum json_state in = steps_state(&l->steps);

	steps_key(&l->steps, text, length);
	if (in == IN_PROCESSES || in == IN_TAGS)
		copy_key(l->key, text, length);
}

static void take(void *arg, enum json_event event, const char *text, size_t length)
{
	struct loading *l = arg;
	enum json_state state;

	switch (event) {
	case JSON_OBJECT:
	case JSON_ARRAY:
		state = steps_begin(&l->steps, event == JSON_ARRAY);
		l->has_values |= event == JSON_OBJECT;
		if (event == JSON_OBJECT)
			begin(l, state);
		break;
	case JSON_OBJECT_END:
	case JSON_ARRAY_END:
		state = steps_end(&l->steps);
		if (event == JSON_OBJECT_END)
			end(l, state, steps_state(&l->steps));
		break;
	case JSON_KEY:
		take_key(l, text, length);
		break;
	case JSON_STRING:
	case JSON_WORD:
		l->has_values = true;
		take_fact(l, steps_fact(&l->steps), text, length);
		break;
	}
}

static void loading_init(struct loading *l, struct spans *spans)
{
	memset(l, 0, sizeof(*l));
	l->spans = spans;
	l->nr_before = spans_nr(spans);
	l->value = g_string_new(NULL);
	l->owners = g_array_new(FALSE, FALSE, sizeof(struct span_owner));
	l->references = g_array_new(FALSE, FALSE, sizeof(struct reference));
	l->numbers = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
}

static void loading_release(struct loading *l)
{
	/* A damaged file may leave a batch open: then its spans have no owner. */
	spans_end_batch(l->spans, NULL, 0);
	g_string_free(l->value, TRUE);
	g_array_unref(l->owners);
	g_array_unref(l->references);
	g_hash_table_destroy(l->numbers);
}

static bool finish(struct loading *l, struct json *json, const char *name, GError **error)
{
	if (json_is_open(json) && spans_nr(l->spans) > l->nr_before) {
		end_batch(l);
		spans_note_cut(l->spans);
		return true;
	}
	if (!json_end(json, error))
		return false;
	return l->known_format || !l->has_values ||
	       error_set(error, PERF_ERROR_FORMAT,
			 "%s: offset 0: no spans of OTLP, Jaeger or Zipkin in it", name);
}

/* Recognizes formats that are no JSON but that users often pass by mistake. */
static bool is_other(const char *name, const char *bytes, size_t size, GError **error)
{
	static const struct {
		const char *start, *what, *tool;
	} others[] = {
		{ "\x1f\x8b", "compressed", "gzip -dc" },
		{ "\x28\xb5\x2f\xfd", "compressed", "zstd -dc" },
		{ "\xfd\x37zXZ", "compressed", "xz -dc" },
		{ "BZh", "compressed", "bzip2 -dc" },
		{ "\xff\xfe", "UTF-16", "iconv -f utf-16" },
		{ "\xfe\xff", "UTF-16", "iconv -f utf-16" },
	};

	for (u32 i = 0; i < ARRAY_SIZE(others); i++) {
		size_t length = strlen(others[i].start);

		if (size < length || memcmp(bytes, others[i].start, length))
			continue;
		return !error_set(error, PERF_ERROR_FORMAT,
				  "%s: is %s: use %s FILE | ... --spans=-", name, others[i].what,
				  others[i].tool);
	}
	return false;
}

bool spans_load_bytes(struct spans *spans, const char *name, const void *bytes, size_t size,
		      GError **error)
{
	struct loading l;
	struct json *json;
	bool ok;

	loading_init(&l, spans);
	json = json_new(name, take, &l, error);
	ok = json && !is_other(name, bytes, size, error) && json_feed(json, bytes, size, error) &&
	     finish(&l, json, name, error);
	json_free(json);
	loading_release(&l);
	return ok;
}

#define READ_SIZE (256u << 10)

static bool read_all(struct json *json, int fd, const char *path, struct progress *progress,
		     GError **error)
{
	g_autofree char *buffer = g_malloc(READ_SIZE);
	u64 done = 0;
	ssize_t n;

	while ((n = read(fd, buffer, READ_SIZE)) != 0) {
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return error_set_errno(error, errno, "%s: offset %" G_GUINT64_FORMAT, path,
					       done);
		if ((!done && is_other(path, buffer, (size_t)n, error)) ||
		    !json_feed(json, buffer, (size_t)n, error))
			return false;
		done += (u64)n;
		progress_step(progress, done);
	}
	return true;
}

static bool load_fd(struct spans *spans, int fd, const char *path, bool show_progress,
		    GError **error)
{
	struct progress progress;
	struct loading l;
	struct json *json;
	struct stat st;
	bool ok;

	loading_init(&l, spans);
	progress_start(&progress, "Reading spans",
		       !fstat(fd, &st) && S_ISREG(st.st_mode) ? (u64)st.st_size : 0, show_progress);
	json = json_new(path, take, &l, error);
	ok = json && read_all(json, fd, path, &progress, error) && finish(&l, json, path, error);
	progress_end(&progress);
	json_free(json);
	loading_release(&l);
	return ok;
}

static bool is_directory(int fd)
{
	struct stat st;

	return !fstat(fd, &st) && S_ISDIR(st.st_mode);
}

bool spans_load(struct spans *spans, const char *path, bool show_progress, GError **error)
{
	bool standard = !strcmp(path, "-"), ok;
	int fd = standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0 && !*path)
		return error_set(error, PERF_ERROR_USAGE, "--spans= needs a file");
	if (fd < 0)
		return error_set_errno(error, errno, "%s", path);
	if (is_directory(fd)) {
		close(fd);
		return error_set(error, PERF_ERROR_USAGE, "%s is a directory: give %s/*.json", path,
				 path);
	}
	ok = load_fd(spans, fd, path, show_progress, error);
	if (!standard)
		close(fd);
	return ok;
}
