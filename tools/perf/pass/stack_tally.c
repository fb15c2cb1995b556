// SPDX-License-Identifier: GPL-2.0-or-later
#include "pass/stack_tally.h"

#include <glib.h>
#include <inttypes.h>
#include <string.h>

#include "base/percent.h"
#include "machine/machine.h"

#define LOST_FRAMES 2 /* for elfutils, a stack with at most this many frames is lost */

struct stack_tally_row {
	u64 received, lost;
	u32 max_frames;
	u32 last_frames; /* of the last one that was added */
	u32 min_frames;
	struct chain_ends ends;
};

struct stack_tally {
	struct stack_tally_row total;
	struct unwinder_stats steps;
	GHashTable *by_pid,
		*by_dso; /* pid + 1, struct dso * (NULL: not known) -> struct stack_tally_row * */
	/* The rows of the last look-up; NULL: none. */
	struct stack_tally_row *last_of_pid, *last_of_dso;
	u32 last_pid;
	const struct dso *last_dso;
};

struct stack_tally *stack_tally_new(void)
{
	struct stack_tally *t = g_new0(struct stack_tally, 1);

	t->by_pid = g_hash_table_new_full(NULL, NULL, NULL, g_free);
	t->by_dso = g_hash_table_new_full(NULL, NULL, NULL, g_free);
	return t;
}

void stack_tally_free(struct stack_tally *t)
{
	if (!t)
		return;
	g_hash_table_unref(t->by_pid);
	g_hash_table_unref(t->by_dso);
	g_free(t);
}

static struct stack_tally_row *row_of(GHashTable *rows, const void *key)
{
	struct stack_tally_row *row = g_hash_table_lookup(rows, key);

	if (!row) {
		row = g_new0(struct stack_tally_row, 1);
		g_hash_table_insert(rows, (void *)key, row);
	}
	return row;
}

static void add(struct stack_tally_row *row, const struct unwound_chain *chain)
{
	row->min_frames = row->received ? MIN(row->min_frames, chain->nr_user) : chain->nr_user;
	row->received++;
	row->lost += chain->nr_user <= LOST_FRAMES;
	row->max_frames = MAX(row->max_frames, chain->nr_user);
	row->last_frames = chain->nr_user;
	chain_ends_add(&row->ends, chain);
}

void stack_tally_add(struct stack_tally *t, u32 pid, const struct unwound_chain *chain,
		     const struct dso *last)
{
	if (!t->last_of_pid || t->last_pid != pid) {
		t->last_of_pid = row_of(t->by_pid, GUINT_TO_POINTER(pid + 1));
		t->last_pid = pid;
	}
	add(&t->total, chain);
	add(t->last_of_pid, chain);
	if (!chain->unwound)
		return;
	if (!t->last_of_dso || t->last_dso != last) {
		t->last_of_dso = row_of(t->by_dso, last);
		t->last_dso = last;
	}
	add(t->last_of_dso, chain);
}

void stack_tally_add_steps(struct stack_tally *t, const struct unwinder_stats *steps)
{
	t->steps.hits += steps->hits;
	t->steps.misses += steps->misses;
	t->steps.guided += steps->guided;
}

static void merge_row(struct stack_tally_row *into, const struct stack_tally_row *from)
{
	if (from->received) {
		into->min_frames = into->received ? MIN(into->min_frames, from->min_frames)
						  : from->min_frames;
		into->last_frames = from->last_frames;
	}
	into->received += from->received;
	into->lost += from->lost;
	into->max_frames = MAX(into->max_frames, from->max_frames);
	chain_ends_merge(&into->ends, &from->ends);
}

static void merge_rows(GHashTable *into, GHashTable *from)
{
	GHashTableIter iter;
	void *key, *row;

	g_hash_table_iter_init(&iter, from);
	while (g_hash_table_iter_next(&iter, &key, &row))
		merge_row(row_of(into, key), row);
}

void stack_tally_merge(struct stack_tally *into, const struct stack_tally *from)
{
	merge_row(&into->total, &from->total);
	stack_tally_add_steps(into, &from->steps);
	merge_rows(into->by_pid, from->by_pid);
	merge_rows(into->by_dso, from->by_dso);
}

/* For sorting: most stacks first, then by name. */
struct named_row {
	u32 pid;
	char *name;
	const struct stack_tally_row *row;
};

static void free_named(void *at)
{
	g_free(((struct named_row *)at)->name);
}

static gint by_weight(gconstpointer a, gconstpointer b)
{
	const struct named_row *x = a, *y = b;

	if (x->row->received != y->row->received)
		return x->row->received > y->row->received ? -1 : 1;
	if (x->pid != y->pid)
		return x->pid < y->pid ? -1 : 1;
	return strcmp(x->name, y->name);
}

static const char *comm_of(struct machine *machine, u32 pid)
{
	const struct thread *thread = machine_thread(machine, pid, pid, UINT64_MAX - 1, NULL);

	return machine_comm(machine, thread, UINT64_MAX - 1);
}

static GArray *sorted(GHashTable *rows, struct machine *machine)
{
	GArray *out = g_array_new(FALSE, FALSE, sizeof(struct named_row));
	GHashTableIter iter;
	void *key, *row;

	g_array_set_clear_func(out, free_named);
	g_hash_table_iter_init(&iter, rows);
	while (g_hash_table_iter_next(&iter, &key, &row)) {
		struct named_row named = { .row = row };

		if (machine) {
			named.pid = GPOINTER_TO_UINT(key) - 1;
			named.name = g_strdup(comm_of(machine, named.pid));
		} else {
			named.name = g_strdup(key ? dso_long_name(key) : "[unknown]");
		}
		g_array_append_val(out, named);
	}
	g_array_sort(out, by_weight);
	return out;
}

static void print_row(const struct stack_tally_row *row, FILE *out)
{
	u64 own = row->received - row->ends.stacks;
	g_autofree char *text = chain_ends_text(&row->ends, "      ");

	fprintf(out, "received %" PRIu64 ", to the root %" PRIu64 " (%.2f%%)", row->received,
		row->ends.by_why[UNWIND_ROOT],
		percent_of(row->ends.by_why[UNWIND_ROOT], row->received));
	if (own)
		fprintf(out, ", kept as recorded %" PRIu64, own);
	fprintf(out, "\n%s", text);
}

static void print_rows(GHashTable *rows, struct machine *machine, FILE *out)
{
	g_autoptr(GArray) all = sorted(rows, machine);

	for (u32 i = 0; i < all->len; i++) {
		const struct named_row *named = &g_array_index(all, struct named_row, i);

		if (machine)
			fprintf(out, "  %u %s: ", named->pid, named->name);
		else
			fprintf(out, "  %s: ", named->name);
		print_row(named->row, out);
	}
}

/* The unwind rules of frames: found in the cache by their address, or looked up. */
static void print_steps(const struct unwinder_stats *steps, FILE *out)
{
	u64 all = steps->hits + steps->misses;

	fprintf(out, "Steps: %" PRIu64 ", rules at hand for %.2f%%, looked up for %.2f%%, ", all,
		percent_of(steps->hits, all), percent_of(steps->misses, all));
	fprintf(out, "by frame pointers %" PRIu64 "\n", steps->guided);
}

void stack_tally_print(const struct stack_tally *t, struct machine *machine, FILE *out)
{
	fprintf(out, "Stacks: ");
	print_row(&t->total, out);
	print_steps(&t->steps, out);
	fprintf(out, "By process:\n");
	print_rows(t->by_pid, machine, out);
	fprintf(out, "By the module that the last frame is in:\n");
	print_rows(t->by_dso, NULL, out);
}

/* All frames except the first come from call-frame information. */
static const char *source_of(u32 frames)
{
	return frames > 1 ? "eh_frame" : frames ? "initial frame" : "none";
}

void stack_tally_print_elfutils(const struct stack_tally *t, struct machine *machine, FILE *out)
{
	g_autoptr(GArray) all = sorted(t->by_pid, machine);

	fprintf(out, "\n=== final summary ===\n");
	for (u32 i = 0; i < all->len; i++) {
		const struct named_row *named = &g_array_index(all, struct named_row, i);
		const struct stack_tally_row *row = named->row;

		fprintf(out,
			"%u %s -- max %u frames, received %" PRIu64 " samples, lost %" PRIu64
			" samples (%.1f%%) (last %s, worst %s)\n",
			named->pid, named->name, row->max_frames, row->received, row->lost,
			percent_of(row->lost, row->received), source_of(row->last_frames),
			source_of(row->max_frames));
	}
	fprintf(out,
		"===\nTOTAL -- received %" PRIu64 " samples, lost %" PRIu64
		" samples, loaded %u processes\n",
		t->total.received, t->total.lost, all->len);
}
