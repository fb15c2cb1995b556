/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Charges samples to the instruction that took their time (resolve/waited.h), with what a sample knows about how control
 * came to its address. Each thread has one.
 */
#ifndef SESSION_CHARGING_H
#define SESSION_CHARGING_H

#include "resolve/place.h"

struct charging;
struct data_types;
struct evsel;
struct session;

/* Borrows @session, whose samples they are, and its @types. */
struct charging *charging_new(struct session *session, struct data_types *types);
void charging_free(struct charging *charging);

/* Fills what @needs of waited, access, addr and ip of @place. If ip changes, the chain begins there. */
void charging_take(struct charging *charging, u32 needs, struct place *place);

/* True if samples of @evsel have registers, from which data addresses can be computed: that needs NEED_WAITED. */
bool charging_addresses(const struct evsel *evsel);

/* True if samples of @evsel are charged to an instruction before the one that they name. */
bool charging_before(struct charging *charging, const struct evsel *evsel);

/* True if what a sample of @evsel at @code is charged to depends on the caller. @data: as waited_find(). */
bool charging_needs_caller(struct charging *charging, const struct code *code,
			   const struct evsel *evsel, bool data);

#endif
