// SPDX-License-Identifier: GPL-2.0-or-later
#include "pages/critical/critical_words.h"

#include <inttypes.h>

#include "base/append.h"
#include "base/digits.h"
#include "base/intern.h"
#include "base/percent.h"
#include "critical/sums.h"
#include "fields/fields.h"

void critical_append_time(GString *out, u64 ns)
{
	static const struct {
		u64 ns;
		const char *unit;
	} units[] = { { 1000000000, "s" }, { 1000000, "ms" }, { 1000, "us" }, { 1, "ns" } };
	u32 i = 0;
	double value;

	while (i + 1 < ARRAY_SIZE(units) && ns < units[i].ns)
		i++;
	value = (double)ns / (double)units[i].ns;
	digits_fixed(out, value, units[i].ns == 1 || value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2);
	append_char(out, ' ');
	append_text(out, units[i].unit);
}

const char *critical_kind_name(enum path_kind kind)
{
	static const char *const names[] = {
		[NODE_ROOT] = "all",	    [NODE_BUSY] = "other span",
		[NODE_RUNNING] = "running", [NODE_CODE] = "function",
		[NODE_DATA] = "data",	    [NODE_QUEUED] = "run queue",
		[NODE_CPU] = "had the CPU", [NODE_MEANWHILE] = "ran meanwhile",
		[NODE_WAIT] = "wait",	    [NODE_OWNER] = "thread",
		[NODE_REASON] = "reason",   [NODE_OTHERS] = "others",
	};

	return names[kind];
}

const char *critical_state_name(u8 why)
{
	static const char *const names[NR_WHYS] = {
		[WHY_RAN] = "running",
		[WHY_QUEUED] = "run queue",
		[WHY_TIMER] = "timer",
		[WHY_DISK] = "disk",
		[WHY_NETWORK] = "network",
		[WHY_WAY] = "on its way",
		[WHY_APART] = "around a child span",
		[WHY_INTERRUPT] = "interrupt",
		[WHY_KILLED] = "killed",
		[WHY_OPEN] = "not over",
		[WHY_NOT_SEEN] = "not known",
		[WHY_STRANGER] = "not recorded thread",
		[WHY_CYCLE] = "deadlock",
		[WHY_DEEP] = "too deep",
		[WHY_OUTSIDE] = "not recorded",
		[WHY_CUT] = "too many segments",
	};

	return names[why];
}

static const char *text_of(const struct critical_answer *a, u32 id)
{
	return intern_text(a->lexicon->texts, id);
}

/* "worker in report" */
static void append_who(const struct critical_answer *a, u32 name, u32 span, GString *out)
{
	g_string_append(out, text_of(a, name));
	if (span)
		g_string_append_printf(out, " in %s", text_of(a, span));
}

static void append_owner(const struct critical_answer *a, u8 role, u32 name, u32 span, GString *out)
{
	static const char *const before[] = {
		[ROLE_OWNER] = "held by ",
		[ROLE_WAKER] = "ended by ",
		[ROLE_SENDER] = "ended by what was sent by ",
		[ROLE_CHILD] = "meanwhile, by its parent's id, a child span was done by ",
		[ROLE_LAST_WAKER] = "after timeouts, ended by ",
		[ROLE_READER] = "held by readers, the last one ",
		[ROLE_RELEASER] = "released by ",
	};

	g_string_append(out, before[role]);
	append_who(a, name, span, out);
	if (role == ROLE_RELEASER)
		g_string_append(out, "; since when it had it is not known");
}

static void append_why(const struct critical_answer *a, u8 why, u32 name, GString *out)
{
	static const char *const texts[NR_WHYS] = {
		[WHY_RAN] = "running",
		[WHY_QUEUED] = "in the run queue",
		[WHY_TIMER] = "until a timer",
		[WHY_DISK] = "until a disk's interrupt",
		[WHY_NETWORK] = "until an interrupt: from the network, or a timer",
		[WHY_WAY] = "while what was sent was on its way",
		[WHY_APART] = "before or after what is seen of a child span on another host",
		[WHY_INTERRUPT] = "until an interrupt: a timer, the network or a device",
		[WHY_KILLED] = "until the thread was killed",
		[WHY_OPEN] = "until the end of the recording",
		[WHY_NOT_SEEN] = "not known: nobody saw what ended it",
		[WHY_STRANGER] = "not known: another thread ends it, which is not recorded: ",
		[WHY_CYCLE] = "threads wait for each other",
		[WHY_DEEP] = "not followed: too many waits for each other",
		[WHY_OUTSIDE] = "not recorded: the thread's records do not cover it",
		[WHY_CUT] = "not followed: too many segments",
	};

	g_string_append(out, texts[why]);
	if (why == WHY_STRANGER)
		g_string_append(out, text_of(a, name));
}

/* Who had the CPU while a thread waited for it. */
static void append_cpu(const struct critical_answer *a, u8 owned, u32 name, u32 span, GString *out)
{
	if (owned == WALL_OWNER_IDLE) {
		g_string_append(out, "while the CPU was idle, and started");
	} else if (owned != WALL_OWNER_KNOWN) {
		g_string_append(out, "not known who had the CPU");
	} else {
		g_string_append(out, "while ");
		append_who(a, name, span, out);
		g_string_append(out, " had the CPU");
	}
}

static void append_wait(const struct critical_answer *a, bool is_lock, u32 object, GString *out)
{
	g_string_append(out, is_lock ? "waiting for " : "blocked in ");
	g_string_append(out, text_of(a, object));
}

void critical_append_node(const struct critical_answer *a, u32 node, GString *out)
{
	const struct path_tree_node *n = path_tree_at(a->tree, node);

	switch ((enum path_kind)n->kind) {
	case NODE_BUSY:
		g_string_append_printf(out, "its thread worked for %s", text_of(a, n->text));
		break;
	case NODE_RUNNING:
		append_why(a, WHY_RAN, 0, out);
		break;
	case NODE_QUEUED:
		append_why(a, WHY_QUEUED, 0, out);
		break;
	case NODE_CODE:
	case NODE_DATA:
		g_string_append(out, text_of(a, n->text));
		break;
	case NODE_CPU:
		append_cpu(a, n->how, n->name, n->text, out);
		break;
	case NODE_MEANWHILE:
		g_string_append(out, "meanwhile ran ");
		append_who(a, n->name, n->text, out);
		break;
	case NODE_WAIT:
		append_wait(a, n->is_lock, n->text, out);
		if (n->how) {
			g_string_append(out, ", ");
			append_why(a, n->how, 0, out);
		}
		break;
	case NODE_OWNER:
		append_owner(a, n->how, n->name, n->text, out);
		break;
	case NODE_REASON:
		append_why(a, n->how, n->name, out);
		break;
	case NODE_ROOT:
	case NODE_OTHERS:
		g_string_append(out, "others");
		break;
	}
}

void critical_append_step(const struct critical_answer *a, const struct critical_step *step,
			  GString *out)
{
	const struct stay *stay = step->stay;

	if (step->why == WHY_RAN && step->samples) {
		g_string_append_printf(out, "running %s", text_of(a, step->code));
		if (step->data)
			g_string_append_printf(out, ", %s", text_of(a, step->data));
		g_string_append_printf(out, " (%u of %u sample%s)", step->of_code, step->samples,
				       step->samples == 1 ? "" : "s");
		return;
	}
	if (step->why > WHY_QUEUED && stay) {
		append_wait(a, stay->is_lock, stay->object, out);
		g_string_append(out, ": ");
	}
	if (step->why == WHY_QUEUED && stay && stay->is_lock) {
		bool known = stay->owner != HISTORY_NOBODY;

		g_string_append_printf(out, "in the run queue of %s, ", text_of(a, stay->object));
		append_cpu(a, stay->owned,
			   known ? history_thread_at(a->history, stay->owner)->name : 0,
			   doings_span(a->doings, stay->owner_activity), out);
		return;
	}
	append_why(a, step->why,
		   step->why == WHY_STRANGER ? history_thread_at(a->history, walk_next(stay))->name
					     : 0,
		   out);
}

static double share(const struct critical_answer *a, u32 node, enum path_class class)
{
	return percent_of(path_tree_at(a->tree, node)->ns[class], a->classes[class].ns);
}

/* The node below @node with the most time of the slow class; PATH_NO_NODE: there is none. */
static u32 heaviest(const struct critical_answer *a, u32 node)
{
	u32 best = PATH_NO_NODE;

	for (u32 i = path_tree_at(a->tree, node)->first; i != PATH_NO_NODE;
	     i = path_tree_at(a->tree, i)->next)
		if (best == PATH_NO_NODE || path_tree_at(a->tree, i)->ns[CLASS_SLOW] >
						    path_tree_at(a->tree, best)->ns[CLASS_SLOW])
			best = i;
	return best;
}

#define LEAST_DIFFERENCE 5 /* percentage points: a smaller one does not explain why some are slow */

/* What the answer is about: the largest difference; with one class, or without a difference, the largest part. */
static u32 main_node(const struct critical_answer *a)
{
	u32 first = path_tree_at(a->tree, 0)->first;

	if (!a->classes[CLASS_REST].walked || first == PATH_NO_NODE)
		return heaviest(a, 0);
	return share(a, first, CLASS_SLOW) - share(a, first, CLASS_REST) >= LEAST_DIFFERENCE
		       ? first
		       : heaviest(a, 0);
}

static void append_doing(const struct critical_answer *a, u32 node, GString *out)
{
	const struct path_tree_node *n = path_tree_at(a->tree, node);

	if (n->kind == NODE_BUSY)
		g_string_append_printf(out, "while their thread worked for %s",
				       text_of(a, n->text));
	else
		critical_append_node(a, node, out);
}

static void append_whose(const struct critical_answer *a, double slowest, GString *out)
{
	const struct critical_class *slow = &a->classes[CLASS_SLOW];

	if (a->is_thread)
		g_string_append_printf(out, "Thread %s spent", a->title);
	else if (a->nr == 1)
		g_string_append_printf(out, "%s spent", a->title);
	else
		g_string_append_printf(out, "The slowest %g %% of %s (%u of %u, ", slowest,
				       a->title, slow->nr, a->nr);
	if (a->nr > 1) {
		critical_append_time(out, a->least_slow);
		g_string_append(out, " and longer) spent");
	}
}

/* ", scan 80 %": the node, as a part of @whole. */
static void append_part(const struct critical_answer *a, u32 node, u64 whole, const char **before,
			GString *out)
{
	g_string_append(out, *before);
	critical_append_node(a, node, out);
	g_string_append_printf(out, " %.0f %%",
			       percent_of(path_tree_at(a->tree, node)->ns[CLASS_SLOW], whole));
	*before = ", ";
}

/* The heaviest nodes below @node, each below the one before, as long as they have @least percent of @whole. Returns the last. */
static u32 append_chain(const struct critical_answer *a, u32 node, u64 whole, double least,
			const char **before, GString *out)
{
	for (u32 next = heaviest(a, node); next != PATH_NO_NODE; next = heaviest(a, node)) {
		if (percent_of(path_tree_at(a->tree, next)->ns[CLASS_SLOW], whole) < least)
			break;
		append_part(a, next, whole, before, out);
		node = next;
	}
	return node;
}

#define LEAST_RUN 5 /* percent of the thread's time */

/*
 * The sentence ends at a thread that waited for a CPU, or at what ran then: what that thread itself ran. PATH_NO_NODE: it ends elsewhere, or the thread
 * hardly ran.
 */
static u32 running_beside(const struct critical_answer *a, u32 node)
{
	const struct path_tree_node *n = path_tree_at(a->tree, node);

	if (n->kind == NODE_MEANWHILE)
		n = path_tree_at(a->tree, node = n->parent);
	if (n->kind != NODE_QUEUED)
		return PATH_NO_NODE;
	for (u32 i = path_tree_at(a->tree, n->parent)->first; i != PATH_NO_NODE;
	     i = path_tree_at(a->tree, i)->next) {
		const struct path_tree_node *run = path_tree_at(a->tree, i);

		if (run->kind == NODE_RUNNING && n->parent &&
		    percent_of(run->ns[CLASS_SLOW],
			       path_tree_at(a->tree, n->parent)->ns[CLASS_SLOW]) >= LEAST_RUN)
			return i;
	}
	return PATH_NO_NODE;
}

char *critical_sentence(const struct critical_answer *a, double slowest)
{
	u32 node = main_node(a);
	GString *out = g_string_new(NULL);
	u64 whole;
	const char *before = " Of that time: ";

	if (node == PATH_NO_NODE)
		return g_string_free(out, FALSE);
	append_whose(a, slowest, out);
	g_string_append_printf(out, " %.0f %% of %s time ", share(a, node, CLASS_SLOW),
			       a->nr > 1 && a->classes[CLASS_SLOW].nr > 1 ? "their" : "its");
	append_doing(a, node, out);
	if (a->classes[CLASS_REST].walked)
		g_string_append_printf(out, ", the rest %.0f %%", share(a, node, CLASS_REST));
	g_string_append_c(out, '.');
	whole = path_tree_at(a->tree, node)->ns[CLASS_SLOW];
	node = append_chain(a, node, whole, 50, &before, out);
	node = running_beside(a, node);
	if (node != PATH_NO_NODE) {
		append_part(a, node, whole, &before, out);
		append_chain(a, node, whole,
			     percent_of(path_tree_at(a->tree, node)->ns[CLASS_SLOW], whole) / 2,
			     &before, out);
	}
	if (*before == ',')
		g_string_append_c(out, '.');
	return g_string_free(out, FALSE);
}

void critical_append_sum(const struct critical_answer *a, const struct path_sum *sum, GString *out)
{
	if (sum->kind == SUM_BUSY)
		g_string_append(out, "its thread worked for it");
	else if (sum->kind == SUM_CPU)
		g_string_append(out, "waiting for a CPU that it had");
	else if (!sum->what)
		g_string_append(out, text_of(a, sum->span));
	else if (sum->kind == SUM_CODE)
		g_string_append_printf(out, "running %s", text_of(a, sum->what));
	else
		g_string_append_printf(out, "waiting for %s", text_of(a, sum->what));
}

/* Of all instances: not all of the rest may have been walked, so that those stand for the others. */
static double of_all(const struct critical_answer *a, const u64 ns[NR_CLASSES])
{
	double all = 0;

	for (u32 k = 0; k < NR_CLASSES; k++) {
		const struct critical_class *class = &a->classes[k];

		if (class->walked)
			all += (double)ns[k] * class->nr / class->walked;
	}
	return all;
}

double critical_share_of_all(const struct critical_answer *a, const struct path_sum *sum)
{
	const u64 whole[] = { a->classes[CLASS_SLOW].ns, a->classes[CLASS_REST].ns };
	double all = of_all(a, whole);

	return all > 0 ? 100 * of_all(a, sum->ns) / all : 0;
}

#define LOST_SPANS 3 /* in the sentence */
#define LOST_PARTS 3
#define LEAST_LOST 0.5 /* percent: less is rounded to 0 */

/* ": 8 % waiting for book.lock (mutex), 4 % waiting for a CPU that it had": the parts behind the span's sum at @i. */
static void append_parts(const struct critical_answer *a, const GArray *lost, u32 i, GString *out)
{
	u32 span = g_array_index(lost, struct path_sum, i).span, nr = 0;

	for (i++; i < lost->len && nr < LOST_PARTS; i++) {
		const struct path_sum *part = &g_array_index(lost, struct path_sum, i);
		double share = critical_share_of_all(a, part);

		if (part->span != span)
			break;
		if (share < LEAST_LOST)
			continue;
		g_string_append_printf(out, "%s%.0f %% ", nr++ ? ", " : ": ", share);
		critical_append_sum(a, part, out);
	}
}

char *critical_lost_sentence(const struct critical_answer *a)
{
	GArray *lost = path_sums_lost(a->tree);
	GString *out = g_string_new(NULL);
	u32 nr = 0;

	for (u32 i = 0; i < lost->len && nr < LOST_SPANS; i++) {
		const struct path_sum *sum = &g_array_index(lost, struct path_sum, i);
		double share = critical_share_of_all(a, sum);

		if (!path_sum_is_whole(sum) || share < LEAST_LOST)
			continue;
		g_string_append_printf(out, "%s%s lost %.0f %% of %s time to %s", nr++ ? " " : "",
				       a->is_thread ? "The thread" : a->title, share,
				       a->nr > 1 ? "all its" : "its", text_of(a, sum->span));
		append_parts(a, lost, i, out);
		g_string_append_c(out, '.');
	}
	g_array_unref(lost);
	return g_string_free(out, FALSE);
}
