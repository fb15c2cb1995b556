// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The grammar, as the documentation of the kernel has it for the filters of trace events:
 *
 *   filter     = comparison { ( "&&" | "||" ) comparison }, with parentheses and "!" before comparisons
 *   comparison = field operator ( number | quoted text )
 *
 * Only the errors that users make are found: the kernel decides what is valid.
 */
#include "perfevent/filter.h"

#include <glib.h>
#include <string.h>

#include "base/types.h"

char *filter_and(char *first, const char *second)
{
	char *both = first ? g_strdup_printf("(%s) && (%s)", first, second) : g_strdup(second);

	g_free(first);
	return both;
}

struct filter_field {
	char *name;
	bool is_text;
	bool is_common; /* every event has it */
};

static void clear_field(void *p)
{
	g_free(((struct filter_field *)p)->name);
}

/* One line: "field:char prev_comm[16];", or "field:__data_loc char[] path;", with the offset behind it. */
static void add_field(GArray *fields, const char *line)
{
	const char *start = strstr(line, "field:"), *end, *name;
	struct filter_field field;

	if (!start)
		return;
	start += strlen("field:");
	end = start + strcspn(start, ";");
	while (end > start && end[-1] == ']')
		for (end--; end > start && *end != '[';)
			end--;
	name = end;
	while (name > start && (g_ascii_isalnum(name[-1]) || name[-1] == '_'))
		name--;
	field.name = g_strndup(name, (gsize)(end - name));
	field.is_text = g_str_has_prefix(start, "char") ||
			g_str_has_prefix(start, "__data_loc char");
	field.is_common = g_str_has_prefix(field.name, "common_");
	g_array_append_val(fields, field);
}

static void add_common(GArray *fields, const char *const *names, u32 nr, bool are_text)
{
	for (u32 i = 0; i < nr; i++) {
		struct filter_field field = { g_strdup(names[i]), are_text, true };

		g_array_append_val(fields, field);
	}
}

/* In the order of the format file, then those that every event has without naming them there. */
static GArray *read_fields(const char *format)
{
	static const char *const numbers[] = { "CPU", "cpu", "common_cpu" };
	static const char *const texts[] = { "COMM", "comm" };
	GArray *fields = g_array_new(FALSE, FALSE, sizeof(struct filter_field));
	g_auto(GStrv) lines = g_strsplit(format, "\n", -1);

	g_array_set_clear_func(fields, clear_field);
	for (u32 i = 0; lines[i]; i++)
		add_field(fields, lines[i]);
	add_common(fields, numbers, G_N_ELEMENTS(numbers), false);
	add_common(fields, texts, G_N_ELEMENTS(texts), true);
	return fields;
}

/* Without those that all events have. */
static char *field_names(const GArray *fields)
{
	GString *names = g_string_new(NULL);

	for (u32 i = 0; i < fields->len; i++) {
		const struct filter_field *field = &g_array_index(fields, struct filter_field, i);

		if (!field->is_common)
			g_string_append_printf(names, "%s%s", names->len ? ", " : "", field->name);
	}
	return g_string_free(names, FALSE);
}

/* The text that is left, and the first problem. */
struct filter_scan {
	const char *at;
	const GArray *fields;
	u32 depth; /* of parentheses */
	char *problem;
};

static void skip_spaces(struct filter_scan *s)
{
	while (g_ascii_isspace(*s->at))
		s->at++;
}

/* Always false. */
static bool expected(struct filter_scan *s, const char *what)
{
	s->problem = *s->at ? g_strdup_printf("expected %s at '%s'", what, s->at)
			    : g_strdup_printf("expected %s at its end", what);
	return false;
}

static const struct filter_field *find_field(struct filter_scan *s, const char *name)
{
	g_autofree char *names = NULL;

	for (u32 i = 0; i < s->fields->len; i++) {
		const struct filter_field *field =
			&g_array_index(s->fields, struct filter_field, i);

		if (!strcmp(field->name, name))
			return field;
	}
	names = field_names(s->fields);
	s->problem = g_strdup_printf("the event has no field '%s' (its fields: %s)", name, names);
	return NULL;
}

static bool scan_operator(struct filter_scan *s)
{
	static const char *const operators[] = { "==", "!=", "<=", ">=", "<", ">", "&", "~" };

	skip_spaces(s);
	for (size_t i = 0; i < G_N_ELEMENTS(operators); i++) {
		if (g_str_has_prefix(s->at, operators[i]) && !g_str_has_prefix(s->at, "&&")) {
			s->at += strlen(operators[i]);
			return true;
		}
	}
	return expected(s, "an operator (== != < <= > >= & ~)");
}

static bool scan_text(struct filter_scan *s)
{
	const char *end = strchr(s->at + 1, *s->at);

	if (!end)
		return expected(s, "a closing quotation mark");
	s->at = end + 1;
	return true;
}

/* "CPUS{0-3,7}" */
static bool scan_cpus(struct filter_scan *s)
{
	const char *end;

	s->at += strlen("CPUS");
	end = strchr(s->at, '}');
	if (!end)
		return expected(s, "a closing brace");
	s->at = end + 1;
	return true;
}

static bool scan_value(struct filter_scan *s, const struct filter_field *field)
{
	skip_spaces(s);
	if (g_str_has_prefix(s->at, "CPUS{"))
		return scan_cpus(s);
	if (*s->at == '"' || *s->at == '\'') {
		if (field->is_text)
			return scan_text(s);
		s->problem = g_strdup_printf("the field %s is no text", field->name);
		return false;
	}
	if (!g_ascii_isdigit(*s->at) && *s->at != '-')
		return expected(s, field->is_text ? "a text in quotation marks" : "a number");
	if (field->is_text) {
		s->problem =
			g_strdup_printf("the field %s is a text: it is compared with a text in "
					"quotation marks",
					field->name);
		return false;
	}
	s->at += *s->at == '-';
	while (g_ascii_isalnum(*s->at))
		s->at++;
	return true;
}

/* True, too, for what only newer kernels know, such as `call_site.function == "schedule"`: then the rest is skipped. */
static bool scan_comparison(struct filter_scan *s)
{
	g_autofree char *name = NULL;
	const struct filter_field *field;
	const char *start;

	for (skip_spaces(s); *s->at == '(' || *s->at == '!'; skip_spaces(s))
		s->depth += *s->at++ == '(';
	start = s->at;
	while (g_ascii_isalnum(*s->at) || *s->at == '_')
		s->at++;
	if (s->at == start)
		return expected(s, "a field");
	name = g_strndup(start, (gsize)(s->at - start));
	field = find_field(s, name);
	if (!field)
		return false;
	if (*s->at == '.') {
		s->at += strlen(s->at);
		return true;
	}
	return scan_operator(s) && scan_value(s, field);
}

/* True: another comparison follows. */
static bool scan_joint(struct filter_scan *s)
{
	for (skip_spaces(s); *s->at == ')' && s->depth; skip_spaces(s)) {
		s->depth--;
		s->at++;
	}
	if (!*s->at)
		return s->depth && expected(s, "a closing parenthesis");
	if (!g_str_has_prefix(s->at, "&&") && !g_str_has_prefix(s->at, "||"))
		return expected(s, "&& or ||");
	s->at += 2;
	return true;
}

char *filter_problem(const char *filter, const char *format)
{
	g_autoptr(GArray) fields = read_fields(format);
	struct filter_scan s = { .at = filter, .fields = fields };

	while (scan_comparison(&s) && scan_joint(&s))
		;
	return s.problem;
}
