// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/error.h"

#include <stdarg.h>
#include <string.h>

GQuark perf_error_quark(void)
{
	return g_quark_from_static_string("perf-error");
}

bool error_set(GError **error, enum perf_error code, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	g_propagate_error(error, g_error_new_valist(PERF_ERROR, code, fmt, ap));
	va_end(ap);
	return false;
}

bool error_set_errno(GError **error, int errnum, const char *fmt, ...)
{
	g_autofree char *what = NULL;
	va_list ap;

	va_start(ap, fmt);
	what = g_strdup_vprintf(fmt, ap);
	va_end(ap);
	return error_set(error, PERF_ERROR_SYSTEM, "%s: %s", what, g_strerror(errnum));
}
