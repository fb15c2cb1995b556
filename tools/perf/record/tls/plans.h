/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Decides what the BPF program reads in each process.
 *
 * A plan (struct sample_tls_plan) lists the variables of one process. The look-up finds several
 * variables one after the other, often within one call. This module collects all news first, and
 * then makes one plan. So the program never gets a plan that lacks a variable which the look-up
 * knows.
 *
 * Without a BPF program (the kernel reads the bytes) the module only tells which bytes are in the
 * window.
 */
#ifndef RECORD_TLS_PLANS_H
#define RECORD_TLS_PLANS_H

#include "activity/layout.h"
#include "base/types.h"
#include "perfevent/paths.h"
#include "record/tls/bpf.h"
#include "record/tls/lookup.h"
#include "record/tls/node.h"

struct tls_plans;

/* @bpf may be NULL. All arguments must outlive the result. */
struct tls_plans *tls_plans_new(struct tls_bpf *bpf, const struct kernel_paths *paths,
				const struct tls_node *node);
void tls_plans_free(struct tls_plans *p);

/*
 * Finds @publisher's bytes in samples. out: @layout, publisher->placed with that position. False:
 * no sample has them.
 */
bool tls_plans_place(const struct tls_plans *p, const struct tls_publisher *publisher,
		     struct activity_layout *layout);

/* Receives news of the look-up. */
void tls_plans_note(struct tls_plans *p, const struct tls_news *news);

/* The process context of @pid has changed (record/tls/node.h). */
void tls_plans_restate(struct tls_plans *p, u32 pid);

/* Sends changed plans to the BPF program. To be called after each call that may report news. */
void tls_plans_tell(struct tls_plans *p, const struct tls_lookup *lookup);

/* The program in file @ino of device @dev has the publishers @all from its exec on. */
void tls_plans_program(struct tls_plans *p, u64 dev, u64 ino, const struct tls_publisher *all);

/* Number of publishers that did not fit into the plan of their process. */
u64 tls_plans_nr_dropped(const struct tls_plans *p);

#endif
