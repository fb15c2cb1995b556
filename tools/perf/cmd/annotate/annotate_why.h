/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints `perf annotate --data-type --why PLACE`: how data types were found. */
#ifndef CMD_ANNOTATE_WHY_H
#define CMD_ANNOTATE_WHY_H

#include "session/session.h"
#include "view/view.h"

/*
 * @place is FUNCTION, FUNCTION+OFFSET or an address: a sampled one, else one in a file with samples. Prints the
 * derivation for each such instruction, and with @before those of the instructions executed before it.
 */
bool annotate_why(struct session *session, const char *place, bool before, const struct view *view,
		  GError **error);

#endif
