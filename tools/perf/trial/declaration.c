// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The body is cut into pieces, one for each declaration with what belongs to it:
 *
 *	from ->		// how many		comments and blanks before it
 *	begin ->	long hits, misses;	prefix "long ", declarators "hits" and "misses"
 *	end ->			// since start	the rest of its line, if only a comment
 *	to ->
 *
 * Pieces without members (functions, types, friends) stay where they are. The others are filled into the places of pieces with
 * members, in the new order; if members of one piece are separated, each becomes a piece of its own.
 *
 * A group of the preprocessor (#if to #endif) with whole declarations is one piece, with the members of all its branches: it moves as it is,
 * or not at all. Macros (#define) go in front of the members, which may use them.
 */
#include "trial/declaration.h"

#include <string.h>

#include "base/error.h"
#include "trial/tokens.h"

#define MOST_DECLARATORS 64u

struct declared_piece {
	u32 from, begin, end, to;
	u32 prefix;			  /* where the first declarator begins */
	u32 nr;				  /* declarators */
	u32 starts[MOST_DECLARATORS + 1]; /* of each; the last: the semicolon */
	bool body;			  /* has { } */
	bool data;			  /* declares members */
	bool group;			  /* #if to #endif: @nr is 0 */
	bool macro;			  /* #define */
	u32 section;			  /* number of access labels before it */
};

struct body {
	const char *s;
	u32 from, to; /* between the braces */
	GArray *pieces;
	u32 line;
};

static bool refuse(const struct body *b, u32 at, const char *why, GError **error)
{
	u32 line = 1;

	for (u32 i = 0; i < at; i++)
		line += b->s[i] == '\n';
	return error_set(error, PERF_ERROR_UNSUPPORTED, "line %u: %s", line, why);
}

/* The next token that is no comment. */
static struct token significant(const char *s, u32 at)
{
	struct token t = token_next(s, at);

	while (t.kind == TOKEN_COMMENT)
		t = token_next(s, t.to);
	return t;
}

static char closing(char open)
{
	return open == '(' ? ')' : open == '[' ? ']' : open == '{' ? '}' : 0;
}

/* Behind the bracket that closes the one at @t; 0: none does. */
static u32 skip_brackets(const char *s, struct token t)
{
	char stack[64];
	u32 depth = 0;

	for (;; t = significant(s, t.to)) {
		char c = t.kind == TOKEN_SIGN ? s[t.from] : 0;

		if (t.kind == TOKEN_END || (closing(c) && depth == sizeof(stack)))
			return 0;
		if (closing(c))
			stack[depth++] = closing(c);
		else if (c && (c == ')' || c == ']' || c == '}') && c != stack[--depth])
			return 0;
		if (!depth)
			return t.to;
	}
}

static u32 offset_of_line(const char *s, u32 line)
{
	u32 at = 0;

	while (line > 1 && s[at])
		line -= s[at++] == '\n';
	return at;
}

/* Up to the end of the line if nothing but a comment is there, with the newline. */
static u32 rest_of_line(const char *s, u32 at)
{
	struct token t = token_next(s, at);

	while (t.kind == TOKEN_COMMENT && !memchr(s + at, '\n', t.from - at)) {
		at = t.to;
		t = token_next(s, at);
	}
	while (s[at] == ' ' || s[at] == '\t' || s[at] == '\r')
		at++;
	return s[at] == '\n' ? at + 1 : at;
}

/* The braces behind the declaration's line, before any other declaration ends. */
static bool find_body(struct body *b, u32 line, GError **error)
{
	u32 at = offset_of_line(b->s, line);
	struct token t;

	for (t = significant(b->s, at); t.kind != TOKEN_END; t = significant(b->s, t.to)) {
		if (t.kind == TOKEN_DIRECTIVE || token_is(b->s, &t, ';') || token_is(b->s, &t, '}'))
			break;
		if (!token_is(b->s, &t, '{'))
			continue;
		b->to = skip_brackets(b->s, t);
		if (!b->to)
			break;
		b->to--;
		b->from = MIN(rest_of_line(b->s, t.to), b->to);
		return true;
	}
	return refuse(b, at, "no structure is declared there: has the file changed?", error);
}

static bool is_label(const char *s, const struct token *t)
{
	struct token colon = significant(s, t->to);

	return token_is(s, &colon, ':') &&
	       (token_is_word(s, t, "public") || token_is_word(s, t, "private") ||
		token_is_word(s, t, "protected"));
}

static bool add_start(struct declared_piece *p, u32 at)
{
	if (p->nr == MOST_DECLARATORS)
		return false;
	p->starts[p->nr++] = at;
	return true;
}

/*
 * Reads one declaration from @at on. Its declarators are behind commas outside of brackets; of the first one it is not known here where
 * it begins. A function's body ends without a semicolon.
 */
static bool read_piece(struct body *b, struct declared_piece *p, u32 at, GError **error)
{
	struct token t = significant(b->s, at), last = t;
	bool function = false, constant = false;
	u32 angles = 0; /* of template arguments */

	p->begin = t.from;
	add_start(p, t.from);
	for (; t.kind != TOKEN_END && t.from < b->to; last = t, t = significant(b->s, t.to)) {
		if (t.kind == TOKEN_DIRECTIVE)
			return refuse(b, t.from, "the preprocessor chooses parts of a declaration",
				      error);
		if (token_is(b->s, &t, ';')) {
			p->end = t.to;
			p->starts[p->nr] = t.from;
			return true;
		}
		constant |= token_is(b->s, &t, '=');
		if (!constant)
			angles += token_is(b->s, &t, '<')	      ? 1
				  : angles && token_is(b->s, &t, '>') ? -1u
								      : 0;
		if (token_is(b->s, &t, ',') && !angles && !add_start(p, t.to))
			return refuse(b, t.from, "too many members in one declaration", error);
		function |= token_is(b->s, &t, '(');
		if (t.kind != TOKEN_SIGN || !closing(b->s[t.from]))
			continue;
		p->body |= b->s[t.from] == '{';
		if (b->s[t.from] == '{' && function && !constant) {
			p->end = skip_brackets(b->s, t);
			p->nr = 0;
			return p->end || refuse(b, t.from, "a bracket is not closed", error);
		}
		t.to = skip_brackets(b->s, t);
		if (!t.to || t.to > b->to)
			return refuse(b, t.from, "a bracket is not closed", error);
	}
	return refuse(b, last.from, "a declaration has no end", error);
}

static bool directive_is(const char *s, const struct token *t, const char *word)
{
	struct token name = token_next(s, t->from + 1);

	return t->kind == TOKEN_DIRECTIVE && token_is_word(s, &name, word);
}

static bool begins_group(const char *s, const struct token *t)
{
	return directive_is(s, t, "if") || directive_is(s, t, "ifdef") ||
	       directive_is(s, t, "ifndef");
}

/* A directive is where a declaration may begin: none is cut in two. */
static bool is_between(const char *s, const struct token *last)
{
	return last->kind == TOKEN_DIRECTIVE || token_is(s, last, ';') || token_is(s, last, '}');
}

/* Reads #if to #endif from @at on, with the groups within. */
static bool read_group(struct body *b, struct declared_piece *p, u32 at, GError **error)
{
	struct token t = significant(b->s, at), last = t;
	u32 depth = 0;

	p->group = true;
	p->begin = t.from;
	for (; t.kind != TOKEN_END && t.from < b->to; last = t, t = significant(b->s, t.to)) {
		if (is_label(b->s, &t))
			return refuse(b, t.from, "the preprocessor chooses sections of the class",
				      error);
		if (t.kind == TOKEN_SIGN && closing(b->s[t.from])) {
			u32 end = skip_brackets(b->s, t);

			if (!end || end > b->to)
				return refuse(b, t.from, "a bracket is not closed", error);
			t = (struct token){ TOKEN_SIGN, end - 1, end };
		}
		if (t.kind != TOKEN_DIRECTIVE)
			continue;
		if (!is_between(b->s, &last))
			return refuse(b, t.from, "the preprocessor chooses parts of a declaration",
				      error);
		depth += begins_group(b->s, &t) ? 1 : directive_is(b->s, &t, "endif") ? -1u : 0;
		if (!depth) {
			p->end = t.to;
			return true;
		}
	}
	return refuse(b, p->begin, "#if has no end among the members", error);
}

/* Directives that begin a piece. */
static bool read_directive(struct body *b, struct declared_piece *p, const struct token *t,
			   GError **error)
{
	if (begins_group(b->s, t))
		return read_group(b, p, t->from, error);
	if (!directive_is(b->s, t, "define"))
		return refuse(b, t->from, "a directive stands among the members", error);
	p->macro = true;
	p->begin = t->from;
	p->end = t->to;
	return true;
}

static bool read_pieces(struct body *b, GError **error)
{
	u32 at = b->from, section = 0;

	for (;;) {
		struct declared_piece p = { .from = at, .section = section };
		struct token t = significant(b->s, at);

		if (t.from >= b->to)
			return true;
		if (is_label(b->s, &t)) {
			t = significant(b->s, t.to);
			section++;
			at = rest_of_line(b->s, t.to);
			p.begin = p.from;
			p.end = p.to = at;
			g_array_append_val(b->pieces, p);
			continue;
		}
		if (t.kind == TOKEN_DIRECTIVE ? !read_directive(b, &p, &t, error)
					      : !read_piece(b, &p, at, error))
			return false;
		p.to = at = MIN(rest_of_line(b->s, p.end), b->to);
		g_array_append_val(b->pieces, p);
	}
}

static struct declared_piece *piece_at(const struct body *b, u32 i)
{
	return &g_array_index(b->pieces, struct declared_piece, i);
}

/* What may follow the name of a declarator. */
static bool ends_name(const char *s, const struct token *next, u32 to)
{
	return next->from >= to || token_is_word(s, next, "__attribute__") ||
	       (next->kind == TOKEN_SIGN && strchr(";,[:={", s[next->from]));
}

/*
 * The word @name in [from, to) as the name of a declarator, @inside: within braces. In parentheses only as in (*name)(int a), whose first
 * ones have the name and whose second ones have parameters. Returns where it is; 0: nowhere.
 */
static u32 declares(const char *s, u32 from, u32 to, const char *name, bool inside)
{
	struct token t = significant(s, from), next, last = { TOKEN_END };
	u32 braces = 0, parens = 0, groups = 0;

	for (; t.kind != TOKEN_END && t.from < to; last = t, t = next) {
		char c = t.kind == TOKEN_SIGN ? s[t.from] : 0;
		bool pointer;

		next = significant(s, t.to);
		braces += c == '{' ? 1 : c == '}' && braces ? -1u : 0;
		groups += c == '(' && !parens;
		parens += c == '(' ? 1 : c == ')' && parens ? -1u : 0;
		if (!token_is_word(s, &t, name) || (braces > 0) != inside)
			continue;
		pointer = parens == 1 && groups == 1 && token_is(s, &last, '*') &&
			  (token_is(s, &next, ')') || token_is(s, &next, '['));
		if (pointer || (!parens && ends_name(s, &next, to)))
			return t.from;
	}
	return 0;
}

/* Where a name is declared. */
struct name_spot {
	u32 piece;
	u32 declarator; /* of a group: where in the source */
};

static bool find_name(const struct body *b, const char *name, bool inside, struct name_spot *out,
		      GError **error)
{
	u32 found = 0;

	for (u32 i = 0; i < b->pieces->len; i++) {
		struct declared_piece *p = piece_at(b, i);
		u32 in_group = p->group ? declares(b->s, p->begin, p->end, name, inside) : 0;

		if (in_group) {
			*out = (struct name_spot){ i, in_group };
			p->data = true;
			found++;
		}
		for (u32 k = 0; k < p->nr; k++) {
			if (!declares(b->s, p->starts[k], p->starts[k + 1], name, inside))
				continue;
			*out = (struct name_spot){ i, k };
			p->data = true;
			found++;
		}
	}
	if (found == 1)
		return true;
	return error_set(
		error, PERF_ERROR_UNSUPPORTED,
		found ? "'%s' seems to be declared more than once: the file may have changed"
		      : "the declaration of '%s' is not found: a macro may declare it",
		name);
}

static bool is_declared(const struct body *b, const char *name, bool inside)
{
	for (u32 i = 0; i < b->pieces->len; i++) {
		const struct declared_piece *p = piece_at(b, i);

		if (p->group && declares(b->s, p->begin, p->end, name, inside))
			return true;
		for (u32 k = 0; k < p->nr; k++)
			if (declares(b->s, p->starts[k], p->starts[k + 1], name, inside))
				return true;
	}
	return false;
}

/* "CommonHeader;" */
static bool is_one_word(const struct body *b, const struct declared_piece *p)
{
	struct token word = significant(b->s, p->begin), next = significant(b->s, word.to);

	return word.kind == TOKEN_WORD && token_is(b->s, &next, ';');
}

/*
 * How many parts the first declaration stands for, if it is a macro: those that no other one declares. They are in front, in their old
 * order. 0: it is no macro, or cannot be one for them.
 */
static u32 parts_of_macro(const struct body *b, const GArray *parts)
{
	u32 nr = 0;

	if (!b->pieces->len || !is_one_word(b, piece_at(b, 0)))
		return 0;
	for (; nr < parts->len; nr++) {
		const struct declared_part *part = &g_array_index(parts, struct declared_part, nr);

		if (part->align || part->was != nr || part->names->len != 1 ||
		    is_declared(b, part->names->pdata[0], part->inside))
			break;
	}
	return nr;
}

/* All declarators in the new order, from part @first on. */
static bool find_all(const struct body *b, const GArray *parts, u32 first, GArray *spots,
		     GArray *aligns, GError **error)
{
	u32 first_section = UINT32_MAX;

	for (u32 i = first; i < parts->len; i++) {
		const struct declared_part *part = &g_array_index(parts, struct declared_part, i);

		for (u32 k = 0; k < part->names->len; k++) {
			u32 align = k ? 0 : part->align;
			struct name_spot spot;

			if (!find_name(b, part->names->pdata[k], part->inside, &spot, error))
				return false;
			g_array_append_val(spots, spot);
			g_array_append_val(aligns, align);
			if (first_section == UINT32_MAX)
				first_section = piece_at(b, spot.piece)->section;
			if (piece_at(b, spot.piece)->section != first_section)
				return refuse(b, piece_at(b, spot.piece)->begin,
					      "members are in several sections of the class",
					      error);
		}
	}
	return true;
}

/*
 * All members that the piece declares must be known: one that is forgotten would be lost. A group has members that this build does not
 * have, and moves as a whole.
 */
static bool is_whole(const struct body *b, const GArray *spots, GError **error)
{
	for (u32 i = 0; i < b->pieces->len; i++) {
		const struct declared_piece *p = piece_at(b, i);
		u32 known = 0;

		for (u32 k = 0; k < spots->len; k++)
			known += g_array_index(spots, struct name_spot, k).piece == i;
		if (p->data && !p->group && known != p->nr)
			return refuse(b, p->begin, "some members of this declaration are not known",
				      error);
	}
	return true;
}

/* Where the first declarator of a piece begins: its name, with the stars before it. */
static u32 first_declarator(const struct body *b, const struct declared_piece *p, const char *name)
{
	struct token t = significant(b->s, p->begin);
	u32 stars = 0;
	bool star = false;

	for (; t.from < p->starts[1] && t.kind != TOKEN_END; t = significant(b->s, t.to)) {
		bool sign = token_is(b->s, &t, '*') || token_is(b->s, &t, '&');

		if (token_is_word(b->s, &t, name))
			return star ? stars : t.from;
		if (sign && !star)
			stars = t.from;
		star = sign;
	}
	return p->begin;
}

struct writing {
	const struct body *b;
	const GArray *spots, *aligns;
	GPtrArray *names; /* of spots */
	GString *out;
};

static void put(GString *out, const char *s, u32 from, u32 to)
{
	g_string_append_len(out, s + from, (gssize)(to - from));
}

static void put_align(GString *out, u32 align)
{
	if (align)
		g_string_append_printf(out, "__attribute__((aligned(%u))) ", align);
}

static u32 align_at(const struct writing *w, u32 i)
{
	return g_array_index(w->aligns, u32, i);
}

static const struct name_spot *spot_at(const struct writing *w, u32 i)
{
	return &g_array_index(w->spots, struct name_spot, i);
}

/* How many declarators from spot @i on are a whole piece as it stands, with no alignment but at its front. */
static u32 whole_from(const struct writing *w, u32 i)
{
	const struct declared_piece *p = piece_at(w->b, spot_at(w, i)->piece);

	for (u32 k = 0; k < p->nr; k++) {
		if (i + k >= w->spots->len || spot_at(w, i + k)->piece != spot_at(w, i)->piece ||
		    spot_at(w, i + k)->declarator != k || (k && align_at(w, i + k)))
			return 0;
	}
	return align_at(w, i) && p->nr > 1 ? 0 : p->nr;
}

/* A new line, with the blanks before the piece's own first word. */
static void put_indent(const struct writing *w, const struct declared_piece *p)
{
	u32 from = p->begin;

	while (from > w->b->from && (w->b->s[from - 1] == ' ' || w->b->s[from - 1] == '\t'))
		from--;
	if (w->out->len && w->out->str[w->out->len - 1] != '\n')
		g_string_append_c(w->out, '\n');
	put(w->out, w->b->s, from, p->begin);
}

static bool put_one(const struct writing *w, u32 i, GError **error)
{
	const struct name_spot *spot = spot_at(w, i);
	const struct declared_piece *p = piece_at(w->b, spot->piece);
	u32 prefix, from = p->starts[spot->declarator];

	if (p->body)
		return refuse(w->b, p->begin, "members of one nameless type are declared together",
			      error);
	for (u32 k = 0, first = 0; k < w->spots->len; k++) {
		const struct name_spot *other = spot_at(w, k);

		if (other->piece == spot->piece && other->declarator == first) {
			prefix = first_declarator(w->b, p, w->names->pdata[k]);
			break;
		}
		prefix = p->begin;
	}
	if (!spot->declarator)
		from = prefix;
	while (g_ascii_isspace(w->b->s[from]))
		from++;
	put_indent(w, p);
	put_align(w->out, align_at(w, i));
	put(w->out, w->b->s, p->begin, prefix);
	put(w->out, w->b->s, from,
	    p->starts[spot->declarator + 1] -
		    (spot->declarator + 1 < p->nr)); /* without the comma */
	g_string_append(w->out, ";\n");
	return true;
}

/* A directive has a line of its own. */
static void put_lines(const struct writing *w, const struct declared_piece *p)
{
	if (w->out->len && w->out->str[w->out->len - 1] != '\n')
		g_string_append_c(w->out, '\n');
	put(w->out, w->b->s, p->from, p->to);
}

/* The members from spot @i on are those of a group. @i: out: that behind them. */
static bool put_group(const struct writing *w, u32 *i, GError **error)
{
	const struct name_spot *first = spot_at(w, *i);
	const struct declared_piece *p = piece_at(w->b, first->piece);
	u32 nr = 0, before = 0;

	for (u32 k = 0; k < w->spots->len; k++)
		nr += spot_at(w, k)->piece == first->piece;
	for (u32 end = *i + nr; *i < end; before = spot_at(w, (*i)++)->declarator) {
		if (*i >= w->spots->len || spot_at(w, *i)->piece != first->piece ||
		    spot_at(w, *i)->declarator < before)
			return refuse(
				w->b, p->begin,
				"the preprocessor chooses members that would not stay together",
				error);
		if (align_at(w, *i))
			return refuse(w->b, p->begin,
				      "the preprocessor chooses a member that would be aligned",
				      error);
	}
	put_lines(w, p);
	return true;
}

static bool put_members(const struct writing *w, GError **error)
{
	for (u32 i = 0; i < w->spots->len;) {
		const struct declared_piece *p = piece_at(w->b, spot_at(w, i)->piece);
		u32 whole;

		if (p->group) {
			if (!put_group(w, &i, error))
				return false;
			continue;
		}
		whole = whole_from(w, i);
		if (!whole) {
			if (!put_one(w, i++, error))
				return false;
			continue;
		}
		put(w->out, w->b->s, p->from, p->begin);
		put_align(w->out, align_at(w, i));
		put(w->out, w->b->s, p->begin, p->to);
		i += whole;
	}
	return true;
}

static void put_macros(const struct writing *w)
{
	for (u32 i = 0; i < w->b->pieces->len; i++)
		if (piece_at(w->b, i)->macro)
			put_lines(w, piece_at(w->b, i));
}

/* Members go where the first of them was; other pieces stay in their order, behind or before. */
static bool write_body(const struct writing *w, GError **error)
{
	bool done = false;

	put_macros(w);
	for (u32 i = 0; i < w->b->pieces->len; i++) {
		const struct declared_piece *p = piece_at(w->b, i);

		if (p->macro)
			continue;
		if (p->group && !p->data) {
			put_lines(w, p);
			continue;
		}
		if (!p->data) {
			put(w->out, w->b->s, p->from, p->to);
			continue;
		}
		if (!done && !put_members(w, error))
			return false;
		done = true;
	}
	return true;
}

static bool change(struct body *b, const GArray *parts, GString *out, GError **error)
{
	g_autoptr(GArray) spots = g_array_new(FALSE, FALSE, sizeof(struct name_spot));
	g_autoptr(GArray) aligns = g_array_new(FALSE, FALSE, sizeof(u32));
	g_autoptr(GPtrArray) names = g_ptr_array_new();
	const struct writing w = { b, spots, aligns, names, out };
	u32 end, first;

	if (!read_pieces(b, error))
		return false;
	first = parts_of_macro(b, parts);
	if (!find_all(b, parts, first, spots, aligns, error) || !is_whole(b, spots, error))
		return false;
	for (u32 i = first; i < parts->len; i++) {
		const struct declared_part *part = &g_array_index(parts, struct declared_part, i);

		for (u32 k = 0; k < part->names->len; k++)
			g_ptr_array_add(names, part->names->pdata[k]);
	}
	put(out, b->s, 0, b->from);
	if (!write_body(&w, error))
		return false;
	end = b->pieces->len ? piece_at(b, b->pieces->len - 1)->to : b->from;
	g_string_append(out, b->s + end);
	return true;
}

char *declaration_change(const char *source, u32 line, const GArray *parts, GError **error)
{
	struct body b = { .s = source, .line = line };
	GString *out = g_string_new(NULL);
	bool ok;

	b.pieces = g_array_new(FALSE, TRUE, sizeof(struct declared_piece));
	ok = find_body(&b, line, error) && change(&b, parts, out, error);
	g_array_unref(b.pieces);
	return g_string_free(out, !ok);
}
