/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a critical path says in words: the nodes of its tree, the steps of one instance, and the answer in two sentences. */
#ifndef PAGES_CRITICAL_WORDS_H
#define PAGES_CRITICAL_WORDS_H

#include <glib.h>

#include "critical/critical.h"

/* The name of the last column that text has. */
#define CRITICAL_LAST_SHOWN "what"

/* "12.3 ms": three digits. */
void critical_append_time(GString *out, u64 ns);

/* "wait", "owner", ...: for programs. */
const char *critical_kind_name(enum path_kind kind);

/* What a thread does in a segment: "running", "run queue", "timer", "disk", ...: for programs. */
const char *critical_state_name(u8 why);

/* "waiting for book.lock (mutex)" */
void critical_append_node(const struct critical_answer *answer, u32 node, GString *out);

/* "running scan, struct item.next (12 of 14 samples)" */
void critical_append_step(const struct critical_answer *answer, const struct critical_step *step,
			  GString *out);

/*
 * "The slowest 1 % of checkout (12 of 1200) spent 71 % of their time waiting for book.lock (mutex), the rest 3 %. Of that
 * time: held by worker in report 99 %, running 88 %, scan 80 %." Where a thread mostly waited for a CPU, what it ran is told,
 * too. Each share is a fact of the tree. To free.
 */
char *critical_sentence(const struct critical_answer *answer, double slowest);

struct path_sum;

/* A sum of time that was lost to a span, or of a lock or function: "report", "waiting for book.lock (mutex)". */
void critical_append_sum(const struct critical_answer *answer, const struct path_sum *sum,
			 GString *out);
/* Its share of the time of all instances, percent. */
double critical_share_of_all(const struct critical_answer *answer, const struct path_sum *sum);

/*
 * What all instances lost to other spans, those with the most time first, at most three: "checkout lost 12 % of all its time to report:
 * 8 % waiting for book.lock (mutex), 4 % waiting for a CPU that it had." "": nothing. To free.
 */
char *critical_lost_sentence(const struct critical_answer *answer);

#endif
