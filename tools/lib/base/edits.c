// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/edits.h"

#include <glib.h>
#include <string.h>

u32 edits_between(const char *a, const char *b)
{
	size_t la = strlen(a), width = strlen(b) + 1;
	g_autofree u32 *d = g_new(u32, (la + 1) * width);

	for (size_t j = 0; j < width; j++)
		d[j] = (u32)j;
	for (size_t i = 1; i <= la; i++) {
		u32 *row = d + i * width, *above = row - width;

		row[0] = (u32)i;
		for (size_t j = 1; j < width; j++) {
			row[j] = MIN(MIN(row[j - 1], above[j]) + 1,
				     above[j - 1] + (a[i - 1] != b[j - 1]));
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
				row[j] = MIN(row[j], (above - width)[j - 2] + 1);
		}
	}
	return d[la * width + width - 1];
}
