/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What publishers of activities leave in a recording, as bytes from text (forge.h has the text). */
#ifndef FORGE_PUBLISH_H
#define FORGE_PUBLISH_H

#include <glib.h>

#include "base/types.h"

/*
 * Appends the frame of "PUBLISHER:FORMAT:HEX[:STATE[:CUT[:MISSING]]],..." of a sample in @context;
 * false where @text is none. STATE is 1 (all was read) where it is not given.
 */
bool publish_frame(const char *text, u8 context, GByteArray *out);

/*
 * Appends the payload of OTEP 4719's process context with "KEY=VALUE,..." as its resource's
 * attributes and "NAME,..." as the names of key indexes; both may be NULL. Texts below 128 bytes.
 */
void publish_otel(const char *attributes, const char *keys, GByteArray *out);

/* Appends Elastic's process storage with the texts of service and environment (may be NULL). */
void publish_elastic(const char *service, const char *environment, GByteArray *out);

#endif
