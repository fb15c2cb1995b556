/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Was a file compiled with frame pointers? */
#ifndef UNWIND_FRAME_POINTERS_H
#define UNWIND_FRAME_POINTERS_H

#include "base/types.h"

struct image;

/*
 * True if most of the file's functions surely keep no frame pointer. False also if there are too few functions to tell,
 * or no .eh_frame, which lists them, or if the code is not for x86-64. Looks at some hundred functions.
 */
bool image_lacks_frame_pointers(const struct image *image);

#endif
