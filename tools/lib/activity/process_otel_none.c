// SPDX-License-Identifier: GPL-2.0-or-later
/* A build without libprotobuf-c: process contexts stay unread. */
#include "activity/process_private.h"

bool facts_can_read_otel(void)
{
	return false;
}

bool facts_read_otel(struct facts *f, const void *data, size_t size)
{
	return false;
}
