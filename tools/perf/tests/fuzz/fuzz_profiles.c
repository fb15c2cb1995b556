// SPDX-License-Identifier: GPL-2.0-or-later
/* Profiles of pprof and OpenTelemetry: the recording that is made of one can be opened. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <glib.h>

#include "base/error.h"
#include "convert/profiles.h"
#include "perfdata/read/reader.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	g_autoptr(GError) error = NULL;
	int fd = profiles_import_bytes("fuzz", data, size, &error);
	struct perfdata *pd;
	char path[32];

	if (fd < 0) {
		if (!error)
			abort();
		return 0;
	}
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	pd = perfdata_open_forced(path, &error);
	if (!pd) {
		fprintf(stderr, "%s\n", error->message);
		abort();
	}
	perfdata_close(pd);
	close(fd);
	return 0;
}
