// SPDX-License-Identifier: GPL-2.0-or-later
/* Keys that a sample's record states itself: time, weights, transaction, page size. */
#include "fields/private.h"

#include <linux/perf_event.h>
#include <string.h>

#include "base/append.h"
#include "base/clock.h"
#include "perfdata/event.h"

int order_texts(const struct lexicon *lex, u64 a, u64 b)
{
	return strcmp(intern_text(lex->texts, (u32)a), intern_text(lex->texts, (u32)b));
}

void print_text(const struct field *field, const struct lexicon *lex, u64 key, GString *out)
{
	append_text(out, intern_text(lex->texts, (u32)key));
}

void print_number(const struct field *field, const struct lexicon *lex, u64 key, GString *out)
{
	g_string_append_printf(out, "%" G_GUINT64_FORMAT, key);
}

int order_greatest(const struct lexicon *lex, u64 a, u64 b)
{
	return a > b ? -1 : a < b;
}

static u64 key_weight(const struct field *field, struct lexicon *lex, const struct place *p)
{
	return p->sample->weight;
}

static u64 key_ins_lat(const struct field *field, struct lexicon *lex, const struct place *p)
{
	return p->sample->ins_lat;
}

static u64 key_p_stage_cyc(const struct field *field, struct lexicon *lex, const struct place *p)
{
	return p->sample->p_stage_cyc;
}

static u64 key_transaction(const struct field *field, struct lexicon *lex, const struct place *p)
{
	return p->sample->transaction;
}

static const struct {
	u64 bit;
	const char *name;
} transaction_bits[] = {
	{ PERF_TXN_ELISION, "EL " },
	{ PERF_TXN_TRANSACTION, "TX " },
	{ PERF_TXN_SYNC, "SYNC " },
	{ PERF_TXN_ASYNC, "ASYNC " },
	{ PERF_TXN_RETRY, "RETRY " },
	{ PERF_TXN_CONFLICT, "CON " },
	{ PERF_TXN_CAPACITY_WRITE, "CAP-WRITE " },
	{ PERF_TXN_CAPACITY_READ, "CAP-READ " },
};

static void print_transaction(const struct field *field, const struct lexicon *lex, u64 key,
			      GString *out)
{
	for (u32 i = 0; i < ARRAY_SIZE(transaction_bits); i++)
		if (key & transaction_bits[i].bit)
			g_string_append(out, transaction_bits[i].name);
	if (key && !(key & (PERF_TXN_SYNC | PERF_TXN_ASYNC)))
		g_string_append(out, "NEITHER ");
	if (key & PERF_TXN_ABORT_MASK)
		g_string_append_printf(out, ":%" G_GINT64_MODIFIER "x",
				       (key & PERF_TXN_ABORT_MASK) >> PERF_TXN_ABORT_SHIFT);
}

static u64 key_time(const struct field *field, struct lexicon *lex, const struct place *p)
{
	u64 time = p->time + (u64)p->to_wall;

	return lex->time_quantum ? time / lex->time_quantum * lex->time_quantum : time;
}

static void print_time(const struct field *field, const struct lexicon *lex, u64 key, GString *out)
{
	u64 ns = key % NS_PER_S, s = key / NS_PER_S;

	if (lex->ns)
		g_string_append_printf(out, "%" G_GUINT64_FORMAT ".%09u", s, (u32)ns);
	else
		g_string_append_printf(out, "%" G_GUINT64_FORMAT ".%06u", s, (u32)(ns / 1000));
}

static u64 key_code_page_size(const struct field *field, struct lexicon *lex, const struct place *p)
{
	return p->sample->code_page_size;
}

static u64 key_data_page_size(const struct field *field, struct lexicon *lex, const struct place *p)
{
	return p->sample->data_page_size;
}

/* Prints "4K", "2M", "1G"; without a page size "N/A". */
static void print_page_size(const struct field *field, const struct lexicon *lex, u64 key,
			    GString *out)
{
	static const char units[] = "BKMGTPE";
	u32 unit = 0;

	if (!key) {
		g_string_append(out, "N/A");
		return;
	}
	for (; key >= 1024 && key % 1024 == 0 && units[unit + 1]; unit++)
		key /= 1024;
	g_string_append_printf(out, "%" G_GUINT64_FORMAT "%c", key, units[unit]);
}

/*
 * Vector unit and number of active lanes. Upstream takes them from trace packets of Arm's statistical profiling
 * extension (SPE), not from samples. PERF_RECORD_SAMPLE has no bit for them, so this key is always empty.
 */
static u64 key_simd(const struct field *field, struct lexicon *lex, const struct place *p)
{
	return 0;
}

static void print_simd(const struct field *field, const struct lexicon *lex, u64 key, GString *out)
{
}

#define NUMBER_FIELD(id, title, reader)                                                            \
	const struct field field_##id = {                                                          \
		.name = #id,                                                                       \
		.kind = CELL_COUNT,                                                                \
		.header = title,                                                                   \
		.family = FIELD_NORMAL,                                                            \
		.needs = NEED_SAMPLE,                                                              \
		.key = reader,                                                                     \
		.order = order_greatest,                                                           \
		.print = print_number,                                                             \
	}

NUMBER_FIELD(local_weight, "Local Weight", key_weight);
NUMBER_FIELD(weight, "Weight", key_weight);
NUMBER_FIELD(local_ins_lat, "Local INSTR Latency", key_ins_lat);
NUMBER_FIELD(ins_lat, "INSTR Latency", key_ins_lat);
NUMBER_FIELD(local_p_stage_cyc, "Local Pipeline Stage Cycle", key_p_stage_cyc);
NUMBER_FIELD(p_stage_cyc, "Pipeline Stage Cycle", key_p_stage_cyc);
NUMBER_FIELD(local_retire_lat, "Local Retire Latency", key_p_stage_cyc);
NUMBER_FIELD(retire_lat, "Retire Latency", key_p_stage_cyc);

const struct field field_transaction = {
	.name = "transaction",
	.header = "Transaction                ",
	.family = FIELD_NORMAL,
	.needs = NEED_SAMPLE,
	.key = key_transaction,
	.order = order_greatest,
	.print = print_transaction,
};

const struct field field_time = {
	.name = "time",
	.kind = CELL_TIME,
	.header = "Time",
	.family = FIELD_NORMAL,
	.needs = NEED_SAMPLE,
	.width = 12,
	.width_ns = 16,
	.loose = true,
	.key = key_time,
	.print = print_time,
};

const struct field field_code_page_size = {
	.name = "code_page_size",
	.kind = CELL_BYTES,
	.zero_is_none = true,
	.header = "Code Page Size",
	.family = FIELD_NORMAL,
	.needs = NEED_SAMPLE,
	.key = key_code_page_size,
	.print = print_page_size,
};

const struct field field_data_page_size = {
	.name = "data_page_size",
	.kind = CELL_BYTES,
	.zero_is_none = true,
	.header = "Data Page Size",
	.family = FIELD_MEMORY,
	.needs = NEED_SAMPLE,
	.width = 22,
	.key = key_data_page_size,
	.print = print_page_size,
};

const struct field field_simd = {
	.name = "simd",
	.header = "Simd   ",
	.family = FIELD_NORMAL,
	.loose = true,
	.key = key_simd,
	.print = print_simd,
};
