// SPDX-License-Identifier: GPL-2.0-or-later
/* A perfconfig file: whatever it says can be written and is then read as the same. */
#include <glib.h>
#include <stdlib.h>
#include <string.h>

#include "cli/config_text.h"

int LLVMFuzzerTestOneInput(const u8 *data, size_t size);

static void take_value(const char *key, const char *value, void *arg)
{
	g_string_assign(arg, value);
}

static void write_and_read(const char *key, const char *value, void *arg)
{
	g_autoptr(GString) again = g_string_new(NULL);
	g_autofree char *quoted = config_text_quote(value);
	g_autofree char *text = g_strdup_printf("[a]\nb = %s\n", quoted);

	if (config_text_parse(text, strlen(text), take_value, again) || strcmp(again->str, value))
		abort();
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	config_text_parse((const char *)data, size, write_and_read, NULL);
	return 0;
}
