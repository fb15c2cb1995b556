// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Several threads analyse functions ahead of the look-ups.
 *
 * The addresses of all look-ups are known (typeflow_expect()). They are sorted by object, compilation unit and
 * function, and cut into chunks of about the same amount of code. A function is never cut, since all its answers come
 * from one analysis. Each thread (a lane) takes the next chunk until none is left:
 *
 *	unit 1: main, main.cold | unit 1: parse | unit 2: insert, find | ...
 *	lane 0                    lane 1          lane 0
 *
 * A lane is a typeflow with its own debug information and types over the same object files (debuginfo_source.lock),
 * so lanes share no data that is written, but for the table of all static variables (debuginfo_share()). Its answers
 * are stored without pointers, in the form of answers for a later run (keeping.c); then the lane is freed. Look-ups
 * find the stored answers and read only the types that are needed. An analysis depends only on the code and the debug
 * information, so the answers do not depend on the number of lanes.
 *
 * Example of questions in their order, with chunks of 4096 bytes. Chunks of one unit are neighbours, so a lane has
 * often read the unit's debug information already:
 *
 *	unit	function	vaddr	bytes of code		chunk
 *	1	parse		3010	0x1800			0
 *	1	parse		3400	0: the same part	0
 *	1	sw (sw.cold)	1041	3			1: chunk 0 was full
 *	1	sw		1182	0x57			1: a part of the same function
 */
#include <elf.h>
#include <string.h>

#include "base/crew.h"
#include "base/hash.h"
#include "dwarf/debuginfo.h"
#include "typeflow/analysed.h"

#define LANE_CODE	(128u << 10) /* bytes of code for which a thread is worth its cost */
#define CHUNKS_PER_LANE 8u
#define LEAST_CHUNK	4096u /* bytes of code */

/* An address that will be looked up, and its sort keys. */
struct lane_question {
	struct object_entry *entry;
	u64 vaddr;
	bool before;	 /* what comes before it is looked up */
	u32 unit;	 /* debuginfo_unit(); 0: none */
	u32 function;	 /* equal for all parts of one function of the unit */
	u32 symbol_size; /* bytes of the part */
	u64 symbol_start;
};

struct lane_chunk {
	u32 first, nr; /* questions */
};

struct lanes {
	const struct typeflow *whole;
	GArray *questions; /* struct lane_question */
	GArray *chunks;	   /* struct lane_chunk */
	struct lane *all;
	u32 nr;
};

/* The answers of a lane for one object. */
struct taken {
	struct object_entry *entry; /* in the caller's typeflow */
	struct store *store;	    /* NULL: too large */
	u64 instructions;
};

struct lane {
	struct lanes *lanes;
	struct typeflow *flow; /* NULL: its answers are taken */
	GArray *taken;	       /* struct taken */
	struct typeflow_counts counts;
};

/* "parse", "parse.cold" and "parse.part.0" get one number: they may be parts of one function. */
static u32 function_number(const struct symbol *symbol, u64 vaddr)
{
	const char *name = symbol ? symbol->raw : NULL;
	size_t size = name && *name ? 1 + strcspn(name + 1, ".@") : 0;

	return size ? (u32)hash_bytes(HASH_START, name, size) : (u32)(vaddr >> 12);
}

static int compare_questions(const void *pa, const void *pb)
{
	const struct lane_question *a = pa, *b = pb;
	u32 da = dso_id(a->entry->object.dso), db = dso_id(b->entry->object.dso);

	if (da != db)
		return da < db ? -1 : 1;
	if (a->unit != b->unit)
		return a->unit < b->unit ? -1 : 1;
	if (a->function != b->function)
		return a->function < b->function ? -1 : 1;
	return a->vaddr < b->vaddr ? -1 : a->vaddr > b->vaddr;
}

static bool is_answered(struct object_entry *entry, u64 vaddr)
{
	const struct function *function = function_at(entry, vaddr);
	struct access access;

	return (function && function->asked) || keeping_find(entry, vaddr, &access);
}

static void add_question(struct lanes *lanes, struct object_entry *entry, u64 vaddr, bool before)
{
	const struct symbol *symbol = dso_find_symbol(entry->object.dso, vaddr);
	struct lane_question q = {
		.entry = entry,
		.vaddr = vaddr,
		.before = before,
		.function = function_number(symbol, vaddr),
	};

	if (entry->object.debug)
		q.unit = debuginfo_unit(entry->object.debug, vaddr);
	if (symbol && symbol->end > symbol->start) {
		q.symbol_start = symbol->start;
		q.symbol_size = (u32)MIN(symbol->end - symbol->start, UINT32_MAX);
	}
	g_array_append_val(lanes->questions, q);
}

/*
 * Objects with split units stay in the caller's thread: their types have no number that is valid in another typeflow.
 */
static bool is_for_lanes(const struct object_entry *entry)
{
	return entry && expected_any(entry) && dso_machine(entry->object.dso) == EM_X86_64 &&
	       !(entry->object.debug && debuginfo_is_split(entry->object.debug));
}

static void ask_expected(struct lanes *lanes, struct object_entry *entry, enum expected kind)
{
	const GArray *expected = entry->expected[kind];
	u64 last = UINT64_MAX;

	for (u32 k = 0; k < expected->len; k++) {
		u64 vaddr = g_array_index(expected, struct announced, k).vaddr;

		if (vaddr != last && !is_answered(entry, vaddr))
			add_question(lanes, entry, vaddr, kind == EXPECTED_BEFORE);
		last = vaddr;
	}
}

static void ask_all(struct lanes *lanes, struct typeflow *flow)
{
	for (u32 i = 0; i < flow->objects->len; i++) {
		struct object_entry *entry = g_ptr_array_index(flow->objects, i);

		if (!is_for_lanes(entry))
			continue;
		expected_sort(entry);
		for (u32 kind = 0; kind < NR_EXPECTED; kind++)
			ask_expected(lanes, entry, kind);
	}
	g_array_sort(lanes->questions, compare_questions);
}

static bool same_function(const struct lane_question *a, const struct lane_question *b)
{
	return a->entry == b->entry && a->unit == b->unit && a->function == b->function;
}

/* Bytes of the question's part of a function. 0 if @before, the previous question, is in the same part. */
static u64 code_size(const struct lane_question *q, const struct lane_question *before)
{
	return before && same_function(q, before) && before->symbol_start == q->symbol_start
		       ? 0
		       : q->symbol_size;
}

static u64 all_code(const struct lanes *lanes)
{
	const struct lane_question *questions =
		(const struct lane_question *)(void *)lanes->questions->data;
	u64 size = 0;

	for (u32 i = 0; i < lanes->questions->len; i++)
		size += code_size(&questions[i], i ? &questions[i - 1] : NULL);
	return size;
}

/* A chunk ends before the first function behind @chunk_size bytes, so it may be longer by one function. */
static void cut(struct lanes *lanes, u64 chunk_size)
{
	const struct lane_question *questions =
		(const struct lane_question *)(void *)lanes->questions->data;
	struct lane_chunk chunk = { 0 };
	u64 size = 0;

	for (u32 i = 0; i < lanes->questions->len; i++) {
		const struct lane_question *q = &questions[i];

		if (size >= chunk_size && !same_function(q, q - 1)) {
			g_array_append_val(lanes->chunks, chunk);
			chunk = (struct lane_chunk){ .first = i };
			size = 0;
		}
		size += code_size(q, i ? q - 1 : NULL);
		chunk.nr++;
	}
	g_array_append_val(lanes->chunks, chunk);
}

static struct object_entry *lane_object(struct lane *lane, struct object_entry *whole)
{
	struct object_entry *entry = object_of(lane->flow, whole->object.dso);

	if (entry->whole)
		return entry;
	entry->whole = whole;
	if (entry->object.debug && whole->object.debug)
		debuginfo_share(entry->object.debug, whole->object.debug);
	for (u32 i = 0; i < NR_EXPECTED; i++) {
		g_array_unref(entry->expected[i]);
		entry->expected[i] = g_array_ref(whole->expected[i]);
	}
	entry->sorted = true;
	return entry;
}

static void answer_question(struct typeflow *flow, const struct lane_question *q,
			    struct object_entry *entry, GArray *ways)
{
	struct access access;

	if (!q->before) {
		function_answer(flow, entry, q->vaddr, &access);
		return;
	}
	function_of(flow, entry, q->vaddr, UINT64_MAX);
	function_waited(flow, entry, q->vaddr, ways);
	for (u32 i = 0; i < ways->len; i++) {
		const struct waited_way *way = &g_array_index(ways, struct waited_way, i);

		if (way->how == WAITED_BEFORE || way->how == WAITED_HERE)
			function_answer(flow, entry, way->vaddr, &access);
	}
}

static void answer_chunk(struct lane *lane, const struct lane_chunk *chunk)
{
	g_autoptr(GArray) ways = g_array_new(false, false, sizeof(struct waited_way));

	for (u32 i = 0; i < chunk->nr; i++) {
		const struct lane_question *q = &g_array_index(
			lane->lanes->questions, struct lane_question, chunk->first + i);
		struct object_entry *entry = lane_object(lane, q->entry);

		answer_question(lane->flow, q, entry, ways);
	}
}

/* Jobs of the crew: a worker is a lane. */
static void do_chunk(void *arg, u32 worker, u32 i)
{
	struct lanes *lanes = arg;

	answer_chunk(&lanes->all[worker], &g_array_index(lanes->chunks, struct lane_chunk, i));
}

static void take_answers(void *arg, u32 worker, u32 i)
{
	struct lane *lane = &((struct lanes *)arg)->all[i];
	const GPtrArray *objects = lane->flow->objects;

	for (u32 o = 0; o < objects->len; o++) {
		struct object_entry *entry = g_ptr_array_index(objects, o);
		struct taken taken = { 0 };

		if (!entry)
			continue;
		taken.entry = entry->whole;
		taken.store = keeping_take(entry);
		taken.instructions = entry->instructions;
		g_array_append_val(lane->taken, taken);
	}
	typeflow_counts(lane->flow, &lane->counts);
	g_clear_pointer(&lane->flow, typeflow_free);
}

static void lane_init(struct lane *lane, struct lanes *lanes)
{
	*lane = (struct lane){ .lanes = lanes };
	lane->taken = g_array_new(false, false, sizeof(struct taken));
	lane->flow = typeflow_new(lanes->whole->fusion, NULL);
	lane->flow->waited = lanes->whole->waited;
}

/* Adds the lane's answers to @flow. */
static void lane_join(struct lane *lane, struct typeflow *flow)
{
	for (u32 i = 0; i < lane->taken->len; i++) {
		const struct taken *taken = &g_array_index(lane->taken, struct taken, i);

		if (taken->store)
			keeping_add(taken->entry, taken->store);
		taken->entry->instructions += taken->instructions;
	}
	flow->counts.functions += lane->counts.functions;
	flow->counts.instructions += lane->counts.instructions;
}

static void run_lanes(struct lanes *lanes, struct typeflow *flow)
{
	struct crew *crew = crew_new(lanes->nr);

	lanes->nr = crew_size(crew);
	lanes->all = g_new(struct lane, lanes->nr);
	for (u32 i = 0; i < lanes->nr; i++)
		lane_init(&lanes->all[i], lanes);
	crew_run(crew, lanes->chunks->len, do_chunk, lanes);
	crew_run(crew, lanes->nr, take_answers, lanes);
	crew_free(crew);
	for (u32 i = 0; i < lanes->nr; i++) {
		lane_join(&lanes->all[i], flow);
		g_array_unref(lanes->all[i].taken);
	}
	g_free(lanes->all);
}

void typeflow_prepare(struct typeflow *flow, u32 nr_threads, u32 lane_code)
{
	struct lanes lanes = { .whole = flow };
	u64 code;

	if (nr_threads < 2)
		return;
	lane_code = lane_code ?: LANE_CODE;
	lanes.questions = g_array_new(false, false, sizeof(struct lane_question));
	lanes.chunks = g_array_new(false, false, sizeof(struct lane_chunk));
	ask_all(&lanes, flow);
	code = all_code(&lanes);
	lanes.nr = (u32)MIN(nr_threads, code / lane_code);
	if (lanes.nr > 1) {
		cut(&lanes, MAX(code / (lanes.nr * CHUNKS_PER_LANE), MIN(LEAST_CHUNK, lane_code)));
		run_lanes(&lanes, flow);
	}
	g_array_unref(lanes.questions);
	g_array_unref(lanes.chunks);
}
