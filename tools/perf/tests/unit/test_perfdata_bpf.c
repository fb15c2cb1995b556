// SPDX-License-Identifier: GPL-2.0-or-later
/* The header's BPF programs and their type tables, as perf report --header prints them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <linux/bpf.h>
#include <linux/btf.h>
#include <string.h>

#include "../forge/forge.h"
#include "perfdata/abi.h"
#include "perfdata/print/print.h"
#include "perfdata/read/reader.h"

enum { KSYMS = 1 << 3, LENS = 1 << 4, FUNC_INFO = 1 << 5, TAGS = 1 << 8 };
#define ALL (KSYMS | LENS | FUNC_INFO | TAGS)

/* What a program of @nr functions has in BPF_PROG_INFO: addresses, sizes, tags, types 4 and 5. */
struct arrays {
	u64 vas[2];
	u32 sizes[2];
	u8 tags[2][8];
	struct bpf_func_info types[2];
};

static const struct arrays arrays = {
	.vas = { 0xffffffffc0001000, 0xffffffffc0002000 },
	.sizes = { 2015, 3324 },
	.tags = { { 1, 2, 3, 4, 5, 6, 7, 8 }, { 0xa, 0xb, 0xc, 0xd, 0xe, 0xf, 0x10, 0x11 } },
	.types = { { 0, 4 }, { 40, 5 } },
};

static struct bpf_prog_info program(u32 nr)
{
	struct bpf_prog_info info = {
		.id = 7,
		.tag = { 0xff },
		.name = "a_name_cut_shor",
		.btf_id = 3,
		.nr_jited_ksyms = nr,
		.jited_ksyms = offsetof(struct arrays, vas),
		.nr_jited_func_lens = nr,
		.jited_func_lens = offsetof(struct arrays, sizes),
		.nr_prog_tags = nr,
		.prog_tags = offsetof(struct arrays, tags),
		.nr_func_info = nr,
		.func_info_rec_size = sizeof(struct bpf_func_info),
		.func_info = offsetof(struct arrays, types),
	};

	return info;
}

static void put(GByteArray *out, const void *data, size_t size)
{
	g_byte_array_append(out, data, (guint)size);
}

static void put_u32(GByteArray *out, u32 value)
{
	put(out, &value, sizeof(value));
}

/* int; struct of one member; prototype; functions 4 and 5. */
static void put_btf(GByteArray *out)
{
	static const char strings[] = "\0a_name_cut_short_by_info\0read_entry";
	const u32 types[] = {
		0,  BTF_KIND_INT << 24,
		4,  32, /**/
		0,  BTF_KIND_STRUCT << 24 | 1,
		4,  0,
		1,  0, /**/
		0,  BTF_KIND_FUNC_PROTO << 24 | 1,
		1,  0,
		1, /**/
		1,  BTF_KIND_FUNC << 24,
		3, /**/
		26, BTF_KIND_FUNC << 24,
		3, /**/
	};
	const struct btf_header header = {
		.magic = 0xeb9f,
		.version = 1,
		.hdr_len = sizeof(header),
		.type_len = sizeof(types),
		.str_off = sizeof(types),
		.str_len = sizeof(strings),
	};

	put_u32(out, 1);
	put_u32(out, 3);
	put_u32(out, sizeof(header) + sizeof(types) + sizeof(strings));
	put(out, &header, sizeof(header));
	put(out, types, sizeof(types));
	put(out, strings, sizeof(strings));
}

static void put_prog(GByteArray *out, const struct bpf_prog_info *info, u64 present, u32 data_size)
{
	put_u32(out, 1);
	put_u32(out, sizeof(*info));
	put_u32(out, data_size);
	put(out, &present, sizeof(present));
	put(out, info, sizeof(*info));
	put(out, &arrays, data_size);
}

/* A HEADER_FEATURE record: in a pipe, features come as records. */
static void put_feature(GByteArray *file, u64 feat, const GByteArray *section)
{
	const struct perf_event_header header = {
		.type = PERFDATA_FEATURE,
		.size = (u16)(sizeof(header) + sizeof(feat) + section->len),
	};

	put(file, &header, sizeof(header));
	put(file, &feat, sizeof(feat));
	put(file, section->data, section->len);
}

/* The header's lines that speak of BPF programs. */
static char *printed(const GByteArray *progs, const GByteArray *btfs)
{
	g_autoptr(GError) error = NULL;
	g_autoptr(GBytes) forged = forge_text("file pipe\nevent e\n", &error);
	g_autoptr(GByteArray) file = g_byte_array_new();
	g_autoptr(GString) lines = g_string_new(NULL);
	g_auto(GStrv) all = NULL;
	struct perfdata *pd;
	struct event ev;
	char *text = NULL;
	size_t size;
	FILE *out;

	assert_non_null(forged);
	put(file, g_bytes_get_data(forged, NULL), g_bytes_get_size(forged));
	if (btfs)
		put_feature(file, FEAT_BPF_BTF, btfs);
	put_feature(file, FEAT_BPF_PROG_INFO, progs);
	pd = perfdata_open_bytes("case", file->data, file->len, &error);
	assert_non_null(pd);
	while (perfdata_next(pd, &ev, NULL) > 0)
		;
	out = open_memstream(&text, &size);
	perfdata_print_header(pd, true, out);
	fclose(out);
	perfdata_close(pd);
	all = g_strsplit(text, "\n", 0);
	free(text);
	for (char **line = all; *line; line++)
		if (strstr(*line, "prog"))
			g_string_append_printf(lines, "%s\n", *line);
	return g_string_free(g_steal_pointer(&lines), false);
}

static char *of_program(const struct bpf_prog_info *info, u64 present, u32 data_size, bool with_btf)
{
	g_autoptr(GByteArray) progs = g_byte_array_new(), btfs = g_byte_array_new();

	put_prog(progs, info, present, data_size);
	put_btf(btfs);
	return printed(progs, with_btf ? btfs : NULL);
}

static void test_each_function_has_its_own(void **state)
{
	struct bpf_prog_info two = program(2), one = program(1);
	g_autofree char *text = of_program(&two, ALL, sizeof(arrays), true);
	g_autofree char *alone = of_program(&one, ALL, sizeof(arrays), true);

	assert_string_equal(text,
			    "# bpf_prog_info 7:\n"
			    "# \tsub_prog 0: bpf_prog_0102030405060708_a_name_cut_short_by_info "
			    "addr 0xffffffffc0001000 size 2015\n"
			    "# \tsub_prog 1: bpf_prog_0a0b0c0d0e0f1011_read_entry addr "
			    "0xffffffffc0002000 size 3324\n");
	assert_string_equal(alone,
			    "# bpf_prog_info 7: bpf_prog_0102030405060708_a_name_cut_short_by_info "
			    "addr 0xffffffffc0001000 size 2015\n");
}

static void test_without_types(void **state)
{
	struct bpf_prog_info two = program(2), one = program(1);
	g_autofree char *text = of_program(&two, ALL, sizeof(arrays), false);
	g_autofree char *alone = of_program(&one, ALL, sizeof(arrays), false);

	assert_non_null(strstr(text, "sub_prog 0: bpf_prog_0102030405060708_F addr"));
	assert_non_null(strstr(text, "sub_prog 1: bpf_prog_0a0b0c0d0e0f1011_F addr"));
	assert_non_null(
		strstr(alone, "bpf_prog_info 7: bpf_prog_0102030405060708_a_name_cut_shor addr"));
	two.btf_id = 99;
	g_free(text);
	text = of_program(&two, ALL, sizeof(arrays), true);
	assert_non_null(strstr(text, "sub_prog 1: bpf_prog_0a0b0c0d0e0f1011_F addr"));
}

/* A pointer that is none, an array that ends elsewhere, numbers that do not agree. */
static void test_damaged(void **state)
{
	struct bpf_prog_info infos[6];
	u64 present[6] = { ALL & ~TAGS, ALL, ALL, ALL, ALL, ALL };
	u32 size[6];

	for (int i = 0; i < 6; i++) {
		infos[i] = program(2);
		size[i] = sizeof(arrays);
	}
	size[1] = offsetof(struct arrays, tags);
	infos[2].prog_tags = ~0ull;
	infos[3].nr_jited_func_lens = 1;
	infos[4].nr_jited_ksyms = infos[4].nr_jited_func_lens = infos[4].nr_prog_tags = ~0u;
	infos[5].nr_jited_ksyms = infos[5].nr_jited_func_lens = infos[5].nr_prog_tags = 0;
	for (int i = 0; i < 6; i++) {
		g_autofree char *text = of_program(&infos[i], present[i], size[i], true);

		assert_string_equal(text, "# bpf_prog_info of id 7\n");
	}
}

/* Each byte of the type table damaged: names may be gone, lines and addresses are not. */
static void test_damaged_types(void **state)
{
	g_autoptr(GByteArray) progs = g_byte_array_new(), btfs = g_byte_array_new();
	struct bpf_prog_info two = program(2);

	put_prog(progs, &two, ALL, sizeof(arrays));
	put_btf(btfs);
	for (guint i = 12; i < btfs->len; i++) {
		u8 was = btfs->data[i];

		for (int k = 0; k < 2; k++) {
			g_autofree char *text = NULL;

			btfs->data[i] = k ? 0xff : was ^ 0x10;
			text = printed(progs, btfs);
			assert_non_null(strstr(text, "addr 0xffffffffc0002000 size 3324"));
		}
		btfs->data[i] = was;
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_each_function_has_its_own),
		cmocka_unit_test(test_without_types),
		cmocka_unit_test(test_damaged),
		cmocka_unit_test(test_damaged_types),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
