// SPDX-License-Identifier: GPL-2.0-or-later
#include "perfevent/paths.h"

#include <errno.h>
#include <stdarg.h>

#include "base/file.h"

const struct kernel_paths *kernel_paths_host(void)
{
	static const struct kernel_paths host = {
		.proc = "/proc",
		.sys = "/sys",
		.modules = "/lib/modules",
	};

	return &host;
}

static bool text_number(const char *text, s64 *value)
{
	char *end;

	errno = 0;
	*value = g_ascii_strtoll(text, &end, 0);
	return end != text && !errno && (!*end || g_ascii_isspace(*end));
}

bool kernel_file_number(s64 *value, const char *fmt, ...)
{
	g_autofree char *path = NULL, *text = NULL;
	va_list ap;

	va_start(ap, fmt);
	path = g_strdup_vprintf(fmt, ap);
	va_end(ap);
	text = file_text("%s", path);
	return text && text_number(text, value);
}

s64 kernel_sysctl(const struct kernel_paths *paths, const char *name, s64 otherwise)
{
	s64 value;

	if (!kernel_file_number(&value, "%s/sys/kernel/%s", paths->proc, name))
		return otherwise;
	return value;
}
