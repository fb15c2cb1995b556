// SPDX-License-Identifier: GPL-2.0-or-later
#include "session/filter.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "dso/dso.h"
#include "machine/machine.h"
#include "perfdata/event.h"
#include "perfdata/info.h"
#include "resolve/resolve.h"
#include "session/activity_filter.h"
#include "session/times.h"

#define MAX_CPU	  65535u
#define MAX_NAMES (64 << 20) /* bytes of a file of names */

/* Both ends are included. */
struct address_range {
	u64 from, to;
};

struct filter {
	GHashTable *comms, *dsos, *symbols; /* sets of texts, or NULL */
	GHashTable *pids, *tids;	    /* sets of numbers, or NULL */
	GArray *addresses;		    /* struct address_range: those of --symbols */
	GByteArray *cpus, *levels;	    /* [cpu], [parallelism] != 0, or NULL */
	GByteArray *sockets;		    /* [socket] != 0, or NULL */
	const GArray *topology;		    /* struct info_cpu, or NULL */
	struct activity_filter *activity;   /* NULL: any will do */
	GArray *times;
	s64 to_wall;
	bool with_parent;
	char *symbol_part;
	bool last_part;			  /* of a symbol's name is enough */
	bool by_part;			  /* some symbol's name differs from --symbols */
	GByteArray *by_function, *by_dso; /* cached answers: 0 unknown, 1 matches, 2 filtered */
};

/*
 * C++ names contain commas: "S::run(int, long),main" are two names. If brackets are part of a name ("operator<"), the
 * list is also cut at every comma; other results of this are harmless.
 */
static void add_names(GHashTable *set, const char *text)
{
	const char *start = text, *last = text;
	int depth = 0;

	g_hash_table_add(set, g_strdup(text));
	for (const char *at = text;; at++) {
		depth += *at && strchr("(<[{", *at) ? 1 : *at && strchr(")>]}", *at) ? -1 : 0;
		if (*at && *at != ',')
			continue;
		g_hash_table_add(set, g_strndup(last, (gsize)(at - last)));
		last = at + 1;
		if (!*at || depth <= 0) {
			g_hash_table_add(set, g_strndup(start, (gsize)(at - start)));
			start = at + 1;
			depth = 0;
		}
		if (!*at)
			return;
	}
}

/* "a,b" or "file:///path" with a name per line -> a set of texts; NULL stays NULL. */
static bool parse_names(const char *what, const char *text, GHashTable **set, GError **error)
{
	g_autofree char *contents = NULL;
	g_auto(GStrv) names = NULL;

	if (!text)
		return true;
	if (g_str_has_prefix(text, "file://")) {
		contents = file_read(text + 7, MAX_NAMES, NULL, error);
		if (!contents) {
			g_prefix_error(error, "%s: ", what);
			return false;
		}
		names = g_strsplit_set(contents, "\n\r", -1);
	}
	*set = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	for (char **name = names; name && *name; name++)
		g_hash_table_add(*set, g_strdup(*name));
	if (!names)
		add_names(*set, text);
	g_hash_table_remove(*set, "");
	return true;
}

static bool parse_numbers(const char *what, const char *text, GHashTable **set, GError **error)
{
	g_auto(GStrv) words = text ? g_strsplit(text, ",", -1) : NULL;

	if (!text)
		return true;
	*set = g_hash_table_new(NULL, NULL);
	for (char **word = words; *word; word++) {
		u64 number;

		if (!g_ascii_string_to_unsigned(*word, 10, 0, INT32_MAX, &number, NULL))
			return error_set(error, PERF_ERROR_USAGE, "%s: '%s' is not a number", what,
					 *word);
		g_hash_table_add(*set, GUINT_TO_POINTER((u32)number));
	}
	return true;
}

static bool parse_set(const char *what, const char *text, GByteArray **cpus, GError **error)
{
	g_auto(GStrv) words = text ? g_strsplit(text, ",", -1) : NULL;

	if (!text)
		return true;
	*cpus = g_byte_array_new();
	for (char **word = words; *word; word++) {
		char *end;
		u64 from = g_ascii_strtoull(*word, &end, 10), to = from;

		if (*end == '-' && g_ascii_isdigit(end[1]))
			to = g_ascii_strtoull(end + 1, &end, 10);
		if (!g_ascii_isdigit(**word) || *end || from > to || to > MAX_CPU)
			return error_set(error, PERF_ERROR_USAGE,
					 "%s: '%s' is neither a number nor a range of them", what,
					 *word);
		for (u32 have = (*cpus)->len; have <= to; have = (*cpus)->len)
			g_byte_array_append(*cpus, (const u8 *)"", 1);
		memset((*cpus)->data + from, 1, to - from + 1);
	}
	return true;
}

/* The addresses among the names of --symbols. */
static void find_addresses(struct filter *f, u64 size)
{
	GHashTableIter each;
	void *name;

	f->addresses = g_array_new(FALSE, FALSE, sizeof(struct address_range));
	if (!f->symbols)
		return;
	g_hash_table_iter_init(&each, f->symbols);
	while (g_hash_table_iter_next(&each, &name, NULL)) {
		struct address_range range;
		const char *digits = name;

		digits += g_str_has_prefix(digits, "0x") ? 2 : 0;
		/* No symbol's name begins with a digit. */
		if (!g_ascii_isdigit(*(const char *)name) ||
		    !g_ascii_string_to_unsigned(digits, 16, 0, UINT64_MAX, &range.from, NULL))
			continue;
		if (__builtin_add_overflow(range.from, size ? size - 1 : 0, &range.to))
			range.to = UINT64_MAX;
		g_array_append_val(f->addresses, range);
	}
}

bool filter_needs_span(const struct session_filter *texts)
{
	return texts->time && strchr(texts->time, '%');
}

static bool parse(struct filter *f, const struct session_filter *t, const struct time_span *span,
		  GError **error)
{
	if (!parse_names("--comms", t->comms, &f->comms, error) ||
	    !parse_names("--dsos", t->dsos, &f->dsos, error) ||
	    !parse_names("--symbols", t->symbols, &f->symbols, error) ||
	    !parse_numbers("--pid", t->pids, &f->pids, error) ||
	    !parse_numbers("--tid", t->tids, &f->tids, error) ||
	    !parse_set("--cpu", t->cpus, &f->cpus, error) ||
	    !parse_set("--socket-filter", t->sockets, &f->sockets, error) ||
	    !parse_set("--parallelism", t->parallelism, &f->levels, error))
		return false;
	if (t->traces || t->spans || t->labels) {
		f->activity = activity_filter_new(t, error);
		if (!f->activity)
			return false;
	}
	find_addresses(f, t->addr_range);
	f->with_parent = t->with_parent;
	f->symbol_part = g_strdup(t->symbol_part);
	f->times = t->time ? times_parse(t->time, span, error) : NULL;
	return !t->time || f->times;
}

struct filter *filter_new(const struct session_filter *texts, const struct time_span *span,
			  GError **error)
{
	struct filter *f = g_new0(struct filter, 1);

	f->by_function = g_byte_array_new();
	f->by_dso = g_byte_array_new();
	if (!parse(f, texts, span, error)) {
		filter_free(f);
		return NULL;
	}
	return f;
}

void filter_free(struct filter *f)
{
	if (!f)
		return;
	g_clear_pointer(&f->comms, g_hash_table_destroy);
	g_clear_pointer(&f->dsos, g_hash_table_destroy);
	g_clear_pointer(&f->symbols, g_hash_table_destroy);
	g_clear_pointer(&f->addresses, g_array_unref);
	g_clear_pointer(&f->pids, g_hash_table_destroy);
	g_clear_pointer(&f->tids, g_hash_table_destroy);
	g_clear_pointer(&f->cpus, g_byte_array_unref);
	g_clear_pointer(&f->levels, g_byte_array_unref);
	g_clear_pointer(&f->sockets, g_byte_array_unref);
	g_clear_pointer(&f->times, g_array_unref);
	activity_filter_free(f->activity);
	g_byte_array_unref(f->by_function);
	g_byte_array_unref(f->by_dso);
	g_free(f->symbol_part);
	g_free(f);
}

void filter_set_wall(struct filter *f, s64 to_wall)
{
	f->to_wall = to_wall;
}

const GArray *filter_times(const struct filter *f)
{
	return f->times;
}

void filter_limit_times(struct filter *f, const GArray *times)
{
	static const struct time_span always = { 0, UINT64_MAX };
	g_autoptr(GArray) before = f->times;

	if (!before) {
		before = g_array_new(FALSE, FALSE, sizeof(always));
		g_array_append_val(before, always);
	}
	f->times = times_both(before, times);
}

bool filter_found_by_part(const struct filter *f)
{
	return f->by_part;
}

void filter_widen_symbols(struct filter *f)
{
	f->last_part = true;
	g_byte_array_set_size(f->by_function, 0);
}

u32 filter_needs(const struct filter *f)
{
	return (f->symbols || f->symbol_part ? NEED_SYMBOL : 0) |
	       (f->with_parent ? NEED_PARENT : 0) | (f->sockets ? NEED_CPU : 0) |
	       (f->levels ? NEED_PARALLELISM : 0) | (f->activity ? NEED_ACTIVITY : 0);
}

bool filter_by_thread(const struct filter *f)
{
	return f->comms || f->pids || f->tids;
}

static bool is_in(const GByteArray *set, u32 number)
{
	return number < set->len && set->data[number];
}

bool filter_drops_cpu(const struct filter *f, u32 cpu)
{
	return f->cpus && !is_in(f->cpus, cpu);
}

bool filter_drops(const struct filter *f, u64 time, u32 cpu)
{
	if (f->times && !times_have(f->times, time + (u64)f->to_wall))
		return true;
	return filter_drops_cpu(f, cpu);
}

bool filter_clip(const struct filter *f, u64 *time, u64 *period)
{
	u64 to = *time + (u64)f->to_wall, from = to - MIN(to, *period), left = 0, end = 0;

	if (!f->times)
		return true;
	for (u32 i = times_from(f->times, from); i < f->times->len; i++) {
		const struct time_span *t = &g_array_index(f->times, struct time_span, i);
		u64 a = MAX(from, t->from), b = MIN(to, t->to);

		if (t->from >= to)
			break;
		if (a >= b)
			continue;
		left += b - a;
		end = b;
	}
	*period = left;
	*time = end - (u64)f->to_wall;
	return left;
}

bool filter_drops_none(const struct filter *f)
{
	return !f->times && !f->cpus;
}

bool filter_passes_all(const struct filter *f)
{
	return !f->comms && !f->pids && !f->tids && !f->with_parent && !f->levels && !f->sockets &&
	       !f->dsos && !f->symbols && !f->symbol_part && !f->activity;
}

void filter_set_cpus(struct filter *f, const GArray *cpus)
{
	f->topology = cpus;
}

bool filter_by_socket(const struct filter *f)
{
	return f->sockets;
}

/* A CPU that the header does not have is on no socket. */
static bool socket_passes(const struct filter *f, u32 cpu)
{
	return !f->sockets ||
	       (f->topology && cpu < f->topology->len &&
		is_in(f->sockets, g_array_index(f->topology, struct info_cpu, cpu).socket));
}

u32 filter_thread(struct filter *f, const struct place *p)
{
	bool keep =
		(!f->comms || g_hash_table_contains(f->comms, p->comm)) &&
		(!f->pids || g_hash_table_contains(f->pids, GUINT_TO_POINTER(p->thread->pid))) &&
		(!f->tids || g_hash_table_contains(f->tids, GUINT_TO_POINTER(p->thread->tid)));

	return (keep ? 0 : FILTERED_THREAD) |
	       (socket_passes(f, p->event->id.cpu) ? 0 : FILTERED_SOCKET) |
	       (f->with_parent && !p->parent ? FILTERED_PARENT : 0) |
	       (f->levels && !is_in(f->levels, p->parallelism) ? FILTERED_PARALLELISM : 0);
}

u32 filter_activity(const struct filter *f, const struct spans *spans,
		    const struct activity *activity)
{
	return !f->activity || activity_filter_passes(f->activity, spans, activity)
		       ? 0
		       : FILTERED_ACTIVITY;
}

static bool dso_passes(const struct filter *f, const struct dso *dso)
{
	return dso && (g_hash_table_contains(f->dsos, dso_short_name(dso)) ||
		       g_hash_table_contains(f->dsos, dso_long_name(dso)));
}

/*
 * A name of @names is the end of @bare: "run" and "S::run" match "n::S::run", "tmpl" matches "tmpl<long, 3>".
 */
static bool ends_in_one_of(GHashTable *names, const char *bare)
{
	int depth = 0;

	for (const char *at = bare; *at; at++) {
		bool starts = at == bare || (at - bare >= 2 && !strncmp(at - 2, "::", 2));

		if (!depth && starts) {
			g_autofree char *plain = g_strndup(at, strcspn(at, "<"));

			if (g_hash_table_contains(names, at) || g_hash_table_contains(names, plain))
				return true;
			if (g_str_has_prefix(at, "operator"))
				return false;
		}
		depth += strchr("(<[", *at) ? 1 : 0;
		depth -= strchr(")]", *at) || (*at == '>' && at > bare && at[-1] != '-') ? 1 : 0;
	}
	return false;
}

/* Compares the printed name, the mangled name, and the name without parameters. */
static bool is_called(struct filter *f, const struct code *code, const char *name)
{
	g_autofree char *bare = code->inlined ? NULL : dso_symbol_bare_name(code->symbol);

	if (g_hash_table_contains(f->symbols, name))
		return true;
	if (!(!code->inlined && g_hash_table_contains(f->symbols, code->symbol->raw)) &&
	    !(bare && g_hash_table_contains(f->symbols, bare)) &&
	    !(f->last_part && ends_in_one_of(f->symbols, bare ?: name)))
		return false;
	f->by_part = true;
	return true;
}

static bool symbol_passes(struct filter *f, const struct code *code)
{
	const char *name = code_name(code);
	char start[32];

	if (!name)
		return false;
	if (f->symbol_part && !strstr(name, f->symbol_part))
		return false;
	if (!f->symbols || is_called(f, code, name))
		return true;
	g_snprintf(start, sizeof(start), "0x%" G_GINT64_MODIFIER "x", code->symbol->start);
	return g_hash_table_contains(f->symbols, start);
}

/* The slot for the answer about @id. */
static u8 *answer(GByteArray *answers, u32 id)
{
	u32 old = answers->len;

	if (id >= old) {
		g_byte_array_set_size(answers, id + 64);
		memset(answers->data + old, 0, answers->len - old);
	}
	return &answers->data[id];
}

/* Not an answer about the function. */
static bool has_address(const struct filter *f, u64 va)
{
	for (u32 i = 0; i < f->addresses->len; i++) {
		const struct address_range *range =
			&g_array_index(f->addresses, struct address_range, i);

		if (va >= range->from && va <= range->to)
			return true;
	}
	return false;
}

u32 filter_code(struct filter *f, const struct code *code)
{
	u32 bits = 0;
	u8 *known;

	if (f->dsos) {
		known = answer(f->by_dso, code->dso ? dso_id(code->dso) + 1 : 0);
		if (!*known)
			*known = dso_passes(f, code->dso) ? 1 : 2;
		bits |= *known == 1 ? 0 : FILTERED_DSO;
	}
	if (f->symbols || f->symbol_part) {
		known = answer(f->by_function, code->function);
		if (!*known)
			*known = symbol_passes(f, code) ? 1 : 2;
		bits |= *known == 1 || has_address(f, code->va) ? 0 : FILTERED_SYMBOL;
	}
	return bits;
}
