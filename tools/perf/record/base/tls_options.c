// SPDX-License-Identifier: GPL-2.0-or-later
#include "record/base/tls_options.h"

#include <string.h>

bool tls_source_parse(const char *text, enum tls_source *out, GError **error)
{
	static const char *const names[] = { "auto", "kernel", "bpf" };

	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		if (!strcmp(text, names[i])) {
			*out = (enum tls_source)i;
			return true;
		}
	}
	return error_set(error, PERF_ERROR_USAGE, "'%s': expected auto, kernel or bpf", text);
}

bool tls_take_source(const struct option_row *row, const char *arg, bool unset, void *opts,
		     GError **error)
{
	struct tls_options *o = (void *)((char *)opts + row->offset);

	o->source = TLS_SOURCE_AUTO;
	return unset || tls_source_parse(arg, &o->source, error);
}
