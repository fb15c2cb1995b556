// SPDX-License-Identifier: GPL-2.0-or-later
// The marks stand on the lines they speak of.
// clang-format off
/*
 * Headers that structures repeat instead of containing them, headers and operands in front of what a pointer points
 * to. The pointer's type is that of the header: what lies beyond its few bytes belongs to another type. See flow.c
 * for the marks; a line whose mark names nothing that could be there must have no wrong type.
 *
 * @locals struct frame* | struct node* | void* | char** | struct use | struct row* | long int | long | struct slot* | struct obj* | struct edge* | struct inst* | struct use* | struct use** | struct ent** | struct ent* | unsigned int* | unsigned int | int | double | double* | unsigned long | long unsigned int | enum obj_type* | struct handle* | char* | struct pair | struct tok* | struct cnst* | struct var* | struct neg* | struct bin*
 */
#include <stddef.h>

#define NOINLINE __attribute__((noinline))

/* One tag, repeated. */
enum tag { VAR, CNST, NEG, BIN };

struct node { enum tag tag; };
struct var { enum tag tag; int index; double w; };
struct cnst { enum tag tag; char exact; double value; };
struct bin { enum tag tag; short op; struct node *left, *right; };

NOINLINE double weight(const struct node *n)
{
	return n->tag == VAR ? ((const struct var *)n)->w : 0; // @type struct node +0 (tag) | struct var +0x8 (w)
}

NOINLINE int exact(const struct node *n)
{
	return n->tag == CNST ? ((const struct cnst *)n)->exact : 2; // @type struct node +0 (tag) | struct cnst +0x4 (exact)
}

NOINLINE const struct node *left(const struct node *n)
{
	return n->tag == BIN ? ((const struct bin *)n)->left : NULL; // @type struct node +0 (tag) | struct bin +0x8 (left)
}

NOINLINE void negate(struct node *n)
{
	if (n->tag == CNST) // @type struct node +0 (tag)
		((struct cnst *)n)->value = -((struct cnst *)n)->value; // @type struct cnst +0x8 (value)
	else if (n->tag == VAR) // @type struct node +0 (tag)
		((struct var *)n)->index = -((struct var *)n)->index; // @type struct var +0x4 (index)
}

/* Through a list, with the next node in the repeated part. */
struct tok { enum tag tag; };
struct word { enum tag tag; unsigned int hash; struct tok *next; char text[16]; };

NOINLINE unsigned int hashes(const struct tok *t)
{
	unsigned int sum = 0;

	for (; t; t = ((const struct word *)t)->next) // @type struct word +0x8 (next)
		sum += ((const struct word *)t)->hash; // @type struct word +0x4 (hash)
	return sum;
}

/* Not even a structure: a bare enum, and a bare byte. */
enum obj_type { SRV = 1, LSN, APP };
struct srv { enum obj_type type; int weight; double load; char *id; };
struct lsn { enum obj_type type; short port; char on; };

NOINLINE int srv_weight(enum obj_type *target)
{
	return *target == SRV ? ((struct srv *)target)->weight : 0; // @type enum obj_type +0 (no field) | struct srv +0x4 (weight)
}

NOINLINE char *srv_id(enum obj_type *target)
{
	return *target == SRV ? ((struct srv *)target)->id : NULL; // @type enum obj_type +0 (no field) | struct srv +0x10 (id)
}

NOINLINE int lsn_on(enum obj_type *target)
{
	return *target == LSN ? ((struct lsn *)target)->on : 0; // @type enum obj_type +0 (no field) | struct lsn +0x6 (on)
}

/* Real arrays of such small elements stay typed. */
NOINLINE int third(const enum obj_type *types) { return types[3] == SRV; } // @type enum obj_type +0 (no field)
NOINLINE int nr_vars(const struct node *nodes, int nr)
{
	int vars = 0;

	for (int i = 0; i < nr; i++)
		vars += nodes[i].tag == VAR; // @type struct node +0 (tag) | struct node (one of several)
	return vars;
}

/* A header before the array; operands before the object. */
struct hdr { unsigned long len, room; unsigned int refs, flags; };
struct edge { int from, to; double w; };

NOINLINE unsigned long edges(const struct edge *e) { return ((const struct hdr *)(const void *)e - 1)->len; } // @type struct hdr +0 (len)
NOINLINE unsigned int refs(const struct edge *e) { return ((const struct hdr *)(const void *)e - 1)->refs; } // @type struct hdr +0x10 (refs)
NOINLINE double total(const struct edge *e)
{
	double sum = 0;
	unsigned long nr = ((const struct hdr *)(const void *)e - 1)->len; // @type struct hdr +0 (len)

	for (unsigned long i = 0; i < nr; i++)
		sum += e[i].w; // @type struct edge +0x8 (w)
	return sum;
}

struct inst;
struct use { struct inst *val; struct use *next; unsigned long bits; };
struct inst { unsigned long id; unsigned int nops; int kind; struct inst *parent; long place; };

NOINLINE struct inst *operand(struct inst *i, unsigned int n)
{
	return (((struct use *)(void *)i) - i->nops)[n].val; // @type struct inst +0x8 (nops) | struct use +0 (val)
}

NOINLINE unsigned long bits(struct inst *i)
{
	unsigned long all = 0;
	struct use *u = (struct use *)(void *)i - i->nops; // @type struct inst +0x8 (nops)

	for (unsigned int n = 0; n < i->nops; n++) // @type struct inst +0x8 (nops)
		all |= u[n].bits; // @type struct use +0x10 (bits)
	return all;
}

NOINLINE struct inst *last_operand(struct inst *i) { return ((struct use *)(void *)i - 1)->val; } // @type struct use +0 (val)

/* Numbers behind a table of pointers. */
struct ent { unsigned int hash; unsigned int len; char *name; };

NOINLINE int seek(struct ent **tab, unsigned int n, unsigned int hash)
{
	unsigned int *hashes = (unsigned int *)(tab + n + 1);

	for (unsigned int i = 0; i < n; i++)
		if (hashes[i] == hash) // @type unsigned int +0 (no field)
			return tab[i] != NULL; // @type struct ent* +0 (no field)
	return -1;
}

NOINLINE unsigned int first_number(struct ent **tab, unsigned int n) { return ((unsigned int *)(tab + n))[0]; } // @type unsigned int +0 (no field)

/* An empty structure as an opaque handle. */
struct handle {};
struct real { long id; double weight; int *at; };

NOINLINE long handle_id(struct handle *h) { return ((struct real *)h)->id; } // @type struct real +0 (id)
NOINLINE double handle_weight(struct handle *h) { return ((struct real *)h)->weight; } // @type struct real +0x8 (weight)
NOINLINE int handle_at(struct handle *h) { return *((struct real *)h)->at; } // @type struct real +0x10 (at) | int +0 (no field)

/* Structures of several numbers, at constant places: an array, if all places are those of its elements. */
struct row { long key; int count; short kind; };

NOINLINE void fill(struct row *rows)
{
	rows[1].key = 1; // @must struct row +0 (key)
	rows[1].count = 2; // @must struct row +0x8 (count)
	rows[2].kind = 3; // @must struct row +0xc (kind)
}

/* A loop tells that there is an array. What lies before its first element is no element. */
struct prefix { unsigned int used, room; long when; };

NOINLINE int counts(const struct row *rows)
{
	unsigned int nr = ((const struct prefix *)(const void *)rows - 1)->used; // @type struct prefix +0 (used)
	int sum = 0;

	for (unsigned int i = 0; i < nr; i++)
		sum += rows[i].count; // @must struct row +0x8 (count)
	return sum;
}

/* An array directly behind the header. Only a call says that there is a header. */
struct child { long id; double w; };
struct frame { int kind; unsigned int nr; };
struct panel { struct frame head; struct child *kids[6]; };

NOINLINE int kind(const struct frame *f) { return f->kind; } // @type struct frame +0 (kind)
NOINLINE const struct child *kid(const void *p, unsigned int i)
{
	return kind(p) ? ((const struct panel *)p)->kids[i] : NULL; // @must struct panel +0x8 (kids) | struct frame +0 (kind)
}

/* The same small structure, by whole copies. */
struct slot { int type, flags; };
struct large { int type, flags; long id; double w; };

NOINLINE long entries(const struct slot *s) { return s->type ? ((const struct large *)s)->id : 0; } // @type struct slot +0 (type) | struct large +0x8 (id)
NOINLINE double two(const struct slot *s) { return s->flags + ((const struct large *)s)->w; } // @type struct slot +0x4 (flags) | struct large +0x10 (w)

/* Less than a pointer is written where a pointer is declared: a record in the place of a table of names. */
NOINLINE void set_flag(char **names) { *(unsigned char *)names = 1; } // @type unsigned char +0 (no field)
NOINLINE void set_count(struct ent *e) { *(unsigned int *)&e->name = 7; } // @type unsigned int +0 (no field)

int main(int argc, char **argv)
{
	void *p = argv;
	double sum = weight(p) + total(p) + handle_weight(p);

	negate(p);
	fill(p);
	set_flag(p);
	set_count(p);
	argc += counts(p);
	if (argc < 99)
		return 0;
	return (int)sum + exact(p) + (int)(long)left(p) + (int)hashes(p) + srv_weight(p) + *srv_id(p) + lsn_on(p) + third(p) +
	       nr_vars(p, argc) + (int)edges(p) + (int)refs(p) + operand(p, 3)->kind + (int)bits(p) + last_operand(p)->kind +
	       seek(p, 3, 4) + (int)kid(p, (unsigned int)argc)->id + (int)first_number(p, 3) + (int)handle_id(p) + handle_at(p) + entries(p) + two(p);
}
