/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes the sources that the options request, besides the rings. */
#ifndef RECORD_SOURCES_H
#define RECORD_SOURCES_H

#include "record/base/source.h"

/* Appends them to rec->sources, in the order in which they are called. */
bool sources_add(struct recording *rec, GError **error);

#endif
