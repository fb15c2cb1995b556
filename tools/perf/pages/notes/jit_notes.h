/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names of just-in-time compiled code are known if its runtime was told to write them: which option does that? */
#ifndef PAGES_JIT_NOTES_H
#define PAGES_JIT_NOTES_H

#include "pages/base/page.h"
#include "session/session.h"

/*
 * One line per runtime in whose code a large share of @all samples has no name. @counts: u64 by dso_id(), samples
 * without a symbol.
 */
void notes_add_jit(struct notes *notes, struct session *session, const GArray *counts, u64 all);

#endif
