// SPDX-License-Identifier: GPL-2.0-or-later
#include "dso/demangle.h"

#include <glib.h>
#include <libiberty/demangle.h>
#include <stdlib.h>
#include <string.h>

/* Limit for names, because the demangler is recursive and a hostile name could exhaust the stack. */
#define NAME_MAX_DEMANGLED 16384

static char *demangle_plain(const char *raw, int options)
{
	char *text = NULL, *copy;

	if (strlen(raw) > NAME_MAX_DEMANGLED)
		return NULL;
	if (raw[0] == '_' && raw[1] == 'R')
		text = rust_demangle(raw, DMGL_NO_OPTS);
	else if (raw[0] == '_' && (raw[1] == 'Z' || !strncmp(raw, "_GLOBAL_", 8) ||
				   !strncmp(raw, "___Z", 4) || !strncmp(raw, "__Z", 3)))
		text = cplus_demangle(raw, DMGL_AUTO | options);
	if (!text)
		return NULL;
	copy = g_strdup(text);
	free(text);
	return copy;
}

static char *demangle_with(const char *raw, int options)
{
	const char *stub = g_str_has_suffix(raw, "@plt") ? raw + strlen(raw) - 4 : NULL;
	g_autofree char *bare = stub ? g_strndup(raw, stub - raw) : NULL;
	g_autofree char *name = demangle_plain(bare ?: raw, options);

	if (!name)
		return NULL;
	return stub ? g_strconcat(name, "@plt", NULL) : g_steal_pointer(&name);
}

char *demangle(const char *raw)
{
	return demangle_with(raw, DMGL_PARAMS | DMGL_ANSI);
}

char *demangle_bare(const char *raw)
{
	return demangle_with(raw, DMGL_NO_OPTS);
}
