// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The n-th sample of the session is the n-th of the pipeline: both read in the file's order. A sample that only one of them has
 * would shift all behind it. So each entry has a check of its sample, and what does not fit has no address.
 */
#include "cmd/inject_addresses.h"

#include "base/table.h"
#include "perfdata/event.h"
#include "resolve/data_address.h"

struct inject_address {
	u64 va; /* 0: none was computed */
	u32 check;
};

struct inject_addresses {
	GArray *entries; /* struct inject_address */
	u32 at;
	u64 computed;
};

static u32 check_of(const struct event *ev)
{
	return (u32)table_mix(table_mix(ev->id.time, ev->sample.ip), ev->id.tid);
}

static bool take(const struct place *place, u32 filtered, void *arg, GError **error)
{
	struct inject_addresses *a = arg;
	bool computed = place->addr_how == ADDRESS_COMPUTED;
	struct inject_address entry = { computed ? place->addr->va : 0, check_of(place->event) };

	a->computed += computed;
	g_array_append_val(a->entries, entry);
	return true;
}

struct inject_addresses *inject_addresses_read(const struct session_options *options,
					       GError **error)
{
	struct session *session = session_open(options, error);
	struct inject_addresses *a;

	if (!session)
		return NULL;
	a = g_new0(struct inject_addresses, 1);
	a->entries = g_array_new(FALSE, FALSE, sizeof(struct inject_address));
	if (!session_each_sample(session, NEED_ADDR | NEED_WAITED | NEED_SAMPLE, take, a, error))
		g_clear_pointer(&a, inject_addresses_free);
	session_close(session);
	return a;
}

void inject_addresses_free(struct inject_addresses *a)
{
	if (!a)
		return;
	g_array_unref(a->entries);
	g_free(a);
}

bool inject_addresses_find(void *addresses, const struct event *ev, u64 *va)
{
	struct inject_addresses *a = addresses;
	const struct inject_address *entry;

	if (a->at == a->entries->len)
		return false;
	entry = &g_array_index(a->entries, struct inject_address, a->at);
	if (entry->check != check_of(ev))
		return false;
	a->at++;
	if (!entry->va)
		return false;
	*va = entry->va;
	return true;
}

u64 inject_addresses_nr(const struct inject_addresses *a, u64 *computed)
{
	*computed = a->computed;
	return a->entries->len;
}
