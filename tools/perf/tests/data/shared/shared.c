// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What makes a shared library's code differ from a program's, in one function each: thread-locals
 * whose address is asked for, variables and functions of other objects behind slots.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NOINLINE __attribute__((noinline))

struct request {
	struct request *next;
	long id;
	int depth;
	char name[20];
};

struct context {
	struct request *current;
	unsigned long served, failed;
	struct request last;
};

struct settings {
	int level;
	const char *path;
	struct request *first;
};

/* Of this library: general dynamic, or by a descriptor; and only for itself: local dynamic. */
__thread struct context context;
__thread long nr_calls;
static __thread struct request pool[4];
static __thread unsigned int used;

/* Of others. */
extern __thread struct context their_context;
extern __thread struct request *their_request __attribute__((tls_model("initial-exec")));
extern struct settings settings;
extern struct request *pending;
extern struct request *their_find(long id);
extern const char *const their_names[];

/* Its own, which another object may replace. */
struct settings defaults;
long total;
static struct request *list;

NOINLINE unsigned long serve(struct request *request)
{
	context.current = request;
	context.last.id = request->id;
	nr_calls++;
	return ++context.served;
}

NOINLINE struct request *take(long id)
{
	struct request *request = &pool[used % 4];

	request->id = id;
	request->depth = (int)used;
	used++;
	return request;
}

NOINLINE long others(void)
{
	their_context.served++;
	if (their_request)
		their_request->depth = settings.level;
	settings.first = pending;
	return their_context.current->id + pending->next->id;
}

NOINLINE long called(long id)
{
	struct request *request = their_find(id);

	if (!request)
		return their_names[id][0];
	return request->depth + strrchr(request->name, '/')[1];
}

NOINLINE void own(struct request *request)
{
	request->next = list;
	list = request;
	defaults.level = request->depth;
	defaults.first->id = total;
}

/* Passed through the library's own exported function, which is called through the PLT. */
struct request *exported(long id)
{
	struct request *request = calloc(1, sizeof(*request));

	request->id = id;
	request->next = list;
	return request;
}

NOINLINE long through_plt(long id)
{
	return exported(id)->next->depth;
}
