// SPDX-License-Identifier: GPL-2.0-or-later
#include "record/tls/summary.h"

#include <inttypes.h>

#include "activity/identity.h"
#include "activity/layout.h"

/* Adds one sentence about @count things, if @count is not 0: @one for one thing, else @many. */
static void add_count(GString *text, u64 count, const char *one, const char *many)
{
	if (count)
		g_string_append_printf(text, "%s%" G_GUINT64_FORMAT " %s", text->len ? "; " : "",
				       count, count == 1 ? one : many);
}

/* A format that the user gives by a variable's name. The name may be a mistyped layout. */
static bool is_variable(enum activity_format format)
{
	return format >= ACTIVITY_U64 && format <= ACTIVITY_STRING;
}

static void add_nothing_found(const struct tls_outcome *o, GString *text)
{
	const struct activity_layout *first = &g_array_index(o->asked, struct activity_layout, 0);

	if (o->asked->len == 1)
		g_string_append_printf(text,
				       "no process had the thread-local variable '%s' that "
				       "--sample-tls asks for%s",
				       first->symbol,
				       is_variable(first->format)
					       ? " (layouts with a name: auto, otep, activity, "
						 "elastic, labels, go, node)"
					       : "");
	else
		g_string_append(text, "no process published activities in a way that "
				      "--sample-tls knows");
}

/* "activities of samples: 1012 ok, 3 being updated", as a report counts them. */
static void add_states(const struct tls_outcome *o, GString *text)
{
	struct tls_tally_counts counts = tls_tally_counts(o->tally);
	const u64 *states = counts.states;
	u64 others = 0;

	for (u32 i = 0; i < ACTIVITY_NR_STATES; i++)
		others += i == ACTIVITY_NONE ? 0 : states[i];
	if (!others)
		return;
	g_string_append_printf(text, "%sactivities of samples: %" G_GUINT64_FORMAT " ok",
			       text->len ? "; " : "", states[ACTIVITY_OK]);
	for (u32 i = 0; i < ACTIVITY_NR_STATES; i++) {
		if (i != ACTIVITY_OK && states[i])
			g_string_append_printf(text, ", %" G_GUINT64_FORMAT " %s", states[i],
					       activity_state_name(i));
	}
	if (counts.uncertain)
		g_string_append(text, "; some libraries were found late: a report may count their "
				      "samples differently");
}

/* If the kernel reads the bytes, the samples are not examined. */
static bool is_sampled(u32 pid, void *arg)
{
	const struct tls_outcome *o = arg;

	return !o->bpf || tls_tally_has(o->tally, pid);
}

/* Adds one line for each process. */
static void add_unread(const struct tls_outcome *o, GString *text)
{
	g_autoptr(GPtrArray) lines = g_ptr_array_new_with_free_func(g_free);

	if (o->unread)
		tls_unread_say(o->unread, is_sampled, (void *)o, lines);
	for (guint i = 0; i < lines->len; i++)
		g_string_append_printf(text, "%s%s", text->len ? "\n" : "",
				       (const char *)g_ptr_array_index(lines, i));
}

char *tls_summary(const struct tls_outcome *o)
{
	const struct tls_lookup_counts *found = tls_lookup_counts(o->lookup);
	GString *text = g_string_new("");

	if (!found->found && !found->unfit)
		add_nothing_found(o, text);
	if (found->unfit)
		g_string_append_printf(text, "%s%s", text->len ? "; " : "",
				       tls_lookup_unfit(o->lookup));
	add_count(text, found->unresolved,
		  "process had the variable in a library, but ended or never allocated it, so its "
		  "address is unknown",
		  "processes had the variable in a library, but ended or never allocated it, so "
		  "its address is unknown");
	add_count(
		text, o->out_of_reach,
		"publisher is outside the bytes that the kernel copies (--tls-source=bpf reads it)",
		"publishers are outside the bytes that the kernel copies (--tls-source=bpf reads "
		"them)");
	add_count(text, o->dropped,
		  "publisher was left out: perf reads at most four per process (choose with "
		  "--sample-tls=LAYOUT,...)",
		  "publishers were left out: perf reads at most four per process (choose with "
		  "--sample-tls=LAYOUT,...)");
	if (o->bpf) {
		struct tls_counts counts = tls_bpf_counts(o->bpf);

		add_count(text, counts.unknown,
			  "sample came with lost records: its activity is unknown",
			  "samples came with lost records: their activity is unknown");
		add_count(text, counts.oversized, "sample was too large for its activity",
			  "samples were too large for their activity");
	}
	add_states(o, text);
	add_unread(o, text);
	return g_string_free(text, text->len == 0);
}
