/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the recording in a core dump: either a note that the core handler has added, which contains a perf.data file,
 * or an image (image.h) that the process had mapped.
 */
#ifndef PERFDATA_IMAGE_CORE_H
#define PERFDATA_IMAGE_CORE_H

#include "base/error.h"
#include "base/types.h"

#define IMAGE_NOTE_NAME "PERF"
#define IMAGE_NOTE_TYPE 0x50455246 /* a perf.data file */
#define IMAGE_NOTE_AUX	0x41555846 /* set aside for hardware traces; see the format's page */

/* 64-bit ELF core of this machine's byte order? */
bool image_is_core(const void *data, u64 size);

struct image_in_core {
	const void *perfdata; /* a whole perf.data file; NULL: none */
	const void *image;    /* else an image, as many bytes as the core has of it; NULL: none */
	u64 size;
	u32 pid, tid; /* whose core it is, and the thread that was dumped first; 0: not told */
	s32 signal;
};

/* False with @error: neither is there, or the core is cut off before it. @name is for messages. */
bool image_find_in_core(const char *name, const void *data, u64 size, struct image_in_core *found,
			GError **error);

#endif
