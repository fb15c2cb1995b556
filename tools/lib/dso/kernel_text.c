// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The kernel's code as a recording has it: the functions that were sampled, at their recorded addresses. It becomes an ELF
 * file in memory with a segment for each piece of code, so that it is used like a vmlinux without symbols.
 */
#include <elf.h>

#include "btf/elf_made.h"
#include "dso/private.h"

/* The file in memory has at most 65,534 segments. */
#define MAX_SEGMENTS 60000
#define MAX_BYTES    (64u << 20)

struct kernel_text {
	u64 va;
	GBytes *bytes;
};

void kernel_text_free(void *p)
{
	struct kernel_text *text = p;

	g_bytes_unref(text->bytes);
	g_free(text);
}

void dso_add_text(struct dso *dso, u64 va, const u8 *bytes, size_t size)
{
	struct kernel_text *text;

	if (dso->kind != DSO_KERNEL || !size || size > MAX_BYTES || va > UINT64_MAX - size)
		return;
	text = g_new(struct kernel_text, 1);
	*text = (struct kernel_text){ va, g_bytes_new(bytes, size) };
	dso_lock(dso);
	if (!in(dso)->texts)
		in(dso)->texts = g_ptr_array_new_with_free_func(kernel_text_free);
	g_ptr_array_add(in(dso)->texts, text);
	dso_unlock(dso);
}

static int compare_texts(const void *a, const void *b)
{
	const struct kernel_text *x = *(struct kernel_text *const *)a;
	const struct kernel_text *y = *(struct kernel_text *const *)b;

	return (x->va > y->va) - (x->va < y->va);
}

/* Joins pieces that follow each other. Bytes that an earlier piece has, too, are taken from there. */
static void add_segments(GPtrArray *texts, struct elf_made *made)
{
	g_autoptr(GByteArray) joined = g_byte_array_new();
	u64 start = 0, end = 0, total = 0;
	u32 segments = 0;

	for (u32 i = 0; i < texts->len && total < MAX_BYTES; i++) {
		const struct kernel_text *text = texts->pdata[i];
		size_t size, skip;
		const u8 *bytes = g_bytes_get_data(text->bytes, &size);

		if (text->va > end || !joined->len) {
			if (joined->len && segments++ < MAX_SEGMENTS)
				elf_made_segment(made, start, PF_R | PF_X, joined->data,
						 joined->len);
			g_byte_array_set_size(joined, 0);
			start = end = text->va;
		}
		skip = end - text->va;
		if (skip >= size)
			continue;
		g_byte_array_append(joined, bytes + skip, (guint)(size - skip));
		end += size - skip;
		total += size - skip;
	}
	if (joined->len)
		elf_made_segment(made, start, PF_R | PF_X, joined->data, joined->len);
}

struct image *kernel_text_image(struct dso *dso, struct absence *absence)
{
	g_autoptr(GBytes) bytes = NULL;
	struct elf_made *made;
	struct image *image;

	if (!in(dso)->texts)
		return NULL;
	g_ptr_array_sort(in(dso)->texts, compare_texts);
	made = elf_made_new();
	add_segments(in(dso)->texts, made);
	bytes = elf_made_finish(made);
	image = image_of_bytes(bytes, dso->long_name, NULL);
	if (image)
		absence_clear(absence);
	return image;
}
