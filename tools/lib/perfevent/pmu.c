// SPDX-License-Identifier: GPL-2.0-or-later
#include "perfevent/pmu.h"

#include <fnmatch.h>
#include <string.h>

#include "base/file.h"
#include "perfevent/proc.h"

static char *devices_dir(const struct kernel_paths *paths)
{
	return g_strdup_printf("%s/bus/event_source/devices", paths->sys);
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The sorted names of the files in a folder. Names with a dot are included only if @dots. */
static GPtrArray *dir_names(const char *dir, bool dots)
{
	GPtrArray *names = g_ptr_array_new_with_free_func(g_free);
	g_autoptr(GDir) d = g_dir_open(dir, 0, NULL);
	const char *name;

	while (d && (name = g_dir_read_name(d)))
		if (dots || !strchr(name, '.'))
			g_ptr_array_add(names, g_strdup(name));
	g_ptr_array_sort(names, by_text);
	return names;
}

GPtrArray *pmu_names(const struct kernel_paths *paths)
{
	g_autofree char *dir = devices_dir(paths);

	return dir_names(dir, true);
}

/* Is it a plain file name, which cannot lead out of the folder? */
static bool is_file_name(const char *name)
{
	return *name && *name != '.' && !strchr(name, '/');
}

static GArray *load_cpus(const char *dir, const char *file)
{
	g_autofree char *text = file_text("%s/%s", dir, file);

	if (!text || !*text)
		return NULL;
	return cpu_list_parse(text, NULL);
}

struct pmu *pmu_load(const struct kernel_paths *paths, const char *name)
{
	g_autofree char *devices = devices_dir(paths);
	g_autofree char *dir = NULL, *cpus_file = NULL, *mask_file = NULL;
	struct pmu *pmu;
	s64 type;

	if (!is_file_name(name))
		return NULL;
	dir = g_build_filename(devices, name, NULL);
	if (!kernel_file_number(&type, "%s/type", dir) || type < 0 || type > G_MAXUINT32)
		return NULL;
	pmu = g_new0(struct pmu, 1);
	pmu->name = g_strdup(name);
	pmu->type = type;
	cpus_file = g_build_filename(dir, "cpus", NULL);
	mask_file = g_build_filename(dir, "cpumask", NULL);
	pmu->core = !strcmp(name, "cpu") || g_file_test(cpus_file, G_FILE_TEST_EXISTS);
	pmu->uncore = !pmu->core && g_file_test(mask_file, G_FILE_TEST_EXISTS);
	pmu->cpus = load_cpus(dir, pmu->core ? "cpus" : "cpumask");
	pmu->dir = g_steal_pointer(&dir);
	return pmu;
}

void pmu_free(struct pmu *pmu)
{
	if (!pmu)
		return;
	g_free(pmu->name);
	g_free(pmu->dir);
	if (pmu->cpus)
		g_array_unref(pmu->cpus);
	g_free(pmu);
}

static bool is_numbered(const char *full, const char *name)
{
	size_t len = strlen(name);
	const char *digits = full + len;

	if (strncmp(full, name, len))
		return false;
	if (*digits == '_')
		digits++;
	return *digits && strspn(digits, "0123456789") == strlen(digits);
}

GPtrArray *pmu_match(const struct kernel_paths *paths, const char *text, size_t len)
{
	GPtrArray *found = g_ptr_array_new_with_free_func((GDestroyNotify)pmu_free);
	g_autofree char *name = g_strndup(text, len);
	g_autoptr(GPtrArray) names = NULL;
	struct pmu *pmu = pmu_load(paths, name);
	bool glob = strpbrk(name, "*?[");

	if (pmu) {
		g_ptr_array_add(found, pmu);
		return found;
	}
	names = pmu_names(paths);
	for (u32 i = 0; i < names->len; i++) {
		const char *full = g_ptr_array_index(names, i);

		if (glob ? fnmatch(name, full, 0) : !is_numbered(full, name))
			continue;
		pmu = pmu_load(paths, full);
		if (pmu)
			g_ptr_array_add(found, pmu);
	}
	return found;
}

static GPtrArray *sub_names(const struct pmu *pmu, const char *sub)
{
	g_autofree char *dir = g_build_filename(pmu->dir, sub, NULL);

	return dir_names(dir, false);
}

GPtrArray *pmu_format_names(const struct pmu *pmu)
{
	return sub_names(pmu, "format");
}

GPtrArray *pmu_event_names(const struct pmu *pmu)
{
	return sub_names(pmu, "events");
}

struct bit_range {
	u32 first, last;
};

/* "config1:0-7,32": the word, and its bits, low ones first. */
static bool parse_format(const char *text, u32 *word, GArray *ranges)
{
	char *end;

	if (!g_str_has_prefix(text, "config"))
		return false;
	text += strlen("config");
	*word = g_ascii_isdigit(*text) ? (u32)(*text++ - '0') : 0;
	if (*word > 3 || *text++ != ':')
		return false;
	for (;;) {
		struct bit_range r;

		r.first = r.last = g_ascii_strtoull(text, &end, 10);
		if (end == text)
			return false;
		text = end;
		if (*text == '-') {
			r.last = g_ascii_strtoull(++text, &end, 10);
			if (end == text)
				return false;
			text = end;
		}
		if (r.last > 63 || r.first > r.last || ranges->len >= 64)
			return false;
		g_array_append_val(ranges, r);
		if (!*text || *text == '\n')
			return true;
		if (*text++ != ',')
			return false;
	}
}

static u64 low_bits(u32 n)
{
	return n >= 64 ? ~0ULL : (1ULL << n) - 1;
}

enum pmu_put pmu_put_term(const struct pmu *pmu, const char *term, u64 value, u64 config[4],
			  u64 *max)
{
	g_autoptr(GArray) ranges = g_array_new(FALSE, FALSE, sizeof(struct bit_range));
	g_autofree char *text = NULL;
	u32 word, bits = 0;

	text = is_file_name(term) ? file_text("%s/format/%s", pmu->dir, term) : NULL;
	if (!text)
		return PMU_PUT_ABSENT;
	if (!parse_format(text, &word, ranges))
		return PMU_PUT_BAD;
	for (u32 i = 0; i < ranges->len; i++) {
		struct bit_range r = g_array_index(ranges, struct bit_range, i);

		bits += r.last - r.first + 1;
	}
	*max = low_bits(bits);
	if (value > *max)
		return PMU_PUT_TOO_BIG;
	for (u32 i = 0; i < ranges->len; i++) {
		struct bit_range r = g_array_index(ranges, struct bit_range, i);
		u32 n = r.last - r.first + 1;

		config[word] &= ~(low_bits(n) << r.first);
		config[word] |= (value & low_bits(n)) << r.first;
		value = n >= 64 ? 0 : value >> n;
	}
	return PMU_PUT_OK;
}

char *pmu_event(const struct pmu *pmu, const char *name)
{
	if (!is_file_name(name) || strchr(name, '.'))
		return NULL;
	return file_text("%s/events/%s", pmu->dir, name);
}

char *pmu_event_unit(const struct pmu *pmu, const char *name)
{
	return file_text("%s/events/%s.unit", pmu->dir, name);
}

double pmu_event_scale(const struct pmu *pmu, const char *name)
{
	g_autofree char *text = file_text("%s/events/%s.scale", pmu->dir, name);
	double scale = text ? g_ascii_strtod(text, NULL) : 0;

	return scale > 0 ? scale : 1.0;
}

static bool states_accesses(const struct kernel_paths *paths, const char *name)
{
	g_autoptr(pmu_auto) pmu = pmu_load(paths, name);
	g_autofree char *loads = pmu ? pmu_event(pmu, "mem-loads") : NULL;

	return loads || (pmu && (!strcmp(name, "ibs_op") || g_str_has_prefix(name, "arm_spe")));
}

bool pmu_any_states_accesses(const struct kernel_paths *paths)
{
	g_autoptr(GPtrArray) names = pmu_names(paths);
	bool found = false;

	for (u32 i = 0; i < names->len && !found; i++)
		found = states_accesses(paths, g_ptr_array_index(names, i));
	return found;
}
