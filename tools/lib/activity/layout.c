// SPDX-License-Identifier: GPL-2.0-or-later
#include "activity/layout.h"

#include <string.h>

#include "activity/decoders.h"
#include "activity/record.h"

/* The maximum of libactivity's record and its attributes. */
#define RECORD_MAX 640

typedef enum activity_state (*decode_fn)(const u8 *bytes, size_t size, struct activity *a);

static const struct layout_format {
	const char *name;
	u32 max_size; /* of the variable; data behind a pointer do not count */
	u32 rank;
	bool pointer;
	decode_fn decode; /* NULL: a value */
} formats[] = {
	[ACTIVITY_RECORD] = { "activity", RECORD_MAX, 1, false, activity_decode_inline },
	[ACTIVITY_U64] = { "u64", 8, 4 },
	[ACTIVITY_HEX] = { "hex", ACTIVITY_VALUE_MAX, 4 },
	[ACTIVITY_UUID] = { "uuid", 16, 4 },
	[ACTIVITY_STRING] = { "string", ACTIVITY_VALUE_MAX, 4 },
	[ACTIVITY_OTEP] = { "otep", 8, 0, true, activity_decode_otep },
	[ACTIVITY_ELASTIC] = { "elastic", 8, 2, true, activity_decode_elastic },
	[ACTIVITY_LABELS] = { "labels", 8, 3, true, activity_decode_labels },
	[ACTIVITY_GO] = { "go", 8, 5, true, activity_decode_labels },
	[ACTIVITY_OBI] = { "obi", 8, 6, true, activity_decode_obi },
	[ACTIVITY_NODE] = { "node", 8, 0, true, activity_decode_node },
};

G_STATIC_ASSERT(ARRAY_SIZE(formats) == ACTIVITY_NR_FORMATS);

static bool size_fits(enum activity_format format, u64 size)
{
	switch (format) {
	case ACTIVITY_RECORD:
		return size >= 32 && size <= RECORD_MAX;
	case ACTIVITY_UUID:
	case ACTIVITY_OTEP:
	case ACTIVITY_ELASTIC:
	case ACTIVITY_LABELS:
	case ACTIVITY_GO:
	case ACTIVITY_OBI:
	case ACTIVITY_NODE:
		return size == formats[format].max_size;
	case ACTIVITY_U64:
		return size == 1 || size == 2 || size == 4 || size == 8;
	case ACTIVITY_HEX:
	case ACTIVITY_STRING:
		return size >= 1 && size <= formats[format].max_size;
	case ACTIVITY_NR_FORMATS:
		break;
	}
	return false;
}

static bool parse_number(const char *text, u32 *number)
{
	bool hex = g_str_has_prefix(text, "0x") || g_str_has_prefix(text, "0X");
	const char *digits = hex ? text + 2 : text;
	guint64 value;

	if (!g_ascii_string_to_unsigned(digits, hex ? 16 : 10, 0, G_MAXUINT32, &value, NULL))
		return false;
	*number = (u32)value;
	return true;
}

static bool parse_format(const char *text, enum activity_format *format)
{
	for (enum activity_format f = ACTIVITY_U64; f <= ACTIVITY_STRING; f++) {
		if (strcmp(text, formats[f].name) == 0) {
			*format = f;
			return true;
		}
	}
	return false;
}

static bool parse_variable(const char *text, char **part, struct activity_layout *layout,
			   GError **error)
{
	guint nr = g_strv_length(part);

	if (nr > 4)
		return error_set(error, PERF_ERROR_USAGE,
				 "layout '%s': more than SYMBOL:offset:size:type", text);
	if (!*part[0])
		return error_set(error, PERF_ERROR_USAGE, "layout '%s': no symbol before ':'",
				 text);
	if (nr > 1 && !parse_number(part[1], &layout->offset))
		return error_set(error, PERF_ERROR_USAGE,
				 "layout '%s': offset '%s' is not a number", text, part[1]);
	if (nr > 2 && (!parse_number(part[2], &layout->size) || !layout->size ||
		       layout->size > ACTIVITY_VALUE_MAX))
		return error_set(error, PERF_ERROR_USAGE,
				 "layout '%s': size '%s' is not a number from 1 to %d", text,
				 part[2], ACTIVITY_VALUE_MAX);
	layout->format = size_fits(ACTIVITY_U64, layout->size) ? ACTIVITY_U64 : ACTIVITY_HEX;
	if (nr > 3 && !parse_format(part[3], &layout->format))
		return error_set(error, PERF_ERROR_USAGE,
				 "layout '%s': type '%s': expected u64, hex, uuid or string", text,
				 part[3]);
	if (layout->size && !size_fits(layout->format, layout->size))
		return error_set(error, PERF_ERROR_USAGE, "layout '%s': a %s cannot have %u bytes",
				 text, formats[layout->format].name, layout->size);
	layout->symbol = g_strdup(part[0]);
	return true;
}

bool activity_layout_parse(const char *text, struct activity_layout *layout, GError **error)
{
	g_auto(GStrv) part = NULL;

	*layout = (struct activity_layout){ 0 };
	if (!text || !*text || strcmp(text, "activity") == 0) {
		layout->format = ACTIVITY_RECORD;
		layout->symbol = g_strdup(ACTIVITY_RECORD_SYMBOL);
		return true;
	}
	part = g_strsplit(text, ":", 0);
	return parse_variable(text, part, layout, error);
}

static const struct {
	const char *name, *symbol;
	enum activity_format format;
} known[] = {
	{ "otep", "otel_thread_ctx_v1", ACTIVITY_OTEP },
	{ "activity", ACTIVITY_RECORD_SYMBOL, ACTIVITY_RECORD },
	{ "elastic", "elastic_apm_profiling_correlation_tls_v1", ACTIVITY_ELASTIC },
	{ "labels", "custom_labels_current_set", ACTIVITY_LABELS },
	{ "go", "runtime.tlsg", ACTIVITY_GO },
	{ "node", "otel_thread_ctx_nodejs_v1", ACTIVITY_NODE },
};

static void clear_layout(void *layout)
{
	g_free((char *)((struct activity_layout *)layout)->symbol);
}

static void add_layout(GArray *layouts, struct activity_layout *layout)
{
	layout->publisher = (u8)layouts->len;
	g_array_append_val(layouts, *layout);
}

/* Adds the layouts with the name @text; "auto" is all. False: there are none. */
static bool add_known(GArray *layouts, const char *text)
{
	bool all = strcmp(text, "auto") == 0, added = false;

	for (size_t i = 0; i < ARRAY_SIZE(known); i++) {
		struct activity_layout layout = {
			.format = known[i].format,
			.symbol = known[i].symbol,
			.size = formats[known[i].format].pointer ? sizeof(u64) : 0,
		};

		if (!all && strcmp(text, known[i].name) != 0)
			continue;
		layout.symbol = g_strdup(layout.symbol);
		add_layout(layouts, &layout);
		added = true;
	}
	return added;
}

GArray *activity_layouts_parse(const char *text, u32 max, GError **error)
{
	GArray *layouts = g_array_new(FALSE, FALSE, sizeof(struct activity_layout));
	g_auto(GStrv) parts = g_strsplit(text && *text ? text : "auto", ",", 0);

	g_array_set_clear_func(layouts, clear_layout);
	for (char **part = parts; *part; part++) {
		struct activity_layout layout;
		bool ok = *part[0] && add_known(layouts, *part);

		if (!ok) {
			ok = activity_layout_parse(**part ? *part : ":", &layout, error);
			if (ok)
				add_layout(layouts, &layout);
		}
		if (ok && layouts->len > max)
			ok = error_set(error, PERF_ERROR_USAGE,
				       "layouts '%s': more than %u at once", text, max);
		if (!ok) {
			g_array_unref(layouts);
			return NULL;
		}
	}
	return layouts;
}

bool activity_layout_place(const struct activity_layout *asked, s64 tpoff, u64 symbol_size,
			   struct activity_layout *placed, GError **error)
{
	u64 left;

	*placed = *asked;
	placed->tpoff = tpoff;
	if (symbol_size == 0)
		symbol_size = (u64)asked->offset + asked->size;
	left = symbol_size > asked->offset ? symbol_size - asked->offset : 0;
	if (left == 0 || asked->size > left)
		return error_set(error, PERF_ERROR_UNSUPPORTED,
				 "symbol '%s' has %" G_GUINT64_FORMAT
				 " bytes, too few for %u at offset %u",
				 asked->symbol, symbol_size, MAX(asked->size, 1), asked->offset);
	if (placed->size == 0) {
		placed->size = (u32)MIN(left, formats[asked->format].max_size);
		if (asked->format == ACTIVITY_HEX && size_fits(ACTIVITY_U64, left))
			placed->format = ACTIVITY_U64;
	}
	if (!activity_layout_valid(placed))
		return error_set(error, PERF_ERROR_UNSUPPORTED,
				 "symbol '%s' has %u bytes at offset %u, which is no size of a %s",
				 asked->symbol, placed->size, placed->offset,
				 formats[placed->format].name);
	return true;
}

bool activity_layout_valid(const struct activity_layout *layout)
{
	if ((u32)layout->format >= ARRAY_SIZE(formats) || !size_fits(layout->format, layout->size))
		return false;
	if (layout->tpoff < -(s64)G_MAXUINT32 || layout->tpoff > G_MAXUINT32)
		return false;
	if (layout->where == ACTIVITY_APPENDED)
		return layout->framed;
	return layout->where == ACTIVITY_IN_WINDOW && layout->tpoff < 0 &&
	       layout->tpoff + layout->offset + layout->size <= 0;
}

u32 activity_layout_window(const struct activity_layout *layout)
{
	s64 begin = layout->tpoff + (s64)layout->offset;

	if (begin >= 0 || begin < -(s64)ACTIVITY_WINDOW_MAX)
		return 0;
	return (u32)MAX(ALIGN_UP((u64)-begin, 8), ACTIVITY_WINDOW_MIN);
}

static enum activity_state decode_value(const struct activity_layout *layout, const u8 *bytes,
					struct activity *activity)
{
	u32 size = layout->size;

	if (layout->format == ACTIVITY_STRING)
		size = (u32)strnlen((const char *)bytes, size);
	else if (layout->format != ACTIVITY_U64 && activity_all_zero(bytes, size))
		size = 0;
	if (size == 0)
		return ACTIVITY_NONE;
	memcpy(activity->value, bytes, size);
	activity->value_size = (u8)size;
	return ACTIVITY_OK;
}

/* The bytes of a section: the window, and the entries before it. */
struct window_section {
	const u8 *entries, *window;
	u64 entries_size, window_size, window_read;
};

/* False: the frame is invalid. */
static bool split(const u8 *data, u64 size, u64 dyn_size, bool framed,
		  struct window_section *section)
{
	struct activity_frame frame = { 0 };

	dyn_size = MIN(dyn_size, size);
	if (framed) {
		if (dyn_size < sizeof(frame))
			return false;
		memcpy(&frame, data, sizeof(frame));
		if (frame.version != ACTIVITY_FRAME_VERSION || frame.size < sizeof(frame) ||
		    frame.size % 8 || frame.size > dyn_size)
			return false;
		section->entries = data + sizeof(frame);
		section->entries_size = frame.size - sizeof(frame);
	}
	section->window = data + frame.size;
	section->window_size = size - frame.size;
	section->window_read = dyn_size - frame.size;
	return true;
}

/* Was the entry read from the location of @layout? */
static bool is_of_place(const struct activity_entry *entry, const struct activity_layout *layout)
{
	return !entry->mark || !layout->mark || entry->mark == layout->mark;
}

/* Finds the entry of @layout and its bytes. False: there is none. */
static bool find_entry(const struct window_section *section, const struct activity_layout *layout,
		       struct activity_entry *entry, const u8 **bytes)
{
	u64 at = 0;

	while (section->entries_size - at >= sizeof(*entry)) {
		memcpy(entry, section->entries + at, sizeof(*entry));
		at += sizeof(*entry);
		if (entry->size > section->entries_size - at)
			return false;
		*bytes = section->entries + at;
		if (entry->publisher == layout->publisher && entry->format == layout->format &&
		    is_of_place(entry, layout))
			return true;
		at = MIN(ALIGN_UP(at + entry->size, 8), section->entries_size);
	}
	return false;
}

static enum activity_state decode_bytes(const struct activity_layout *layout, const u8 *bytes,
					size_t size, struct activity *activity)
{
	decode_fn decode = formats[layout->format].decode;

	if (decode)
		return decode(bytes, size, activity);
	if (size < layout->size)
		return ACTIVITY_TRUNCATED;
	return decode_value(layout, bytes, activity);
}

static enum activity_state decode_window(const struct activity_layout *layout,
					 const struct window_section *section,
					 struct activity *activity)
{
	u64 below = (u64) - (layout->tpoff + (s64)layout->offset), start;

	/* A BPF program reads no more than its configured size. */
	if (below > section->window_size)
		return layout->framed ? ACTIVITY_NOT_YET : ACTIVITY_TRUNCATED;
	if (section->window_read == 0)
		return ACTIVITY_UNREADABLE;
	start = section->window_size - below;
	if (start + layout->size > section->window_read)
		return ACTIVITY_UNREADABLE;
	/* These pointers are always set, with or without an activity. */
	if (layout->format == ACTIVITY_GO || layout->format == ACTIVITY_NODE)
		return ACTIVITY_TRUNCATED;
	if (formats[layout->format].pointer)
		return activity_all_zero(section->window + start, layout->size) ? ACTIVITY_NONE
										: ACTIVITY_INEXACT;
	return decode_bytes(layout, section->window + start, layout->size, activity);
}

/*
 * When the sample was taken, the BPF program did not know the variable, or not at this location. Only the window is
 * there, which it reads for every process.
 */
static enum activity_state decode_untold(const struct activity_layout *layout,
					 const struct window_section *section,
					 struct activity *activity)
{
	if (layout->tpoff >= 0 || layout->format == ACTIVITY_GO || layout->format == ACTIVITY_NODE)
		return ACTIVITY_NOT_YET;
	return decode_window(layout, section, activity);
}

static enum activity_state decode_entry(const struct activity_layout *layout,
					const struct window_section *section,
					struct activity *activity)
{
	struct activity_entry entry;
	enum activity_state state;
	const u8 *bytes;

	if (!find_entry(section, layout, &entry, &bytes)) {
		if (layout->format == ACTIVITY_OBI)
			return ACTIVITY_NONE; /* the BPF map has no entry for the thread */
		return decode_untold(layout, section, activity);
	}
	if (entry.state != ACTIVITY_OK)
		return entry.state < ACTIVITY_NR_STATES ? entry.state : ACTIVITY_UNREADABLE;
	activity->labels.cut = entry.cut != 0;
	activity->labels.missing = entry.cut ? entry.cut - 1 : 0;
	state = decode_bytes(layout, bytes, entry.size, activity);
	/* If the labels are the identity of the activity, they must be complete. */
	if (state == ACTIVITY_OK && entry.cut && !(activity->has & ACTIVITY_HAS_IDS))
		return ACTIVITY_TRUNCATED;
	return state;
}

void activity_decode(const struct activity_layout *layout, const u8 *data, u64 size, u64 dyn_size,
		     const struct activity_process *process, struct activity *activity)
{
	struct window_section section = { 0 };
	enum activity_state state;

	memset(activity, 0, sizeof(*activity));
	activity->process = process;
	if (!layout || size == 0)
		return;
	if (!activity_layout_valid(layout) || dyn_size == 0 ||
	    !split(data, size, dyn_size, layout->framed, &section))
		state = ACTIVITY_UNREADABLE;
	else if (layout->where == ACTIVITY_APPENDED)
		state = decode_entry(layout, &section, activity);
	else
		state = decode_window(layout, &section, activity);
	if (state != ACTIVITY_OK && state != ACTIVITY_TRUNCATED) {
		memset(activity, 0, sizeof(*activity));
		activity->process = process;
	} else if (state == ACTIVITY_OK || activity->value_size) {
		activity->format = (u8)layout->format;
	}
	activity->state = (u8)state;
}

/*
 * libactivity's record and OTEP's pointer in one process describe the same activity. The record has the state and the
 * enclosing spans. The pointer leads to the attributes.
 */
static void add_labels(const struct activity *otep, struct activity *activity)
{
	if (activity->state == ACTIVITY_OK && otep->state == ACTIVITY_OK &&
	    otep->has & ACTIVITY_HAS_IDS &&
	    memcmp(otep->trace_id, activity->trace_id, sizeof(otep->trace_id)) == 0 &&
	    memcmp(otep->span_id, activity->span_id, sizeof(otep->span_id)) == 0)
		activity->labels = otep->labels;
}

void activity_decode_first(const struct activity_layout *layouts, u32 nr, const u8 *data, u64 size,
			   u64 dyn_size, const struct activity_process *process,
			   struct activity *activity)
{
	bool own = false;

	activity_decode(NULL, NULL, 0, 0, process, activity);
	for (u32 i = 0; i < nr && !own; i++) {
		own = layouts[i].format == ACTIVITY_RECORD;
		if (own)
			activity_decode(&layouts[i], data, size, dyn_size, process, activity);
	}
	for (u32 i = 0; i < nr; i++) {
		struct activity other;

		if (own && layouts[i].format == ACTIVITY_OTEP) {
			activity_decode(&layouts[i], data, size, dyn_size, process, &other);
			add_labels(&other, activity);
		} else if (activity->state == ACTIVITY_NONE) {
			activity_decode(&layouts[i], data, size, dyn_size, process, activity);
		}
	}
}

enum cpu_context activity_cpu_context(const u8 *data, u64 size, u64 dyn_size)
{
	struct activity_frame frame;
	struct window_section section;

	if (!split(data, size, dyn_size ? dyn_size : sizeof(frame), true, &section))
		return CPU_IN_UNKNOWN;
	memcpy(&frame, data, sizeof(frame));
	return frame.context < CPU_NR_CONTEXTS ? frame.context : CPU_IN_UNKNOWN;
}

enum activity_unread activity_unread(const u8 *data, u64 size, u64 dyn_size)
{
	struct activity_frame frame;
	struct window_section section;

	if (size != sizeof(frame) || !split(data, size, dyn_size, true, &section))
		return ACTIVITY_IS_READ;
	memcpy(&frame, data, sizeof(frame));
	return frame.unread <= ACTIVITY_UNREAD ? frame.unread : ACTIVITY_IS_READ;
}

void activity_interrupt(struct activity *activity)
{
	const struct activity_process *process = activity->process;

	if (activity->state == ACTIVITY_NONE)
		return;
	memset(activity, 0, sizeof(*activity));
	activity->state = ACTIVITY_INTERRUPT;
	activity->process = process;
}

bool activity_is_pointer(enum activity_format format)
{
	return (u32)format < ARRAY_SIZE(formats) && formats[format].pointer;
}

u32 activity_rank(enum activity_format format)
{
	return (u32)format < ARRAY_SIZE(formats) ? formats[format].rank : G_MAXUINT32;
}
