/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What samples share: texts, files, frames, stacks, threads. Each is stored once and has a number, so that memory grows
 * with the places of a recording and not with its samples. Writers of exchange formats emit these tables as their
 * format wants them.
 *
 * A stack is a path in a tree whose root is the outermost caller:
 *
 *	main -> serve -> parse		node 3 {parent 2, parse}, node 2 {parent 1, serve}, node 1 {parent 0, main}
 *	main -> serve			node 2
 *
 * So the number of a node is that of a stack, and the way to the root has the frames with the innermost one first.
 */
#ifndef EXPORT_EXCHANGE_TABLES_H
#define EXPORT_EXCHANGE_TABLES_H

#include <glib.h>

#include "base/intern.h"
#include "base/table.h"
#include "base/types.h"

struct dso;
struct place;

/* Numbers start at 1; 0 is "none". Texts are ids of @texts, 0 is "". */
struct exchange_frame {
	u32 function; /* text; 0: the code has no symbol */
	u32 name;     /* text to show, also without a symbol: "libc.so.6+0x1234" */
	u32 file;     /* text: the source; 0: unknown */
	u32 line;     /* in @file; 0: unknown */
	u32 dso;      /* 0: nothing is mapped there */
	u32 outer; /* frame at the same address that this call is inlined into; 0: it is not inlined */
	u64 address; /* in the file; in memory unless the dso is by_file */
	u64 vaddr;   /* the same as the object file states it (dso/dso.h) */
	bool kernel;
};

struct exchange_dso {
	struct dso *dso;
	u32 name;      /* text: the path as recorded */
	bool by_file;  /* addresses of its frames are offsets in the file */
	bool kernel;   /* the kernel, or a module */
	u64 low, high; /* of the addresses of its frames, @high inclusive */
};

struct exchange_node {
	u32 parent; /* 0: the outermost frame */
	u32 frame;
};

struct exchange_thread {
	u32 pid, tid;
	u32 comm; /* text: the last name */
	u32 host; /* text */
	u32 file; /* of the session: session_index() */
};

struct exchange_tables {
	struct intern *texts;
	GArray *frames, *dsos, *nodes, *threads; /* number 1 is element 0 */
	struct table frame_index, node_index;
	GHashTable *thread_index;
	GArray *dso_numbers;  /* u32 by the dso's id */
	GArray *code_numbers; /* u32 by the code's id */
	struct stack_memo {
		u32 file, chain, node;
	} * memo;
};

void exchange_tables_init(struct exchange_tables *t);
void exchange_tables_release(struct exchange_tables *t);

/* The numbers of the thread and of the stack of @place, which has NEED_SYMBOL, NEED_CHAIN, NEED_THREAD and NEED_COMM. */
u32 exchange_thread_of(struct exchange_tables *t, const struct place *place);
u32 exchange_stack_of(struct exchange_tables *t, const struct place *place);

static inline u32 exchange_text(struct exchange_tables *t, const char *text)
{
	return intern_id(t->texts, text);
}

static inline const struct exchange_frame *exchange_frame(const struct exchange_tables *t, u32 nr)
{
	return &g_array_index(t->frames, struct exchange_frame, nr - 1);
}

static inline const struct exchange_node *exchange_node(const struct exchange_tables *t, u32 nr)
{
	return &g_array_index(t->nodes, struct exchange_node, nr - 1);
}

/*
 * The frames of inlined calls are at one address, with the function that has the code. Returns the node of the next address
 * on the way to the root; 0: there is none.
 */
static inline u32 exchange_next_address(const struct exchange_tables *t, u32 node)
{
	while (exchange_frame(t, exchange_node(t, node)->frame)->outer &&
	       exchange_node(t, node)->parent)
		node = exchange_node(t, node)->parent;
	return exchange_node(t, node)->parent;
}

static inline const struct exchange_dso *exchange_dso(const struct exchange_tables *t, u32 nr)
{
	return &g_array_index(t->dsos, struct exchange_dso, nr - 1);
}

static inline const struct exchange_thread *exchange_thread(const struct exchange_tables *t, u32 nr)
{
	return &g_array_index(t->threads, struct exchange_thread, nr - 1);
}

#endif
