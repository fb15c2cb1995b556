// SPDX-License-Identifier: GPL-2.0-or-later
/* For a build without libprotobuf-c. */
#include "export/exchange/format.h"

#define MISSING "libprotobuf-c"

const struct exchange_format exchange_pprof = { .name = "pprof", .missing = MISSING };
const struct exchange_format exchange_otlp = { .name = "otlp", .missing = MISSING };
const struct exchange_format exchange_perfetto = { .name = "perfetto", .missing = MISSING };
