// SPDX-License-Identifier: GPL-2.0-or-later
// The marks stand on the lines they speak of.
// clang-format off
/*
 * Variables that point to one object as different structures, each of them right on its path. See flow.c for the marks.
 *
 * @locals int | double | long | long int | struct base* | struct number* | struct string* | struct list* | void* | char** | (function_type)*
 */
#define NOINLINE __attribute__((noinline))

struct base { int tag; };
struct number { int tag; int digits; double value; };
struct string { int tag; short length, room; long hash, next, line; };
struct list { int tag; float weight[2]; char *name; };

NOINLINE double either(struct base *object, int k)
{
	struct number *n = (struct number *)object;
	struct string *s = (struct string *)object;
	if (object->tag == 1) { // @must struct base +0 (tag) | struct number +0 (tag) | struct string +0 (tag)
		n->digits += k; // @must struct number +0x4 (digits)
		return n->value * 2; // @type struct number +0x8 (value)
	}
	s->length += k; // @must struct string +0x4 (length)
	s->line += s->room; // @must struct string +0x6 (room) | struct string +0x18 (line)
	return s->next; // @must struct string +0x10 (next)
}

NOINLINE double any(void *p, int tag, int k)
{
	struct number *n = p;
	struct string *s = p;
	struct list *l = p;
	switch (tag) {
	case 1:
		n->value *= 2; // @type struct number +0x8 (value)
		return n->value; // @type struct number +0x8 (value)
	case 2:
		s->room++; // @must struct string +0x6 (room)
		s->line -= k; // @must struct string +0x18 (line)
		return s->next; // @type struct string +0x10 (next)
	default:
		l->weight[1] *= 3; // @type struct list +0x8 (weight)
		return l->name[0] + l->weight[0]; // @type struct list +0x10 (name) | struct list +0x4 (weight) | char +0 (no field)
	}
}

NOINLINE double called(void *p, int k, double (*of)(void *))
{
	struct number *n = p;
	struct string *s = p;
	double sum = of(p);
	if (k == 1)
		sum += n->value * 3; // @type struct number +0x8 (value)
	else
		sum += s->room * 3; // @must struct string +0x6 (room)
	sum += of(p);
	if (k == 1)
		n->value = sum; // @type struct number +0x8 (value)
	else
		s->line = (long)sum; // @must struct string +0x18 (line)
	return sum;
}

NOINLINE double tag_of(void *p)
{
	return ((struct base *)p)->tag; // @type struct base +0 (tag)
}

int main(int argc, char **argv)
{
	if (argc < 99)
		return 0;
	return (int)(either((struct base *)argv, argc) + any(argv, argc, argc) + called(argv, argc, tag_of)); // @type char** +0 (no field)
}
