// SPDX-License-Identifier: GPL-2.0-or-later
#include "view/script/memo.h"

#include <string.h>

#include "base/append.h"

#define NR_SLOTS   64u /* a power of two; small, so the slots stay in the L1 cache */
#define SLOT_TEXT  88u
#define MOST_BYTES (16u << 20)

/* Most texts are shorter. A copy of a constant size is a few instructions. */
#define SHORT 32u

struct memo_slot {
	struct memo_key key;
	u64 size; /* 0: free */
	char text[SLOT_TEXT];
};

struct memo {
	struct memo_slot slots[NR_SLOTS];
	u64 how;
	GArray *numbered; /* u32 by number: position in texts + 1; 0: none */
	GString *texts;	  /* each text: one byte for its size, then its bytes */
};

struct memo *memo_new(void)
{
	struct memo *m = g_new0(struct memo, 1);

	m->numbered = g_array_new(FALSE, TRUE, sizeof(u32));
	m->texts = g_string_new(NULL);
	return m;
}

void memo_free(struct memo *m)
{
	if (!m)
		return;
	g_array_unref(m->numbered);
	g_string_free(m->texts, TRUE);
	g_free(m);
}

void memo_clear(struct memo *m)
{
	memset(m->slots, 0, sizeof(m->slots));
	g_array_set_size(m->numbered, 0);
	g_string_truncate(m->texts, 0);
}

/*
 * Multiplies each word with an odd number. The products do not depend on each other, so they are computed in parallel.
 */
static u32 slot_of(const struct memo_key *key)
{
	const u64 *w = key->words;
	u64 sum = w[0] * 0x9e3779b97f4a7c15ull + w[1] * 0xff51afd7ed558ccdull +
		  w[2] * 0xc4ceb9fe1a85ec53ull + w[3];

	return (u32)(sum >> 40) % NR_SLOTS;
}

static bool same_key(const struct memo_key *a, const struct memo_key *b)
{
	return !((a->words[0] ^ b->words[0]) | (a->words[1] ^ b->words[1]) |
		 (a->words[2] ^ b->words[2]) | (a->words[3] ^ b->words[3]));
}

/* Appends @size of the @most bytes at @text, which are all there. */
static void put(GString *out, const char *text, size_t size, size_t most)
{
	char *to = append_room(out, most);

	memcpy(to, text, SHORT);
	if (size > SHORT)
		memcpy(to + SHORT, text + SHORT, most - SHORT);
	append_done(out, size);
}

bool memo_put(const struct memo *m, const struct memo_key *key, GString *out)
{
	const struct memo_slot *s = &m->slots[slot_of(key)];

	if (!s->size || !same_key(&s->key, key))
		return false;
	put(out, s->text, s->size, SLOT_TEXT);
	return true;
}

void memo_keep(struct memo *m, const struct memo_key *key, const GString *out, size_t start)
{
	struct memo_slot *s = &m->slots[slot_of(key)];
	size_t size = out->len - start;

	if (!size || size > sizeof(s->text))
		return;
	s->key = *key;
	s->size = size;
	memcpy(s->text, out->str + start, size);
}

bool memo_put_numbered(const struct memo *m, u32 number, u64 how, GString *out)
{
	u32 at = number < m->numbered->len ? g_array_index(m->numbered, u32, number) : 0;
	size_t size;

	if (!at || how != m->how)
		return false;
	size = (u8)m->texts->str[at - 1];
	put(out, m->texts->str + at, size, MAX(size, SHORT));
	return true;
}

void memo_keep_numbered(struct memo *m, u32 number, u64 how, const GString *out, size_t start)
{
	size_t size = out->len - start;

	if (!m->texts->len)
		m->how = how;
	if (how != m->how || !size || size > UINT8_MAX ||
	    m->texts->len + size + number * sizeof(u32) > MOST_BYTES)
		return;
	if (number >= m->numbered->len)
		g_array_set_size(m->numbered, number + 1);
	append_char(m->texts, (char)size);
	g_array_index(m->numbered, u32, number) = (u32)m->texts->len;
	append_bytes(m->texts, out->str + start, size);
	append_room(m->texts, SHORT); /* for put() */
}
