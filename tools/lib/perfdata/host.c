// SPDX-License-Identifier: GPL-2.0-or-later
/* The recording host's facts, from uname, /proc and /sys, in the words that upstream uses. */
#include <elf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/file.h"
#include "perfdata/info.h"

#define CPU_DIR	 "/sys/devices/system/cpu"
#define NODE_DIR "/sys/devices/system/node"

/* "0-3,8" -> 0 1 2 3 8, as u32. */
static GArray *parse_list(const char *text)
{
	GArray *list = g_array_new(false, false, sizeof(u32));
	g_auto(GStrv) parts = g_strsplit(text ? text : "", ",", -1);

	for (char **part = parts; *part; part++) {
		char *end;
		u64 first = g_ascii_strtoull(*part, &end, 10);
		u64 last = *end == '-' ? g_ascii_strtoull(end + 1, NULL, 10) : first;

		if (end == *part)
			continue;
		for (u64 v = first; v <= last && list->len < 65536; v++) {
			u32 value = (u32)v;

			g_array_append_val(list, value);
		}
	}
	return list;
}

/* A whole line "KEY : VALUE" of /proc/cpuinfo or /proc/meminfo: its value, or NULL. */
static char *find_value(const char *text, const char *key)
{
	g_auto(GStrv) lines = g_strsplit(text ? text : "", "\n", -1);

	for (char **line = lines; *line; line++) {
		char *colon = strchr(*line, ':');

		if (!colon)
			continue;
		*colon = 0;
		g_strchomp(*line);
		if (strcmp(*line, key) == 0)
			return g_strdup(g_strstrip(colon + 1));
	}
	return NULL;
}

static void fill_uname(struct perfdata_info *info)
{
	struct utsname name;

	if (uname(&name) < 0)
		return;
	info->hostname = g_strdup(name.nodename);
	info->osrelease = g_strdup(name.release);
	info->arch = g_strdup(name.machine);
	perfdata_info_set(info, FEAT_HOSTNAME);
	perfdata_info_set(info, FEAT_OSRELEASE);
	perfdata_info_set(info, FEAT_ARCH);
}

static void fill_cpu(struct perfdata_info *info, const char *root)
{
	g_autofree char *cpuinfo = file_text("%s/proc/cpuinfo", root);
	g_autofree char *vendor = find_value(cpuinfo, "vendor_id");
	g_autofree char *family = find_value(cpuinfo, "cpu family");
	g_autofree char *model = find_value(cpuinfo, "model");
	g_autofree char *stepping = find_value(cpuinfo, "stepping");
	g_autofree char *midr = file_text("%s" CPU_DIR "/cpu0/regs/identification/midr_el1", root);
	char *name = find_value(cpuinfo, "model name");

	if (!name)
		name = find_value(cpuinfo, "Processor");
	if (name) {
		info->cpudesc = name;
		perfdata_info_set(info, FEAT_CPUDESC);
	}
	if (vendor && family && model && stepping)
		info->cpuid = g_strdup_printf("%s,%s,%s,%s", vendor, family, model, stepping);
	else if (midr)
		info->cpuid = g_steal_pointer(&midr);
	if (info->cpuid)
		perfdata_info_set(info, FEAT_CPUID);
}

static void fill_counts(struct perfdata_info *info, const char *root)
{
	g_autofree char *meminfo = file_text("%s/proc/meminfo", root);
	g_autofree char *total = find_value(meminfo, "MemTotal");
	g_autofree char *present = file_text("%s" CPU_DIR "/present", root);
	g_autoptr(GArray) cpus = parse_list(present);

	/* The highest CPU number counts: per-CPU tables are indexed by it. */
	info->nrcpus_available = cpus->len ? g_array_index(cpus, u32, cpus->len - 1) + 1
					   : (u32)MAX(sysconf(_SC_NPROCESSORS_CONF), 1);
	info->nrcpus_online = (u32)MAX(sysconf(_SC_NPROCESSORS_ONLN), 1);
	perfdata_info_set(info, FEAT_NRCPUS);
	if (total) {
		info->total_mem_kb = g_ascii_strtoull(total, NULL, 10);
		perfdata_info_set(info, FEAT_TOTAL_MEM);
	}
}

/* Adds @text, which is taken over, unless it is there or NULL. */
static void add_distinct(GPtrArray *list, char *text)
{
	if (text && !g_ptr_array_find_with_equal_func(list, text, g_str_equal, NULL))
		g_ptr_array_add(list, text);
	else
		g_free(text);
}

static u32 topology_number(const char *root, u32 cpu, const char *what)
{
	g_autofree char *text = file_text("%s" CPU_DIR "/cpu%u/topology/%s", root, cpu, what);

	return text ? (u32)strtol(text, NULL, 10) : (u32)-1;
}

/* The first of two names of a file that is there: the newer, then the older. */
static char *topology_list(const char *root, u32 cpu, const char *newer, const char *older)
{
	char *text = file_text("%s" CPU_DIR "/cpu%u/topology/%s", root, cpu, newer);

	return text ? text : file_text("%s" CPU_DIR "/cpu%u/topology/%s", root, cpu, older);
}

static void fill_topology(struct perfdata_info *info, const char *root)
{
	for (u32 cpu = 0; cpu < info->nrcpus_available; cpu++) {
		struct info_cpu row = { topology_number(root, cpu, "core_id"),
					topology_number(root, cpu, "physical_package_id"),
					topology_number(root, cpu, "die_id") };

		add_distinct(info->core_siblings,
			     topology_list(root, cpu, "package_cpus_list", "core_siblings_list"));
		add_distinct(info->die_siblings,
			     topology_list(root, cpu, "die_cpus_list", "die_cpus_list"));
		add_distinct(info->thread_siblings,
			     topology_list(root, cpu, "core_cpus_list", "thread_siblings_list"));
		g_array_append_val(info->cpus, row);
	}
	info->has_dies = info->die_siblings->len > 0;
	if (info->core_siblings->len)
		perfdata_info_set(info, FEAT_CPU_TOPOLOGY);
}

static u64 node_kb(const char *meminfo, u32 node, const char *what)
{
	g_autofree char *key = g_strdup_printf("Node %u %s", node, what);
	g_autofree char *value = find_value(meminfo, key);

	return value ? g_ascii_strtoull(value, NULL, 10) : 0;
}

static void fill_numa(struct perfdata_info *info, const char *root)
{
	g_autofree char *online = file_text("%s" NODE_DIR "/online", root);
	g_autoptr(GArray) nodes = parse_list(online);

	for (u32 i = 0; i < nodes->len; i++) {
		struct info_numa_node *node = g_new0(struct info_numa_node, 1);
		g_autofree char *meminfo = NULL;

		node->node = g_array_index(nodes, u32, i);
		meminfo = file_text("%s" NODE_DIR "/node%u/meminfo", root, node->node);
		node->total_kb = node_kb(meminfo, node->node, "MemTotal");
		node->free_kb = node_kb(meminfo, node->node, "MemFree");
		node->cpus = file_text("%s" NODE_DIR "/node%u/cpulist", root, node->node);
		g_ptr_array_add(info->numa, node);
	}
	if (info->numa->len)
		perfdata_info_set(info, FEAT_NUMA_TOPOLOGY);
}

static int compare_pmus(const void *a, const void *b)
{
	return strcmp((*(struct info_pmu *const *)a)->name, (*(struct info_pmu *const *)b)->name);
}

static void fill_pmus(struct perfdata_info *info, const char *root)
{
	g_autofree char *path = g_strdup_printf("%s/sys/bus/event_source/devices", root);
	GDir *dir = g_dir_open(path, 0, NULL);
	const char *name;

	while (dir && (name = g_dir_read_name(dir))) {
		g_autofree char *type =
			file_text("%s/sys/bus/event_source/devices/%s/type", root, name);
		struct info_pmu *pmu;

		if (!type)
			continue;
		pmu = g_new0(struct info_pmu, 1);
		pmu->type = (u32)g_ascii_strtoull(type, NULL, 10);
		pmu->name = g_strdup(name);
		g_ptr_array_add(info->pmus, pmu);
	}
	if (dir)
		g_dir_close(dir);
	g_ptr_array_sort(info->pmus, compare_pmus);
	if (info->pmus->len)
		perfdata_info_set(info, FEAT_PMU_MAPPINGS);
}

static u32 cache_number(const char *root, u32 cpu, u32 index, const char *what)
{
	g_autofree char *text =
		file_text("%s" CPU_DIR "/cpu%u/cache/index%u/%s", root, cpu, index, what);

	return text ? (u32)g_ascii_strtoull(text, NULL, 10) : 0;
}

static gboolean equal_cache(const void *a, const void *b)
{
	const struct info_cache *x = a, *y = b;

	return x->level == y->level && g_str_equal(x->type, y->type) && g_str_equal(x->map, y->map);
}

static void free_cache(struct info_cache *cache)
{
	g_free(cache->type);
	g_free(cache->size);
	g_free(cache->map);
	g_free(cache);
}

static bool add_cache(struct perfdata_info *info, const char *root, u32 cpu, u32 index)
{
	struct info_cache *cache = g_new0(struct info_cache, 1);

	cache->type = file_text("%s" CPU_DIR "/cpu%u/cache/index%u/type", root, cpu, index);
	cache->size = file_text("%s" CPU_DIR "/cpu%u/cache/index%u/size", root, cpu, index);
	cache->map =
		file_text("%s" CPU_DIR "/cpu%u/cache/index%u/shared_cpu_list", root, cpu, index);
	if (!cache->type || !cache->size || !cache->map) {
		free_cache(cache);
		return false;
	}
	cache->level = cache_number(root, cpu, index, "level");
	cache->line_size = cache_number(root, cpu, index, "coherency_line_size");
	cache->sets = cache_number(root, cpu, index, "number_of_sets");
	cache->ways = cache_number(root, cpu, index, "ways_of_associativity");
	if (g_ptr_array_find_with_equal_func(info->caches, cache, equal_cache, NULL))
		free_cache(cache);
	else
		g_ptr_array_add(info->caches, cache);
	return true;
}

static int compare_caches(const void *a, const void *b)
{
	const struct info_cache *x = *(struct info_cache *const *)a;
	const struct info_cache *y = *(struct info_cache *const *)b;

	return (int)x->level - (int)y->level;
}

static void fill_caches(struct perfdata_info *info, const char *root)
{
	for (u32 cpu = 0; cpu < info->nrcpus_available; cpu++) {
		for (u32 index = 0; index < 10 && add_cache(info, root, cpu, index); index++)
			;
	}
	g_ptr_array_sort(info->caches, compare_caches);
	if (!info->caches->len)
		return;
	info->cache_line_size =
		((struct info_cache *)g_ptr_array_index(info->caches, 0))->line_size;
	perfdata_info_set(info, FEAT_CACHE);
	perfdata_info_set(info, FEAT_CLN_SIZE);
}

/* The node's memory blocks, from the directories node0/memory17 in /sys. */
static struct info_mem_node *read_mem_node(const char *root, u32 number)
{
	g_autofree char *path = g_strdup_printf("%s" NODE_DIR "/node%u", root, number);
	g_autoptr(GArray) blocks = g_array_new(false, false, sizeof(u64));
	GDir *dir = g_dir_open(path, 0, NULL);
	struct info_mem_node *node = g_new0(struct info_mem_node, 1);
	const char *name;

	node->node = number;
	while (dir && (name = g_dir_read_name(dir))) {
		char *end;
		u64 block;

		if (!g_str_has_prefix(name, "memory"))
			continue;
		block = g_ascii_strtoull(name + strlen("memory"), &end, 10);
		if (*end || end == name + strlen("memory") || block > 1 << 24)
			continue;
		g_array_append_val(blocks, block);
		node->nr_blocks = MAX(node->nr_blocks, block + 1);
	}
	if (dir)
		g_dir_close(dir);
	node->bitmap = g_new0(u64, ALIGN_UP(node->nr_blocks, (u64)64) / 64);
	for (u32 i = 0; i < blocks->len; i++) {
		u64 block = g_array_index(blocks, u64, i);

		node->bitmap[block / 64] |= 1ULL << (block % 64);
	}
	node->nr_set = blocks->len;
	return node;
}

static void fill_memory(struct perfdata_info *info, const char *root)
{
	g_autofree char *size = file_text("%s/sys/devices/system/memory/block_size_bytes", root);

	if (!size)
		return;
	info->mem_block_size = g_ascii_strtoull(size, NULL, 16);
	for (u32 i = 0; i < info->numa->len; i++) {
		const struct info_numa_node *node = g_ptr_array_index(info->numa, i);

		g_ptr_array_add(info->mem_nodes, read_mem_node(root, node->node));
	}
	if (info->mem_nodes->len)
		perfdata_info_set(info, FEAT_MEM_TOPOLOGY);
}

static void fill_machine(struct perfdata_info *info)
{
	static const struct {
		const char *arch;
		u32 machine;
	} machines[] = {
		{ "x86_64", EM_X86_64 }, { "aarch64", EM_AARCH64 }, { "riscv64", EM_RISCV },
		{ "ppc64le", EM_PPC64 }, { "s390x", EM_S390 },	    { "loongarch64", 258 },
	};

	for (size_t i = 0; info->arch && i < ARRAY_SIZE(machines); i++) {
		if (strcmp(info->arch, machines[i].arch))
			continue;
		info->e_machine = machines[i].machine;
		perfdata_info_set(info, FEAT_E_MACHINE);
	}
}

struct perfdata_info *perfdata_info_of_host(void)
{
	return perfdata_info_below("");
}

struct perfdata_info *perfdata_info_below(const char *root)
{
	struct perfdata_info *info = perfdata_info_new();

	fill_uname(info);
	fill_cpu(info, root);
	fill_counts(info, root);
	fill_topology(info, root);
	fill_numa(info, root);
	fill_pmus(info, root);
	fill_caches(info, root);
	fill_memory(info, root);
	fill_machine(info);
	return info;
}
