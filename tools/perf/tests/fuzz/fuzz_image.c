// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Any bytes as a detached recording, and as a core dump with one in it: find it, make a perf.data file of it, and read that.
 * Checks of entries that the fuzzer could not guess are put right first, so that what is behind them is reached.
 */
#include <stdlib.h>
#include <string.h>

#include "perfdata/image/image_core.h"
#include "perfdata/image/image_read.h"
#include "perfdata/read/reader.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

static void read_file(const void *data, u64 size)
{
	struct perfdata *pd = perfdata_open_bytes("fuzz", data, size, NULL);
	struct event ev;
	int got;

	for (u32 errors = 0; pd && errors < 16; errors += got < 0) {
		got = perfdata_next(pd, &ev, NULL);
		if (!got)
			break;
	}
	perfdata_close(pd);
}

/* What a writer would have written over these bytes. */
static void mend(u8 *bytes, u64 size)
{
	struct image_header *h = (void *)bytes;
	u64 padded = (h->facts_size + 7) & ~(u64)7;

	if (h->facts_at % 8 == 0 && h->facts_at < size && padded <= size - h->facts_at &&
	    padded >= h->facts_size)
		h->facts_check = image_check(bytes + h->facts_at, padded, 0, 0);
}

static void read_image(const u8 *data, u64 size)
{
	struct image_choice choice = { .first_pid = 1, .first_tid = 2 };
	GByteArray *file = image_to_perfdata("fuzz", data, size, &choice, NULL);
	struct image_header h;

	if (image_header_read("fuzz", data, size, &h, NULL)) {
		g_free(image_reason_text(&h));
		image_has_key(data, &h, 1);
	}
	if (!file)
		return;
	read_file(file->data, file->len);
	g_byte_array_unref(file);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct image_in_core core;
	GError *error = NULL;
	u8 *copy;

	if (!size)
		return 0;
	copy = aligned_alloc(4096, (size + 4095) & ~(size_t)4095);
	memcpy(copy, data, size);
	if (image_is_core(copy, size)) {
		if (!image_find_in_core("fuzz", copy, size, &core, &error) && !error)
			abort();
		g_clear_error(&error);
		if (core.perfdata)
			read_file(core.perfdata, core.size);
	} else if (size >= IMAGE_PAGE) {
		mend(copy, size);
		read_image(copy, size);
	}
	free(copy);
	return 0;
}
