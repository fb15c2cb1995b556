/* SPDX-License-Identifier: GPL-2.0-or-later */
/* --fail-above: does a comparison fail? */
#ifndef CMD_DIFF_VERDICT_H
#define CMD_DIFF_VERDICT_H

#include "cmd/diff/diff_options.h"

/* True if something has certainly grown by more than the limit; a line on stderr says what. */
bool diff_verdict(const struct diff_options *o, const struct comparison *c);

#endif
