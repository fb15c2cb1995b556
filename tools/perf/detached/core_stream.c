// SPDX-License-Identifier: GPL-2.0-or-later
#include "detached/core_stream.h"

#include <elf.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "perfdata/image/image_core.h"

#define PAGE	  4096
#define PIECE	  65536
#define HEADS_MAX (64u << 20) /* limit of headers and notes: more than the kernel writes */

struct core_copy {
	int in, out;
	u64 left; /* bytes that may still be written out */
	bool in_ended;
};

static ssize_t read_some(struct core_copy *s, void *to, size_t size)
{
	ssize_t n;

	do {
		n = read(s->in, to, size);
	} while (n < 0 && errno == EINTR);
	s->in_ended |= n <= 0;
	return n;
}

/* Appends until @heads has @size bytes. False: the input ends before. */
static bool fill(struct core_copy *s, GByteArray *heads, u64 size)
{
	u8 piece[PIECE];

	while (heads->len < size) {
		ssize_t n = read_some(s, piece, MIN(size - heads->len, sizeof(piece)));

		if (n <= 0)
			return false;
		g_byte_array_append(heads, piece, (guint)n);
	}
	return true;
}

static bool write_all(struct core_copy *s, const void *from, u64 size, GError **error)
{
	u64 at = 0;

	size = MIN(size, s->left);
	s->left -= size;
	while (at < size) {
		ssize_t n = write(s->out, (const u8 *)from + at, size - at);

		if (n < 0 && errno != EINTR)
			return error_set_errno(error, errno, "writing the core");
		at += n > 0 ? (u64)n : 0;
	}
	return true;
}

/*
 * Reads all headers and notes. False: the input is not a core in the kernel's form, or it ends too
 * early.
 */
static bool read_heads(struct core_copy *s, GByteArray *heads)
{
	Elf64_Ehdr e;
	Elf64_Phdr first;
	u64 end;

	if (!fill(s, heads, sizeof(e) + sizeof(first)))
		return false;
	memcpy(&e, heads->data, sizeof(e));
	memcpy(&first, heads->data + sizeof(e), sizeof(first));
	if (!image_is_core(&e, sizeof(e)) || e.e_phoff != sizeof(e) ||
	    e.e_phentsize != sizeof(first) || first.p_type != PT_NOTE ||
	    first.p_offset < sizeof(e) + sizeof(first) || first.p_offset > HEADS_MAX ||
	    first.p_filesz > HEADS_MAX)
		return false;
	end = first.p_offset + first.p_filesz;
	return fill(s, heads, end);
}

static GByteArray *make_note(const void *content, u64 size)
{
	const Elf64_Nhdr head = { sizeof(IMAGE_NOTE_NAME), (u32)((size + 7) & ~(u64)7),
				  IMAGE_NOTE_TYPE };
	GByteArray *note = g_byte_array_new();
	static const u8 zeros[16];

	g_byte_array_append(note, (const u8 *)&head, sizeof(head));
	g_byte_array_append(note, (const u8 *)IMAGE_NOTE_NAME, sizeof(IMAGE_NOTE_NAME));
	g_byte_array_append(note, zeros, 8 - sizeof(IMAGE_NOTE_NAME));
	g_byte_array_append(note, content, (guint)size);
	g_byte_array_append(note, zeros, (guint)(head.n_descsz - size));
	return note;
}

/* Adjusts the headers: the notes grow by @size; everything after them moves by @by. */
static void move_heads(GByteArray *heads, u64 size, u64 by)
{
	Elf64_Ehdr *e = (void *)heads->data;
	Elf64_Phdr *p = (void *)(heads->data + sizeof(*e));
	u64 nr = (p->p_offset - sizeof(*e)) / sizeof(*p);

	if (e->e_phnum != PN_XNUM)
		nr = MIN(nr, e->e_phnum);
	for (u64 i = 1; i < nr; i++)
		if (p[i].p_offset)
			p[i].p_offset += by;
	p->p_filesz += size;
	if (e->e_shoff)
		e->e_shoff += by;
}

static bool put_heads(struct core_copy *s, GByteArray *heads, const GByteArray *note,
		      GError **error)
{
	u64 by = (note->len + PAGE - 1) & ~(u64)(PAGE - 1);
	g_autofree u8 *gap = g_malloc0(by - note->len + 1);

	move_heads(heads, note->len, by);
	return write_all(s, heads->data, heads->len, error) &&
	       write_all(s, note->data, note->len, error) &&
	       write_all(s, gap, by - note->len, error);
}

/* Reads to the end, even beyond the limit: the kernel waits for its reader. */
static bool copy_rest(struct core_copy *s, GError **error)
{
	g_autofree u8 *piece = g_malloc(PIECE);
	bool fine = true;
	ssize_t n;

	while (!s->in_ended && (n = read_some(s, piece, PIECE)) > 0)
		fine = fine && write_all(s, piece, (u64)n, error);
	return fine;
}

bool core_stream(int in, int out, const void *content, u64 size, u64 limit, bool *added,
		 GError **error)
{
	g_autoptr(GByteArray) heads = g_byte_array_new(), note = NULL;
	struct core_copy s = { in, out, limit, false };
	bool fine;

	*added = content && size < HEADS_MAX * 4ull && read_heads(&s, heads);
	if (*added) {
		note = make_note(content, size);
		fine = put_heads(&s, heads, note, error);
	} else {
		fine = write_all(&s, heads->data, heads->len, error);
	}
	return copy_rest(&s, fine ? error : NULL) && fine;
}
