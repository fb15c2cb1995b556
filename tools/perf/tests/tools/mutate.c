// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Damages a perf.data or an ELF file in places that a reader would trust:
 *
 *   mutate IN OUT SEED [SECTION]
 *
 * The same seed makes the same damage. In perf.data it changes header words, event descriptions, sizes and bodies of
 * records, and feature sections; in ELF files section headers and contents. The build-id of an ELF file is not changed,
 * since readers would not use a file with another one. SECTION: damage only ELF sections whose name contains it. Prints each
 * change. "must be refused" at the start of a line: a reader can detect the damage by the sizes in the file.
 */
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <glib.h>

#include "base/types.h"

struct damage {
	GByteArray *file;
	GRand *rand;
	const char *section;
	GString *what;
	bool refused;
};

struct range {
	u64 offset, size;
};

static u32 pick(struct damage *d, u64 n)
{
	return n ? (u32)g_rand_int_range(d->rand, 0, (gint32)MIN(n, G_MAXINT32)) : 0;
}

static u64 get(const struct damage *d, u64 offset, u32 size)
{
	u64 v = 0;

	if (size <= d->file->len && offset <= d->file->len - size)
		memcpy(&v, d->file->data + offset, size);
	return v;
}

static void put(struct damage *d, u64 offset, u32 size, u64 v)
{
	if (size <= d->file->len && offset <= d->file->len - size)
		memcpy(d->file->data + offset, &v, size);
}

/* A value that readers may handle wrongly: a limit of some type, or close to the old value. */
static u64 wild(struct damage *d, u64 old)
{
	static const u64 edges[] = {
		0,
		1,
		7,
		8,
		0x7f,
		0x80,
		0xff,
		0x7fff,
		0x8000,
		0xfff8,
		0xffff,
		0x10000,
		0x7fffffff,
		0x80000000,
		0xfffffff8,
		0xffffffff,
		1ULL << 32,
		1ULL << 40,
		INT64_MAX,
		1ULL << 63,
		~7ULL,
		~0ULL,
		~0ULL / 8,
		~0ULL / 16 + 1,
		0x4141414141414141,
	};

	switch (pick(d, 8)) {
	case 0:
		return old + 1;
	case 1:
		return old - 1;
	case 2:
		return old + 8;
	case 3:
		return old * 2;
	case 4:
		return old ^ 1ULL << pick(d, 64);
	default:
		return edges[pick(d, G_N_ELEMENTS(edges))];
	}
}

static void wild_word(struct damage *d, u64 offset, u32 size)
{
	u64 old = get(d, offset, size), v = wild(d, old);

	put(d, offset, size, v);
	g_string_append_printf(d->what, " [%#llx]: %#llx to %#llx/%u", (unsigned long long)offset,
			       (unsigned long long)old, (unsigned long long)v, size * 8);
}

static void flip_bits(struct damage *d, struct range r)
{
	u32 n = 1 + pick(d, 8);

	g_string_append_printf(d->what, " %u bits of [%#llx+%#llx]", n,
			       (unsigned long long)r.offset, (unsigned long long)r.size);
	for (u32 i = 0; i < n && r.size; i++) {
		u64 at = r.offset + pick(d, r.size);

		put(d, at, 1, get(d, at, 1) ^ 1ULL << pick(d, 8));
	}
}

static void fill(struct damage *d, struct range r)
{
	static const u8 with[] = { 0x00, 0xff, 0x80, 'A', '\n', '%', 0x1b, '/' };
	u8 byte = with[pick(d, sizeof(with))];
	u64 start = pick(d, r.size), n = 1 + pick(d, MIN(r.size, 64));

	g_string_append_printf(d->what, " %llu bytes of %#x at %#llx", (unsigned long long)n, byte,
			       (unsigned long long)(r.offset + start));
	for (u64 i = 0; i < n && start + i < r.size; i++)
		put(d, r.offset + start + i, 1, byte);
}

static void anywhere(struct damage *d, struct range r)
{
	if (!r.size)
		return;
	switch (pick(d, 4)) {
	case 0:
		flip_bits(d, r);
		break;
	case 1:
		fill(d, r);
		break;
	case 2:
		wild_word(d, r.offset + pick(d, r.size / 4) * 4, 4);
		break;
	default:
		wild_word(d, r.offset + pick(d, r.size / 8) * 8, 8);
	}
}

static void cut(struct damage *d, u64 size)
{
	g_string_append_printf(d->what, " cut to %llu bytes", (unsigned long long)size);
	if (size < d->file->len)
		g_byte_array_set_size(d->file, (guint)size);
}

/* The ranges of all records, by the sizes in their headers. */
static GArray *records_of(const struct damage *d, struct range data)
{
	GArray *records = g_array_new(FALSE, FALSE, sizeof(struct range));
	struct range r = { .offset = data.offset };
	u64 end = MIN(data.offset + data.size, d->file->len);

	while (r.offset + 8 <= end) {
		u32 type = (u32)get(d, r.offset, 4);

		r.size = get(d, r.offset + 6, 2);
		if (r.size < 8)
			break;
		g_array_append_val(records, r);
		r.offset += r.size;
		if (type == 66 && r.size >= 12) /* TRACING_DATA: its text follows */
			r.offset += (get(d, r.offset - r.size + 8, 4) + 7) & ~7ULL;
	}
	return records;
}

/* Picks a record. In half of the cases one of a rare kind: no sample and no mapping. */
static struct range pick_record(struct damage *d, const GArray *records)
{
	struct range r = { 0 };

	for (u32 i = 0; i < 32 && records->len; i++) {
		u32 type;

		r = g_array_index(records, struct range, pick(d, records->len));
		type = (u32)get(d, r.offset, 4);
		if (i == 0 && pick(d, 2))
			break;
		if (type != 9 && type != 10) /* SAMPLE, MMAP2 */
			break;
	}
	return r;
}

static void damage_record(struct damage *d, struct range data)
{
	static const u8 types[] = { 1,	2,  3,	4,  5,	6,  7,	8,  9,	10, 11, 12, 13, 14, 15,
				    16, 17, 18, 19, 20, 21, 22, 64, 66, 67, 68, 69, 70, 71, 72,
				    73, 74, 75, 76, 77, 78, 79, 80, 81, 82, 83, 84, 255 };
	g_autoptr(GArray) records = records_of(d, data);
	struct range r = pick_record(d, records), other = pick_record(d, records);

	g_string_append_printf(d->what,
			       " record type %llu:", (unsigned long long)get(d, r.offset, 4));
	switch (pick(d, 8)) {
	case 0:
		wild_word(d, r.offset + 6, 2);
		break;
	case 1:
		wild_word(d, r.offset + 4, 2);
		break;
	case 2:
		put(d, r.offset, 4, types[pick(d, sizeof(types))]);
		g_string_append_printf(d->what, " becomes type %llu",
				       (unsigned long long)get(d, r.offset, 4));
		break;
	case 3: /* the body of another record */
		for (u64 i = 8; i < MIN(r.size, other.size); i++)
			put(d, r.offset + i, 1, get(d, other.offset + i, 1));
		g_string_append(d->what, " another's body");
		break;
	case 4:
		wild_word(d, r.offset + 8 + pick(d, (r.size - 8) / 4) * 4, 4);
		break;
	case 5:
		wild_word(d, r.offset + 8 + pick(d, (r.size - 8) / 8) * 8, 8);
		break;
	default:
		anywhere(d, (struct range){ r.offset + 8, r.size - 8 });
	}
}

static void damage_pipe(struct damage *d)
{
	switch (pick(d, 8)) {
	case 0:
		cut(d, pick(d, d->file->len));
		d->refused = d->file->len < 16;
		break;
	case 1:
		wild_word(d, 8 * pick(d, 2), 8);
		break;
	case 2:
		anywhere(d, (struct range){ 16, d->file->len - 16 });
		break;
	default:
		damage_record(d, (struct range){ 16, d->file->len - 16 });
	}
}

static u32 count_features(const struct damage *d)
{
	u32 n = 0;

	for (u32 i = 0; i < 256 / 8; i++)
		n += (u32)__builtin_popcountll(get(d, 72 + i, 1));
	return n;
}

static struct range pick_feature(struct damage *d, u64 table)
{
	u32 which = pick(d, count_features(d));

	return (struct range){ get(d, table + 16 * which, 8), get(d, table + 16 * which + 8, 8) };
}

static void damage_seekable(struct damage *d)
{
	struct range attrs = { get(d, 24, 8), get(d, 32, 8) };
	struct range data = { get(d, 40, 8), get(d, 48, 8) };
	u64 table = data.offset + data.size;

	switch (pick(d, 16)) {
	case 0:
		cut(d, pick(d, d->file->len));
		d->refused = true;
		break;
	case 1:
		wild_word(d, 8 * pick(d, 13), 8);
		break;
	case 2:
		put(d, 0, 8, __builtin_bswap64(get(d, 0, 8)));
		g_string_append(d->what, " the magic in the other byte order");
		d->refused = true;
		break;
	case 3:
		wild_word(d, attrs.offset + pick(d, attrs.size / 8) * 8, 8);
		break;
	case 4:
		anywhere(d, attrs);
		break;
	case 5:
		g_string_append(d->what, " feature table:");
		wild_word(d, table + pick(d, 2 * count_features(d)) * 8, 8);
		break;
	case 6:
	case 7:
	case 8:
		g_string_append(d->what, " a feature:");
		anywhere(d, pick_feature(d, table));
		break;
	case 9:
		anywhere(d, (struct range){ 0, d->file->len });
		break;
	default:
		damage_record(d, data);
	}
}

static struct range section_of(struct damage *d, const Elf64_Ehdr *header)
{
	u64 names = header->e_shoff + header->e_shstrndx * sizeof(Elf64_Shdr);
	u64 names_at = get(d, names + offsetof(Elf64_Shdr, sh_offset), 8);

	for (u32 tries = 0; tries < 4096; tries++) {
		u64 at = header->e_shoff + pick(d, header->e_shnum) * sizeof(Elf64_Shdr);
		u64 name = names_at + get(d, at, 4);
		struct range r = { get(d, at + offsetof(Elf64_Shdr, sh_offset), 8),
				   get(d, at + offsetof(Elf64_Shdr, sh_size), 8) };
		const char *text;

		if (get(d, at + offsetof(Elf64_Shdr, sh_type), 4) == SHT_NOBITS || !r.size ||
		    name >= d->file->len)
			continue;
		text = (const char *)d->file->data + name;
		if (!memchr(text, 0, d->file->len - name) || strstr(text, "build-id") ||
		    (d->section && !strstr(text, d->section)))
			continue;
		g_string_append_printf(d->what, " %s:", text);
		if (pick(d, 10))
			return r;
		return (struct range){ at + 4, sizeof(Elf64_Shdr) - 4 };
	}
	return (struct range){ 16, 48 };
}

static void damage_elf(struct damage *d)
{
	Elf64_Ehdr header;

	if (d->file->len < sizeof(header))
		return;
	memcpy(&header, d->file->data, sizeof(header));
	switch (d->section ? 3 : pick(d, 24)) {
	case 0:
		cut(d, pick(d, d->file->len));
		break;
	case 1:
		anywhere(d, (struct range){ 16, 48 });
		break;
	case 2:
		g_string_append(d->what, " program headers:");
		anywhere(d, (struct range){ header.e_phoff, header.e_phnum * sizeof(Elf64_Phdr) });
		break;
	default:
		for (u32 n = 1 + pick(d, 4); n; n--)
			anywhere(d, section_of(d, &header));
	}
}

int main(int argc, char **argv)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(GString) what = g_string_new("");
	struct damage d = { .file = g_byte_array_new(), .what = what };
	char *bytes;
	gsize size;

	if (argc < 4 || !g_file_get_contents(argv[1], &bytes, &size, &error)) {
		fprintf(stderr, "mutate IN OUT SEED [SECTION]: %s\n", error ? error->message : "");
		return 2;
	}
	g_byte_array_append(d.file, (const u8 *)bytes, (guint)size);
	d.rand = g_rand_new_with_seed((u32)strtoul(argv[3], NULL, 0));
	d.section = argv[4];
	if (size > 64 && memcmp(bytes, ELFMAG, SELFMAG) == 0)
		damage_elf(&d);
	else if (size > 104 && get(&d, 8, 8) == 104)
		damage_seekable(&d);
	else if (size > 16)
		damage_pipe(&d);
	if (!g_file_set_contents(argv[2], (const char *)d.file->data, d.file->len, &error)) {
		fprintf(stderr, "mutate: %s\n", error->message);
		return 2;
	}
	printf("%s%s\n", d.refused ? "must be refused:" : "", what->str);
	g_byte_array_unref(d.file);
	g_rand_free(d.rand);
	g_free(bytes);
	return 0;
}
