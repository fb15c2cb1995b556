// SPDX-License-Identifier: GPL-2.0-or-later
#include "chains/go_stacks.h"
#include "tests/unwind/stacks.h"

#include <stdio.h>
#include <string.h>

/* As stepped.c writes it. */
struct record {
	u64 regs[CFI_NR_REGS];
	u64 address, size;
	u64 nr_ips;
};

static void add_mapping(struct stacks *s, const char *vdso, const char *line)
{
	unsigned long start, end;
	int at = 0;
	struct mapped_file *last = NULL, f = { 0 };

	if (sscanf(line, "%lx-%lx %*s %*s %*s %*s %n", &start, &end, &at) < 2 || !at)
		return;
	line += at;
	if (!strcmp(line, "[vdso]"))
		line = vdso;
	else if (line[0] != '/')
		return;
	if (s->files->len)
		last = &g_array_index(s->files, struct mapped_file, s->files->len - 1);
	if (last && !strcmp(last->path, line)) {
		last->end = end;
		return;
	}
	f = (struct mapped_file){ .path = g_strdup(line), .start = start, .end = end };
	f.image = image_open(f.path, NULL);
	if (f.image && f.image->nr_segments) {
		f.bias = start - (f.image->segments[0].vaddr & ~4095ull);
		f.cfi = cfi_open(f.image, NULL);
		if (f.cfi)
			go_stacks_tell(f.image, f.cfi);
	}
	g_array_append_val(s->files, f);
}

/* Is it of a 32-bit program? */
static bool is_narrow(const struct stacks *s)
{
	const struct mapped_file *first = s->files->len ? (const void *)s->files->data : NULL;

	return first && first->image && first->image->ehdr.e_ident[EI_CLASS] == ELFCLASS32;
}

static void add_records(struct stacks *s, gsize size)
{
	for (gsize at = 0; at < size;) {
		const struct record *r = (const void *)(s->bytes + at);
		struct taken t = { .ips = (const void *)(r + 1), .nr_ips = (u32)r->nr_ips };

		memcpy(t.stack.regs, r->regs, sizeof(r->regs));
		t.stack.known = (1u << CFI_NR_REGS) - 1;
		t.stack.address = r->address;
		t.stack.size = r->size;
		t.stack.bytes = (const u8 *)(t.ips + r->nr_ips);
		t.stack.process = s;
		t.stack.narrow = is_narrow(s);
		at += sizeof(*r) + r->nr_ips * sizeof(u64) + r->size;
		g_assert(at <= size);
		g_array_append_val(s->taken, t);
	}
}

struct stacks *stacks_open(const char *path)
{
	struct stacks *s = g_new0(struct stacks, 1);
	g_autofree char *maps = g_strconcat(path, ".maps", NULL);
	g_autofree char *vdso = g_strconcat(path, ".vdso", NULL);
	g_autofree char *text = NULL;
	g_auto(GStrv) lines = NULL;
	gsize size;

	s->files = g_array_new(FALSE, FALSE, sizeof(struct mapped_file));
	s->taken = g_array_new(FALSE, FALSE, sizeof(struct taken));
	if (!g_file_get_contents(maps, &text, NULL, NULL) ||
	    !g_file_get_contents(path, &s->bytes, &size, NULL))
		g_error("%s: no stacks there", path);
	lines = g_strsplit(text, "\n", -1);
	for (char **l = lines; *l; l++)
		add_mapping(s, vdso, *l);
	add_records(s, size);
	return s;
}

void stacks_close(struct stacks *s)
{
	for (guint i = 0; i < s->files->len; i++) {
		struct mapped_file *f = &g_array_index(s->files, struct mapped_file, i);

		cfi_close(f->cfi);
		image_close(f->image);
		g_free(f->path);
	}
	g_array_unref(s->files);
	g_array_unref(s->taken);
	g_free(s->bytes);
	g_free(s);
}

static const struct mapped_file *file_at(const struct stacks *s, u64 ip)
{
	for (guint i = 0; i < s->files->len; i++) {
		const struct mapped_file *f = &g_array_index(s->files, struct mapped_file, i);

		if (ip >= f->start && ip < f->end)
			return f;
	}
	return NULL;
}

static const struct segment *code_at(const struct mapped_file *f, u64 ip)
{
	for (u32 i = 0; f->image && i < f->image->nr_segments; i++) {
		const struct segment *g = &f->image->segments[i];

		if (ip - f->bias >= g->vaddr && ip - f->bias < g->vaddr + g->mem_size)
			return g->flags & PF_X ? g : NULL;
	}
	return NULL;
}

static bool find(void *stacks, u64 ip, struct unwind_code *code)
{
	const struct mapped_file *f = file_at(stacks, ip);
	const struct segment *g = f ? code_at(f, ip) : NULL;

	if (!g)
		return false;
	*code = (struct unwind_code){ .cfi = f->cfi,
				      .bias = f->bias,
				      .entry = f->image->ehdr.e_entry,
				      .start = g->vaddr + f->bias,
				      .size = g->mem_size };
	return true;
}

static bool find_without_cfi(void *stacks, u64 ip, struct unwind_code *code)
{
	const struct stacks *s = stacks;
	const struct mapped_file *f = file_at(s, ip);

	if (!f || !code_at(f, ip))
		return false;
	*code = (struct unwind_code){ .cfi = f == (const void *)s->files->data ? NULL : f->cfi,
				      .bias = f->bias,
				      .entry = f->image->ehdr.e_entry };
	return true;
}

static bool read_file(void *stacks, u64 address, u32 size, void *to)
{
	const struct mapped_file *f = file_at(stacks, address);
	const u8 *bytes;
	size_t left;

	bytes = f && f->image ? image_constant_at(f->image, address - f->bias, &left) : NULL;
	if (!bytes || left < size)
		return false;
	memcpy(to, bytes, size);
	return true;
}

const struct unwind_ops stacks_ops = { find, read_file };
const struct unwind_ops stacks_without_cfi = { find_without_cfi, read_file };
