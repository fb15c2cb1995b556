// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reads header features. Lengths of lists come from the file and are not trusted: each loop stops at the first element
 * that is missing. Later versions append fields to a section, so bytes after the known fields are ignored.
 */
#include <string.h>

#include "base/cursor.h"
#include "base/text.h"
#include "perfdata/bpf_info.h"
#include "perfdata/evsel.h"
#include "perfdata/features.h"

/*
 * Reads a u32 size and that many bytes, which contain a string and its NUL. Returns the string, escaped for the
 * terminal. Never NULL: "" on failure.
 */
static char *read_string(struct cursor *c)
{
	u32 room = cursor_u32(c);
	const char *at = cursor_bytes(c, room);

	g_autofree char *text = at ? g_strndup(at, room) : g_strdup("");

	return text_shown(text);
}

static void read_strings(struct cursor *c, GPtrArray *out)
{
	u32 nr = cursor_u32(c);

	g_ptr_array_set_size(out, 0);
	for (u32 i = 0; i < nr && !c->failed; i++)
		g_ptr_array_add(out, read_string(c));
}

static void replace_string(struct cursor *c, char **where)
{
	g_free(*where);
	*where = read_string(c);
}

static void read_hostname(struct cursor *c, struct perfdata_info *info)
{
	replace_string(c, &info->hostname);
}

static void read_osrelease(struct cursor *c, struct perfdata_info *info)
{
	replace_string(c, &info->osrelease);
}

static void read_version(struct cursor *c, struct perfdata_info *info)
{
	replace_string(c, &info->version);
}

static void read_arch(struct cursor *c, struct perfdata_info *info)
{
	replace_string(c, &info->arch);
}

static void read_cpudesc(struct cursor *c, struct perfdata_info *info)
{
	replace_string(c, &info->cpudesc);
}

static void read_cpuid(struct cursor *c, struct perfdata_info *info)
{
	replace_string(c, &info->cpuid);
}

static void read_nrcpus(struct cursor *c, struct perfdata_info *info)
{
	info->nrcpus_available = cursor_u32(c);
	info->nrcpus_online = cursor_u32(c);
}

static void read_total_mem(struct cursor *c, struct perfdata_info *info)
{
	info->total_mem_kb = cursor_u64(c);
}

static void read_cmdline(struct cursor *c, struct perfdata_info *info)
{
	g_autoptr(GPtrArray) words = g_ptr_array_new();

	read_strings(c, words);
	g_ptr_array_add(words, NULL);
	g_strfreev(info->cmdline);
	info->cmdline = (char **)g_ptr_array_steal(words, NULL);
}

static void read_build_ids(struct cursor *c, struct perfdata_info *info)
{
	g_ptr_array_set_size(info->build_ids, 0);
	while (cursor_left(c) && !c->failed) {
		struct perf_event_header header;
		struct info_build_id *entry;
		struct cursor body;
		const char *name;
		u8 id[24];
		u32 pid;

		cursor_read(c, &header, sizeof(header));
		if (header.size < sizeof(header)) {
			c->failed = true;
			return;
		}
		body = cursor_of(c->pos, header.size - sizeof(header));
		if (!cursor_bytes(c, header.size - sizeof(header)))
			return;
		pid = cursor_u32(&body);
		cursor_read(&body, id, sizeof(id));
		if (body.failed) {
			c->failed = true;
			return;
		}
		entry = info_add_build_id_entry(info, pid, header.misc);
		entry->size = header.misc & PERF_MISC_BUILD_ID_SIZE ? MIN(id[20], 20) : 20;
		memcpy(entry->build_id, id, sizeof(entry->build_id));
		name = cursor_left(&body) ? (const char *)body.pos : "";
		entry->filename = g_strndup(name, cursor_left(&body));
	}
}

static void read_event_desc(struct cursor *c, struct perfdata_info *info)
{
	u32 nr = cursor_u32(c);
	u32 attr_size = cursor_u32(c);

	g_ptr_array_set_size(info->events, 0);
	for (u32 i = 0; i < nr && !c->failed; i++) {
		struct evsel *evsel = evsel_new();
		const void *attr = cursor_bytes(c, attr_size);
		u32 nr_ids = cursor_u32(c);
		const void *ids;

		evsel->idx = evsel->leader = i;
		evsel->name = read_string(c);
		ids = cursor_bytes(c, (u64)nr_ids * sizeof(u64));
		if (c->failed || !evsel_set_attr_bytes(evsel, attr, attr_size)) {
			c->failed = true;
			evsel_free(evsel);
			return;
		}
		evsel->ids = g_memdup2(ids, nr_ids * sizeof(u64));
		evsel->nr_ids = nr_ids;
		g_ptr_array_add(info->events, evsel);
	}
}

/* One entry per available CPU. perf before 4.x did not write them. Dies exist since 5.3. */
static void read_cpu_topology(struct cursor *c, struct perfdata_info *info)
{
	read_strings(c, info->core_siblings);
	read_strings(c, info->thread_siblings);
	g_array_set_size(info->cpus, 0);
	info->has_dies = false;
	if (!cursor_left(c) || info->nrcpus_available > cursor_left(c) / 8)
		return;
	g_array_set_size(info->cpus, info->nrcpus_available);
	for (u32 i = 0; i < info->cpus->len; i++) {
		g_array_index(info->cpus, struct info_cpu, i).core = cursor_u32(c);
		g_array_index(info->cpus, struct info_cpu, i).socket = cursor_u32(c);
	}
	if (!cursor_left(c))
		return;
	read_strings(c, info->die_siblings);
	for (u32 i = 0; i < info->cpus->len; i++)
		g_array_index(info->cpus, struct info_cpu, i).die = cursor_u32(c);
	info->has_dies = !c->failed;
}

static void read_numa(struct cursor *c, struct perfdata_info *info)
{
	u32 nr = cursor_u32(c);

	g_ptr_array_set_size(info->numa, 0);
	for (u32 i = 0; i < nr && !c->failed; i++) {
		struct info_numa_node *node = g_new0(struct info_numa_node, 1);

		node->node = cursor_u32(c);
		node->total_kb = cursor_u64(c);
		node->free_kb = cursor_u64(c);
		node->cpus = read_string(c);
		g_ptr_array_add(info->numa, node);
	}
}

static void read_pmus(struct cursor *c, struct perfdata_info *info)
{
	u32 nr = cursor_u32(c);

	g_ptr_array_set_size(info->pmus, 0);
	for (u32 i = 0; i < nr && !c->failed; i++) {
		struct info_pmu *pmu = g_new0(struct info_pmu, 1);

		pmu->type = cursor_u32(c);
		pmu->name = read_string(c);
		g_ptr_array_add(info->pmus, pmu);
	}
}

static void read_groups(struct cursor *c, struct perfdata_info *info)
{
	u32 nr = cursor_u32(c);

	g_ptr_array_set_size(info->groups, 0);
	for (u32 i = 0; i < nr && !c->failed; i++) {
		struct info_group *group = g_new0(struct info_group, 1);

		group->name = read_string(c);
		group->leader = cursor_u32(c);
		group->nr_members = cursor_u32(c);
		g_ptr_array_add(info->groups, group);
	}
}

static void read_caches(struct cursor *c, struct perfdata_info *info)
{
	u32 version = cursor_u32(c);
	u32 nr = cursor_u32(c);

	g_ptr_array_set_size(info->caches, 0);
	for (u32 i = 0; version == 1 && i < nr && !c->failed; i++) {
		struct info_cache *cache = g_new0(struct info_cache, 1);

		cache->level = cursor_u32(c);
		cache->line_size = cursor_u32(c);
		cache->sets = cursor_u32(c);
		cache->ways = cursor_u32(c);
		cache->type = read_string(c);
		cache->size = read_string(c);
		cache->map = read_string(c);
		g_ptr_array_add(info->caches, cache);
	}
}

static void read_sample_time(struct cursor *c, struct perfdata_info *info)
{
	info->first_sample_time = cursor_u64(c);
	info->last_sample_time = cursor_u64(c);
}

static bool read_mem_node(struct cursor *c, struct info_mem_node *node)
{
	const u64 *words;
	u64 bits, nr_words;

	node->node = cursor_u64(c);
	node->nr_blocks = cursor_u64(c);
	bits = cursor_u64(c);
	nr_words = bits / 64 + (bits % 64 != 0);
	if (nr_words > cursor_left(c) / sizeof(u64))
		return false;
	words = cursor_bytes(c, nr_words * sizeof(u64));
	if (c->failed)
		return false;
	node->nr_blocks = bits;
	node->bitmap = g_memdup2(words, nr_words * sizeof(u64));
	for (u64 i = 0; i < nr_words; i++)
		node->nr_set += (u64)__builtin_popcountll(node->bitmap[i]);
	return true;
}

static void read_mem_topology(struct cursor *c, struct perfdata_info *info)
{
	u64 version = cursor_u64(c);
	u64 nr;

	info->mem_block_size = cursor_u64(c);
	nr = cursor_u64(c);
	g_ptr_array_set_size(info->mem_nodes, 0);
	for (u64 i = 0; version == 1 && i < nr && !c->failed; i++) {
		struct info_mem_node *node = g_new0(struct info_mem_node, 1);

		g_ptr_array_add(info->mem_nodes, node);
		if (!read_mem_node(c, node))
			c->failed = true;
	}
}

static void read_clockid(struct cursor *c, struct perfdata_info *info)
{
	info->clockid_res_ns = cursor_u64(c);
}

static void read_dir_format(struct cursor *c, struct perfdata_info *info)
{
	info->dir_version = cursor_u64(c);
}

static void read_compressed(struct cursor *c, struct perfdata_info *info)
{
	info->comp_version = cursor_u32(c);
	info->comp_type = cursor_u32(c);
	info->comp_level = cursor_u32(c);
	info->comp_ratio = cursor_u32(c);
	info->comp_mmap_len = cursor_u32(c);
}

static struct info_caps *read_caps(struct cursor *c)
{
	struct info_caps *caps = g_new0(struct info_caps, 1);
	u32 nr = cursor_u32(c);

	caps->caps = g_ptr_array_new_with_free_func(g_free);
	for (u32 i = 0; i < nr && !c->failed; i++) {
		g_autofree char *name = read_string(c);
		g_autofree char *value = read_string(c);

		g_ptr_array_add(caps->caps, g_strdup_printf("%s=%s", name, value));
	}
	return caps;
}

/* The CPU's own PMU. If a file has both features, they are equal. */
static void read_cpu_pmu_caps(struct cursor *c, struct perfdata_info *info)
{
	struct info_caps *caps = read_caps(c);

	caps->pmu = g_strdup("");
	g_ptr_array_add(info->caps, caps);
}

static void read_pmu_caps(struct cursor *c, struct perfdata_info *info)
{
	u32 nr = cursor_u32(c);

	for (u32 i = 0; i < nr && !c->failed; i++) {
		struct info_caps *caps = read_caps(c);

		caps->pmu = read_string(c);
		g_ptr_array_add(info->caps, caps);
	}
}

static void read_clock_data(struct cursor *c, struct perfdata_info *info)
{
	cursor_u32(c); /* version 1 */
	info->clock_data_clockid = cursor_u32(c);
	info->clock_data_wall_ns = cursor_u64(c);
	info->clock_data_clock_ns = cursor_u64(c);
}

static void read_hybrid(struct cursor *c, struct perfdata_info *info)
{
	u32 nr = cursor_u32(c);

	g_ptr_array_set_size(info->hybrid, 0);
	for (u32 i = 0; i < nr && !c->failed; i++) {
		struct info_hybrid *hybrid = g_new0(struct info_hybrid, 1);

		hybrid->pmu = read_string(c);
		hybrid->cpus = read_string(c);
		g_ptr_array_add(info->hybrid, hybrid);
	}
}

static void read_cpu_domains(struct cursor *c, struct perfdata_info *info)
{
	info->schedstat_version = cursor_u32(c);
	cursor_u32(c); /* the largest number of domains */
	g_ptr_array_set_size(info->cpu_domains, 0);
	while (cursor_left(c) >= 8 && !c->failed) {
		struct info_cpu_domains *cpu = g_new0(struct info_cpu_domains, 1);
		u32 nr;

		cpu->cpu = cursor_u32(c);
		nr = cursor_u32(c);
		cpu->domains = g_ptr_array_new_with_free_func(info_domain_free);
		g_ptr_array_add(info->cpu_domains, cpu);
		for (u32 i = 0; i < nr && !c->failed; i++) {
			struct info_domain *domain = g_new0(struct info_domain, 1);

			domain->domain = cursor_u32(c);
			domain->name = info->schedstat_version >= 17 ? read_string(c) : NULL;
			domain->cpumask = read_string(c);
			domain->cpulist = read_string(c);
			g_ptr_array_add(cpu->domains, domain);
		}
	}
}

static void read_e_machine(struct cursor *c, struct perfdata_info *info)
{
	info->e_machine = cursor_u32(c);
	info->e_flags = cursor_u32(c);
}

static void read_cln_size(struct cursor *c, struct perfdata_info *info)
{
	info->cache_line_size = cursor_u32(c);
}

/* Features without a read function are flags, or blobs that are used raw. */
static const struct {
	void (*read)(struct cursor *c, struct perfdata_info *info);
	const char *part;
} readers[FEAT_UPSTREAM_LAST] = {
	[FEAT_BUILD_ID] = { read_build_ids, "an entry of build-id and file name" },
	[FEAT_HOSTNAME] = { read_hostname, "a string" },
	[FEAT_OSRELEASE] = { read_osrelease, "a string" },
	[FEAT_VERSION] = { read_version, "a string" },
	[FEAT_ARCH] = { read_arch, "a string" },
	[FEAT_NRCPUS] = { read_nrcpus, "two numbers" },
	[FEAT_CPUDESC] = { read_cpudesc, "a string" },
	[FEAT_CPUID] = { read_cpuid, "a string" },
	[FEAT_TOTAL_MEM] = { read_total_mem, "a number" },
	[FEAT_CMDLINE] = { read_cmdline, "the words of a command line" },
	[FEAT_EVENT_DESC] = { read_event_desc, "an event's attr, name and ids" },
	[FEAT_CPU_TOPOLOGY] = { read_cpu_topology, "a list of CPUs" },
	[FEAT_NUMA_TOPOLOGY] = { read_numa, "a NUMA node" },
	[FEAT_PMU_MAPPINGS] = { read_pmus, "a PMU's type and name" },
	[FEAT_GROUP_DESC] = { read_groups, "an event group" },
	[FEAT_CACHE] = { read_caches, "a cache" },
	[FEAT_SAMPLE_TIME] = { read_sample_time, "two times" },
	[FEAT_MEM_TOPOLOGY] = { read_mem_topology, "a memory node" },
	[FEAT_CLOCKID] = { read_clockid, "a resolution" },
	[FEAT_DIR_FORMAT] = { read_dir_format, "a version" },
	[FEAT_BPF_PROG_INFO] = { bpf_info_read_progs, "a BPF program" },
	[FEAT_BPF_BTF] = { bpf_info_read_btfs, "a BPF type table" },
	[FEAT_COMPRESSED] = { read_compressed, "five numbers" },
	[FEAT_CPU_PMU_CAPS] = { read_cpu_pmu_caps, "a capability" },
	[FEAT_CLOCK_DATA] = { read_clock_data, "a pair of times" },
	[FEAT_HYBRID_TOPOLOGY] = { read_hybrid, "a PMU and its CPUs" },
	[FEAT_PMU_CAPS] = { read_pmu_caps, "a PMU's capabilities" },
	[FEAT_CPU_DOMAIN_INFO] = { read_cpu_domains, "a scheduling domain" },
	[FEAT_E_MACHINE] = { read_e_machine, "a machine" },
	[FEAT_CLN_SIZE] = { read_cln_size, "a number" },
};

bool feature_read(struct perfdata_info *info, u32 feat, GBytes *bytes, const char **part)
{
	gsize size;
	const void *data = g_bytes_get_data(bytes, &size);
	struct cursor c = cursor_of(size ? data : "", size);

	if (info->raw[feat])
		g_bytes_unref(info->raw[feat]);
	info->raw[feat] = g_bytes_ref(bytes);
	perfdata_info_set(info, feat);
	if (feat == FEAT_TRACING_DATA) {
		g_clear_pointer(&info->tracing_data, g_bytes_unref);
		info->tracing_data = g_bytes_ref(bytes);
	}
	if (feat >= ARRAY_SIZE(readers) || !readers[feat].read)
		return true;
	readers[feat].read(&c, info);
	*part = readers[feat].part;
	return !c.failed;
}

bool notes_read(struct perfdata_info *info, const void *data, u64 size)
{
	struct cursor c = cursor_of(data, size);
	u32 nr = cursor_u32(&c);

	g_ptr_array_set_size(info->notes, 0);
	for (u32 i = 0; i < nr && !c.failed; i++) {
		const char *key = cursor_string(&c);
		const char *value = cursor_string(&c);

		if (value)
			perfdata_info_add_note(info, key, value);
	}
	return !c.failed;
}
