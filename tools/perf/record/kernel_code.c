// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * While recording, only the addresses of samples are kept, each once. At the end, kallsyms tells the function around each
 * of them, and the functions are read. Example:
 *
 *	samples at	ffffffff8134a7c3, ffffffff8134a7f0, ffffffff81c02211
 *	kallsyms	ffffffff8134a760 vfs_read (704 bytes), ffffffff81c02200 clear_page_erms (64 bytes),
 *			ffffffff81b0c000 vfs_read.cold (40 bytes)
 *	records		vfs_read, vfs_read.cold, clear_page_erms: 808 bytes
 *
 * The part of a function that the compiler split off as .cold belongs to it.
 */
#include "record/kernel_code.h"

#include <linux/perf_event.h>
#include <string.h>

#include "dso/kallsyms.h"
#include "perfdata/abi.h"
#include "record/kernel_reader.h"

#define MAX_ADDRESSES (256 * 1024)
#define MAX_BYTES     (3u << 20)
#define MAX_FUNCTION  (256u << 10)
#define COLD	      ".cold"
#define PIECE	      60000 /* bytes in one record, whose size has 16 bits */

struct kernel_code {
	const struct kernel_paths *paths;
	int ip_word; /* index of a sample's address in u64s behind the header; -1: it has none */
	GHashTable *addresses; /* u64 *: of samples in the kernel */
	GError *absence;
};

struct kernel_code *kernel_code_new(const struct kernel_paths *paths, const struct evsel *first)
{
	struct kernel_code *code = g_new0(struct kernel_code, 1);
	u64 type = first->attr.sample_type;

	code->paths = paths;
	code->ip_word = type & PERF_SAMPLE_IP ? !!(type & PERF_SAMPLE_IDENTIFIER) : -1;
	code->addresses = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
	return code;
}

void kernel_code_free(struct kernel_code *code)
{
	if (!code)
		return;
	g_hash_table_unref(code->addresses);
	g_clear_error(&code->absence);
	g_free(code);
}

void kernel_code_see(struct kernel_code *code, const struct perf_event_header *sample)
{
	size_t at = sizeof(*sample) + 8 * (size_t)code->ip_word;
	u64 va;

	if ((sample->misc & PERF_RECORD_MISC_CPUMODE_MASK) != PERF_RECORD_MISC_KERNEL ||
	    code->ip_word < 0 || at + sizeof(va) > sample->size)
		return;
	memcpy(&va, (const u8 *)sample + at, sizeof(va));
	if (g_hash_table_size(code->addresses) < MAX_ADDRESSES &&
	    !g_hash_table_contains(code->addresses, &va))
		g_hash_table_add(code->addresses, g_memdup2(&va, sizeof(va)));
}

const char *kernel_code_absence(const struct kernel_code *code)
{
	return code->absence ? code->absence->message : NULL;
}

static struct symtab *read_symbols(struct kernel_code *code)
{
	g_autofree char *path = g_build_filename(code->paths->proc, "kallsyms", NULL);
	struct symtab *symbols;
	size_t size;
	char *text = kallsyms_read(path, &size, &code->absence);

	if (!text)
		return NULL;
	symbols = symtab_new(false);
	kallsyms_add(symbols, text, size);
	symtab_finish(symbols, SYMTAB_FILL_KALLSYMS, 0);
	return symbols;
}

/*
 * Adds the cold parts of the functions with these names. All symbols are looked at: an index of their names would cost more than
 * the rest of the work.
 */
static void add_cold_parts(struct symtab *symbols, GHashTable *names, GHashTable *wanted)
{
	for (u32 id = 0; id < symtab_count(symbols); id++) {
		const char *raw = symtab_at(symbols, id)->raw;
		g_autofree char *function = NULL;

		if (!g_str_has_suffix(raw, COLD))
			continue;
		function = g_strndup(raw, strlen(raw) - strlen(COLD));
		if (g_hash_table_contains(names, function))
			g_hash_table_add(wanted, GUINT_TO_POINTER(id));
	}
}

/* The ids of the symbols around all addresses. */
static GHashTable *wanted_symbols(struct kernel_code *code, struct symtab *symbols)
{
	g_autoptr(GHashTable) names = g_hash_table_new(g_str_hash, g_str_equal);
	GHashTable *wanted = g_hash_table_new(NULL, NULL);
	GHashTableIter iter;
	void *key;

	g_hash_table_iter_init(&iter, code->addresses);
	while (g_hash_table_iter_next(&iter, &key, NULL)) {
		const struct symbol *s = symtab_find(symbols, *(const u64 *)key);

		if (s && g_hash_table_add(wanted, GUINT_TO_POINTER(s->id)))
			g_hash_table_add(names, (void *)s->raw);
	}
	add_cold_parts(symbols, names, wanted);
	return wanted;
}

static void put_bytes(struct outlet *out, u64 va, const u8 *bytes, size_t size)
{
	for (size_t at = 0; at < size; at += PIECE) {
		struct event ev = { .type = PERFDATA_EVENT_TYPE };

		ev.ext.kind = PERFDATA_EXT_KERNEL_TEXT;
		ev.ext.text = (struct event_kernel_text){ va + at, (u32)MIN(size - at, PIECE),
							  bytes + at };
		outlet_event(out, &ev, NULL, NULL);
	}
}

static void put_functions(struct kernel_code *code, struct symtab *symbols, struct outlet *out)
{
	g_autoptr(GHashTable) wanted = wanted_symbols(code, symbols);
	struct kernel_reader *reader = g_hash_table_size(wanted) ? kernel_reader_new(&code->absence)
								 : NULL;
	g_autofree u8 *bytes = g_malloc(MAX_FUNCTION);
	u64 total = 0;

	for (u32 id = 0; reader && id < symtab_count(symbols); id++) {
		const struct symbol *s = symtab_at(symbols, id);
		u64 size = s->end - s->start;

		if (!g_hash_table_contains(wanted, GUINT_TO_POINTER(id)) || size > MAX_FUNCTION ||
		    size > MAX_BYTES - total || !kernel_reader_read(reader, s->start, bytes, size))
			continue;
		put_bytes(out, s->start, bytes, size);
		total += size;
	}
	kernel_reader_free(reader);
}

void kernel_code_put(struct kernel_code *code, struct outlet *out)
{
	struct symtab *symbols;

	g_clear_error(&code->absence);
	if (!g_hash_table_size(code->addresses))
		return;
	symbols = read_symbols(code);
	if (symbols)
		put_functions(code, symbols, out);
	symtab_free(symbols);
	g_hash_table_remove_all(code->addresses);
}
