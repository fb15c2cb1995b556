// SPDX-License-Identifier: GPL-2.0-or-later
#include "perfevent/names.h"

#include <linux/perf_event.h>
#include <string.h>

#include "base/edits.h"

#define SW(name, alias, id)                                                                        \
	{                                                                                          \
		name, alias, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_##id                                \
	}
#define HW(name, alias, id)                                                                        \
	{                                                                                          \
		name, alias, PERF_TYPE_HARDWARE, PERF_COUNT_HW_##id                                \
	}

static const struct event_word words[] = {
	SW("alignment-faults", NULL, ALIGNMENT_FAULTS),
	SW("bpf-output", NULL, BPF_OUTPUT),
	SW("cgroup-switches", NULL, CGROUP_SWITCHES),
	SW("context-switches", "cs", CONTEXT_SWITCHES),
	SW("cpu-clock", NULL, CPU_CLOCK),
	SW("cpu-migrations", "migrations", CPU_MIGRATIONS),
	SW("dummy", NULL, DUMMY),
	SW("emulation-faults", NULL, EMULATION_FAULTS),
	SW("major-faults", NULL, PAGE_FAULTS_MAJ),
	SW("minor-faults", NULL, PAGE_FAULTS_MIN),
	SW("page-faults", "faults", PAGE_FAULTS),
	SW("task-clock", NULL, TASK_CLOCK),
	HW("branch-instructions", "branches", BRANCH_INSTRUCTIONS),
	HW("branch-misses", NULL, BRANCH_MISSES),
	HW("bus-cycles", NULL, BUS_CYCLES),
	HW("cache-misses", NULL, CACHE_MISSES),
	HW("cache-references", NULL, CACHE_REFERENCES),
	HW("cpu-cycles", "cycles", CPU_CYCLES),
	HW("instructions", NULL, INSTRUCTIONS),
	HW("ref-cycles", NULL, REF_CPU_CYCLES),
	HW("stalled-cycles-backend", "idle-cycles-backend", STALLED_CYCLES_BACKEND),
	HW("stalled-cycles-frontend", "idle-cycles-frontend", STALLED_CYCLES_FRONTEND),
};

const struct event_word *event_words(u32 *nr)
{
	*nr = ARRAY_SIZE(words);
	return words;
}

static bool text_is(const char *text, size_t len, const char *word)
{
	return word && strlen(word) == len && !memcmp(text, word, len);
}

const struct event_word *event_word_find(const char *name, size_t len)
{
	for (u32 i = 0; i < ARRAY_SIZE(words); i++)
		if (text_is(name, len, words[i].name) || text_is(name, len, words[i].alias))
			return &words[i];
	return NULL;
}

/* Spellings of a part of a cache event's name; the first is the one shown. */
struct cache_part {
	const char *spelling[5];
	u32 id;
	u32 ops; /* of a cache: bits of the operations it has */
};

#define OP(x)  PERF_COUNT_HW_CACHE_OP_##x
#define BIT(x) (1u << OP(x))

static const struct cache_part caches[] = {
	{ { "L1-dcache", "l1-d", "l1d", "L1-data" },
	  PERF_COUNT_HW_CACHE_L1D,
	  BIT(READ) | BIT(WRITE) | BIT(PREFETCH) },
	{ { "L1-icache", "l1-i", "l1i", "L1-instruction" },
	  PERF_COUNT_HW_CACHE_L1I,
	  BIT(READ) | BIT(PREFETCH) },
	{ { "LLC", "L2" }, PERF_COUNT_HW_CACHE_LL, BIT(READ) | BIT(WRITE) | BIT(PREFETCH) },
	{ { "dTLB", "d-tlb", "Data-TLB" },
	  PERF_COUNT_HW_CACHE_DTLB,
	  BIT(READ) | BIT(WRITE) | BIT(PREFETCH) },
	{ { "iTLB", "i-tlb", "Instruction-TLB" }, PERF_COUNT_HW_CACHE_ITLB, BIT(READ) },
	{ { "branch", "branches", "bpu", "btb", "bpc" }, PERF_COUNT_HW_CACHE_BPU, BIT(READ) },
	{ { "node" }, PERF_COUNT_HW_CACHE_NODE, BIT(READ) | BIT(WRITE) | BIT(PREFETCH) },
};

static const struct cache_part ops[] = {
	{ { "load", "loads", "read" }, OP(READ) },
	{ { "store", "stores", "write" }, OP(WRITE) },
	{ { "prefetch", "prefetches", "speculative-read", "speculative-load" }, OP(PREFETCH) },
};

static const struct cache_part results[] = {
	{ { "refs", "Reference", "ops", "access" }, PERF_COUNT_HW_CACHE_RESULT_ACCESS },
	{ { "misses", "miss" }, PERF_COUNT_HW_CACHE_RESULT_MISS },
};

/* The part with the longest spelling that @text starts with, ended by '-' or the end. */
static const struct cache_part *part_at(const struct cache_part *parts, u32 nr, const char **text,
					const char *end)
{
	const struct cache_part *best = NULL;
	size_t best_len = 0;

	for (u32 i = 0; i < nr; i++) {
		for (u32 k = 0; k < ARRAY_SIZE(parts[i].spelling) && parts[i].spelling[k]; k++) {
			const char *s = parts[i].spelling[k];
			size_t len = strlen(s);

			if (len <= best_len || len > (size_t)(end - *text) ||
			    g_ascii_strncasecmp(*text, s, len) ||
			    (*text + len < end && (*text)[len] != '-'))
				continue;
			best = &parts[i];
			best_len = len;
		}
	}
	*text += best_len;
	return best;
}

bool cache_event_parse(const char *name, size_t len, u64 *config)
{
	const char *at = name, *end = name + len;
	const struct cache_part *cache = part_at(caches, ARRAY_SIZE(caches), &at, end);
	const struct cache_part *op = NULL, *result = NULL, *part;

	if (!cache)
		return false;
	while (at < end) {
		if (*at++ != '-')
			return false;
		if (!op && (part = part_at(ops, ARRAY_SIZE(ops), &at, end)))
			op = part;
		else if (!result && (part = part_at(results, ARRAY_SIZE(results), &at, end)))
			result = part;
		else
			return false;
	}
	op = op ?: &ops[0];
	result = result ?: &results[0];
	if (!(cache->ops & (1u << op->id)))
		return false;
	*config = cache->id | (u64)op->id << 8 | (u64)result->id << 16;
	return true;
}

char **cache_event_names(void)
{
	GPtrArray *names = g_ptr_array_new();

	for (u32 c = 0; c < ARRAY_SIZE(caches); c++) {
		for (u32 o = 0; o < ARRAY_SIZE(ops); o++) {
			const char *cache = caches[c].spelling[0];

			if (!(caches[c].ops & (1u << ops[o].id)))
				continue;
			g_ptr_array_add(names, g_strdup_printf("%s-%s", cache, ops[o].spelling[1]));
			g_ptr_array_add(names,
					g_strdup_printf("%s-%s-%s", cache, ops[o].spelling[0],
							results[1].spelling[0]));
		}
	}
	g_ptr_array_add(names, NULL);
	return (char **)g_ptr_array_free(names, FALSE);
}

const char *nearest_name(const char *word, const GPtrArray *names)
{
	size_t len = strlen(word);
	u32 best = (len < 4 ? 1 : MAX(len / 3, 2)) + 1;
	const char *found = NULL;

	if (len > 64)
		return NULL;
	for (u32 i = 0; i < names->len; i++) {
		const char *name = g_ptr_array_index(names, i);
		u32 d;

		if (strlen(name) > 2 * len + 2)
			continue;
		d = edits_between(word, name);
		if (d < best) {
			best = d;
			found = name;
		}
	}
	return found;
}
