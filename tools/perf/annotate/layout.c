// SPDX-License-Identifier: GPL-2.0-or-later
#include "annotate/layout.h"

#include <string.h>

#define MAX_DEPTH 32 /* of structures in structures */

struct layout {
	bool holes;
	type_line_fn *fn;
	void *arg;
	bool stopped;
};

/* Can the type have holes? Members of a structure do not overlap; those of a union do. */
static bool may_have_holes(const struct type *type, const struct member *members, u32 nr)
{
	u8 kind = type_strip(type)->kind;

	if (kind != TYPE_STRUCT && kind != TYPE_CLASS)
		return false;
	for (u32 i = 0; i < nr; i++)
		if (members[i].variant)
			return false;
	return true;
}

/* Members at equal offsets, as bit-fields of one byte, stay in order of declaration. */
static int compare_offsets(const void *pa, const void *pb)
{
	const struct member *a = *(const struct member *const *)pa;
	const struct member *b = *(const struct member *const *)pb;

	if (a->offset != b->offset)
		return a->offset < b->offset ? -1 : 1;
	return a < b ? -1 : a > b;
}

static void say(struct layout *l, const struct type_line *line)
{
	if (!l->stopped && !l->fn(line, l->arg))
		l->stopped = true;
}

static void say_hole(struct layout *l, const struct type_line *around, u64 from, u64 to,
		     enum type_line_kind kind)
{
	struct type_line line = { .name = "",
				  .offset = around->offset + from,
				  .size = to - from,
				  .depth = around->depth + 1,
				  .kind = kind };

	if (from < to)
		say(l, &line);
}

static struct type_line line_of(const struct type_line *around, const struct member *member)
{
	return (struct type_line){
		.type = member->type,
		.name = member->name ?: "",
		.offset = around->offset + member->offset,
		.size = member->size,
		.depth = around->depth + 1,
		.bit_size = member->bit_size,
	};
}

static const struct member *members_of(const struct type_line *line, u32 *nr)
{
	*nr = 0;
	return line->depth < MAX_DEPTH && !line->bit_size ? type_members(line->type, nr) : NULL;
}

static void each_line(struct layout *l, struct type_line *line)
{
	g_autofree const struct member **order = NULL;
	const struct member *members;
	bool holes;
	u64 end = 0;
	u32 nr;

	members = members_of(line, &nr);
	line->opens = nr > 0;
	say(l, line);
	if (!nr || l->stopped)
		return;
	order = g_new(const struct member *, nr);
	for (u32 i = 0; i < nr; i++)
		order[i] = &members[i];
	holes = l->holes && may_have_holes(line->type, members, nr);
	if (l->holes)
		qsort(order, nr, sizeof(*order), compare_offsets);
	for (u32 i = 0; i < nr; i++) {
		const struct member *m = order[i];
		struct type_line child = line_of(line, m);

		child.open_ended = i == nr - 1 && !child.size &&
				   type_strip(child.type)->kind == TYPE_ARRAY;
		if (holes)
			say_hole(l, line, end, m->offset, LINE_HOLE);
		each_line(l, &child);
		end = MAX(end, m->offset + m->size);
	}
	if (holes)
		say_hole(l, line, end, line->size, LINE_PADDING);
}

void type_each_line(const struct type *type, bool holes, type_line_fn *fn, void *arg)
{
	struct layout l = { holes, fn, arg };
	struct type_line line = { .type = type, .name = "", .size = type->size };

	each_line(&l, &line);
}

/* Goes down to the innermost member at @offset. In a union: to the first member. */
static void descend(struct type_line *line, u64 offset)
{
	const struct member *members;
	u32 nr, i;

	do {
		members = members_of(line, &nr);
		for (i = 0; i < nr; i++) {
			struct type_line child = line_of(line, &members[i]);

			if (offset < child.offset || offset - child.offset >= child.size)
				continue;
			*line = child;
			break;
		}
	} while (i < nr);
}

#define MAX_LOOKED_AT (1 << 20) /* limit of members visited, for damaged debug information */

/* Finds the member called @name, of @size bytes. Also searches members without a name. */
static bool find_named(struct type_line *line, const char *name, size_t size, u32 *looked_at)
{
	const struct member *members;
	u32 nr;

	members = members_of(line, &nr);
	for (u32 i = 0; i < nr && ++*looked_at < MAX_LOOKED_AT; i++) {
		struct type_line child = line_of(line, &members[i]);

		if (strlen(child.name) == size && !memcmp(child.name, name, size)) {
			*line = child;
			return true;
		}
		if ((!*child.name || members[i].base) &&
		    find_named(&child, name, size, looked_at)) {
			*line = child;
			return true;
		}
	}
	return false;
}

bool type_find_line(const struct type *type, const char *path, struct type_line *out)
{
	bool digits = *path == '+' || g_ascii_isdigit(*path);
	u32 looked_at = 0;
	char *end;
	u64 offset;

	*out = (struct type_line){ .type = type, .name = "", .size = type->size };
	if (digits) {
		offset = g_ascii_strtoull(path + (*path == '+'), &end, 0);
		if (*end || offset >= type->size)
			return false;
		descend(out, offset);
		return true;
	}
	for (; *path; path += *path == '.') {
		size_t size = strcspn(path, ".");

		if (!find_named(out, path, size, &looked_at))
			return false;
		path += size;
	}
	return true;
}
