/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The data addresses of a recording's samples, computed before its records are changed (perf inject --addresses). */
#ifndef CMD_INJECT_ADDRESSES_H
#define CMD_INJECT_ADDRESSES_H

#include "session/session.h"

struct inject_addresses;

/* Reads all samples of a file. NULL with @error. */
struct inject_addresses *inject_addresses_read(const struct session_options *options,
					       GError **error);
void inject_addresses_free(struct inject_addresses *addresses);

/* For pass/addresses.h: each sample once, in the file's order. */
bool inject_addresses_find(void *addresses, const struct event *ev, u64 *va);

/* How many samples there are, and how many of them have a computed address. */
u64 inject_addresses_nr(const struct inject_addresses *addresses, u64 *computed);

#endif
