/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The pass of perf inject --addresses: samples without a data address get the one that the command has computed
 * (PERF_SAMPLE_ADDR), so that any perf reports it.
 */
#ifndef PASS_ADDRESSES_H
#define PASS_ADDRESSES_H

#include "pass/pass.h"

/* The address of the sample @ev. Called for each sample, in the file's order. False: it is not known. */
typedef bool addresses_find_fn(void *arg, const struct event *ev, u64 *va);

/* Borrows @arg. */
struct pass *addresses_pass_new(addresses_find_fn *find, void *arg);

#endif
