// SPDX-License-Identifier: GPL-2.0-or-later
#include "record/waits/request.h"

#include <glib.h>
#include <linux/types.h>
#include <string.h>

#include "bpf/offcpu.h"

char *request_text(const struct offcpu_request *r)
{
	static const char *const names[] = {
		[0] = "read",	 [1] = "write",	       [2] = "flush",
		[3] = "discard", [5] = "secure erase", [9] = "write zeroes"
	};
	u32 op = r->flags & 0xff;
	char disk[sizeof(r->disk) + 1] = "";
	GString *text;

	memcpy(disk, r->disk, sizeof(r->disk));
	if (!*disk)
		return NULL;
	text = g_string_new(NULL);
	g_string_printf(text, "disk %s", disk);
	if (op < ARRAY_SIZE(names) && names[op])
		g_string_append_printf(text, ", %s", names[op]);
	return g_string_free(text, FALSE);
}

u32 request_parts(const struct offcpu_request *r, u64 out, u64 to,
		  struct request_part parts[REQUEST_PARTS])
{
	bool known = r->disk[0] && r->issued;
	u64 issued = known ? CLAMP(r->issued, out, MAX(out, to)) : to;
	u64 inserted = known && r->inserted ? CLAMP(r->inserted, out, issued) : issued;
	const struct request_part all[REQUEST_PARTS] = {
		{ out, inserted, known ? ", before its request" : "" },
		{ inserted, issued, ", in its queue" },
		{ issued, to, ", in the device" },
	};
	u32 nr = 0;

	for (u32 i = 0; i < REQUEST_PARTS; i++)
		if (all[i].from < all[i].to)
			parts[nr++] = all[i];
	return nr;
}
