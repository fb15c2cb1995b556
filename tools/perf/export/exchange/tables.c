// SPDX-License-Identifier: GPL-2.0-or-later
#include "export/exchange/tables.h"

#include <inttypes.h>

#include "dso/dso.h"
#include "dso/lines.h"
#include "machine/machine.h"
#include "resolve/resolve.h"
#include "session/session.h"

#define MEMO_SIZE 65536u /* stacks that are found again by the number of their chain */

void exchange_tables_init(struct exchange_tables *t)
{
	*t = (struct exchange_tables){
		.texts = intern_new(),
		.frames = g_array_new(FALSE, TRUE, sizeof(struct exchange_frame)),
		.dsos = g_array_new(FALSE, TRUE, sizeof(struct exchange_dso)),
		.nodes = g_array_new(FALSE, TRUE, sizeof(struct exchange_node)),
		.threads = g_array_new(FALSE, TRUE, sizeof(struct exchange_thread)),
		.thread_index = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL),
		.dso_numbers = g_array_new(FALSE, TRUE, sizeof(u32)),
		.code_numbers = g_array_new(FALSE, TRUE, sizeof(u32)),
		.memo = g_new0(struct stack_memo, MEMO_SIZE),
	};
	table_init(&t->frame_index);
	table_init(&t->node_index);
}

void exchange_tables_release(struct exchange_tables *t)
{
	intern_free(t->texts);
	g_array_unref(t->frames);
	g_array_unref(t->dsos);
	g_array_unref(t->nodes);
	g_array_unref(t->threads);
	g_hash_table_unref(t->thread_index);
	g_array_unref(t->dso_numbers);
	g_array_unref(t->code_numbers);
	g_free(t->memo);
	table_release(&t->frame_index);
	table_release(&t->node_index);
}

/* Where the number of @id is kept: 0 as long as it has none. */
static u32 *number_at(GArray *numbers, u32 id)
{
	if (numbers->len <= id)
		g_array_set_size(numbers, id + 1);
	return &g_array_index(numbers, u32, id);
}

static u32 dso_of(struct exchange_tables *t, const struct code *code)
{
	struct exchange_dso dso = { .dso = code->dso, .low = UINT64_MAX };
	u32 *number;

	if (!code->dso)
		return 0;
	number = number_at(t->dso_numbers, dso_id(code->dso));
	if (*number)
		return *number;
	dso.name = exchange_text(t, dso_long_name(code->dso));
	dso.kernel = code->map->kernel || code->level == 'k';
	dso.by_file = !dso.kernel && !code->map->identity;
	g_array_append_val(t->dsos, dso);
	return *number = t->dsos->len;
}

static void set_name(struct exchange_tables *t, const struct code *code, struct exchange_frame *f)
{
	const char *name = code->inlined ?: code_name(code);
	g_autofree char *bare = NULL;

	if (name) {
		f->function = f->name = exchange_text(t, name);
		return;
	}
	bare = g_strdup_printf("%s%s0x%" PRIx64, code->dso ? dso_short_name(code->dso) : "",
			       code->dso ? "+" : "", code_bare_address(code));
	f->name = exchange_text(t, bare);
}

static void set_address(struct exchange_tables *t, const struct code *code,
			struct exchange_frame *f)
{
	struct exchange_dso *dso;

	f->address = code->va;
	f->vaddr = code->vaddr;
	f->kernel = code->level == 'k';
	f->dso = dso_of(t, code);
	if (!f->dso)
		return;
	dso = &g_array_index(t->dsos, struct exchange_dso, f->dso - 1);
	if (dso->by_file)
		f->address = code->va - code->map->start + code->map->pgoff;
	dso->low = MIN(dso->low, f->address);
	dso->high = MAX(dso->high, f->address);
}

/* Of an inlined call at the address: the line in it; of its caller: the line of the call. */
static void set_line(struct exchange_tables *t, const struct code *code, struct exchange_frame *f)
{
	const struct source_frame *frames;
	const char *file = NULL;
	u32 nr = code->dso ? dso_frames(code->dso, code_insn_vaddr(code), &frames) : 0, depth = 0;

	for (u32 outer = f->outer; outer; outer = exchange_frame(t, outer)->outer)
		depth++;
	if (depth < nr) {
		file = frames[nr - 1 - depth].file;
		f->line = frames[nr - 1 - depth].line;
	} else if (!code_line(code, &file, &f->line)) {
		f->line = 0;
	}
	f->file = exchange_text(t, file);
}

static bool is_same_frame(const struct exchange_frame *a, const struct exchange_frame *b)
{
	return a->address == b->address && a->dso == b->dso && a->name == b->name &&
	       a->line == b->line && a->file == b->file && a->outer == b->outer;
}

/* The frame of @code; @outer: the number of the frame that is its caller in the stack. */
static u32 frame_of(struct exchange_tables *t, const struct code *code, u32 outer)
{
	u32 *known = number_at(t->code_numbers, code->id), hash, at;
	struct exchange_frame f = { .outer = code->inlined ? outer : 0 };
	s64 i;

	if (*known)
		return *known;
	set_name(t, code, &f);
	set_address(t, code, &f);
	set_line(t, code, &f);
	hash = table_fold(table_mix(table_mix(f.address, (u64)f.dso << 32 | f.name), f.outer));
	at = hash;
	while ((i = table_next(&t->frame_index, hash, &at)) >= 0)
		if (is_same_frame(exchange_frame(t, (u32)i + 1), &f))
			return *known = (u32)i + 1;
	table_add(&t->frame_index, hash, t->frames->len);
	g_array_append_val(t->frames, f);
	return *known = t->frames->len;
}

static u32 child_of(struct exchange_tables *t, u32 parent, u32 frame)
{
	struct exchange_node node = { parent, frame };
	u32 hash = table_fold(table_mix(parent, frame)), at = hash;
	s64 i;

	while ((i = table_next(&t->node_index, hash, &at)) >= 0) {
		const struct exchange_node *n = exchange_node(t, (u32)i + 1);

		if (n->parent == parent && n->frame == frame)
			return (u32)i + 1;
	}
	table_add(&t->node_index, hash, t->nodes->len);
	g_array_append_val(t->nodes, node);
	return t->nodes->len;
}

u32 exchange_stack_of(struct exchange_tables *t, const struct place *place)
{
	u32 file = session_index(place->session), node = 0, frame = 0;
	struct stack_memo *memo = &t->memo[place->chain_id % MEMO_SIZE];

	if (place->chain_id && memo->chain == place->chain_id && memo->file == file)
		return memo->node;
	for (u32 i = place->nr_chain; i--;) {
		frame = frame_of(t, place->chain[i], frame);
		node = child_of(t, node, frame);
	}
	if (!place->nr_chain)
		node = child_of(t, 0, frame_of(t, place->ip, 0));
	if (place->chain_id)
		*memo = (struct stack_memo){ file, place->chain_id, node };
	return node;
}

u32 exchange_thread_of(struct exchange_tables *t, const struct place *place)
{
	u64 key = (u64)session_index(place->session) << 32 | place->thread->id;
	u32 number = GPOINTER_TO_UINT(g_hash_table_lookup(t->thread_index, &key));
	struct exchange_thread thread = { .pid = place->thread->pid,
					  .tid = place->thread->tid,
					  .file = session_index(place->session) };

	if (!number) {
		thread.host = exchange_text(t, session_host(place->session));
		g_array_append_val(t->threads, thread);
		number = t->threads->len;
		g_hash_table_insert(t->thread_index, g_memdup2(&key, sizeof(key)),
				    GUINT_TO_POINTER(number));
	}
	g_array_index(t->threads, struct exchange_thread, number - 1).comm =
		exchange_text(t, place->comm);
	return number;
}
