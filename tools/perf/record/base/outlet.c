// SPDX-License-Identifier: GPL-2.0-or-later
#include "perfdata/write/encode.h"
#include "record/base/source.h"

bool outlet_event(struct outlet *out, const struct event *ev, const struct evsel *evsel,
		  GError **error)
{
	g_autoptr(GByteArray) bytes = g_byte_array_new();

	if (!event_encode(ev, evsel, bytes, error))
		return false;
	outlet_put(out, bytes->data, bytes->len);
	return true;
}
