// SPDX-License-Identifier: GPL-2.0-or-later
#include "cli/config.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "cli/config_text.h"

/* Far more than any perfconfig file has. */
#define CONFIG_MAX_BYTES (1 << 20)

struct config {
	GPtrArray *items;    /* struct config_item *; items of one section are neighbours */
	GStringChunk *files; /* names of files, each once */
};

static void item_free(void *data)
{
	struct config_item *item = data;

	g_free(item->section);
	g_free(item->name);
	g_free(item->value);
	g_free(item);
}

static struct config_item *find(const struct config *config, const char *section, size_t len,
				const char *name, u32 *section_end)
{
	*section_end = config->items->len;
	for (u32 i = 0; i < config->items->len; i++) {
		struct config_item *item = g_ptr_array_index(config->items, i);

		if (strncmp(item->section, section, len) || item->section[len])
			continue;
		*section_end = i + 1;
		if (!strcmp(item->name, name))
			return item;
	}
	return NULL;
}

/* The first dot of @key ends the section's name. A later value replaces an earlier one. */
static void put(struct config *config, const char *key, const char *value, const char *file)
{
	size_t len = strcspn(key, ".");
	u32 section_end;
	struct config_item *item = find(config, key, len, key + len + 1, &section_end);

	if (!item) {
		item = g_new0(struct config_item, 1);
		item->section = g_strndup(key, len);
		item->name = g_strdup(key + len + 1);
		g_ptr_array_insert(config->items, (int)section_end, item);
	}
	g_free(item->value);
	item->value = g_strdup(value);
	item->file = g_string_chunk_insert_const(config->files, file);
}

struct config_reading {
	struct config *config;
	const char *file;
};

static void take(const char *key, const char *value, void *arg)
{
	struct config_reading *reading = arg;

	put(reading->config, key, value, reading->file);
}

static void read_file(struct config *config, const char *path)
{
	struct config_reading reading = { config, path };
	g_autoptr(GError) error = NULL;
	size_t size;
	g_autofree char *text = file_read(path, CONFIG_MAX_BYTES, &size, &error);
	u32 wrong;

	if (!text) {
		fprintf(stderr, "perf: %s\n", error->message);
		return;
	}
	wrong = config_text_parse(text, size, take, &reading);
	if (wrong)
		fprintf(stderr, "bad config file line %u in %s\n", wrong, path);
}

/* The system's file. Its folder depends on the program's prefix: /etc for /usr, /opt/x/etc for /opt/x. */
static char *system_path(void)
{
	g_autofree char *exe = g_file_read_link("/proc/self/exe", NULL);
	g_autofree char *bin = exe ? g_path_get_dirname(exe) : NULL;
	g_autofree char *name = bin ? g_path_get_basename(bin) : NULL;
	g_autofree char *prefix = NULL, *own = NULL;

	if (!name || strcmp(name, "bin"))
		return g_strdup("/etc/perfconfig");
	prefix = g_path_get_dirname(bin);
	own = g_build_filename(prefix, "etc", "perfconfig", NULL);
	if (strcmp(prefix, "/usr") && g_file_test(own, G_FILE_TEST_EXISTS))
		return g_steal_pointer(&own);
	return g_strdup("/etc/perfconfig");
}

char *config_path(enum config_scope scope)
{
	const char *exclusive = getenv("PERF_CONFIG"), *home = getenv("HOME");

	if (scope == CONFIG_SYSTEM)
		return system_path();
	if (scope == CONFIG_ALL && exclusive)
		return g_strdup(exclusive);
	return home && *home ? g_build_filename(home, ".perfconfig", NULL) : NULL;
}

static bool env_says(const char *name)
{
	const char *value = getenv(name);
	bool truth;

	return value && config_parse_bool(value, &truth) && truth;
}

/* The file can choose programs that run as this user. So it must belong to this user or to root. */
static bool is_trusted(const char *path)
{
	struct stat st;

	if (stat(path, &st) || !st.st_size)
		return false;
	if (!st.st_uid || st.st_uid == geteuid())
		return true;
	fprintf(stderr, "File %s not owned by current user or root, ignoring it.\n", path);
	return false;
}

static struct config *config_new(void)
{
	struct config *config = g_new0(struct config, 1);

	config->items = g_ptr_array_new_with_free_func(item_free);
	config->files = g_string_chunk_new(256);
	return config;
}

struct config *config_copy(const struct config *other)
{
	struct config *config = config_new();

	for (u32 i = 0; i < config_nr(other); i++) {
		const struct config_item *item = config_item(other, i);
		g_autofree char *key = g_strconcat(item->section, ".", item->name, NULL);

		put(config, key, item->value, item->file);
	}
	return config;
}

struct config *config_load(enum config_scope scope)
{
	struct config *config = config_new();
	const char *exclusive = scope == CONFIG_ALL ? getenv("PERF_CONFIG") : NULL;
	g_autofree char *system = config_path(CONFIG_SYSTEM), *user = config_path(CONFIG_USER);

	if (exclusive) {
		if (!access(exclusive, R_OK))
			read_file(config, exclusive);
		return config;
	}
	if (scope != CONFIG_USER && !env_says("PERF_CONFIG_NOSYSTEM") && !access(system, R_OK))
		read_file(config, system);
	if (scope != CONFIG_SYSTEM && user && !env_says("PERF_CONFIG_NOGLOBAL") && is_trusted(user))
		read_file(config, user);
	return config;
}

void config_free(struct config *config)
{
	if (!config)
		return;
	g_ptr_array_unref(config->items);
	g_string_chunk_free(config->files);
	g_free(config);
}

u32 config_nr(const struct config *config)
{
	return config->items->len;
}

const struct config_item *config_item(const struct config *config, u32 i)
{
	return g_ptr_array_index(config->items, i);
}

const char *config_get(const struct config *config, const char *key)
{
	size_t len = strcspn(key, ".");
	const struct config_item *item;
	u32 section_end;

	if (!key[len])
		return NULL;
	item = find(config, key, len, key + len + 1, &section_end);
	return item ? item->value : NULL;
}

bool config_get_bool(const struct config *config, const char *key, bool otherwise)
{
	const char *value = config_get(config, key);
	bool truth;

	return value && config_parse_bool(value, &truth) ? truth : otherwise;
}

/* Can the file's syntax state this key? [section "any text"], and a name of letters, digits, - and _. */
static bool is_key(const char *key)
{
	const char *dot = strchr(key, '.'), *name = dot ? strrchr(key, '.') + 1 : NULL;

	if (!name || dot == key || !g_ascii_isalpha(*name) || strpbrk(key, "\n"))
		return false;
	for (const char *c = key; c < dot; c++)
		if (!g_ascii_isalnum(*c) && !strchr("-_", *c))
			return false;
	for (; *name; name++)
		if (!g_ascii_isalnum(*name) && !strchr("-_", *name))
			return false;
	return true;
}

bool config_set(struct config *config, const char *path, const char *key, const char *value,
		GError **error)
{
	if (!is_key(key))
		return error_set(error, PERF_ERROR_USAGE, "'%s' cannot be the name of a variable",
				 key);
	put(config, key, value, path);
	return true;
}

/* The header line of the item's section: "[section]". Key call-graph.x.order: [call-graph "x"]. */
static char *header_of(const struct config_item *item)
{
	const char *dot = strrchr(item->name, '.');
	g_autofree char *subsection = dot ? g_strndup(item->name, dot - item->name) : NULL;
	GString *header = g_string_new(NULL);

	g_string_append_printf(header, "[%s", item->section);
	if (subsection) {
		g_string_append(header, " \"");
		for (const char *c = subsection; *c; c++) {
			if (*c == '"' || *c == '\\')
				g_string_append_c(header, '\\');
			g_string_append_c(header, *c);
		}
		g_string_append_c(header, '"');
	}
	g_string_append(header, "]\n");
	return g_string_free(header, FALSE);
}

static char *text_of(const struct config *config, const char *path)
{
	GString *text = g_string_new("# this file is auto-generated.\n");
	g_autofree char *last = NULL;

	for (u32 i = 0; i < config->items->len; i++) {
		const struct config_item *item = g_ptr_array_index(config->items, i);
		const char *dot = strrchr(item->name, '.');
		g_autofree char *header = header_of(item), *value = config_text_quote(item->value);

		if (strcmp(item->file, path))
			continue;
		if (g_strcmp0(last, header))
			g_string_append(text, header);
		g_free(last);
		last = g_steal_pointer(&header);
		g_string_append_printf(text, "\t%s = %s\n", dot ? dot + 1 : item->name, value);
	}
	return g_string_free(text, FALSE);
}

bool config_save(const struct config *config, const char *path, GError **error)
{
	g_autofree char *text = text_of(config, path);
	char *real = realpath(path, NULL); /* write to a link's target, so that the link stays */
	g_autoptr(GError) failure = NULL;
	bool good, foreign;
	struct stat st;

	foreign = !stat(path, &st) && st.st_uid != geteuid();
	if (foreign)
		error_set(error, PERF_ERROR_PERMISSION, "%s belongs to another user", path);
	good = !foreign && g_file_set_contents(real ?: path, text, -1, &failure);
	free(real);
	return good || foreign ? good : error_set(error, PERF_ERROR_SYSTEM, "%s", failure->message);
}
