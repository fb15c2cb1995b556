// SPDX-License-Identifier: GPL-2.0-or-later
/* What processes state of themselves: the first byte is the form, the rest its bytes. */
#include <stdlib.h>
#include <string.h>

#include <glib.h>

#include "activity/process.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_text(const char *text)
{
	if (text && !g_utf8_validate(text, -1, NULL))
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct activity_process *p;

	if (!size)
		return 0;
	p = activity_process_new(data[0] & 3, data + 1, size - 1);
	if (!p)
		return 0;
	check_text(p->service);
	check_text(p->environment);
	for (u32 i = 0; i < p->nr_attributes; i++) {
		check_text(p->attributes[i].key);
		check_text(p->attributes[i].value);
	}
	for (u32 i = 0; i < p->keys.nr; i++)
		check_text(p->keys.names[i]);
	activity_process_free(p);
	return 0;
}
