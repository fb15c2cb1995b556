// SPDX-License-Identifier: GPL-2.0-or-later
/* perf config: shows and sets variables of the configuration files. */
#include "cli/config.h"

#include <stdio.h>
#include <string.h>

#include "cli/options.h"
#include "cmd/cmd.h"

#define CONFIG_EXIT_FAILED 255

struct config_options {
	bool list, system, user;
};

#define AT(member) offsetof(struct config_options, member)

static const struct option_row rows[] = {
	{ 'l', "list", OPT_FLAG, NULL, "show current config variables", AT(list) },
	{ 0, "system", OPT_FLAG, NULL, "use system config file", AT(system) },
	{ 0, "user", OPT_FLAG, NULL, "use user config file", AT(user) },
};
static const char *const usage[] = {
	"perf config [<file-option>] [options] [section.name[=value] ...]", NULL
};
static const struct options_spec spec = { usage, rows, ARRAY_SIZE(rows), .stop_at_argument = true };

static void list(const struct config *config)
{
	for (u32 i = 0; i < config_nr(config); i++) {
		const struct config_item *item = config_item(config, i);

		printf("%s.%s=%s\n", item->section, item->name, item->value);
	}
}

/* Splits "section.name=value" into "section.name" and value; NULL value: show the variable. */
static char *split(const char *word, const char **value, GError **error)
{
	const char *equals = strchr(word, '=');
	g_autofree char *key = g_strndup(word, equals ? (size_t)(equals - word) : strlen(word));
	const char *dot = strchr(key, '.');

	*value = equals ? equals + 1 : NULL;
	if (!dot || dot == key)
		error_set(error, PERF_ERROR_USAGE,
			  "The config variable does not contain a section name: %s", word);
	else if (!dot[1])
		error_set(error, PERF_ERROR_USAGE,
			  "The config variable does not contain a variable name: %s", word);
	else if (equals && !equals[1])
		error_set(error, PERF_ERROR_USAGE,
			  "The config variable does not contain a value: %s", word);
	else
		return g_steal_pointer(&key);
	return NULL;
}

/* As in upstream, a variable that is not set is not an error, and prints nothing. */
static bool take_words(struct config *config, const char *path, char **words, GError **error)
{
	bool changed = false;

	for (; *words; words++) {
		const char *value;
		g_autofree char *key = split(*words, &value, error);

		if (!key)
			return false;
		if (!value) {
			value = config_get(config, key);
			if (value)
				printf("%s=%s\n", key, value);
			continue;
		}
		if (!path)
			return error_set(error, PERF_ERROR_ABSENT,
					 "there is no HOME to write .perfconfig to");
		if (!config_set(config, path, key, value, error))
			return false;
		changed = true;
	}
	return !changed || config_save(config, path, error);
}

static int config_run(const struct config *all, int argc, char **argv)
{
	struct config_options opts = { 0 };
	enum config_scope scope = CONFIG_ALL;
	g_autofree char *path = NULL;
	g_autoptr(GError) error = NULL;
	struct config *config;
	int status;

	if (!options_parse(&spec, &argc, &argv, &opts, &status))
		return status;
	if (opts.system && opts.user)
		return options_wrong(&spec, "only one config file at a time");
	if (opts.list && argc)
		return options_wrong(&spec, "--list takes no arguments");
	if (!argc && !opts.system && !opts.user) {
		list(all);
		return 0;
	}
	if (opts.system || opts.user)
		scope = opts.system ? CONFIG_SYSTEM : CONFIG_USER;
	path = config_path(scope);
	config = scope == CONFIG_ALL ? config_copy(all) : config_load(scope);
	if (!argc)
		list(config);
	else if (!take_words(config, path, argv, &error))
		fprintf(stderr, "perf config: %s\n", error->message);
	config_free(config);
	return error ? CONFIG_EXIT_FAILED : 0;
}

const struct command cmd_config = { "config", "Show and set variables of the configuration files",
				    config_run };
