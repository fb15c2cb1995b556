// SPDX-License-Identifier: GPL-2.0-or-later
/* A jitdump: its records, and the ELF files that its code becomes. */
#include <stdlib.h>

#include <glib.h>

#include "jit/jit_image.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void make_image(const struct jit_code *code)
{
	struct build_id id;
	GByteArray *bytes = jit_image_new(code, &id);

	if (bytes->len < JIT_IMAGE_TEXT + jit_image_size(code))
		abort();
	g_byte_array_unref(bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct jitdump *j = jitdump_open_bytes("fuzz", data, size, NULL);
	struct jitdump_record record, debug, unwinding;
	bool has_debug = false, has_unwinding = false;

	while (j && jitdump_next(j, &record, NULL) > 0) {
		const struct jit_code code = { &record, has_debug ? &debug : NULL,
					       has_unwinding ? &unwinding : NULL, 62 };

		if (record.kind == JITDUMP_LOAD)
			make_image(&code);
		if (record.kind == JITDUMP_DEBUG)
			debug = record, has_debug = true;
		if (record.kind == JITDUMP_UNWINDING)
			unwinding = record, has_unwinding = true;
	}
	jitdump_close(j);
	return 0;
}
