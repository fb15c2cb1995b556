// SPDX-License-Identifier: GPL-2.0-or-later
/* The same publisher on a CPU without AVX-512, which moves ids in two stores of 16 bytes. */
#define TEST_IN_PARTS
#include "test_activity.c"
