/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parts of a program that were compiled without -g: which functions of which object are these? */
#ifndef PAGES_UNIT_NOTES_H
#define PAGES_UNIT_NOTES_H

#include "pages/base/page.h"
#include "session/session.h"

/*
 * One line per object that has debug information, but not of functions with a large share of @all samples: names the
 * functions, those with the most samples first. @counts: u64 by code->function, samples there.
 */
void notes_add_unit_notes(struct notes *notes, struct session *session, const GArray *counts,
			  u64 all);

#endif
