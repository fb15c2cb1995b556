// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A recursive descent parser with one character of look-ahead. Only "WORD:more" is ambiguous: an
 * event with modifiers, TYPE:CONFIG, a breakpoint or a tracepoint. WORD decides; tracepoints are
 * tried last.
 */
#include "perfevent/parse.h"

#include <errno.h>
#include <string.h>

#include "perfevent/names.h"
#include "perfevent/parser.h"
#include "perfevent/pmu.h"
#include "perfevent/tracepoint.h"

#define MOST_EVENTS 100000

static size_t word_len(const char *at)
{
	return strcspn(at, ",{}/:");
}

static bool at_event_end(const struct parser *p)
{
	return !*p->at || *p->at == ',' || *p->at == '}';
}

/* Modifiers from here to the event's end, with or without a colon before them. */
static bool take_modifiers(struct parser *p, struct modifiers *m)
{
	const char *bad;

	if (*p->at == ':')
		p->at++;
	m->text = p->at;
	m->len = strcspn(p->at, ",{}/");
	if (!modifiers_check(m->text, m->len, &bad))
		return parser_fail(
			p, bad, PERF_ERROR_USAGE,
			"unknown or repeated modifier: expected u k h G H I p ppp P S D W or e");
	p->at += m->len;
	if (!at_event_end(p))
		return parser_fail(p, p->at, PERF_ERROR_USAGE, "expected a comma or the end");
	return true;
}

/* Sets the names and the modifiers of the events from @first on. */
static void finish_events(struct parser *p, u32 first, const char *start, const char *name_end,
			  const struct modifiers *m)
{
	for (u32 i = first; i < p->list->specs->len; i++) {
		struct event_spec *spec = event_list_at(p->list, i);

		if (!spec->evsel->name)
			spec->evsel->name = g_strndup(start, name_end - start);
		modifiers_apply(m, spec, false);
	}
}

static struct event_spec *add_pmu_spec(struct parser *p, const struct pmu *pmu)
{
	struct event_spec *spec = event_list_add(p->list, pmu->type, 0);

	spec->pmu = g_strdup(pmu->name);
	spec->system_wide = pmu->uncore;
	if (pmu->cpus)
		spec->evsel->cpus = g_array_ref(pmu->cpus);
	return spec;
}

/* The PMUs of a machine with more than one kind of core; empty elsewhere. */
static GPtrArray *hybrid_pmus(const struct kernel_paths *paths)
{
	GPtrArray *cores = g_ptr_array_new_with_free_func((GDestroyNotify)pmu_free);
	g_autoptr(GPtrArray) names = pmu_names(paths);

	for (u32 i = 0; i < names->len; i++) {
		struct pmu *pmu = pmu_load(paths, g_ptr_array_index(names, i));

		if (pmu && pmu->core)
			g_ptr_array_add(cores, pmu);
		else
			pmu_free(pmu);
	}
	if (cores->len < 2)
		g_ptr_array_set_size(cores, 0);
	return cores;
}

/* Adds a generic event. On a hybrid machine, adds one per kind of core. */
static void add_generic(struct parser *p, const char *word, size_t len, u32 type, u64 config)
{
	g_autoptr(GPtrArray) cores = NULL;

	if (type == PERF_TYPE_SOFTWARE) {
		event_list_add(p->list, type, config);
		return;
	}
	cores = hybrid_pmus(p->paths);
	for (u32 i = 0; i < cores->len; i++) {
		const struct pmu *pmu = g_ptr_array_index(cores, i);
		struct event_spec *spec = add_pmu_spec(p, pmu);
		const char *mods = word + len;
		int mods_len;

		mods += *mods == ':';
		mods_len = strcspn(mods, ",{}/");
		if (type != PERF_TYPE_RAW) {
			spec->evsel->attr.type = type;
			config |= (u64)pmu->type << 32;
		}
		spec->evsel->attr.config = config;
		spec->evsel->name =
			g_strdup_printf("%s/%.*s/%.*s", pmu->name, (int)len, word, mods_len, mods);
		config &= G_MAXUINT32;
	}
	if (!cores->len)
		event_list_add(p->list, type, config);
}

/*
 * A tracepoint can count more than one per hit (sched_stat_runtime counts nanoseconds). With
 * PERIOD, such a hit is one sample with that period. Without it, the kernel writes one sample per
 * unit until it throttles.
 */
static void set_every_occurrence(struct event_spec *spec)
{
	spec->evsel->attr.sample_period = 1;
	spec->evsel->attr.sample_type |= PERF_SAMPLE_RAW | PERF_SAMPLE_TIME | PERF_SAMPLE_CPU |
					 PERF_SAMPLE_PERIOD;
}

static bool raw_parse(const char *word, size_t len, u64 *config)
{
	g_autofree char *text = g_strndup(word, len);
	char *hex = text + 1, *end;

	if (text[0] != 'r')
		return false;
	if (g_str_has_prefix(hex, "0x"))
		hex += 2;
	errno = 0;
	*config = g_ascii_strtoull(hex, &end, 16);
	return g_ascii_isxdigit(*hex) && !*end && !errno;
}

/* Adds an event that PMUs name in sysfs: one for each PMU that has the name. */
static bool add_named_by_pmu(struct parser *p, const char *word, size_t len, bool *found)
{
	g_autofree char *name = g_strndup(word, len);
	g_autoptr(GPtrArray) names = pmu_names(p->paths);

	for (u32 i = 0; i < names->len; i++) {
		g_autoptr(pmu_auto) pmu = pmu_load(p->paths, g_ptr_array_index(names, i));
		g_autofree char *text = pmu ? pmu_event(pmu, name) : NULL;

		if (!text)
			continue;
		*found = true;
		if (!terms_apply(p, word, word + len, pmu, false, add_pmu_spec(p, pmu)))
			return false;
	}
	return true;
}

/* A plain name at @word: *found tells whether it is one. */
static bool add_plain(struct parser *p, const char *word, size_t len, bool *found)
{
	const struct event_word *known = event_word_find(word, len);
	u64 config;

	*found = true;
	if (known) {
		add_generic(p, word, len, known->type, known->config);
		if (known->type == PERF_TYPE_SOFTWARE && known->config == PERF_COUNT_SW_BPF_OUTPUT)
			set_every_occurrence(event_list_at(p->list, p->list->specs->len - 1));
		return true;
	}
	if (cache_event_parse(word, len, &config)) {
		add_generic(p, word, len, PERF_TYPE_HW_CACHE, config);
		return true;
	}
	if (raw_parse(word, len, &config)) {
		add_generic(p, word, len, PERF_TYPE_RAW, config);
		return true;
	}
	*found = false;
	return add_named_by_pmu(p, word, len, found);
}

static bool name_to_array(const struct event_name *name, void *arg)
{
	g_ptr_array_add(arg, g_strdup(name->name));
	if (name->alias)
		g_ptr_array_add(arg, g_strdup(name->alias));
	return true;
}

static bool fail_unknown_event(struct parser *p, const char *word, size_t len)
{
	g_autofree char *name = g_strndup(word, len);
	g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);

	event_names_each(p->paths, EVENT_NAMES_PLAIN, name_to_array, names);
	return parser_fail_word(p, word, "there is no event", name, names);
}

/* "NAME/terms/modifiers" */
static bool parse_slashes(struct parser *p, const char *start, size_t len)
{
	const char *terms = start + len + 1, *end = terms_end(terms);
	u32 first = p->list->specs->len;
	g_autoptr(GPtrArray) pmus = NULL;
	struct modifiers mods;
	bool plain;

	if (!end)
		return parser_fail(p, start + len, PERF_ERROR_USAGE, "the closing '/' is missing");
	pmus = pmu_match(p->paths, start, len);
	for (u32 i = 0; i < pmus->len; i++) {
		const struct pmu *pmu = g_ptr_array_index(pmus, i);
		g_autoptr(GPtrArray) cores = pmu->core ? hybrid_pmus(p->paths) : NULL;

		if (!terms_apply(p, terms, end, pmu, cores && cores->len, add_pmu_spec(p, pmu)))
			return false;
	}
	if (!pmus->len) {
		if (!add_plain(p, start, len, &plain))
			return false;
		if (!plain) {
			g_autofree char *name = g_strndup(start, len);
			g_autoptr(GPtrArray) names = pmu_names(p->paths);

			return parser_fail_word(p, start, "this machine has no PMU or event", name,
						names);
		}
		for (u32 i = first; i < p->list->specs->len; i++)
			if (!terms_apply(p, terms, end, NULL, false, event_list_at(p->list, i)))
				return false;
	}
	p->at = end + 1;
	if (!take_modifiers(p, &mods))
		return false;
	finish_events(p, first, start, p->at, &mods);
	return true;
}

static bool add_tracepoint(const struct tracepoint *tp, void *arg)
{
	struct parser *p = arg;
	struct event_spec *spec;
	u64 id;

	if (!tracepoint_id(p->paths, tp->system, tp->name, &id, NULL))
		return true;
	spec = event_list_add(p->list, PERF_TYPE_TRACEPOINT, id);
	set_every_occurrence(spec);
	spec->evsel->name = g_strdup_printf("%s:%s", tp->system, tp->name);
	/* ftrace:function: the kernel refuses to sample it with user call chains or user stacks. */
	if (!strcmp(spec->evsel->name, "ftrace:function"))
		spec->evsel->attr.exclude_callchain_user = 1;
	return p->list->specs->len < MOST_EVENTS;
}

static bool name_of_tracepoint(const struct tracepoint *tp, void *arg)
{
	g_ptr_array_add(arg, g_strdup_printf("%s:%s", tp->system, tp->name));
	return true;
}

static bool fail_tracepoint(struct parser *p, const char *start, const char *system,
			    const char *name)
{
	g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
	g_autofree char *full = g_strdup_printf("%s:%s", system, name);
	const char *bad;

	event_names_each(p->paths, EVENT_NAMES_PLAIN, name_to_array, names);
	if (modifiers_check(name, strlen(name), &bad) && nearest_name(system, names))
		return fail_unknown_event(p, start, strlen(system));
	g_ptr_array_set_size(names, 0);
	tracepoints_each(p->paths, NULL, NULL, name_of_tracepoint, names, NULL);
	return parser_fail_word(p, start, "there is no tracepoint", full, names);
}

/* "system:name[:modifiers]" */
static bool parse_tracepoint(struct parser *p, const char *start, size_t len)
{
	const char *second = start + len + 1;
	size_t second_len = strcspn(second, ",{}/:");
	g_autofree char *system = g_strndup(start, len);
	g_autofree char *name = g_strndup(second, second_len);
	u32 first = p->list->specs->len;
	struct modifiers mods;
	GError *error = NULL;

	if (!len || !second_len)
		return parser_fail(p, len ? second : start, PERF_ERROR_USAGE,
				   "a tracepoint is written SYSTEM:NAME");
	if (!tracepoints_each(p->paths, system, name, add_tracepoint, p, &error)) {
		parser_fail(p, start, error->code, "%s", error->message);
		g_error_free(error);
		return false;
	}
	if (p->list->specs->len == first)
		return fail_tracepoint(p, start, system, name);
	p->at = second + second_len;
	if (!take_modifiers(p, &mods))
		return false;
	finish_events(p, first, start, start, &mods);
	return true;
}

/* rwx after a breakpoint's address: 0 when it is something else. */
static u32 access_bits(const char *text, size_t len)
{
	static const struct {
		char letter;
		u32 bit;
	} kinds[] = { { 'r', 1 }, { 'w', 2 }, { 'x', 4 } };
	u32 bits = 0;

	for (size_t i = 0; i < len; i++) {
		u32 bit = 0;

		for (u32 k = 0; k < ARRAY_SIZE(kinds); k++)
			if (text[i] == kinds[k].letter)
				bit = kinds[k].bit;
		if (!bit || bits & bit)
			return 0;
		bits |= bit;
	}
	return bits;
}

static bool take_number(struct parser *p, const char *what, u64 *value)
{
	size_t len = word_len(p->at);
	g_autofree char *text = g_strndup(p->at, len);

	if (!number_parse(text, value))
		return parser_fail(p, p->at, PERF_ERROR_USAGE, "%s is a number such as 0x7f00",
				   what);
	p->at += len;
	return true;
}

/* "mem:ADDR[/LEN][:rwx][:modifiers]". The event's name is the part before the slash, as in upstream. */
static bool parse_breakpoint(struct parser *p, const char *start)
{
	u32 first = p->list->specs->len, bits = 0;
	const char *name_end = NULL;
	struct event_spec *spec;
	struct modifiers mods;
	u64 addr, size = 0;

	p->at = start + strlen("mem:");
	if (!take_number(p, "a breakpoint's address", &addr))
		return false;
	if (*p->at == '/') {
		name_end = p->at++;
		if (!take_number(p, "a breakpoint's length", &size))
			return false;
		if (!size || size > 8)
			return parser_fail(p, name_end + 1, PERF_ERROR_USAGE,
					   "a breakpoint covers 1 to 8 bytes");
	}
	if (*p->at == ':') {
		size_t len = word_len(p->at + 1);

		bits = access_bits(p->at + 1, len);
		if (bits)
			p->at += 1 + len;
	}
	if (!take_modifiers(p, &mods))
		return false;
	bits = bits ?: 3;
	spec = event_list_add(p->list, PERF_TYPE_BREAKPOINT, 0);
	spec->evsel->attr.bp_addr = addr;
	spec->evsel->attr.bp_type = bits;
	spec->evsel->attr.bp_len = size ?: (bits == 4 ? sizeof(long) : 4);
	spec->evsel->attr.sample_period = 1;
	finish_events(p, first, start, name_end ?: p->at, &mods);
	return true;
}

/* "TYPE:CONFIG[:modifiers]" in numbers: *is tells whether it is that. */
static bool parse_numbers(struct parser *p, const char *start, size_t len, bool *is)
{
	const char *second = start + len + 1;
	size_t second_len = word_len(second);
	g_autofree char *a = g_strndup(start, len), *b = g_strndup(second, second_len);
	u32 first = p->list->specs->len;
	struct modifiers mods;
	u64 type, config;

	*is = number_parse(a, &type) && number_parse(b, &config) && type <= G_MAXUINT32;
	if (!*is)
		return true;
	event_list_add(p->list, type, config);
	p->at = second + second_len;
	if (!take_modifiers(p, &mods))
		return false;
	finish_events(p, first, start, p->at, &mods);
	return true;
}

static bool parse_event(struct parser *p)
{
	const char *start = p->at;
	size_t len = word_len(start);
	u32 first = p->list->specs->len;
	struct modifiers mods;
	bool found = false;

	if (!len)
		return parser_fail(p, start, PERF_ERROR_USAGE, "expected the name of an event");
	if (first >= MOST_EVENTS)
		return parser_fail(p, start, PERF_ERROR_USAGE, "more than %d events", MOST_EVENTS);
	if (start[len] == '/')
		return parse_slashes(p, start, len);
	if (start[len] == ':' && !strncmp(start, "mem:", 4))
		return parse_breakpoint(p, start);
	if (!add_plain(p, start, len, &found))
		return false;
	if (!found && start[len] == ':') {
		if (!parse_numbers(p, start, len, &found) || found)
			return found;
		return parse_tracepoint(p, start, len);
	}
	if (!found)
		return fail_unknown_event(p, start, len);
	p->at = start + len;
	if (!take_modifiers(p, &mods))
		return false;
	finish_events(p, first, start, p->at, &mods);
	return true;
}

static bool parse_group(struct parser *p, const char *name, size_t name_len)
{
	const char *start = p->at++;
	u32 first = p->list->specs->len;
	struct modifiers mods;
	struct evsel *leader;

	for (;;) {
		if (p->at[word_len(p->at)] == '{')
			return parser_fail(p, p->at, PERF_ERROR_USAGE, "groups do not nest");
		if (!parse_event(p))
			return false;
		if (*p->at != ',')
			break;
		p->at++;
	}
	if (*p->at != '}')
		return parser_fail(p, start, PERF_ERROR_USAGE, "this group's '}' is missing");
	p->at++;
	leader = event_list_at(p->list, first)->evsel;
	leader->nr_members = p->list->specs->len - first;
	leader->group_name = name_len ? g_strndup(name, name_len) : NULL;
	for (u32 i = first + 1; i < p->list->specs->len; i++) {
		struct evsel *member = event_list_at(p->list, i)->evsel;

		member->leader = first;
		member->attr.pinned = member->attr.exclusive = 0;
	}
	if (!take_modifiers(p, &mods))
		return false;
	for (u32 i = first; i < p->list->specs->len; i++)
		modifiers_apply(&mods, event_list_at(p->list, i), true);
	return true;
}

static bool parse_item(struct parser *p)
{
	const char *start = p->at;
	size_t len = word_len(start);

	if (start[len] != '{')
		return parse_event(p);
	p->at += len;
	return parse_group(p, start, len);
}

bool event_list_parse(struct event_list *list, const struct kernel_paths *paths, const char *text,
		      GError **error)
{
	u32 before = list->specs->len;
	struct parser p = {
		.paths = paths, .text = text, .at = text, .list = list, .error = error
	};

	for (;;) {
		if (!parse_item(&p))
			break;
		if (!*p.at)
			return true;
		if (*p.at != ',') {
			parser_fail(&p, p.at, PERF_ERROR_USAGE, "expected a comma or the end");
			break;
		}
		p.at++;
	}
	g_ptr_array_set_size(list->specs, before);
	return false;
}

bool event_list_default(struct event_list *list, const struct kernel_paths *paths, GError **error)
{
	return event_list_parse(list, paths, "cycles:P", error);
}

struct event_spec *event_list_add_dummy(struct event_list *list)
{
	struct event_spec *spec = event_list_add(list, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_DUMMY);

	spec->evsel->name = g_strdup("dummy:u");
	spec->evsel->attr.exclude_kernel = 1;
	spec->evsel->attr.exclude_hv = 1;
	return spec;
}
