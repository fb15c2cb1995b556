// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "base/text.h"
#include "fields/ids.h"
#include "fields/private.h"

#define NS_PER_MS 1000000ull

struct lexicon *lexicon_new(struct session *session)
{
	struct lexicon *lex = g_new0(struct lexicon, 1);

	lex->session = session;
	lex->time_quantum = 100 * NS_PER_MS;
	lex->cache_line_size = 64;
	lex->texts = intern_new();
	lex->own = g_new0(struct lexicon_own, 1);
	lex->own->dso_names = g_array_new(FALSE, TRUE, sizeof(u32));
	lex->own->sampled = g_array_new(FALSE, TRUE, sizeof(struct sampled));
	lex->own->threads = g_hash_table_new(NULL, NULL);
	lex->own->lines = g_hash_table_new_full(NULL, NULL, NULL, g_free);
	return lex;
}

void lexicon_free(struct lexicon *lex)
{
	if (!lex)
		return;
	intern_free(lex->texts);
	g_array_unref(lex->own->dso_names);
	g_array_unref(lex->own->sampled);
	ids_free(lex->own->ids);
	paths_free(lex->own->paths);
	g_hash_table_destroy(lex->own->threads);
	g_hash_table_destroy(lex->own->lines);
	trace_keys_free(lex->own->traces);
	ipc_free(lex->own->ipc);
	g_free(lex->own);
	g_free(lex);
}

u32 field_id(const struct field *field, struct lexicon *lex, const struct place *place)
{
	return field->id_of ? field->id_of(field, lex, place) : (u32)field->key(field, lex, place);
}

void lexicon_weigh_id(struct lexicon *lex, u32 id, u64 weight)
{
	ids_weigh(lex->own->ids, id, weight);
}

void lexicon_keep_ids(struct lexicon *lex, u32 nr)
{
	g_clear_pointer(&lex->own->paths, paths_free);
	if (lex->own->ids)
		ids_keep_heaviest(lex->own->ids, nr);
}

void field_print(const struct field *field, const struct lexicon *lexicon, u64 key, GString *out)
{
	size_t start = out->len;

	field->print(field, lexicon, key, out);
	text_make_shown(out, start);
}

bool field_has_part(const struct field *field, const struct lexicon *lexicon, u64 key,
		    const char *part)
{
	g_autoptr(GString) text = g_string_new(NULL);
	g_autofree char *folded = NULL;

	field_print(field, lexicon, key, text);
	folded = g_utf8_casefold(text->str, -1);
	return strstr(folded, part);
}

struct cell field_cell(const struct field *field, u64 key)
{
	bool none = (field->zero_is_none && !key) ||
		    (field->kind == CELL_ID && (u32)key == UINT32_MAX);

	if (none)
		return (struct cell){ .kind = CELL_NONE };
	return (struct cell){ .kind = field->kind, .number = field->kind == CELL_TEXT ? 0 : key };
}
