/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What `perf annotate --data-type --why PLACE` prints: how types come about. */
#ifndef CMD_ANNOTATE_WHY_H
#define CMD_ANNOTATE_WHY_H

#include "session/session.h"
#include "view/view.h"

/*
 * @place is FUNCTION, FUNCTION+OFFSET or an address: one that was sampled, else one in a file with
 * samples. Prints the derivation of each instruction that it means; with @skid, of one that accesses
 * nothing, also that of the access just before it.
 */
bool annotate_why(struct session *session, const char *place, bool skid, const struct view *view,
		  GError **error);

#endif
