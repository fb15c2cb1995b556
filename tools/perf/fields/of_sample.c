// SPDX-License-Identifier: GPL-2.0-or-later
#include "fields/of_sample.h"

#include "base/text.h"
#include "dso/dso.h"
#include "fields/private.h"
#include "machine/machine.h"
#include "perfdata/event.h"

static const struct cell none = { .kind = CELL_NONE };

static struct cell id_cell(u32 id)
{
	return (struct cell){ CELL_ID, true, (u64)(s64)(s32)id, 0 };
}

static struct cell pid_cell(const struct field *field, struct lexicon *lex, const struct place *p,
			    GString *text)
{
	return id_cell(p->thread->pid);
}

static struct cell tid_cell(const struct field *field, struct lexicon *lex, const struct place *p,
			    GString *text)
{
	return id_cell(p->thread->tid);
}

static struct cell time_cell(const struct field *field, struct lexicon *lex, const struct place *p,
			     GString *text)
{
	return (struct cell){ .kind = CELL_TIME, .number = p->time + (u64)p->to_wall };
}

static struct cell period_cell(const struct field *field, struct lexicon *lex,
			       const struct place *p, GString *text)
{
	return (struct cell){ .kind = CELL_COUNT, .number = p->sample->period };
}

static struct cell addr_cell(const struct field *field, struct lexicon *lex, const struct place *p,
			     GString *text)
{
	return (struct cell){ .kind = CELL_ADDRESS, .number = p->sample->addr };
}

struct cell code_symbol_cell(const struct code *code, GString *text)
{
	size_t start = text->len;

	if (!code->symbol || !code->dso)
		return none;
	g_string_append(text, code->inlined ?: dso_symbol_name(code->dso, code->symbol));
	text_make_shown(text, start);
	return (struct cell){ .kind = CELL_TEXT };
}

struct cell code_offset_cell(const struct code *code)
{
	if (!code->symbol)
		return none;
	return (struct cell){ .kind = CELL_BYTES, .number = code->vaddr - code->symbol->start };
}

struct cell code_dso_cell(const struct code *code, GString *text)
{
	if (!code->dso)
		return none;
	g_string_append(text, dso_long_name(code->dso));
	return (struct cell){ .kind = CELL_TEXT };
}

static struct cell symbol_cell(const struct field *field, struct lexicon *lex,
			       const struct place *p, GString *text)
{
	return code_symbol_cell(p->ip, text);
}

static struct cell symoff_cell(const struct field *field, struct lexicon *lex,
			       const struct place *p, GString *text)
{
	return code_offset_cell(p->ip);
}

static struct cell dso_cell(const struct field *field, struct lexicon *lex, const struct place *p,
			    GString *text)
{
	return code_dso_cell(p->ip, text);
}

static struct cell key_cell(const struct field *field, struct lexicon *lex, const struct place *p,
			    GString *text)
{
	u64 key = field->key(field, lex, p);
	struct cell cell = field_cell(field, key);

	if (cell.kind == CELL_TEXT)
		field_print(field, lex, key, text);
	return cell;
}

static const struct field_of_sample own[] = {
	{ &field_pid, CELL_ID, NULL, pid_cell },
	{ &field_tid, CELL_ID, NULL, tid_cell },
	{ &field_time, CELL_TIME, NULL, time_cell },
	{ &field_period, CELL_COUNT, "events", period_cell },
	{ &field_addr, CELL_ADDRESS, NULL, addr_cell },
	{ &field_symbol, CELL_TEXT, NULL, symbol_cell },
	{ &field_symoff, CELL_BYTES, NULL, symoff_cell },
	{ &field_dso, CELL_TEXT, NULL, dso_cell },
};

struct field_of_sample field_of_sample(const struct field *field)
{
	for (u32 i = 0; i < ARRAY_SIZE(own); i++)
		if (own[i].field == field)
			return own[i];
	return (struct field_of_sample){ field, field->kind, field->unit, key_cell };
}
