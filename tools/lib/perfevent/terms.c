// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <string.h>

#include "perfevent/names.h"
#include "perfevent/parser.h"
#include "perfevent/proc.h"

struct parsed_term {
	const char *at; /* in the parser's text */
	const char *value_at;
	char *name;
	char *value; /* NULL: none given, which means 1 */
};

static void term_free(void *p)
{
	struct parsed_term *term = p;

	g_free(term->name);
	g_free(term->value);
	g_free(term);
}

static bool is_quote(char c)
{
	return c == '\'' || c == '"';
}

/* Searches the first character of @stop from @at on, but not in quoted text. Returns its position, or @end. */
static const char *skip_to(const char *at, const char *end, const char *stop)
{
	while (at < end && !strchr(stop, *at)) {
		if (is_quote(*at)) {
			const char *close = memchr(at + 1, *at, end - at - 1);

			at = close ?: at;
		}
		at++;
	}
	return at;
}

const char *terms_end(const char *at)
{
	const char *end = at + strlen(at);
	const char *slash = skip_to(at, end, "/");

	return slash < end ? slash : NULL;
}

static char *unquoted(const char *from, const char *to)
{
	if (to - from >= 2 && is_quote(*from) && to[-1] == *from)
		return g_strndup(from + 1, to - from - 2);
	return g_strndup(from, to - from);
}

static bool split_terms(struct parser *p, const char *from, const char *to, GPtrArray *terms)
{
	while (from < to) {
		const char *end = skip_to(from, to, ",");
		const char *equals = memchr(from, '=', end - from);
		struct parsed_term *term = g_new0(struct parsed_term, 1);

		g_ptr_array_add(terms, term);
		term->at = from;
		term->name = g_strndup(from, (equals ?: end) - from);
		term->value_at = equals ? equals + 1 : from;
		if (equals)
			term->value = unquoted(equals + 1, end);
		if (!*term->name)
			return parser_fail(p, from, PERF_ERROR_USAGE, "expected a term");
		if (equals && !*term->value)
			return parser_fail(p, end, PERF_ERROR_USAGE, "'%s=' needs a value",
					   term->name);
		from = end + 1;
		if (end < to && from == to)
			return parser_fail(p, end, PERF_ERROR_USAGE, "expected a term");
	}
	return true;
}

bool number_parse(const char *text, u64 *value)
{
	char *end;

	errno = 0;
	*value = g_ascii_strtoull(text, &end, 0);
	return g_ascii_isdigit(*text) && !*end && !errno;
}

static bool hex_parse(const char *text, u64 *value)
{
	char *end;

	errno = 0;
	*value = g_ascii_strtoull(text, &end, 16);
	return g_ascii_isxdigit(*text) && !*end && !errno;
}

/* Terms that every event takes. */
enum own_kind {
	OWN_NUMBER,
	OWN_YES,
	OWN_NO,
	OWN_CALL_GRAPH,
	OWN_NAME,
	OWN_CPUS,
	OWN_CONFIG, /* .bit: which word */
};

static const struct own_term {
	const char *name;
	enum own_kind kind;
	u32 bit;
	size_t offset; /* in struct event_terms */
} own_terms[] = {
	{ "config", OWN_CONFIG, 0 },
	{ "config1", OWN_CONFIG, 1 },
	{ "config2", OWN_CONFIG, 2 },
	{ "config3", OWN_CONFIG, 3 },
	{ "config4", OWN_CONFIG, 4 },
	{ "name", OWN_NAME },
	{ "cpu", OWN_CPUS },
	{ "period", OWN_NUMBER, TERM_PERIOD, offsetof(struct event_terms, period) },
	{ "freq", OWN_NUMBER, TERM_FREQ, offsetof(struct event_terms, freq) },
	{ "call-graph", OWN_CALL_GRAPH, TERM_CALL_GRAPH },
	{ "stack-size", OWN_NUMBER, TERM_STACK_SIZE, offsetof(struct event_terms, stack_size) },
	{ "max-stack", OWN_NUMBER, TERM_MAX_STACK, offsetof(struct event_terms, max_stack) },
	{ "nr", OWN_NUMBER, TERM_MAX_EVENTS, offsetof(struct event_terms, max_events) },
	{ "time", OWN_YES, TERM_TIME, offsetof(struct event_terms, time) },
	{ "inherit", OWN_YES, TERM_INHERIT, offsetof(struct event_terms, inherit) },
	{ "no-inherit", OWN_NO, TERM_INHERIT, offsetof(struct event_terms, inherit) },
	{ "overwrite", OWN_YES, TERM_OVERWRITE, offsetof(struct event_terms, overwrite) },
	{ "no-overwrite", OWN_NO, TERM_OVERWRITE, offsetof(struct event_terms, overwrite) },
};

static const struct own_term *own_term_find(const char *name)
{
	for (u32 i = 0; i < ARRAY_SIZE(own_terms); i++)
		if (!strcmp(own_terms[i].name, name))
			return &own_terms[i];
	return NULL;
}

static u64 *config_word(struct evsel *evsel, u32 word)
{
	switch (word) {
	case 0:
		return (u64 *)&evsel->attr.config;
	case 1:
		return (u64 *)&evsel->attr.config1;
	case 2:
		return (u64 *)&evsel->attr.config2;
	case 3:
		return &evsel->config3;
	default:
		return &evsel->config4;
	}
}

static bool apply_cpus(struct parser *p, const struct parsed_term *term, struct evsel *evsel)
{
	GArray *cpus = term->value ? cpu_list_parse(term->value, NULL) : NULL;

	if (!cpus)
		return parser_fail(p, term->value_at, PERF_ERROR_USAGE,
				   "'cpu=' needs a list of CPUs such as 3 or 0-3");
	if (evsel->cpus)
		g_array_unref(evsel->cpus);
	evsel->cpus = cpus;
	return true;
}

static bool term_number(struct parser *p, const struct parsed_term *term, u64 *value)
{
	*value = 1;
	if (!term->value || number_parse(term->value, value))
		return true;
	return parser_fail(p, term->value_at, PERF_ERROR_USAGE,
			   "'%s=' needs a number of at most 64 bits", term->name);
}

static bool term_text(struct parser *p, const struct parsed_term *term, char **text)
{
	if (!term->value)
		return parser_fail(p, term->at, PERF_ERROR_USAGE, "'%s' needs a value: %s=TEXT",
				   term->name, term->name);
	g_free(*text);
	*text = g_strdup(term->value);
	return true;
}

static bool apply_own(struct parser *p, const struct own_term *own, const struct parsed_term *term,
		      struct event_spec *spec)
{
	char *place = (char *)&spec->terms + own->offset;
	u64 value;

	switch (own->kind) {
	case OWN_NAME:
		return term_text(p, term, &spec->evsel->name);
	case OWN_CPUS:
		return apply_cpus(p, term, spec->evsel);
	case OWN_CALL_GRAPH:
		spec->terms.given |= own->bit;
		return term_text(p, term, &spec->terms.call_graph);
	default:
		break;
	}
	if (!term_number(p, term, &value))
		return false;
	if (own->kind == OWN_CONFIG) {
		*config_word(spec->evsel, own->bit) = value;
		return true;
	}
	spec->terms.given |= own->bit;
	if (own->kind == OWN_NUMBER)
		*(u64 *)place = value;
	else
		*(bool *)place = own->kind == OWN_YES ? value != 0 : value == 0;
	return true;
}

/* Applies a format term of the PMU. *known false: the PMU has no such term. */
static bool apply_format(struct parser *p, const struct pmu *pmu, const char *name, u64 value,
			 const char *at, struct evsel *evsel, bool *known)
{
	u64 config[4], max = 0;
	enum pmu_put put;

	for (u32 i = 0; i < 4; i++)
		config[i] = *config_word(evsel, i);
	put = pmu_put_term(pmu, name, value, config, &max);
	*known = put != PMU_PUT_ABSENT;
	if (put == PMU_PUT_TOO_BIG)
		return parser_fail(p, at, PERF_ERROR_USAGE,
				   "value too big for %s/%s/: the most is %" G_GUINT64_FORMAT,
				   pmu->name, name, max);
	if (put == PMU_PUT_BAD)
		return parser_fail(p, at, PERF_ERROR_UNSUPPORTED,
				   "the kernel's format of '%s' is not understood", name);
	for (u32 i = 0; put == PMU_PUT_OK && i < 4; i++)
		*config_word(evsel, i) = config[i];
	return true;
}

static bool has_term(const GPtrArray *terms, const char *name)
{
	for (u32 i = 0; i < terms->len; i++) {
		const struct parsed_term *term = g_ptr_array_index(terms, i);

		if (!strcmp(term->name, name) && term->value)
			return true;
	}
	return false;
}

/* Applies one part such as "event=0x3c" of an event's text in sysfs. The user must give the value of "core=?". */
static bool apply_event_part(struct parser *p, const struct pmu *pmu,
			     const struct parsed_term *term, char *part, const GPtrArray *terms,
			     struct evsel *evsel)
{
	char *equals = strchr(part, '=');
	const struct own_term *own;
	bool known;
	u64 value = 1;

	if (equals)
		*equals++ = 0;
	if (equals && !strcmp(equals, "?")) {
		if (has_term(terms, part))
			return true;
		return parser_fail(p, term->at, PERF_ERROR_USAGE, "'%s' needs %s=VALUE beside it",
				   term->name, part);
	}
	if (equals && !number_parse(equals, &value))
		return parser_fail(p, term->at, PERF_ERROR_UNSUPPORTED,
				   "the kernel's text of '%s' is not understood", term->name);
	own = own_term_find(part);
	if (own && own->kind == OWN_CONFIG) {
		*config_word(evsel, own->bit) = value;
		return true;
	}
	if (!apply_format(p, pmu, part, value, term->at, evsel, &known))
		return false;
	if (!known)
		return parser_fail(p, term->at, PERF_ERROR_UNSUPPORTED,
				   "the kernel's text of '%s' has an unknown term '%s'", term->name,
				   part);
	return true;
}

static bool apply_event(struct parser *p, const struct pmu *pmu, const struct parsed_term *term,
			char *text, const GPtrArray *terms, struct evsel *evsel)
{
	g_auto(GStrv) parts = g_strsplit(text, ",", -1);

	for (u32 i = 0; parts[i]; i++)
		if (!apply_event_part(p, pmu, term, g_strstrip(parts[i]), terms, evsel))
			return false;
	g_free(evsel->unit);
	evsel->unit = pmu_event_unit(pmu, term->name);
	evsel->scale = pmu_event_scale(pmu, term->name);
	return true;
}

/* Applies terms that every core PMU accepts: "cpu/r1a8/", and "cpu/cycles/" if sysfs has no such name. */
static bool apply_core(const struct pmu *pmu, bool hybrid, const struct parsed_term *term,
		       struct evsel *evsel)
{
	const struct event_word *word = event_word_find(term->name, strlen(term->name));
	u64 config;

	if (term->value)
		return false;
	if (term->name[0] == 'r' && hex_parse(term->name + 1, &config)) {
		evsel->attr.config = config;
		return true;
	}
	if (!pmu->core)
		return false;
	if (word && word->type == PERF_TYPE_HARDWARE) {
		evsel->attr.type = PERF_TYPE_HARDWARE;
		evsel->attr.config = word->config;
	} else if (cache_event_parse(term->name, strlen(term->name), &config)) {
		evsel->attr.type = PERF_TYPE_HW_CACHE;
		evsel->attr.config = config;
	} else {
		return false;
	}
	if (hybrid)
		evsel->attr.config |= (u64)pmu->type << 32;
	return true;
}

static bool fail_unknown(struct parser *p, const struct pmu *pmu, const struct parsed_term *term)
{
	g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
	g_autofree char *what = NULL;

	if (pmu) {
		g_ptr_array_extend_and_steal(names, pmu_format_names(pmu));
		g_ptr_array_extend_and_steal(names, pmu_event_names(pmu));
		what = g_strdup_printf("%s/ has no term or event", pmu->name);
	} else {
		what = g_strdup("there is no term");
	}
	for (u32 i = 0; i < ARRAY_SIZE(own_terms); i++)
		g_ptr_array_add(names, g_strdup(own_terms[i].name));
	return parser_fail_word(p, term->at, what, term->name, names);
}

static bool apply_term(struct parser *p, const struct pmu *pmu, bool hybrid,
		       const struct parsed_term *term, const GPtrArray *terms,
		       struct event_spec *spec)
{
	const struct own_term *own = own_term_find(term->name);
	g_autofree char *event = NULL;
	bool known = false;
	u64 value;

	if (own)
		return apply_own(p, own, term, spec);
	if (!pmu)
		return fail_unknown(p, pmu, term);
	event = term->value ? NULL : pmu_event(pmu, term->name);
	if (event)
		return apply_event(p, pmu, term, event, terms, spec->evsel);
	if (apply_core(pmu, hybrid, term, spec->evsel))
		return true;
	if (!term->value || number_parse(term->value, &value)) {
		value = term->value ? value : 1;
		if (!apply_format(p, pmu, term->name, value, term->value_at, spec->evsel, &known))
			return false;
	} else {
		g_autoptr(GPtrArray) formats = pmu_format_names(pmu);

		for (u32 i = 0; i < formats->len; i++)
			if (!strcmp(g_ptr_array_index(formats, i), term->name))
				return term_number(p, term, &value);
	}
	return known || fail_unknown(p, pmu, term);
}

bool terms_apply(struct parser *p, const char *from, const char *to, const struct pmu *pmu,
		 bool hybrid, struct event_spec *spec)
{
	g_autoptr(GPtrArray) terms = g_ptr_array_new_with_free_func(term_free);

	if (!split_terms(p, from, to, terms))
		return false;
	for (u32 i = 0; i < terms->len; i++)
		if (!apply_term(p, pmu, hybrid, g_ptr_array_index(terms, i), terms, spec))
			return false;
	return true;
}
