/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What exists when a file begins, as the records at its head (synth.h): the kernel, and the
 * followed processes. Forks and exits are tracked while recording, because a later file of
 * --switch-output must describe processes that did not exist when the first file began.
 */
#ifndef RECORD_EXISTING_H
#define RECORD_EXISTING_H

#include "record/buildids.h"
#include "record/base/observer.h"
#include "record/base/target.h"

struct existing;

struct existing_setup {
	const struct recording *rec;
	const struct target *target;
	const struct evsel *evsel; /* whose trailer the records get */
	struct buildids *buildids; /* that are told of what is mapped; NULL: none are wanted */
	bool build_ids_in_maps;
};

struct existing *existing_new(const struct existing_setup *setup);
void existing_free(struct existing *e);

/* Shows it the processes' comings and goings. */
struct observer *existing_observer(struct existing *e);

/* Everything as it is now goes into @out, the sources' part too. False: a record could not be made. */
bool existing_put(struct existing *e, struct outlet *out, GError **error);

#endif
