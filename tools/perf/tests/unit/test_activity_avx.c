// SPDX-License-Identifier: GPL-2.0-or-later
/* The same publisher as a program compiled for AVX has it: ids move in one store of 32 bytes. */
#ifdef __x86_64__
#pragma GCC target("avx")
#endif
#include "test_activity.c"
