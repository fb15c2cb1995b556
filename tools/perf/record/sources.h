/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The list of sources besides the rings: which of them does a recording's options ask for? */
#ifndef RECORD_SOURCES_H
#define RECORD_SOURCES_H

#include "record/base/source.h"

/* Appends them to rec->sources, in the order in which they are asked. */
bool sources_add(struct recording *rec, GError **error);

#endif
