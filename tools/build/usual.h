/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Outside headers that most sources include. With PRECOMPILED=1, clang reads them once for the whole build, and not in each
 * compilation, of which they take half of the time. A source that lacks one of these includes is not noticed then, so one build of
 * `make check` compiles without. Headers with common words as names (open, read, link) are not here: sources have functions of
 * these names.
 */
#include <glib.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
