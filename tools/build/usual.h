/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Outside headers that most sources include. With PRECOMPILED=1, the compiler reads them once for the whole build, and not in each
 * compilation: for clang they take half of the time of a compilation, for gcc a quarter. A source that lacks one of these includes is
 * not noticed then: tools/build/includes finds it. Headers with common words as names (open, read, link) are not here: sources have
 * functions of these names.
 */
#include <glib.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
