// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A program in BPF_PROG_INFO is what the kernel told perf record, in one piece:
 *
 *   u32 info_size, u32 data_size, u64 arrays
 *   u8 info[info_size]    struct bpf_prog_info, <linux/bpf.h>
 *   u8 data[data_size]    the arrays that info points at
 *
 * The pointers in info are offsets into data, those of them whose bit is set in @arrays. A program of
 * several functions has for each an address, a size, a tag and a type number; its name is that of the
 * type in the program's type table (BPF_BTF, struct btf_header of <linux/btf.h>).
 */
#include <inttypes.h>
#include <linux/bpf.h>
#include <linux/btf.h>
#include <string.h>

#include "base/text.h"
#include "perfdata/bpf_info.h"

/* Bits of @arrays: upstream's tools/perf/util/bpf-utils.h. */
enum {
	ARRAY_JITED_KSYMS = 3,
	ARRAY_JITED_FUNC_LENS = 4,
	ARRAY_FUNC_INFO = 5,
	ARRAY_PROG_TAGS = 8,
};

struct arrays {
	u64 present;
	const u8 *data;
	u64 size;
};

/* The array at @offset with @nr elements, or NULL. */
static const u8 *find_array(const struct arrays *a, int bit, u64 offset, u32 nr, u32 element)
{
	if (!(a->present >> bit & 1) || offset > a->size || nr > (a->size - offset) / element)
		return NULL;
	return a->data + offset;
}

static void read_funcs(const struct bpf_prog_info *info, const struct arrays *a, GArray *funcs)
{
	u32 nr = info->nr_jited_ksyms, type_size = info->func_info_rec_size;
	const u8 *vas = find_array(a, ARRAY_JITED_KSYMS, info->jited_ksyms, nr, sizeof(u64));
	const u8 *sizes =
		find_array(a, ARRAY_JITED_FUNC_LENS, info->jited_func_lens, nr, sizeof(u32));
	const u8 *tags = find_array(a, ARRAY_PROG_TAGS, info->prog_tags, nr, BPF_TAG_SIZE);
	const u8 *types = NULL;

	if (!vas || !sizes || !tags || nr != info->nr_jited_func_lens || nr != info->nr_prog_tags)
		return;
	if (type_size >= sizeof(struct bpf_func_info))
		types = find_array(a, ARRAY_FUNC_INFO, info->func_info, info->nr_func_info,
				   type_size);
	for (u32 i = 0; i < nr; i++) {
		struct info_bpf_func func = { 0 };
		struct bpf_func_info type = { 0 };

		memcpy(&func.va, vas + i * sizeof(u64), sizeof(u64));
		memcpy(&func.size, sizes + i * sizeof(u32), sizeof(u32));
		memcpy(func.tag, tags + (size_t)i * BPF_TAG_SIZE, BPF_TAG_SIZE);
		if (types && i < info->nr_func_info)
			memcpy(&type, types + (size_t)i * type_size, sizeof(type));
		func.btf_type = type.type_id;
		g_array_append_val(funcs, func);
	}
}

static void read_prog(struct cursor *c, struct perfdata_info *info)
{
	u32 info_size = cursor_u32(c), data_size = cursor_u32(c);
	struct arrays arrays = { .present = cursor_u64(c), .size = data_size };
	const void *at = cursor_bytes(c, info_size);
	struct bpf_prog_info known = { 0 };
	struct info_bpf_prog *prog;

	arrays.data = cursor_bytes(c, data_size);
	if (c->failed || info_size < offsetof(struct bpf_prog_info, func_info_rec_size)) {
		c->failed = true;
		return;
	}
	/* Versions of the kernel append to the struct. */
	memcpy(&known, at, MIN(info_size, sizeof(known)));
	prog = g_new0(struct info_bpf_prog, 1);
	prog->type = known.type;
	prog->id = known.id;
	prog->btf_id = known.btf_id;
	memcpy(prog->name, known.name, sizeof(prog->name) - 1);
	prog->funcs = g_array_new(false, false, sizeof(struct info_bpf_func));
	read_funcs(&known, &arrays, prog->funcs);
	g_ptr_array_add(info->bpf_progs, prog);
}

void bpf_info_read_progs(struct cursor *c, struct perfdata_info *info)
{
	u32 nr = cursor_u32(c);

	g_ptr_array_set_size(info->bpf_progs, 0);
	for (u32 i = 0; i < nr && !c->failed; i++)
		read_prog(c, info);
}

/* How many bytes follow a struct btf_type of this kind; -1: a kind that is not known here. */
static s64 bytes_behind_type(u32 kind, u32 nr)
{
	switch (kind) {
	case BTF_KIND_PTR:
	case BTF_KIND_FWD:
	case BTF_KIND_TYPEDEF:
	case BTF_KIND_VOLATILE:
	case BTF_KIND_CONST:
	case BTF_KIND_RESTRICT:
	case BTF_KIND_FUNC:
	case BTF_KIND_FLOAT:
	case BTF_KIND_TYPE_TAG:
		return 0;
	case BTF_KIND_INT:
		return sizeof(u32);
	case BTF_KIND_ARRAY:
		return sizeof(struct btf_array);
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
		return nr * sizeof(struct btf_member);
	case BTF_KIND_ENUM:
		return nr * sizeof(struct btf_enum);
	case BTF_KIND_ENUM64:
		return nr * sizeof(struct btf_enum64);
	case BTF_KIND_FUNC_PROTO:
		return nr * sizeof(struct btf_param);
	case BTF_KIND_VAR:
		return sizeof(struct btf_var);
	case BTF_KIND_DATASEC:
		return nr * sizeof(struct btf_var_secinfo);
	case BTF_KIND_DECL_TAG:
		return sizeof(struct btf_decl_tag);
	}
	return -1;
}

static const char *string_at(const u8 *strings, u32 size, u32 offset)
{
	if (offset >= size || !memchr(strings + offset, 0, size - offset))
		return NULL;
	return (const char *)strings + offset;
}

/* Type numbers count from 1 in the order of the table, whose elements differ in size. */
static void read_func_names(const u8 *data, u32 size, GPtrArray *names)
{
	struct cursor c = cursor_of(data, size);
	struct btf_header header;
	const u8 *strings;

	cursor_read(&c, &header, sizeof(header));
	if (c.failed || header.magic != BTF_MAGIC || header.hdr_len > size ||
	    header.type_off > size - header.hdr_len || header.str_off > size - header.hdr_len ||
	    header.type_len > size - header.hdr_len - header.type_off ||
	    header.str_len > size - header.hdr_len - header.str_off)
		return;
	strings = data + header.hdr_len + header.str_off;
	g_ptr_array_add(names, NULL);
	for (c = cursor_of(data + header.hdr_len + header.type_off, header.type_len);
	     cursor_left(&c);) {
		struct btf_type type;
		const char *name = NULL;
		s64 behind;

		cursor_read(&c, &type, sizeof(type));
		behind = bytes_behind_type(BTF_INFO_KIND(type.info), BTF_INFO_VLEN(type.info));
		if (behind < 0 || !cursor_bytes(&c, (u64)behind))
			return;
		if (BTF_INFO_KIND(type.info) == BTF_KIND_FUNC)
			name = string_at(strings, header.str_len, type.name_off);
		g_ptr_array_add(names, (gpointer)name);
	}
}

void bpf_info_read_btfs(struct cursor *c, struct perfdata_info *info)
{
	u32 nr = cursor_u32(c);

	g_ptr_array_set_size(info->btfs, 0);
	for (u32 i = 0; i < nr && !c->failed; i++) {
		struct info_btf *btf = g_new0(struct info_btf, 1);
		const u8 *data;

		btf->id = cursor_u32(c);
		btf->size = cursor_u32(c);
		btf->func_names = g_ptr_array_new();
		data = cursor_bytes(c, btf->size);
		if (data)
			read_func_names(data, btf->size, btf->func_names);
		g_ptr_array_add(info->btfs, btf);
	}
}

/* "bpf_prog_" TAG "_" NAME; without a type table only a program of one function has a name. */
static char *func_name(const struct info_bpf_prog *prog, const struct info_bpf_func *func,
		       const struct info_btf *btf)
{
	GString *text = g_string_new("bpf_prog_");
	const char *name = prog->funcs->len > 1 ? "F" : prog->name;
	g_autofree char *shown = NULL;

	if (btf && func->btf_type < btf->func_names->len &&
	    g_ptr_array_index(btf->func_names, func->btf_type))
		name = g_ptr_array_index(btf->func_names, func->btf_type);
	for (size_t i = 0; i < sizeof(func->tag); i++)
		g_string_append_printf(text, "%02x", func->tag[i]);
	shown = text_shown(name);
	if (*shown)
		g_string_append_printf(text, "_%s", shown);
	return g_string_free(text, false);
}

static void print_prog(const struct info_bpf_prog *prog, const struct info_btf *btf, FILE *out)
{
	if (!prog->funcs->len) {
		fprintf(out, "# bpf_prog_info of id %u\n", prog->id);
		return;
	}
	if (prog->funcs->len > 1)
		fprintf(out, "# bpf_prog_info %u:\n", prog->id);
	for (u32 i = 0; i < prog->funcs->len; i++) {
		const struct info_bpf_func *func =
			&g_array_index(prog->funcs, struct info_bpf_func, i);
		g_autofree char *name = func_name(prog, func, btf);

		if (prog->funcs->len > 1)
			fprintf(out, "# \tsub_prog %u: ", i);
		else
			fprintf(out, "# bpf_prog_info %u: ", prog->id);
		fprintf(out, "%s addr 0x%" PRIx64 " size %u\n", name, func->va, func->size);
	}
}

void bpf_info_print_progs(const struct perfdata_info *info, FILE *out)
{
	g_autoptr(GHashTable) btfs = g_hash_table_new(NULL, NULL);

	for (u32 i = info->btfs->len; i-- > 0;) {
		struct info_btf *btf = g_ptr_array_index(info->btfs, i);

		g_hash_table_insert(btfs, GUINT_TO_POINTER(btf->id), btf);
	}
	for (u32 i = 0; i < info->bpf_progs->len; i++) {
		const struct info_bpf_prog *prog = g_ptr_array_index(info->bpf_progs, i);

		print_prog(prog, g_hash_table_lookup(btfs, GUINT_TO_POINTER(prog->btf_id)), out);
	}
	if (!info->bpf_progs->len)
		fputs("# bpf_prog_info empty\n", out);
}

void bpf_info_print_btfs(const struct perfdata_info *info, FILE *out)
{
	for (u32 i = 0; i < info->btfs->len; i++)
		fprintf(out, "# btf info of id %u\n",
			((struct info_btf *)g_ptr_array_index(info->btfs, i))->id);
	if (!info->btfs->len)
		fputs("# btf info empty\n", out);
}

void bpf_info_free_prog(void *p)
{
	struct info_bpf_prog *prog = p;

	g_array_unref(prog->funcs);
	g_free(prog);
}

void bpf_info_free_btf(void *p)
{
	struct info_btf *btf = p;

	g_ptr_array_unref(btf->func_names);
	g_free(btf);
}
