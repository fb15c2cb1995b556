// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "activity/process.h"
#include "activity/record.h"
#include "base/error.h"
#include "base/types.h"
#include "forge.h"
#include "perfdata/write/encode.h"
#include "perfdata/names.h"
#include "perfdata/write/writer.h"
#include "publish.h"

struct forge {
	struct perfdata_options options;
	bool unfinished;
	struct perfdata_info *info;
	GPtrArray *evsels;
	GArray *defaulted; /* bool per event: sample_type was not given */
	bool events_done;
	GByteArray *records;
	GPtrArray *damage; /* struct line *, applied at the end */
};

/* One line: its word and its pairs; `words` holds what has no '='. */
struct line {
	char **argv; /* owns all texts; each '=' is an end */
	const char *word;
	GHashTable *pairs;
	GPtrArray *words;
	GPtrArray *scratch; /* decoded values, freed with the line */
	GError *error;	    /* the first value that could not be read */
};

static void line_free(struct line *line)
{
	g_hash_table_unref(line->pairs);
	g_ptr_array_unref(line->words);
	g_ptr_array_unref(line->scratch);
	g_strfreev(line->argv);
	g_clear_error(&line->error);
	g_free(line);
}

/* The words of a line, as a shell has them. Nearly all lines have nothing quoted, and may have a hundred thousand like them. */
static char **words_of(const char *text, GError **error)
{
	GPtrArray *words;
	char **argv = NULL;

	if (strpbrk(text, "'\"\\#") || !text[strspn(text, " \t\n")]) {
		g_shell_parse_argv(text, NULL, &argv, error);
		return argv;
	}
	words = g_ptr_array_new();
	for (text += strspn(text, " \t\n"); *text; text += strspn(text, " \t\n")) {
		size_t len = strcspn(text, " \t\n");

		g_ptr_array_add(words, g_strndup(text, len));
		text += len;
	}
	g_ptr_array_add(words, NULL);
	return (char **)g_ptr_array_free(words, FALSE);
}

static struct line *line_parse(const char *text, GError **error)
{
	char **argv = words_of(text, error);
	struct line *line;

	if (!argv)
		return NULL;
	line = g_new0(struct line, 1);
	line->argv = argv;
	line->word = argv[0];
	line->pairs = g_hash_table_new(g_str_hash, g_str_equal);
	line->words = g_ptr_array_new();
	line->scratch = g_ptr_array_new_with_free_func(g_free);
	for (u32 i = 1; argv[i]; i++) {
		char *eq = strchr(argv[i], '=');

		if (eq) {
			*eq = 0;
			g_hash_table_insert(line->pairs, argv[i], eq + 1);
		} else {
			g_ptr_array_add(line->words, argv[i]);
		}
	}
	return line;
}

static const char *text_of(struct line *line, const char *key)
{
	return g_hash_table_lookup(line->pairs, key);
}

static bool has_word(const struct line *line, const char *word)
{
	return g_ptr_array_find_with_equal_func(line->words, word, g_str_equal, NULL);
}

static void bad_value(struct line *line, const char *key, const char *what)
{
	if (!line->error)
		error_set(&line->error, PERF_ERROR_USAGE, "%s: expected %s", key, what);
}

static u64 parse_number(struct line *line, const char *key, const char *text)
{
	char *end;
	u64 value;

	errno = 0;
	value = *text == '-' ? (u64)strtoll(text, &end, 0) : strtoull(text, &end, 0);
	if (errno || end == text || *end)
		bad_value(line, key, "a number");
	return value;
}

static u64 number_or(struct line *line, const char *key, u64 otherwise)
{
	const char *text = text_of(line, key);

	return text ? parse_number(line, key, text) : otherwise;
}

static u64 number_of(struct line *line, const char *key)
{
	return number_or(line, key, 0);
}

static u64 bits_or(struct line *line, const char *key, const struct bit_name *names, u64 otherwise)
{
	const char *text = text_of(line, key);
	u64 bits;

	if (!text)
		return otherwise;
	if (!bit_names_parse(names, text, &bits))
		bad_value(line, key, "known names joined by '|'");
	return bits;
}

/* Hexadecimal digits, or "text:abc". */
static const u8 *bytes_of(struct line *line, const char *key, u64 *size)
{
	const char *text = text_of(line, key);
	GByteArray *bytes = g_byte_array_new();
	int high = -1;

	if (text && g_str_has_prefix(text, "text:")) {
		g_byte_array_append(bytes, (const u8 *)text + 5, (guint)strlen(text + 5));
		text = NULL;
	}
	for (; text && *text; text++) {
		int digit = g_ascii_xdigit_value(*text);

		if (*text == ' ' || *text == '_')
			continue;
		if (digit < 0) {
			bad_value(line, key, "hexadecimal bytes");
			break;
		}
		if (high < 0) {
			high = digit;
		} else {
			u8 byte = (u8)(high << 4 | digit);

			g_byte_array_append(bytes, &byte, 1);
			high = -1;
		}
	}
	if (high >= 0)
		bad_value(line, key, "an even number of hexadecimal digits");
	*size = bytes->len;
	g_ptr_array_add(line->scratch, bytes->data);
	return g_byte_array_free(bytes, false);
}

/* "a,b,c" -> numbers; the names of call chain contexts are numbers too. */
static const u64 *list_of(struct line *line, const char *key, u64 *nr)
{
	static const struct bit_name contexts[] = {
		{ PERF_CONTEXT_HV, "hv" },
		{ PERF_CONTEXT_KERNEL, "kernel" },
		{ PERF_CONTEXT_USER, "user" },
		{ PERF_CONTEXT_GUEST, "guest" },
		{ PERF_CONTEXT_GUEST_KERNEL, "guest_kernel" },
		{ PERF_CONTEXT_GUEST_USER, "guest_user" },
		{ PERF_CONTEXT_USER_DEFERRED, "user_deferred" },
	};
	const char *text = text_of(line, key);
	g_auto(GStrv) parts = g_strsplit(text ? text : "", ",", -1);
	u64 *list = g_new0(u64, g_strv_length(parts) + 1);

	g_ptr_array_add(line->scratch, list);
	for (*nr = 0; parts[*nr]; ++*nr) {
		bool named = false;

		for (size_t i = 0; i < ARRAY_SIZE(contexts) && !named; i++) {
			named = strcmp(parts[*nr], contexts[i].name) == 0;
			if (named)
				list[*nr] = contexts[i].bit;
		}
		if (!named)
			list[*nr] = parse_number(line, key, parts[*nr]);
	}
	return list;
}

/* "a:b:c,d:e:f" -> rows of @width numbers; what a row leaves out is 0. */
static const u64 *rows_of(struct line *line, const char *key, u32 width, u64 *nr)
{
	const char *text = text_of(line, key);
	g_auto(GStrv) rows = g_strsplit(text ? text : "", ",", -1);
	u64 *list = g_new0(u64, ((gsize)g_strv_length(rows) + 1) * width);

	g_ptr_array_add(line->scratch, list);
	for (*nr = 0; rows[*nr]; ++*nr) {
		g_auto(GStrv) cells = g_strsplit(rows[*nr], ":", (gint)width);

		for (u32 i = 0; cells[i]; i++)
			list[*nr * width + i] = parse_number(line, key, cells[i]);
	}
	return list;
}

static u32 type_number(struct line *line)
{
	static const char *const types[] = { "hardware", "software", "tracepoint",
					     "hw_cache", "raw",	     "breakpoint" };
	const char *text = text_of(line, "type");

	if (!text)
		return PERF_TYPE_SOFTWARE;
	for (u32 i = 0; i < ARRAY_SIZE(types); i++) {
		if (strcmp(types[i], text) == 0)
			return i;
	}
	return (u32)parse_number(line, "type", text);
}

static void fill_attr(struct line *line, struct evsel *evsel)
{
	struct perf_event_attr *attr = &evsel->attr;
	u64 flags = bits_or(line, "flags", attr_flag_names, 1ULL << 18 /* sample_id_all */);

	memcpy((u8 *)&attr->read_format + sizeof(attr->read_format), &flags, sizeof(flags));
	attr->type = type_number(line);
	attr->config = number_of(line, "config");
	attr->config1 = number_of(line, "config1");
	attr->config2 = number_of(line, "config2");
	evsel->config3 = number_of(line, "config3");
	attr->sample_period = number_or(line, "freq", number_or(line, "period", 1));
	attr->freq = text_of(line, "freq") != NULL;
	attr->sample_type =
		bits_or(line, "sample_type", sample_type_names,
			PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_PERIOD);
	attr->read_format = bits_or(line, "read_format", read_format_names, PERF_FORMAT_ID);
	attr->precise_ip = number_of(line, "precise") & 3;
	attr->branch_sample_type = bits_or(line, "branch_type", branch_type_names, 0);
	attr->sample_regs_user = number_of(line, "regs_user");
	attr->sample_regs_intr = number_of(line, "regs_intr");
	attr->sample_stack_user = (u32)number_of(line, "stack_user");
	evsel->sample_tls_user = (u16)number_of(line, "tls_user");
	attr->bp_type = (u32)number_of(line, "bp_type");
	attr->clockid = (s32)number_of(line, "clockid");
	if (text_of(line, "clockid"))
		attr->use_clockid = 1;
}

static bool add_event(struct forge *forge, struct line *line)
{
	struct evsel *evsel = evsel_new();
	const char *group = text_of(line, "group");
	const char *scale = text_of(line, "scale");
	bool defaulted;
	u64 nr;

	evsel->idx = evsel->leader = forge->evsels->len;
	evsel->name = g_strdup(line->words->len ? g_ptr_array_index(line->words, 0) : "cpu-clock");
	evsel->unit = g_strdup(text_of(line, "unit"));
	if (scale)
		evsel->scale = g_ascii_strtod(scale, NULL);
	fill_attr(line, evsel);
	if (text_of(line, "ids")) {
		const u64 *ids = list_of(line, "ids", &nr);

		evsel->nr_ids = (u32)nr;
		evsel->ids = g_memdup2(ids, nr * sizeof(u64));
	} else {
		evsel->nr_ids = 1;
		evsel->ids = g_new(u64, 1);
		evsel->ids[0] = 101 + evsel->idx;
	}
	g_ptr_array_add(forge->evsels, evsel);
	if (group) {
		u64 leader = parse_number(line, "group", group);

		if (leader >= forge->evsels->len) {
			bad_value(line, "group", "the number of an event before this one");
			return false;
		}
		evsel->leader = (u32)leader;
		((struct evsel *)g_ptr_array_index(forge->evsels, leader))->nr_members++;
	}
	defaulted = !text_of(line, "sample_type");
	g_array_append_val(forge->defaulted, defaulted);
	return true;
}

/* Several events can be told apart only by an id. */
static void finish_events(struct forge *forge)
{
	for (u32 i = 0; !forge->events_done && forge->evsels->len > 1 && i < forge->evsels->len;
	     i++) {
		struct evsel *evsel = g_ptr_array_index(forge->evsels, i);

		if (g_array_index(forge->defaulted, bool, i))
			evsel->attr.sample_type |= PERF_SAMPLE_IDENTIFIER;
	}
	forge->events_done = true;
}

static void set_text(struct perfdata_info *info, struct line *line, const char *key, u32 feat,
		     char **where)
{
	if (!text_of(line, key))
		return;
	g_free(*where);
	*where = g_strdup(text_of(line, key));
	perfdata_info_set(info, feat);
}

/* The socket of each CPU. */
static void set_sockets(struct perfdata_info *info, struct line *line)
{
	u64 nr;
	const u64 *sockets = list_of(line, "sockets", &nr);

	info->nrcpus_available = info->nrcpus_online = (u32)nr;
	for (u32 i = 0; i < nr; i++) {
		struct info_cpu cpu = { .core = i, .socket = (u32)sockets[i] };

		g_array_append_val(info->cpus, cpu);
	}
	perfdata_info_set(info, FEAT_NRCPUS);
	perfdata_info_set(info, FEAT_CPU_TOPOLOGY);
}

/* The blocks of each node. */
static void set_memory(struct perfdata_info *info, struct line *line)
{
	u64 nr;
	const u64 *rows = rows_of(line, "mem_nodes", 3, &nr);

	info->mem_block_size = number_of(line, "mem_block");
	for (u64 i = 0; i < nr; i++, rows += 3) {
		struct info_mem_node *node = g_new0(struct info_mem_node, 1);
		u64 to = MIN(rows[2], 4095);

		node->node = rows[0];
		node->nr_blocks = to + 1;
		node->bitmap = g_new0(u64, to / 64 + 1);
		for (u64 block = rows[1]; block <= to; block++)
			node->bitmap[block / 64] |= 1ULL << (block & 63);
		g_ptr_array_add(info->mem_nodes, node);
	}
	perfdata_info_set(info, FEAT_MEM_TOPOLOGY);
}

/* The CPUs of each node. */
static void set_numa(struct perfdata_info *info, struct line *line)
{
	u64 nr;
	const u64 *rows = rows_of(line, "numa", 3, &nr);

	for (u64 i = 0; i < nr; i++, rows += 3) {
		struct info_numa_node *node = g_new0(struct info_numa_node, 1);

		node->node = (u32)rows[0];
		node->cpus = g_strdup_printf("%u-%u", (u32)rows[1], (u32)rows[2]);
		g_ptr_array_add(info->numa, node);
	}
	perfdata_info_set(info, FEAT_NUMA_TOPOLOGY);
}

static void set_info(struct perfdata_info *info, struct line *line)
{
	const char *cmdline = text_of(line, "cmdline");

	set_text(info, line, "hostname", FEAT_HOSTNAME, &info->hostname);
	set_text(info, line, "osrelease", FEAT_OSRELEASE, &info->osrelease);
	set_text(info, line, "version", FEAT_VERSION, &info->version);
	set_text(info, line, "arch", FEAT_ARCH, &info->arch);
	set_text(info, line, "cpudesc", FEAT_CPUDESC, &info->cpudesc);
	set_text(info, line, "cpuid", FEAT_CPUID, &info->cpuid);
	if (cmdline) {
		g_auto(GStrv) words = g_strsplit(cmdline, " ", -1);

		perfdata_info_set_cmdline(info, (int)g_strv_length(words), words);
	}
	if (text_of(line, "nrcpus")) {
		info->nrcpus_available = info->nrcpus_online = (u32)number_of(line, "nrcpus");
		perfdata_info_set(info, FEAT_NRCPUS);
	}
	if (text_of(line, "sockets"))
		set_sockets(info, line);
	if (text_of(line, "total_mem")) {
		info->total_mem_kb = number_of(line, "total_mem");
		perfdata_info_set(info, FEAT_TOTAL_MEM);
	}
	if (text_of(line, "mem_nodes"))
		set_memory(info, line);
	if (text_of(line, "numa"))
		set_numa(info, line);
	if (text_of(line, "first_time")) {
		info->first_sample_time = number_of(line, "first_time");
		info->last_sample_time = number_of(line, "last_time");
		perfdata_info_set(info, FEAT_SAMPLE_TIME);
	}
	if (text_of(line, "cacheline")) {
		info->cache_line_size = (u32)number_of(line, "cacheline");
		perfdata_info_set(info, FEAT_CLN_SIZE);
	}
	if (text_of(line, "wall")) {
		info->clock_data_clockid = CLOCK_MONOTONIC;
		info->clock_data_wall_ns = number_of(line, "wall");
		info->clock_data_clock_ns = number_of(line, "clock");
		perfdata_info_set(info, FEAT_CLOCK_DATA);
	}
	if (text_of(line, "clockid_res")) {
		info->clockid_res_ns = number_of(line, "clockid_res");
		perfdata_info_set(info, FEAT_CLOCKID);
	}
}

static void add_notes(struct perfdata_info *info, struct line *line)
{
	g_autoptr(GList)
		keys = g_list_sort(g_hash_table_get_keys(line->pairs), (GCompareFunc)strcmp);

	for (GList *key = keys; key; key = key->next)
		perfdata_info_add_note(info, key->data, text_of(line, key->data));
}

static u16 misc_of(struct line *line)
{
	static const struct bit_name names[] = {
		{ PERF_RECORD_MISC_KERNEL, "kernel" },
		{ PERF_RECORD_MISC_USER, "user" },
		{ PERF_RECORD_MISC_HYPERVISOR, "hypervisor" },
		{ PERF_RECORD_MISC_GUEST_KERNEL, "guest_kernel" },
		{ PERF_RECORD_MISC_GUEST_USER, "guest_user" },
		{ 1 << 13, "exec" },
		{ 1 << 13, "data" },
		{ 1 << 13, "out" },
		{ 1 << 14, "preempt" },
		{ 1 << 14, "build_id" },
		{ 0, NULL },
	};

	return (u16)bits_or(line, "misc", names, 0);
}

static void add_build_id(struct perfdata_info *info, struct line *line)
{
	const char *file = text_of(line, "file");
	u64 size;
	const u8 *id = bytes_of(line, "id", &size);

	perfdata_info_add_build_id(info, (u32)number_or(line, "pid", EVENT_NO_PID), misc_of(line),
				   id, (u8)MIN(size, 20), file ? file : "");
}

/* What of struct event a key sets. */
enum field_kind {
	FIELD_U16,
	FIELD_U32,
	FIELD_U64,
	FIELD_TEXT,
	FIELD_BYTES, /* a pointer, and a u64 size at `size` */
};

struct field {
	const char *key;
	enum field_kind kind;
	size_t at, size;
	const char *otherwise; /* a key whose value holds where this one is not given */
};

#define U16(key, member)                                                                           \
	{                                                                                          \
		key, FIELD_U16, offsetof(struct event, member), 0, NULL                            \
	}
#define U32(key, member)                                                                           \
	{                                                                                          \
		key, FIELD_U32, offsetof(struct event, member), 0, NULL                            \
	}
#define U32_OR(key, member, other)                                                                 \
	{                                                                                          \
		key, FIELD_U32, offsetof(struct event, member), 0, other                           \
	}
#define U64(key, member)                                                                           \
	{                                                                                          \
		key, FIELD_U64, offsetof(struct event, member), 0, NULL                            \
	}
#define TEXT(key, member)                                                                          \
	{                                                                                          \
		key, FIELD_TEXT, offsetof(struct event, member), 0, NULL                           \
	}
#define BYTES(key, member, length)                                                                 \
	{                                                                                          \
		key, FIELD_BYTES, offsetof(struct event, member), offsetof(struct event, length),  \
			NULL                                                                       \
	}

static const struct field comm_fields[] = {
	U32("pid", comm.pid),
	U32_OR("tid", comm.tid, "pid"),
	TEXT("text", comm.text),
	{ 0 },
};

static const struct field mmap_fields[] = {
	U32("pid", mmap.pid),
	U32_OR("tid", mmap.tid, "pid"),
	U64("start", mmap.start),
	U64("len", mmap.len),
	U64("pgoff", mmap.pgoff),
	U32("prot", mmap.prot),
	U32("flags", mmap.flags),
	U32("maj", mmap.maj),
	U32("min", mmap.min),
	U64("ino", mmap.ino),
	U64("gen", mmap.ino_generation),
	TEXT("file", mmap.filename),
	{ 0 },
};

static const struct field task_fields[] = {
	U32("pid", task.pid),		U32("ppid", task.ppid),
	U32_OR("tid", task.tid, "pid"), U32_OR("ptid", task.ptid, "ppid"),
	U64("time", task.time),		{ 0 },
};

static const struct field lost_fields[] = { U64("id", lost.id), U64("lost", lost.lost), { 0 } };

static const struct field throttle_fields[] = {
	U64("time", throttle.time),
	U64("id", throttle.id),
	U64("stream_id", throttle.stream_id),
	{ 0 },
};

static const struct field switch_fields[] = { U32("other_pid", sw.other_pid),
					      U32("other_tid", sw.other_tid),
					      { 0 } };

static const struct field namespaces_fields[] = { U32("pid", namespaces.pid),
						  U32_OR("tid", namespaces.tid, "pid"),
						  { 0 } };

static const struct field cgroup_fields[] = { U64("cgid", cgroup.id),
					      TEXT("path", cgroup.path),
					      { 0 } };

static const struct field ksymbol_fields[] = {
	U64("addr", ksymbol.addr),    U32("len", ksymbol.len),	  U16("type", ksymbol.type),
	U16("kflags", ksymbol.flags), TEXT("name", ksymbol.name), { 0 },
};

static const struct field bpf_fields[] = {
	U16("type", bpf.type), U16("bflags", bpf.flags), U32("bid", bpf.id), { 0 }
};

static const struct field text_poke_fields[] = { U64("addr", text_poke.addr), { 0 } };

static const struct field aux_fields[] = {
	U64("offset", aux.offset), U64("size", aux.size), U64("aflags", aux.flags), { 0 }
};

static const struct field itrace_fields[] = { U32("pid", itrace_start.pid),
					      U32_OR("tid", itrace_start.tid, "pid"),
					      { 0 } };

static const struct field read_fields[] = {
	U32("pid", read.pid),
	U32_OR("tid", read.tid, "pid"),
	U64("value", read.value.one.value),
	U64("id", read.value.one.id),
	U64("lost", read.value.one.lost),
	U64("enabled", read.value.time_enabled),
	U64("running", read.value.time_running),
	{ 0 },
};

static const struct field deferred_fields[] = {
	U64("cookie", deferred.cookie),
	{ 0 },
};

static const struct field sample_fields[] = {
	U64("ip", sample.ip),
	U32("pid", sample.pid),
	U32_OR("tid", sample.tid, "pid"),
	U32("cpu", sample.cpu),
	U64("time", sample.time),
	U64("addr", sample.addr),
	U64("stream_id", sample.stream_id),
	U64("weight", sample.weight),
	U16("ins_lat", sample.ins_lat),
	U16("p_stage_cyc", sample.p_stage_cyc),
	U64("data_src", sample.data_src),
	U64("transaction", sample.transaction),
	U64("phys_addr", sample.phys_addr),
	U64("cgroup", sample.cgroup),
	U64("data_page_size", sample.data_page_size),
	U64("code_page_size", sample.code_page_size),
	U64("hw_idx", sample.hw_idx),
	U64("enabled", sample.read.time_enabled),
	U64("running", sample.read.time_running),
	BYTES("stack", sample.user_stack.data, sample.user_stack.size),
	BYTES("tls", sample.tls.data, sample.tls.size),
	BYTES("aux", sample.aux.data, sample.aux.size),
	{ 0 },
};

static const struct field layout_fields[] = {
	U32("pid", ext.tls_layout.pid),
	U32("state", ext.tls_layout.state),
	U64("at", ext.tls_layout.time),
	U64("tp_offset", ext.tls_layout.tp_offset),
	U32("size", ext.tls_layout.size),
	U32("kind", ext.tls_layout.kind),
	TEXT("layout", ext.tls_layout.layout),
	TEXT("symbol", ext.tls_layout.symbol),
	TEXT("object", ext.tls_layout.object),
	U32("publisher", ext.tls_layout.publisher),
	U32("where", ext.tls_layout.where),
	U32("mark", ext.tls_layout.mark),
	{ 0 },
};

static const struct field kernel_text_fields[] = {
	U64("va", ext.text.va),
	{ 0 },
};

static const struct field process_fields[] = {
	U32("pid", ext.process.pid),
	U32("form", ext.process.form),
	U64("at", ext.process.time),
	{ 0 },
};

static const struct field no_fields[] = { { 0 } };

static void set_field(struct line *line, const struct field *field, struct event *ev)
{
	void *at = (char *)ev + field->at;
	const char *key = text_of(line, field->key) ? field->key : field->otherwise;
	u64 number;
	u16 narrow;
	u32 word;

	if (!key || !text_of(line, key))
		return;
	if (field->kind == FIELD_TEXT) {
		*(const char **)at = text_of(line, key);
		return;
	}
	if (field->kind == FIELD_BYTES) {
		*(const void **)at = bytes_of(line, key, (u64 *)((char *)ev + field->size));
		return;
	}
	number = number_of(line, key);
	narrow = (u16)number;
	word = (u32)number;
	if (field->kind == FIELD_U16)
		memcpy(at, &narrow, sizeof(narrow));
	else if (field->kind == FIELD_U32)
		memcpy(at, &word, sizeof(word));
	else
		memcpy(at, &number, sizeof(number));
}

static void fill_mmap(struct line *line, const struct evsel *evsel, struct event *ev)
{
	struct event_mmap *m = &ev->mmap;
	u64 size;
	const u8 *id = bytes_of(line, "build_id", &size);

	if (!text_of(line, "prot"))
		m->prot = 5;
	if (!text_of(line, "flags"))
		m->flags = 2;
	if (!size)
		return;
	ev->misc |= PERF_RECORD_MISC_MMAP_BUILD_ID;
	m->build_id_size = (u8)MIN(size, sizeof(m->build_id));
	memcpy(m->build_id, id, m->build_id_size);
}

static void fill_namespaces(struct line *line, const struct evsel *evsel, struct event *ev)
{
	ev->namespaces.links = (const void *)rows_of(line, "links", 2, &ev->namespaces.nr);
}

static void fill_bpf(struct line *line, const struct evsel *evsel, struct event *ev)
{
	u8 *tag = g_malloc0(8);
	u64 size;
	const u8 *bytes = bytes_of(line, "tag", &size);

	memcpy(tag, bytes ? bytes : tag, MIN(size, 8));
	g_ptr_array_add(line->scratch, tag);
	ev->bpf.tag = tag;
}

static void fill_text_poke(struct line *line, const struct evsel *evsel, struct event *ev)
{
	u64 old_len, new_len;

	ev->text_poke.old_bytes = bytes_of(line, "old", &old_len);
	ev->text_poke.new_bytes = bytes_of(line, "new", &new_len);
	ev->text_poke.old_len = (u16)old_len;
	ev->text_poke.new_len = (u16)new_len;
}

/* A size with nothing but zeros behind the given bytes: what was asked for, and what was there. */
static void fill_room(struct line *line, const char *key, struct sample_bytes *bytes)
{
	u64 room = MIN(number_or(line, key, ALIGN_UP(bytes->size, (u64)8)), 60000);
	u8 *data = g_malloc0(room + 1);

	g_ptr_array_add(line->scratch, data);
	bytes->dyn_size = MIN(bytes->size, room);
	if (bytes->dyn_size)
		memcpy(data, bytes->data, bytes->dyn_size);
	bytes->data = data;
	bytes->size = room;
}

static void parse_id(struct line *line, const char *text, void *id, u32 size)
{
	u8 *at = id;

	for (u32 i = 0; i < 2 * size; i++) {
		int digit = g_ascii_xdigit_value(text[i]);

		if (digit < 0) {
			bad_value(line, "activity",
				  "trace:span[:parent:root] in hexadecimal digits");
			return;
		}
		at[i / 2] = (u8)(at[i / 2] << 4 | digit);
	}
}

/* activity=TRACE:SPAN[:PARENT:ROOT]: the window that libactivity's record makes at its end. */
static void fill_activity(struct line *line, struct sample_bytes *tls)
{
	const char *text = text_of(line, "activity");
	g_auto(GStrv) ids = text ? g_strsplit(text, ":", -1) : NULL;
	guint nr = ids ? g_strv_length(ids) : 0;
	struct activity_record *record;

	if (!text)
		return;
	if (nr != 2 && nr != 4) {
		bad_value(line, "activity", "trace:span[:parent:root]");
		return;
	}
	record = g_new0(struct activity_record, 1);
	g_ptr_array_add(line->scratch, record);
	parse_id(line, ids[0], record->trace, sizeof(record->trace));
	parse_id(line, ids[1], &record->span, sizeof(record->span));
	parse_id(line, ids[nr == 4 ? 3 : 1], &record->root, sizeof(record->root));
	if (nr == 4)
		parse_id(line, ids[2], &record->parent, sizeof(record->parent));
	record->tail = ACTIVITY_TAIL(ACTIVITY_RECORD_SET, 1, nr == 4 ? 3 : 1);
	tls->data = record;
	tls->size = sizeof(*record);
}

/* frame=... context=N: what a BPF program put in front of the window. */
static void fill_frame(struct line *line, struct sample_bytes *tls)
{
	const char *text = text_of(line, "frame");
	u8 context = (u8)number_or(line, "context", 0);
	GByteArray *bytes;

	if (!text && !context)
		return;
	bytes = g_byte_array_new();
	if (!publish_frame(text ?: "", context, bytes))
		bad_value(line, "frame", "PUBLISHER:FORMAT:HEX[:STATE[:CUT[:MISSING]]],..");
	if (tls->size)
		g_byte_array_append(bytes, tls->data, (guint)tls->size);
	tls->size = bytes->len;
	tls->data = bytes->data;
	g_ptr_array_add(line->scratch, g_byte_array_free(bytes, false));
}

static void fill_branches(struct line *line, struct sample *s)
{
	const u64 *rows = rows_of(line, "branches", 3, &s->nr_branches);

	s->branches = (const void *)rows;
}

static void fill_regs(struct line *line, const char *key, u64 mask, struct sample_regs *regs)
{
	u64 nr, want = (u64)__builtin_popcountll(mask);
	const u64 *list = list_of(line, key, &nr);

	if (!nr)
		return;
	if (nr != want) {
		bad_value(line, key, "as many registers as the event's mask has");
		return;
	}
	regs->abi = number_or(line, "abi", PERF_SAMPLE_REGS_ABI_64);
	regs->regs = list;
}

static void fill_read(struct line *line, u64 format, struct sample_read *read)
{
	u64 *packed, n = 0;
	const u64 *rows = rows_of(line, "read", 3, &read->nr);

	if (!(format & PERF_FORMAT_GROUP)) {
		read->one = (struct read_value){ rows[0], rows[1], rows[2] };
		return;
	}
	packed = g_new0(u64, read->nr * 3 + 1);
	g_ptr_array_add(line->scratch, packed);
	for (u64 i = 0; i < read->nr; i++) {
		packed[n++] = rows[i * 3];
		if (format & PERF_FORMAT_ID)
			packed[n++] = rows[i * 3 + 1];
		if (format & PERF_FORMAT_LOST)
			packed[n++] = rows[i * 3 + 2];
	}
	read->group = packed;
}

static void fill_sample(struct line *line, const struct evsel *evsel, struct event *ev)
{
	struct sample *s = &ev->sample;
	u64 raw_size;

	s->id = number_or(line, "id", evsel->nr_ids ? evsel->ids[0] : 0);
	s->period = number_or(line, "period", 1);
	s->ips = list_of(line, "chain", &s->nr_ips);
	s->raw = bytes_of(line, "raw", &raw_size);
	s->raw_size = (u32)raw_size;
	fill_room(line, "stack_size", &s->user_stack);
	fill_activity(line, &s->tls);
	fill_frame(line, &s->tls);
	fill_room(line, "tls_size", &s->tls);
	fill_branches(line, s);
	fill_regs(line, "uregs", evsel->attr.sample_regs_user, &s->user_regs);
	fill_regs(line, "iregs", evsel->attr.sample_regs_intr, &s->intr_regs);
	fill_read(line, evsel->attr.read_format, &s->read);
	if (!text_of(line, "misc"))
		ev->misc = PERF_RECORD_MISC_USER;
}

static void fill_deferred(struct line *line, const struct evsel *evsel, struct event *ev)
{
	ev->deferred.ips = list_of(line, "chain", &ev->deferred.nr);
}

static void fill_layout(struct line *line, const struct evsel *evsel, struct event *ev)
{
	ev->ext.kind = PERFDATA_EXT_TLS_LAYOUT;
	ev->ext.tls_layout.framed = has_word(line, "framed");
	ev->ext.tls_layout.fresh = has_word(line, "fresh");
}

static void fill_process(struct line *line, const struct evsel *evsel, struct event *ev)
{
	struct event_process_facts *p = &ev->ext.process;
	GByteArray *bytes = g_byte_array_new();
	u64 size;
	const u8 *data = bytes_of(line, "data", &size);

	ev->ext.kind = PERFDATA_EXT_PROCESS;
	if (text_of(line, "data"))
		g_byte_array_append(bytes, data, (guint)size);
	else if (p->form == ACTIVITY_PROCESS_OTEL)
		publish_otel(text_of(line, "attributes"), text_of(line, "keys"), bytes);
	else if (p->form == ACTIVITY_PROCESS_ELASTIC)
		publish_elastic(text_of(line, "service"), text_of(line, "environment"), bytes);
	p->size = bytes->len;
	p->data = bytes->data;
	g_ptr_array_add(line->scratch, g_byte_array_free(bytes, false));
}

static void fill_kernel_text(struct line *line, const struct evsel *evsel, struct event *ev)
{
	u64 size;

	ev->ext.kind = PERFDATA_EXT_KERNEL_TEXT;
	ev->ext.text.data = bytes_of(line, "data", &size);
	ev->ext.text.size = (u32)size;
}

static const struct record_kind {
	const char *word;
	u32 type;
	const struct field *fields;
	void (*fill)(struct line *line, const struct evsel *evsel, struct event *ev);
} record_kinds[] = {
	{ "comm", PERF_RECORD_COMM, comm_fields, NULL },
	{ "mmap", PERF_RECORD_MMAP, mmap_fields, NULL },
	{ "mmap2", PERF_RECORD_MMAP2, mmap_fields, fill_mmap },
	{ "fork", PERF_RECORD_FORK, task_fields, NULL },
	{ "exit", PERF_RECORD_EXIT, task_fields, NULL },
	{ "lost", PERF_RECORD_LOST, lost_fields, NULL },
	{ "lost_samples", PERF_RECORD_LOST_SAMPLES, lost_fields, NULL },
	{ "throttle", PERF_RECORD_THROTTLE, throttle_fields, NULL },
	{ "unthrottle", PERF_RECORD_UNTHROTTLE, throttle_fields, NULL },
	{ "switch", PERF_RECORD_SWITCH, no_fields, NULL },
	{ "switch_cpu_wide", PERF_RECORD_SWITCH_CPU_WIDE, switch_fields, NULL },
	{ "namespaces", PERF_RECORD_NAMESPACES, namespaces_fields, fill_namespaces },
	{ "cgroup", PERF_RECORD_CGROUP, cgroup_fields, NULL },
	{ "ksymbol", PERF_RECORD_KSYMBOL, ksymbol_fields, NULL },
	{ "bpf_event", PERF_RECORD_BPF_EVENT, bpf_fields, fill_bpf },
	{ "text_poke", PERF_RECORD_TEXT_POKE, text_poke_fields, fill_text_poke },
	{ "aux", PERF_RECORD_AUX, aux_fields, NULL },
	{ "itrace_start", PERF_RECORD_ITRACE_START, itrace_fields, NULL },
	{ "read", PERF_RECORD_READ, read_fields, NULL },
	{ "callchain_deferred", PERF_RECORD_CALLCHAIN_DEFERRED, deferred_fields, fill_deferred },
	{ "sample", PERF_RECORD_SAMPLE, sample_fields, fill_sample },
	{ "finished_round", PERFDATA_FINISHED_ROUND, no_fields, NULL },
	{ "finished_init", PERFDATA_FINISHED_INIT, no_fields, NULL },
	{ "tls_layout", PERFDATA_EVENT_TYPE, layout_fields, fill_layout },
	{ "process", PERFDATA_EVENT_TYPE, process_fields, fill_process },
	{ "kernel_text", PERFDATA_EVENT_TYPE, kernel_text_fields, fill_kernel_text },
};

/* misc=build_id without build_id=: the kernel's mistake beside a recorder that asks for build-ids. */
static bool is_false_build_id(struct line *line, const struct event *ev)
{
	return ev->type == PERF_RECORD_MMAP2 && ev->misc & PERF_RECORD_MISC_MMAP_BUILD_ID &&
	       !text_of(line, "build_id");
}

static bool add_record(struct forge *forge, struct line *line, const struct record_kind *kind,
		       GError **error)
{
	u64 idx = number_of(line, "event");
	struct event ev = { .type = kind->type, .misc = misc_of(line) };
	const struct evsel *evsel;
	size_t misc_at = forge->records->len + offsetof(struct perf_event_header, misc);
	u16 wrong, misc;

	finish_events(forge);
	if (idx >= forge->evsels->len)
		return error_set(error, PERF_ERROR_USAGE,
				 "event: there is no event %" G_GUINT64_FORMAT, idx);
	evsel = g_ptr_array_index(forge->evsels, idx);
	for (const struct field *field = kind->fields; field->key; field++)
		set_field(line, field, &ev);
	if (kind->fill)
		kind->fill(line, evsel, &ev);
	ev.id.pid = (u32)number_or(line, "tpid", number_of(line, "pid"));
	ev.id.tid = (u32)number_or(line, "ttid", number_or(line, "tid", ev.id.pid));
	ev.id.time = number_of(line, "time");
	ev.id.cpu = (u32)number_of(line, "cpu");
	ev.id.stream_id = number_of(line, "stream_id");
	ev.id.id = number_or(line, "id", evsel->nr_ids ? evsel->ids[0] : 0);
	wrong = is_false_build_id(line, &ev) ? PERF_RECORD_MISC_MMAP_BUILD_ID : 0;
	ev.misc &= (u16)~wrong;
	if (!event_encode(&ev, evsel, forge->records, error))
		return false;
	/* The records before it may end anywhere. */
	memcpy(&misc, forge->records->data + misc_at, sizeof(misc));
	misc |= wrong;
	memcpy(forge->records->data + misc_at, &misc, sizeof(misc));
	return true;
}

/* Bytes as they are, with a record header of matching size or without one. */
static void add_bytes(struct forge *forge, struct line *line, bool header)
{
	u64 size;
	const u8 *data = bytes_of(line, "data", &size);
	struct perf_event_header head = { .type = (u32)number_of(line, "type"),
					  .misc = misc_of(line),
					  .size = (u16)(sizeof(head) + size) };

	finish_events(forge);
	if (header)
		g_byte_array_append(forge->records, (const u8 *)&head, sizeof(head));
	if (size)
		g_byte_array_append(forge->records, data, (guint)size);
}

static const struct record_kind *find_kind(const char *word)
{
	for (size_t i = 0; i < ARRAY_SIZE(record_kinds); i++) {
		if (strcmp(record_kinds[i].word, word) == 0)
			return &record_kinds[i];
	}
	return NULL;
}

static void set_form(struct forge *forge, struct line *line)
{
	forge->options.pipe = has_word(line, "pipe");
	forge->options.zstd_level = (int)number_of(line, "zstd");
	forge->unfinished = has_word(line, "unfinished");
}

/* Takes @line when it is damage, which is done at the end. */
static bool run_line(struct forge *forge, struct line *line, bool *kept, GError **error)
{
	const struct record_kind *kind = find_kind(line->word);

	if (kind)
		return add_record(forge, line, kind, error);
	if (strcmp(line->word, "record") == 0 || strcmp(line->word, "bytes") == 0) {
		add_bytes(forge, line, strcmp(line->word, "record") == 0);
	} else if (strcmp(line->word, "event") == 0) {
		if (forge->events_done)
			return error_set(error, PERF_ERROR_USAGE, "events come before records");
		return add_event(forge, line);
	} else if (strcmp(line->word, "file") == 0) {
		set_form(forge, line);
	} else if (strcmp(line->word, "info") == 0) {
		set_info(forge->info, line);
	} else if (strcmp(line->word, "note") == 0) {
		add_notes(forge->info, line);
	} else if (strcmp(line->word, "buildid") == 0) {
		add_build_id(forge->info, line);
	} else if (strcmp(line->word, "patch") == 0 || strcmp(line->word, "truncate") == 0 ||
		   strcmp(line->word, "append") == 0) {
		g_ptr_array_add(forge->damage, line);
		*kept = true;
	} else {
		return error_set(error, PERF_ERROR_USAGE, "unknown word");
	}
	return true;
}

static bool forge_line(struct forge *forge, const char *text, GError **error)
{
	struct line *line = line_parse(text, error);
	bool kept = false, good;

	if (!line)
		return false;
	good = run_line(forge, line, &kept, error);
	if (line->error) {
		g_clear_error(error);
		g_propagate_error(error, g_steal_pointer(&line->error));
		good = false;
	}
	if (!good)
		g_prefix_error(error, "%s: ", line->word);
	if (!kept)
		line_free(line);
	return good;
}

static bool forge_lines(struct forge *forge, const char *text, GError **error)
{
	g_auto(GStrv) lines = g_strsplit(text, "\n", -1);

	for (u32 i = 0; lines[i]; i++) {
		g_strstrip(lines[i]);
		if (!*lines[i] || *lines[i] == '#')
			continue;
		if (!forge_line(forge, lines[i], error)) {
			g_prefix_error(error, "line %u: ", i + 1);
			return false;
		}
	}
	finish_events(forge);
	return true;
}

static bool write_file(struct forge *forge, int fd, GError **error)
{
	struct perfdata_writer *w = perfdata_create_fd(fd, "forge", &forge->options,
						       (struct evsel *const *)forge->evsels->pdata,
						       forge->evsels->len, forge->info, error);

	if (!w)
		return false;
	if (!perfdata_write(w, forge->records->data, forge->records->len, error) ||
	    forge->unfinished) {
		perfdata_abandon(w);
		return forge->unfinished;
	}
	return perfdata_finish(w, forge->info, error);
}

static GByteArray *read_back(int fd)
{
	GByteArray *bytes = g_byte_array_new();
	off_t size = lseek(fd, 0, SEEK_END);

	g_byte_array_set_size(bytes, (guint)size);
	if (pread(fd, bytes->data, (size_t)size, 0) != size)
		g_byte_array_set_size(bytes, 0);
	return bytes;
}

static bool do_damage(GByteArray *bytes, struct line *line, GError **error)
{
	u64 size, at = number_of(line, "at"), keep = number_of(line, "size");
	const u8 *data = bytes_of(line, "data", &size);

	if (strcmp(line->word, "append") == 0)
		at = bytes->len;
	if (line->error) {
		g_propagate_error(error, g_steal_pointer(&line->error));
		return false;
	}
	if (strcmp(line->word, "truncate") == 0) {
		if (keep < bytes->len)
			g_byte_array_set_size(bytes, (guint)keep);
		return true;
	}
	if (at > bytes->len || size > 1 << 28)
		return error_set(error, PERF_ERROR_USAGE, "%s: at is beyond the end", line->word);
	if (at + size > bytes->len)
		g_byte_array_set_size(bytes, (guint)(at + size));
	if (size)
		memcpy(bytes->data + at, data, size);
	return true;
}

static GBytes *forge_bytes(struct forge *forge, GError **error)
{
	int fd = memfd_create("forge", MFD_CLOEXEC);
	GByteArray *bytes;
	bool good;

	if (fd < 0) {
		error_set_errno(error, errno, "memfd_create");
		return NULL;
	}
	good = write_file(forge, fd, error);
	bytes = read_back(fd);
	close(fd);
	for (u32 i = 0; good && i < forge->damage->len; i++)
		good = do_damage(bytes, g_ptr_array_index(forge->damage, i), error);
	if (good)
		return g_byte_array_free_to_bytes(bytes);
	g_byte_array_unref(bytes);
	return NULL;
}

GBytes *forge_text(const char *text, GError **error)
{
	struct forge forge = {
		.info = perfdata_info_new(),
		.evsels = g_ptr_array_new_with_free_func((GDestroyNotify)evsel_free),
		.defaulted = g_array_new(false, false, sizeof(bool)),
		.records = g_byte_array_new(),
		.damage = g_ptr_array_new_with_free_func((GDestroyNotify)line_free),
	};
	GBytes *bytes = forge_lines(&forge, text, error) ? forge_bytes(&forge, error) : NULL;

	perfdata_info_free(forge.info);
	g_ptr_array_unref(forge.evsels);
	g_array_unref(forge.defaulted);
	g_byte_array_unref(forge.records);
	g_ptr_array_unref(forge.damage);
	return bytes;
}
