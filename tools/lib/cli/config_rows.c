// SPDX-License-Identifier: GPL-2.0-or-later
/* Stores configuration values into a command's options, as the command's table of keys says. */
#include <stdio.h>
#include <string.h>

#include "cli/config.h"

static bool parse_double(const char *text, double *out)
{
	char *end;
	double number = g_ascii_strtod(text, &end);

	if (end == text || *end || !(number >= 0))
		return false;
	*out = number;
	return true;
}

/* "colors.*" matches every key of its section. */
static bool fits(const struct config_row *row, const struct config_item *item)
{
	size_t len = strlen(item->section);

	if (strncmp(row->key, item->section, len) || row->key[len] != '.')
		return false;
	return !strcmp(row->key + len + 1, "*") || !strcmp(row->key + len + 1, item->name);
}

static const struct config_row *row_of(const struct config_row *rows, size_t nr_rows,
				       const struct config_item *item)
{
	for (size_t i = 0; i < nr_rows; i++)
		if (fits(&rows[i], item))
			return &rows[i];
	return NULL;
}

/* False: the value does not have the row's type. */
static bool apply(const struct config_row *row, const struct config_item *item, void *opts,
		  GError **error)
{
	void *at = (char *)opts + row->offset;

	switch (row->kind) {
	case CONFIG_BOOL:
		return config_parse_bool(item->value, at);
	case CONFIG_NOT:
		if (!config_parse_bool(item->value, at))
			return false;
		*(bool *)at = !*(bool *)at;
		return true;
	case CONFIG_U64:
		return config_parse_u64(item->value, at);
	case CONFIG_DOUBLE:
		return parse_double(item->value, at);
	case CONFIG_STRING:
		*(const char **)at = item->value;
		return true;
	case CONFIG_CALL:
		return row->call(row, item->value, opts, error);
	case CONFIG_UNUSED:
		return true;
	}
	return true;
}

bool config_apply(const struct config *config, const struct config_row *rows, size_t nr_rows,
		  void *opts)
{
	for (u32 i = 0; i < config_nr(config); i++) {
		const struct config_item *item = config_item(config, i);
		const struct config_row *row = row_of(rows, nr_rows, item);
		g_autoptr(GError) error = NULL;

		if (!row || apply(row, item, opts, &error))
			continue;
		if (!error) {
			fprintf(stderr, "bad config value for '%s.%s' in %s, ignoring...\n",
				item->section, item->name, item->file);
			continue;
		}
		fprintf(stderr, "%s: %s.%s=%s: %s\n", item->file, item->section, item->name,
			item->value, error->message);
		return false;
	}
	return true;
}

void config_note_unused(const struct config *config, const struct config_row *rows, size_t nr_rows)
{
	for (u32 i = 0; i < config_nr(config); i++) {
		const struct config_item *item = config_item(config, i);
		const struct config_row *row = row_of(rows, nr_rows, item);
		bool concerns = row != NULL;

		for (size_t r = 0; r < nr_rows && !concerns; r++)
			concerns = g_str_has_prefix(rows[r].key, item->section) &&
				   rows[r].key[strlen(item->section)] == '.';
		if (!concerns || (row && row->kind != CONFIG_UNUSED))
			continue;
		fprintf(stderr, "note: %s: %s.%s has no effect: %s\n", item->file, item->section,
			item->name, row ? row->why : "this command knows no such key");
	}
}
