/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes the records at the head of a file (synth.h): for the kernel, and for the recorded processes that exist
 * then. Forks and exits are tracked while recording, because a later file of --switch-output must describe
 * processes that did not exist when the first file began.
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
	const struct evsel *evsel; /* its trailer is appended to the records */
	struct buildids *buildids; /* gets the mapped files; NULL: no build-ids */
	bool build_ids_in_maps;
};

struct existing *existing_new(const struct existing_setup *setup);
void existing_free(struct existing *e);

/* The observer of forks, execs and exits. */
struct observer *existing_observer(struct existing *e);

/* Puts the present state into @out, including that of the sources. False: a record could not be made. */
bool existing_put(struct existing *e, struct outlet *out, GError **error);

#endif
