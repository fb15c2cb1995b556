// SPDX-License-Identifier: GPL-2.0-or-later
#include "view/script/columns.h"

#include <string.h>

#include "fields/fields.h"
#include "fields/waits.h"
#include "perfdata/evsel.h"

struct column_row {
	const char *name;
	u64 sample_bits;       /* the sample needs one of these bits in sample_type; 0: none */
	const char *attribute; /* upstream's word in the error; NULL: the column is left empty */
	const char *option;    /* the option of record that adds it */
};

static const struct column_row columns_table[NR_COLUMNS] = {
	[COLUMN_COMM] = { "comm", 0, NULL, NULL },
	[COLUMN_PID] = { "pid", PERF_SAMPLE_TID, "TID", NULL },
	[COLUMN_TID] = { "tid", PERF_SAMPLE_TID, "TID", NULL },
	[COLUMN_CPU] = { "cpu", PERF_SAMPLE_CPU, "CPU", "--sample-cpu" },
	[COLUMN_MISC] = { "misc", 0, NULL, NULL },
	[COLUMN_TIME] = { "time", PERF_SAMPLE_TIME, "TIME", "-T" },
	[COLUMN_TOD] = { "tod", PERF_SAMPLE_TIME, "TIME", "-k CLOCK_MONOTONIC" },
	[COLUMN_PERIOD] = { "period", 0, NULL, NULL },
	[COLUMN_EVENT] = { "event", 0, NULL, NULL },
	[COLUMN_TRACE] = { "trace", PERF_SAMPLE_RAW, "RAW", "-R" },
	[COLUMN_ADDR] = { "addr", PERF_SAMPLE_ADDR, "ADDR", "-d" },
	[COLUMN_DATA_SRC] = { "data_src", PERF_SAMPLE_DATA_SRC, "DATA_SRC", "-d" },
	[COLUMN_WEIGHT] = { "weight", PERF_SAMPLE_WEIGHT_TYPE, "WEIGHT", "-W" },
	[COLUMN_INS_LAT] = { "ins_lat", PERF_SAMPLE_WEIGHT_STRUCT, "WEIGHT_STRUCT", "-W" },
	[COLUMN_RETIRE_LAT] = { "retire_lat", PERF_SAMPLE_WEIGHT_STRUCT, "WEIGHT_STRUCT", "-W" },
	[COLUMN_CGROUP] = { "cgroup", PERF_SAMPLE_CGROUP, "CGROUP", "--all-cgroups" },
	[COLUMN_IP] = { "ip", PERF_SAMPLE_IP, "IP", NULL },
	[COLUMN_SYM] = { "sym", PERF_SAMPLE_IP, "IP", NULL },
	[COLUMN_SYMOFF] = { "symoff", PERF_SAMPLE_IP, "IP", NULL },
	[COLUMN_DSO] = { "dso", PERF_SAMPLE_IP, "IP", NULL },
	[COLUMN_DSOFF] = { "dsoff", PERF_SAMPLE_IP, "IP", NULL },
	[COLUMN_SRCLINE] = { "srcline", PERF_SAMPLE_IP, "IP", NULL },
	[COLUMN_IREGS] = { "iregs", PERF_SAMPLE_REGS_INTR, "IREGS", "-I" },
	[COLUMN_UREGS] = { "uregs", PERF_SAMPLE_REGS_USER, "UREGS", "--user-regs" },
	[COLUMN_BRSTACK] = { "brstack", PERF_SAMPLE_BRANCH_STACK, NULL, NULL },
	[COLUMN_BRSTACKSYM] = { "brstacksym", PERF_SAMPLE_BRANCH_STACK, NULL, NULL },
	[COLUMN_BRSTACKOFF] = { "brstackoff", PERF_SAMPLE_BRANCH_STACK, NULL, NULL },
	[COLUMN_BPF_OUTPUT] = { "bpf-output", PERF_SAMPLE_RAW, "RAW", "-R" },
	[COLUMN_INSNLEN] = { "insnlen", PERF_SAMPLE_IP, "IP", NULL },
	[COLUMN_INSN] = { "insn", PERF_SAMPLE_IP, "IP", NULL },
	[COLUMN_DISASM] = { "disasm", PERF_SAMPLE_IP, "IP", NULL },
	[COLUMN_BRSTACKINSN] = { "brstackinsn", PERF_SAMPLE_BRANCH_STACK, NULL, NULL },
	[COLUMN_BRSTACKINSNLEN] = { "brstackinsnlen", PERF_SAMPLE_BRANCH_STACK, NULL, NULL },
	[COLUMN_BRSTACKDISASM] = { "brstackdisasm", PERF_SAMPLE_BRANCH_STACK, NULL, NULL },
	[COLUMN_PHYS_ADDR] = { "phys_addr", PERF_SAMPLE_PHYS_ADDR, "PHYS_ADDR", "--phys-data" },
	[COLUMN_DATA_PAGE_SIZE] = { "data_page_size", PERF_SAMPLE_DATA_PAGE_SIZE, "DATA_PAGE_SIZE",
				    "--data-page-size" },
	[COLUMN_CODE_PAGE_SIZE] = { "code_page_size", PERF_SAMPLE_CODE_PAGE_SIZE, "CODE_PAGE_SIZE",
				    "--code-page-size" },
	[COLUMN_TLS] = { "tls", PERF_SAMPLE_TLS_USER, "TLS_USER", "--sample-tls" },
};

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

#define BLOCKS                                                                                     \
	(COLUMN_BIT(COLUMN_BRSTACKINSN) | COLUMN_BIT(COLUMN_BRSTACKINSNLEN) |                      \
	 COLUMN_BIT(COLUMN_BRSTACKDISASM))

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
	return columns_table[column].name;
}

char *script_columns_names(void)
{
	GString *names = g_string_new(NULL);

	for (u32 i = 0; i < NR_COLUMNS; i++)
		g_string_append_printf(names, "%s%s", i ? "," : "", columns_table[i].name);
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
		if (strcmp(columns_table[i].name, name) == 0)
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
	if (wanted & BLOCKS && !(evsel->attr.branch_sample_type & PERF_SAMPLE_BRANCH_ANY))
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
		const struct column_row *column = &columns_table[i];

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
	if (all & (COLUMN_BIT(COLUMN_SYM) | COLUMN_BIT(COLUMN_SYMOFF)))
		needs |= NEED_SYMBOL;
	if (all & COLUMN_BIT(COLUMN_SRCLINE))
		needs |= NEED_LINE;
	if (all & COLUMN_BIT(COLUMN_ADDR))
		needs |= NEED_ADDR;
	if (all & (COLUMN_BIT(COLUMN_BRSTACK) | COLUMN_BIT(COLUMN_BRSTACKSYM) |
		   COLUMN_BIT(COLUMN_BRSTACKOFF) | BLOCKS))
		needs |= NEED_BRANCH;
	if (chains && all & COLUMN_BIT(COLUMN_IP))
		needs |= NEED_CHAIN | NEED_INLINE;
	/* The columns are about the sampled instruction, as upstream's. */
	return needs & ~(u32)NEED_CHARGED;
}
