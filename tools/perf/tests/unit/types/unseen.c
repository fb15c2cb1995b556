// SPDX-License-Identifier: GPL-2.0-or-later
// The marks stand on the lines they speak of.
// clang-format off
/*
 * What programs that nobody tuned on have shown: each cause in several shapes. The casts are in the expressions, so that
 * no variable tells the type. See flow.c for the marks; a line whose mark names nothing that could be there must have no
 * wrong type.
 *
 * @locals struct item** | struct path +0x24 (at.row) | void* | char** | long int | long | int | double | unsigned int | unsigned long | long unsigned int | struct item* | struct kind* | unsigned char* | char* | struct part* | struct whole* | struct rope* | short int* | short* | struct leaf* | struct page* | double* | struct shape* | union num | struct cell* | struct tagged* | struct thing* | struct list* | float
 */
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define NOINLINE __attribute__((noinline))
#define container_of(p, T, m) ((T *)((char *)(p)-offsetof(T, m)))

/* 1a. a one byte tag in a structure; switch */
struct kind { unsigned char is; };
struct leaf { unsigned char is, level; unsigned short nr; float weight; double sum; };
struct rope { unsigned char is, depth; int len; struct kind *left, *right; };
struct text { unsigned char is; char bytes[15]; };

NOINLINE double k_sum(struct kind *k)
{
	switch (k->is) { // @type struct kind +0 (is)
	case 1: return ((struct leaf *)k)->sum; // @type struct leaf +0x8 (sum)
	case 2: return ((struct rope *)k)->len; // @type struct rope +0x4 (len)
	case 3: return ((struct text *)k)->bytes[4]; // @type struct text +0x1 (bytes) | struct text +0x5 (bytes) | struct text +0x5 (bytes[4]) | char +0 (no field) | struct text +0x1 (bytes[0])
	default: return 0;
	}
}

NOINLINE int k_deep(struct kind *k)
{
	int d = 0;
	while (k->is == 2) { // @type struct kind +0 (is)
		d += ((struct rope *)k)->depth; // @type struct rope +0x1 (depth)
		k = ((struct rope *)k)->right; // @type struct rope +0x10 (right)
	}
	return d + ((struct leaf *)k)->nr; // @type struct leaf +0x2 (nr)
}

NOINLINE float k_each(struct kind **ks, int n)
{
	float s = 0;
	for (int i = 0; i < n; i++)
		if (ks[i]->is == 1) // @type struct kind* +0 (no field) | struct kind +0 (is)
			s += ((struct leaf *)ks[i])->weight; // @type struct leaf +0x4 (weight) | struct kind* +0 (no field)
	return s;
}

NOINLINE void k_take(struct kind *k);
NOINLINE int k_called(struct kind *k)
{
	k_take(k);
	return ((struct rope *)k)->len + k->is; // @type struct rope +0x4 (len) | struct kind +0 (is)
}
NOINLINE void k_take(struct kind *k) { __asm__ volatile("" ::"r"(k) : "memory"); }

/* 1b. a header of two scalars */
struct tagged { uint16_t tag, flags; };
struct thing { uint16_t tag, flags; uint32_t id; struct tagged *owner; double mass; };
struct other { uint16_t tag, flags; char name[12]; };

NOINLINE double t_mass(struct tagged *t) { return t->flags & 4 ? ((struct thing *)t)->mass : 0; } // @type struct tagged +0x2 (flags) | struct thing +0x10 (mass)
NOINLINE uint32_t t_id(struct tagged *t) { return t->tag == 7 ? ((struct thing *)t)->id : 0; } // @type struct tagged +0 (tag) | struct thing +0x4 (id)
NOINLINE struct tagged *t_root(struct tagged *t)
{
	while (t->tag == 7 && ((struct thing *)t)->owner) // @type struct tagged +0 (tag) | struct thing +0x8 (owner)
		t = ((struct thing *)t)->owner; // @type struct thing +0x8 (owner)
	return t;
}

/* 2. bare numbers */
NOINLINE double b_mass(uint16_t *t) { return *t == 7 ? ((struct thing *)t)->mass : 0; } // @type uint16_t +0 (no field) | unsigned short +0 (no field) | struct thing +0x10 (mass)
NOINLINE uint32_t b_id(uint16_t *t) { return *t == 7 ? ((struct thing *)t)->id : 0; } // @type uint16_t +0 (no field) | unsigned short +0 (no field) | struct thing +0x4 (id)
NOINLINE int c_len(unsigned char *p) { return *p == 2 ? ((struct rope *)p)->len : 0; } // @type unsigned char +0 (no field) | struct rope +0x4 (len)
NOINLINE void *c_left(unsigned char *p) { return *p == 2 ? ((struct rope *)p)->left : 0; } // @type unsigned char +0 (no field) | struct rope +0x8 (left)
struct counted { int refs; int kind; double value; void *more; };
NOINLINE void *i_more(int *refs) { return ++*refs > 1 ? ((struct counted *)refs)->more : 0; } // @type int +0 (no field) | struct counted +0x10 (more)
NOINLINE double i_value(int *refs) { ++*refs; return ((struct counted *)refs)->value; } // @type int +0 (no field) | struct counted +0x8 (value)

/* 3. headers before */
struct item { int from, to; double w; };
NOINLINE size_t stretchy(struct item *a) { return ((size_t *)(void *)a)[-1]; } // @type size_t +0 (no field) | unsigned long +0 (no field) | long unsigned int +0 (no field)
NOINLINE size_t stretchy_room(struct item *a) { return ((size_t *)(void *)a)[-2]; } // @type size_t +0 (no field) | unsigned long +0 (no field) | long unsigned int +0 (no field)
struct __attribute__((packed)) sds { uint32_t len, alloc; unsigned char flags; char buf[]; };
NOINLINE uint32_t s_len(const char *s) { return ((const struct sds *)(s - sizeof(struct sds)))->len; } // @type struct sds +0 (len)
NOINLINE uint32_t s_left(const char *s) { const struct sds *h = (const void *)(s - sizeof(struct sds)); return h->alloc - h->len; } // @type struct sds +0 (len) | struct sds +0x4 (alloc)
NOINLINE void s_set(char *s, uint32_t n) { ((struct sds *)(s - sizeof(struct sds)))->len = n; s[n] = 0; } // @type struct sds +0 (len) | char +0 (no field) | struct sds +0x9 (buf[0]) | struct sds +0x9 (buf)
NOINLINE int s_type(const char *s) { return s[-1] & 7; } // @type char +0 (no field) | struct sds +0x8 (flags)
struct page { long lsn; uint32_t crc; uint16_t nr, flags; };
NOINLINE uint16_t page_nr(struct item *rows) { return ((struct page *)(void *)((char *)rows - sizeof(struct page)))->nr; } // @type struct page +0xc (nr)
NOINLINE void page_add(struct item *rows, int v)
{
	struct page *p = (struct page *)(void *)((char *)rows - sizeof(struct page));
	rows[p->nr].from = v; // @type struct item +0 (from) | struct page +0xc (nr)
	p->nr++; // @type struct page +0xc (nr)
}
NOINLINE long page_lsn(struct item *rows) { struct page *p = (struct page *)(void *)rows - 1; return rows->to ? p->lsn : p->crc; } // @type struct item +0x4 (to) | struct page +0 (lsn) | struct page +0x8 (crc)

/* 4. in front of the object, walking backwards */
struct arg { void *val; struct arg *next; short kind; };
struct call { long id; unsigned short nr; char name[6]; void *ret; };
NOINLINE int kinds(struct call *c)
{
	int s = 0;
	for (struct arg *a = (struct arg *)(void *)c; a-- != (struct arg *)(void *)c - c->nr;) // @type struct call +0x8 (nr)
		s += a->kind; // @type struct arg +0x10 (kind)
	return s;
}
NOINLINE void *first_arg(struct call *c) { return ((struct arg *)(void *)c)[-1].val; } // @type struct arg +0 (val)
NOINLINE struct arg *second_arg(struct call *c) { return ((struct arg *)(void *)c)[-2].next; } // @type struct arg +0x8 (next)

/* 5. numbers behind pointers, control bytes behind entries */
/* A header in front of an array without a bound; numbers by the class of the register. */
NOINLINE double weight_of(struct item **tab, int n, int i) { return ((double *)(void *)(tab + n))[i]; } // @type double +0 (no field)
NOINLINE int short_of(struct item **tab, int n, int i) { return ((short *)(void *)(tab + n))[i]; } // @type short +0 (no field) | short int +0 (no field)
NOINLINE int control(struct item *slots, unsigned mask, unsigned hash)
{
	unsigned char *ctrl = (unsigned char *)(slots + mask + 1);
	while (ctrl[hash & mask] != 0xff) { // @type unsigned char +0 (no field)
		if (slots[hash & mask].from == (int)hash) // @type struct item +0 (from)
			return slots[hash & mask].to; // @type struct item +0x4 (to)
		hash++;
	}
	return -1;
}
NOINLINE long both(long *keys, int n, long k)
{
	double *values = (double *)(keys + n);
	for (int i = 0; i < n; i++)
		if (keys[i] == k) // @type long +0 (no field) | long int +0 (no field)
			return (long)values[i]; // @type double +0 (no field)
	return 0;
}

/* 6. container_of */
struct list { struct list *next, *prev; };
struct part { int a; struct list link; };
struct whole { char name[24]; long size; struct part part; struct list all; double heat; struct whole *up; };
NOINLINE double hot(struct list *l)
{
	double s = 0;
	for (struct list *p = l->next; p != l; p = p->next) { // @type struct list +0 (next) | struct whole +0x38 (all.next)
		struct whole *w = container_of(p, struct whole, all);
		s += w->heat; // @type struct whole +0x48 (heat)
		w->size++; // @type struct whole +0x18 (size)
		if (w->up) // @type struct whole +0x50 (up)
			k_take((void *)w->up->name); // @type struct whole +0x50 (up)
	}
	return s;
}
NOINLINE long outer(struct list *l)
{
	struct part *p = container_of(l, struct part, link);
	struct whole *w = container_of(p, struct whole, part);
	k_take((void *)p);
	return w->size + p->a + w->name[3]; // @type struct whole +0x18 (size) | struct part +0 (a) | struct whole +0x20 (part.a) | struct whole +0x3 (name[3]) | struct whole +0x3 (name)
}

/* 7. unions by width and class */
union num { double r; long i; int n; float f; unsigned char b[8]; };
struct cell { int kind; union num u; struct cell *next; };
NOINLINE double u_r(struct cell *c) { return c->u.r; } // @type struct cell +0x8 (u.r) | struct cell +0x8 (u)
NOINLINE double u_rm(struct cell *c, double d) { return d * c->u.r; } // @type struct cell +0x8 (u.r) | struct cell +0x8 (u)
NOINLINE long u_i(struct cell *c) { return c->u.i + 5; } // @type struct cell +0x8 (u.i) | struct cell +0x8 (u)
NOINLINE void u_inc(struct cell *c) { c->u.i++; } // @type struct cell +0x8 (u.i) | struct cell +0x8 (u)
NOINLINE int u_n(struct cell *c) { return c->u.n; } // @type struct cell +0x8 (u.n) | struct cell +0x8 (u)
NOINLINE void u_ninc(struct cell *c) { c->u.n += 3; } // @type struct cell +0x8 (u.n) | struct cell +0x8 (u)
NOINLINE float u_f(struct cell *c, float x) { return x + c->u.f; } // @type struct cell +0x8 (u.f) | struct cell +0x8 (u)
NOINLINE int u_b(struct cell *c) { return c->u.b[0] + c->u.b[3]; } // @type struct cell +0x8 (u.b[0]) | struct cell +0x8 (u) | struct cell +0x8 (u.b) | struct cell +0xb (u.b[3]) | struct cell +0xb (u.b) | struct cell +0xb (u)
NOINLINE int u_low(union num *u) { return u->n + u->b[4]; } // @type union num +0 (n) | union num +0 (no field) | union num +0x4 (b[4]) | union num +0x4 (b) | union num +0x4 (no field)
NOINLINE double u_conv(union num *u) { return u->n; } // @type union num +0 (n) | union num +0 (no field)
NOINLINE double u_convf(union num *u) { return u->f; } // @type union num +0 (f) | union num +0 (no field)
NOINLINE void u_set(struct cell *c, int k)
{
	c->kind = k; // @type struct cell +0 (kind)
	if (k == 0) c->u.r = 1.5; // @type struct cell +0x8 (u.r) | struct cell +0x8 (u)
	else if (k == 1) c->u.n = 7; // @type struct cell +0x8 (u.n) | struct cell +0x8 (u)
	else if (k == 2) c->u.f = 2.5f; // @type struct cell +0x8 (u.f) | struct cell +0x8 (u)
	else c->u.i = 0; // @type struct cell +0x8 (u.i) | struct cell +0x8 (u)
}

/* 8. incomplete and empty handles */
struct nothing {};
struct unknown;
struct real { long id; double weight; int *at; };
NOINLINE double n_weight(struct nothing *n) { return ((struct real *)n)->weight; } // @type struct real +0x8 (weight)
NOINLINE void n_set(struct nothing *n, long v) { ((struct real *)n)->id = v; } // @type struct real +0 (id)
NOINLINE int n_at(struct unknown *n) { return ((struct real *)n)->at[3]; } // @type struct real +0x10 (at) | int +0 (no field)
NOINLINE long n_row(struct nothing *n, int k) { return ((long *)(void *)n)[k]; } // @type long +0 (no field) | long int +0 (no field)

/* 10. setjmp, boxes, relative pointers, ihl */
static jmp_buf env;
NOINLINE int jumped(struct item *volatile *where, struct item *first)
{
	struct item *volatile it = first;
	if (setjmp(env)) // @type jmp_buf +0 (no field)
		return it->to; // @type struct item +0x4 (to)
	it = *where;
	k_take((void *)it);
	return 1;
}
#define MASK 0x0003ffffffffffffull
NOINLINE double boxed(uint64_t v) { return ((struct cell *)(uintptr_t)(v & MASK))->u.r; } // @type struct cell +0x8 (u.r) | struct cell +0x8 (u)
NOINLINE int boxed_kind(uint64_t v) { struct cell *c = (struct cell *)(uintptr_t)(v & MASK); return c->kind + c->u.n; } // @type struct cell +0 (kind) | struct cell +0x8 (u.n) | struct cell +0x8 (u)
struct area { uint32_t nr, root; char space[]; };
struct node { int32_t left, right; double key; };
NOINLINE double rel(struct area *a)
{
	struct node *n = (struct node *)(void *)((char *)a + a->root); // @type struct area +0x4 (root)
	while (n->left) // @type struct node +0 (left)
		n = (struct node *)(void *)((char *)a + n->left); // @type struct node +0 (left)
	return n->key; // @type struct node +0x8 (key) | struct area +0x8 (space)
}
struct self { int32_t next; uint32_t v; };
NOINLINE uint32_t self_rel(struct self *s)
{
	uint32_t sum = 0;
	for (; s->next; s = (struct self *)(void *)((char *)s + s->next)) // @type struct self +0 (next)
		sum += s->v; // @type struct self +0x4 (v)
	return sum;
}
struct ip { uint8_t ihl : 4, version : 4; uint8_t tos; uint16_t len; uint32_t from, to; };
struct tcp { uint16_t from, to; uint32_t seq; };
NOINLINE uint32_t seq(const struct ip *ip)
{
	const struct tcp *t = (const void *)((const char *)ip + ip->ihl * 4); // @type struct ip +0 (ihl:4) | struct ip +0 (no field) | struct ip (one of several)
	return t->seq + t->to; // @type struct tcp +0x4 (seq) | struct tcp +0x2 (to)
}
struct eth { uint8_t to[6], from[6]; uint16_t type; } __attribute__((packed));
NOINLINE uint32_t deep(const struct eth *e)
{
	const struct ip *ip = (const void *)(e + 1);
	return ((const struct tcp *)(const void *)((const char *)ip + ip->ihl * 4))->seq + ip->len; // @type struct ip +0 (ihl:4) | struct ip +0 (no field) | struct ip (one of several) | struct tcp +0x4 (seq) | struct ip +0x2 (len)
}

/* Another variable has the same value, in another register. */
struct num_node { unsigned char is; unsigned char base; int digits; double value; };
NOINLINE double two_names(struct kind *k, int *digits)
{
	if (k->is == 4) { // @type struct kind +0 (is)
		struct num_node *n = (struct num_node *)k;

		k_take(k);
		*digits = n->digits; // @type struct num_node +0x4 (digits) | int +0 (no field)
		return ((struct num_node *)k)->value; // @type struct num_node +0x8 (value)
	}
	return 0;
}

/* One of two members behind a header, by a condition. */
struct args { int n; };
struct unary { enum { UNARY } tag; struct args *args; };
struct ternary { int tag; long more; struct args *args; };
struct tagged_int { int tag; };
NOINLINE int chosen(struct tagged_int *t)
{
	struct args *a = t->tag == 1 ? ((struct unary *)(void *)t)->args : ((struct ternary *)(void *)t)->args; // @type struct tagged_int +0 (tag) | struct unary +0x8 (args) | struct ternary +0x10 (args)

	return a->n; // @type struct args +0 (n) | struct unary +0x8 (args) | struct ternary +0x10 (args)
}

/* What comes behind a function that does not return is not reached from there. */
struct vm { jmp_buf out; const char *why; };
NOINLINE void fail(struct vm *v, const char *why)
{
	v->why = why; // @type struct vm +0xc8 (why)
	longjmp(v->out, 1);
}
NOINLINE int checked(struct vm *v, struct leaf *l)
{
	if (l->is == 9) // @type struct leaf +0 (is)
		fail(v, "nine");
	return l->level + l->nr; // @type struct leaf +0x1 (level) | struct leaf +0x2 (nr)
}

/* An object right behind another one, and in front of it, which is stored as what it is. */
struct frame { const struct eth *eth; const struct ip *ip; const struct area *area; };
NOINLINE int opened(struct frame *f, const struct eth *e)
{
	f->eth = e; // @type struct frame +0 (eth)
	f->ip = (const struct ip *)(e + 1); // @type struct frame +0x8 (ip)
	return f->ip->tos + (int)f->ip->to; // @type struct ip +0x1 (tos) | struct ip +0x8 (to) | struct frame +0x8 (ip)
}

/* Zeroed by vectors: several elements, and the end of an array of structures. */
struct place { int row; unsigned int slot; };
struct path { void *of; int depth; struct place at[6]; };
NOINLINE int walked(void *of)
{
	struct path p = { .of = of, .depth = 1 }; // @type struct path +0 (of) | struct path +0x8 (depth) | struct path (one of several) | struct place[] (one of several) | struct path +0xc (at.row) | struct path +0x3c (no field) | struct path +0x34 (at.row) | struct path +0x38 (at.slot)

	k_take((void *)&p);
	return p.at[3].row; // @type struct path +0x24 (at.row)
}

/* A pointer that is used in one place stays in the array: "in memory at" the parameter, which has no type. */
struct job { long due; int prio; char name[12]; };
NOINLINE int by_prio(const void *pa, const void *pb)
{
	const struct job *a = *(struct job *const *)pa; // @type struct job* +0 (no field)
	const struct job *b = *(struct job *const *)pb; // @type struct job* +0 (no field)

	return a->prio - b->prio; // @type struct job +0x8 (prio) | struct job* +0 (no field)
}

NOINLINE int by_due(const void *a, const void *b)
{
	const struct job *x = *(struct job *const *)a, *y = *(struct job *const *)b; // @type struct job* +0 (no field)

	return x->due != y->due ? x->due < y->due : by_prio(a, b); // @type struct job +0 (due) | struct job* +0 (no field)
}

int main(int argc, char **argv)
{
	void *p = argv;
	double s;
	if (argc < 99)
		return 0;
	s = k_sum(p) + k_deep(p) + k_each(p, 2) + k_called(p) + t_mass(p) + t_id(p) + (long)t_root(p) + b_mass(p) + b_id(p) + c_len(p) + (long)c_left(p);
	s += (long)i_more(p) + i_value(p) + stretchy(p) + stretchy_room(p) + s_len(p) + s_left(p) + s_type(p) + page_nr(p) + page_lsn(p) + kinds(p) + (long)first_arg(p) + (long)second_arg(p);
	s_set(p, 2); page_add(p, 2); u_inc(p); u_ninc(p); u_set(p, argc); n_set(p, 4);
	s += weight_of(p, 1, argc) + short_of(p, 1, argc) + control(p, 3, 4) + both(p, 2, 3) + hot(p) + outer(p) + u_r(p) + u_rm(p, 2) + u_i(p) + u_n(p) + u_f(p, 2) + u_b(p) + u_low(p) + u_conv(p) + u_convf(p);
	s += n_weight(p) + n_at(p) + n_row(p, argc) + jumped(p, p) + boxed((long)p) + boxed_kind((long)p) + rel(p) + self_rel(p) + seq(p) + deep(p);
	s += two_names(p, p) + chosen(p) + checked(p, p) + opened(p, p) + walked(p) + by_prio(p, p) + by_due(p, p);
	return (int)s;
}
