// SPDX-License-Identifier: GPL-2.0-or-later
#include "view/script/columns.h"

#include <string.h>

#include "fields/fields.h"
#include "fields/waits.h"
#include "perfdata/evsel.h"
#include "view/script/private.h"

static const char *const class_prefixes[NR_SCRIPT_CLASS] = {
	[SCRIPT_HW] = "hw",
	[SCRIPT_SW] = "sw",
	[SCRIPT_TRACE] = "trace",
	[SCRIPT_RAW] = "raw",
};

#define WHO                                                                                        \
	(COLUMN_BIT(COLUMN_COMM) | COLUMN_BIT(COLUMN_TID) | COLUMN_BIT(COLUMN_CPU) |               \
	 COLUMN_BIT(COLUMN_TIME) | COLUMN_BIT(COLUMN_EVENT))
#define WHERE                                                                                      \
	(COLUMN_BIT(COLUMN_IP) | COLUMN_BIT(COLUMN_SYM) | COLUMN_BIT(COLUMN_SYMOFF) |              \
	 COLUMN_BIT(COLUMN_DSO))

/* What a thread waited for, instead of the bytes that say so. */
static const char *const wait_keys[] = { "state", "syscall" };

static const struct field *find_field(struct script_columns *columns, const char *name);

void script_columns_init(struct script_columns *columns)
{
	u64 sampled = WHO | WHERE | COLUMN_BIT(COLUMN_PERIOD);

	*columns = (struct script_columns){
		.wanted = { [SCRIPT_HW] = sampled,
			    [SCRIPT_SW] = sampled | COLUMN_BIT(COLUMN_BPF_OUTPUT),
			    [SCRIPT_TRACE] = WHO | COLUMN_BIT(COLUMN_TRACE),
			    [SCRIPT_RAW] = sampled,
			    [SCRIPT_BREAKPOINT] = WHO | WHERE,
			    [SCRIPT_PMU] = sampled,
			    [SCRIPT_WAIT] = sampled },
	};
	for (u32 c = 0; c < NR_SCRIPT_CLASS; c++)
		columns->fields[c] = g_ptr_array_new();
	columns->labels = g_ptr_array_new_with_free_func((GDestroyNotify)field_label_free);
	for (u32 i = 0; i < ARRAY_SIZE(wait_keys); i++)
		g_ptr_array_add(columns->fields[SCRIPT_WAIT],
				(gpointer)find_field(columns, wait_keys[i]));
}

void script_columns_release(struct script_columns *columns)
{
	for (u32 c = 0; c < NR_SCRIPT_CLASS; c++) {
		g_ptr_array_free(columns->fields[c], TRUE);
		columns->fields[c] = NULL;
	}
	g_clear_pointer(&columns->labels, g_ptr_array_unref);
}

const char *script_column_name(enum script_column column)
{
	return script_column_row(column)->name;
}

char *script_columns_names(void)
{
	GString *names = g_string_new(NULL);

	for (u32 i = 0; i < NR_COLUMNS; i++)
		g_string_append_printf(names, "%s%s", i ? "," : "", script_column_row(i)->name);
	return g_string_free(names, FALSE);
}

enum script_class script_class_of(const struct evsel *evsel)
{
	switch (evsel->attr.type) {
	case PERF_TYPE_HARDWARE:
	case PERF_TYPE_HW_CACHE:
		return SCRIPT_HW;
	case PERF_TYPE_SOFTWARE:
		return evsel->attr.config == PERF_COUNT_SW_BPF_OUTPUT && wait_is_event(evsel)
			       ? SCRIPT_WAIT
			       : SCRIPT_SW;
	case PERF_TYPE_TRACEPOINT:
		return SCRIPT_TRACE;
	case PERF_TYPE_RAW:
		return SCRIPT_RAW;
	case PERF_TYPE_BREAKPOINT:
		return SCRIPT_BREAKPOINT;
	default:
		return SCRIPT_PMU;
	}
}

static int find_column(const char *name)
{
	for (int i = 0; i < NR_COLUMNS; i++)
		if (strcmp(script_column_row(i)->name, name) == 0)
			return i;
	return -1;
}

static const struct field *label_field(struct script_columns *columns, const char *name)
{
	struct field *made;

	for (u32 i = 0; i < columns->labels->len; i++) {
		const struct field *field = g_ptr_array_index(columns->labels, i);

		if (strcmp(field->name, name) == 0)
			return field;
	}
	made = field_label_new(name);
	g_ptr_array_add(columns->labels, made);
	return made;
}

/* Finds a sort key of the report by its full name. Prefixes would turn a typing error into a column. */
static const struct field *find_field(struct script_columns *columns, const char *name)
{
	const struct field *field;

	if (field_label_key(name))
		return label_field(columns, name);
	for (u32 i = 0; (field = fields_at(i)); i++)
		if (!field->value && strcmp(field->name, name) == 0)
			return field;
	return NULL;
}

static void set_column(struct script_columns *columns, u32 classes, int column, char sign)
{
	for (u32 c = 0; c < NR_SCRIPT_CLASS; c++) {
		/* Columns for one kind of event do not apply to other kinds, even if -F names them. */
		if (!(classes & 1U << c) || (column == COLUMN_TRACE && c != SCRIPT_TRACE))
			continue;
		columns->wanted[c] &= ~COLUMN_BIT(column);
		columns->asked[c] &= ~COLUMN_BIT(column);
		if (sign == '-')
			continue;
		columns->wanted[c] |= COLUMN_BIT(column);
		columns->asked[c] |= COLUMN_BIT(column);
	}
}

static void set_field(struct script_columns *columns, u32 classes, const struct field *field,
		      char sign)
{
	for (u32 c = 0; c < NR_SCRIPT_CLASS; c++) {
		if (!(classes & 1U << c))
			continue;
		if (sign == '-')
			g_ptr_array_remove(columns->fields[c], (gpointer)field);
		else if (!g_ptr_array_find(columns->fields[c], field, NULL))
			g_ptr_array_add(columns->fields[c], (gpointer)field);
	}
}

static bool set_word(struct script_columns *columns, u32 classes, const char *word, GError **error)
{
	char sign = *word == '+' || *word == '-' ? *word++ : 0;
	int column = find_column(word);
	const struct field *field = column < 0 ? find_field(columns, word) : NULL;
	g_autofree char *names = NULL;

	if (column >= 0) {
		set_column(columns, classes, column, sign);
		return true;
	}
	if (field) {
		set_field(columns, classes, field, sign);
		return true;
	}
	names = script_columns_names();
	return error_set(error, PERF_ERROR_USAGE,
			 "invalid field '%s' requested; there are %s, and every sort key of perf "
			 "report",
			 word, names);
}

/* Takes a prefix like "sw:" off @text; without one, sets all classes. */
static bool take_prefix(const char **text, u32 *classes, GError **error)
{
	const char *colon = strchr(*text, ':');

	*classes = (1U << NR_SCRIPT_CLASS) - 1;
	/* A colon after a comma, or in label:KEY, is not the end of a prefix. */
	if (!colon || memchr(*text, ',', (size_t)(colon - *text)) ||
	    field_label_key(*text + strspn(*text, "+-")))
		return true;
	for (u32 c = 0; c < NR_SCRIPT_CLASS; c++) {
		size_t size = class_prefixes[c] ? strlen(class_prefixes[c]) : 0;

		if (size && (size_t)(colon - *text) == size &&
		    strncmp(*text, class_prefixes[c], size) == 0) {
			*classes = 1U << c | (c == SCRIPT_SW ? 1U << SCRIPT_WAIT : 0);
			*text = colon + 1;
			return true;
		}
	}
	return error_set(error, PERF_ERROR_USAGE,
			 "invalid event type '%.*s' in fields; there are hw, sw, trace and raw",
			 (int)(colon - *text), *text);
}

bool script_columns_parse(struct script_columns *columns, const char *text, GError **error)
{
	g_auto(GStrv) words = NULL;
	u32 classes;

	if (!take_prefix(&text, &classes, error))
		return false;
	words = g_strsplit(text, ",", -1);
	/* A list without signs replaces the defaults; a list with signs changes them. */
	if (!words[0] || (words[0][0] != '+' && words[0][0] != '-'))
		for (u32 c = 0; c < NR_SCRIPT_CLASS; c++)
			if (classes & 1U << c) {
				columns->wanted[c] = columns->asked[c] = 0;
				g_ptr_array_set_size(columns->fields[c], 0);
			}
	for (u32 c = 0; c < NR_SCRIPT_CLASS; c++)
		if (classes & 1U << c)
			columns->stated[c] = true;
	for (char **word = words; *word; word++)
		if (**word && !set_word(columns, classes, *word, error))
			return false;
	return true;
}

/* Some columns describe another one, which must be there too. Upstream's messages and exit status. */
static bool check_company(const struct evsel *evsel, u64 wanted, GError **error)
{
	/* The code between two branches is known only if all kinds of branches were recorded. */
	if (wanted & SCRIPT_BLOCKS && !(evsel->attr.branch_sample_type & PERF_SAMPLE_BRANCH_ANY))
		return error_set(error, PERF_ERROR_ABSENT,
				 "Display of branch stack assembler requested, but non all-branch "
				 "filter set. Record with -b.");
	if (wanted & COLUMN_BIT(COLUMN_SYMOFF) && !(wanted & COLUMN_BIT(COLUMN_SYM)))
		return error_set(error, PERF_ERROR_ABSENT,
				 "Display of offsets requested but symbol is not selected.");
	if (wanted & COLUMN_BIT(COLUMN_SRCLINE) && !(wanted & COLUMN_BIT(COLUMN_IP)))
		return error_set(error, PERF_ERROR_ABSENT,
				 "Display of source line number requested but sample IP is not "
				 "selected. Hence, no address to lookup the source line number.");
	return true;
}

bool script_columns_of(const struct script_columns *columns, const struct evsel *evsel, u64 *wanted,
		       GError **error)
{
	enum script_class class = script_class_of(evsel);
	u64 found = columns->wanted[class];

	/* A tracepoint's call chain is shown if it was recorded. */
	if (class == SCRIPT_TRACE && !columns->stated[class] &&
	    evsel->attr.sample_type & PERF_SAMPLE_CALLCHAIN)
		found |= WHERE;
	if (evsel->attr.type != PERF_TYPE_SOFTWARE ||
	    evsel->attr.config != PERF_COUNT_SW_BPF_OUTPUT)
		found &= ~COLUMN_BIT(COLUMN_BPF_OUTPUT);
	for (u32 i = 0; i < NR_COLUMNS; i++) {
		const struct script_column_row *column = script_column_row(i);

		if (!(found & COLUMN_BIT(i)) || !column->sample_bits ||
		    evsel->attr.sample_type & column->sample_bits)
			continue;
		found &= ~COLUMN_BIT(i);
		/* Scripts search for upstream's sentence; people need the hint how to mend it. */
		if (column->attribute && columns->asked[class] & COLUMN_BIT(i) &&
		    !evsel_is_dummy(evsel))
			return error_set(error, PERF_ERROR_ABSENT,
					 "Samples for '%s' event do not have %s attribute set. "
					 "Cannot print '%s' field.%s%s%s",
					 evsel->name, column->attribute, column->name,
					 column->option ? " Record with '" : "",
					 column->option ? column->option : "",
					 column->option ? "'." : "");
	}
	*wanted = found;
	return check_company(evsel, found, error);
}

u32 script_columns_needs(const struct script_columns *columns, bool chains)
{
	u64 all = 0;
	u32 needs = 0;

	for (u32 c = 0; c < NR_SCRIPT_CLASS; c++) {
		const GPtrArray *fields = columns->fields[c];

		all |= columns->wanted[c];
		for (u32 i = 0; i < fields->len; i++)
			needs |= ((const struct field *)g_ptr_array_index(fields, i))->needs;
	}
	for (u32 i = 0; i < NR_COLUMNS; i++)
		if (all & COLUMN_BIT(i))
			needs |= script_column_row(i)->needs;
	if (chains && all & COLUMN_BIT(COLUMN_IP))
		needs |= NEED_CHAIN | NEED_INLINE;
	/* The columns are about the sampled instruction, as upstream's. */
	return needs & ~(u32)NEED_CHARGED;
}
