// SPDX-License-Identifier: GPL-2.0-or-later
/* The same publisher as a program compiled for AVX has it: ids move in one store of 32 bytes. */
#if defined(__x86_64__) && defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx"))), apply_to = function)
#elif defined(__x86_64__)
#pragma GCC target("avx")
#endif
#include "test_activity.c"
#if defined(__x86_64__) && defined(__clang__)
#pragma clang attribute pop
#endif
