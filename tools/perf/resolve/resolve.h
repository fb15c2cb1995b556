/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Turns samples into places (place.h): asks the machine what was mapped, the dsos for
 * symbols, and remembers every answer. Each distinct address of a mapping becomes one
 * `struct code`, made once and found again by a hash of its address, so that a sample of
 * thirty frames costs thirty short look-ups.
 *
 * Data types and activities are other files of this room; the session calls them for
 * the places that this one makes. One thread at a time.
 */
#ifndef RESOLVE_RESOLVE_H
#define RESOLVE_RESOLVE_H

#include "base/error.h"
#include "resolve/place.h"

struct machine;
struct resolver;

/* What is done with the return addresses of a recorded chain of user code. */
enum resolver_chains {
	CHAINS_WHOLE, /* each is the address of its call */
	CHAINS_CUT,   /* also, the chain ends before the first one to which no call can return */
	CHAINS_RAW, /* as upstream: each is looked up itself, even if it is behind the end of a function */
};

struct resolver_options {
	u32 max_stack;		     /* frames kept of a chain; 0 = upstream's 127 */
	const char *parent;	     /* pattern for place->parent; NULL = upstream's */
	const char *ignored_callees; /* pattern: frames below (called from) a match are dropped */
	bool no_unresolved;	     /* frames without a symbol are dropped (-U) */
	u8 chains;		     /* enum resolver_chains */
};

/* NULL with @error for an invalid regular expression. */
struct resolver *resolver_new(struct machine *machine, const struct resolver_options *options,
			      GError **error);
/*
 * A resolver for another machine, which shares the numbers of code and functions with @first; functions of the same
 * name in files of the same name have one number. Create it before @first resolves anything, and free it before
 * @first.
 */
struct resolver *resolver_new_beside(struct resolver *first, struct machine *machine,
				     const struct resolver_options *options, GError **error);
void resolver_free(struct resolver *resolver);

/*
 * Fills @place from a sample; parts that @needs (enum place_need) does not contain stay empty. The next call
 * overwrites its arrays.
 */
void resolver_place(struct resolver *resolver, const struct event *event, u32 needs,
		    struct place *place);

/*
 * Prefetches memory for events that resolver_place() will get soon. For @new addresses, too: not if the events still
 * change the machine.
 */
void resolver_prefetch(struct resolver *resolver, const struct event *events, u32 nr, bool new);
/* The same for samples at mostly new addresses. */
void resolver_prefetch_new(struct resolver *resolver, const struct event *const *samples, u32 nr);

/*
 * From now on, addresses and chains of samples are mostly new, so only their code is stored; @each false: they are
 * mostly known again. This does not apply to frames of chains, which are in many chains.
 */
void resolver_expect_new(struct resolver *resolver, bool each);

/* The name of the kernel's function at @va, and its first address in *@start; NULL: unknown. */
const char *resolver_kernel_function(struct resolver *resolver, u64 va, u64 time, u64 *start);

/* place->parent is the outermost match of a chain from now on, not the innermost one. */
void resolver_take_outermost_parent(struct resolver *resolver);

/* The code at @va in the address space, and in the mode, of the sample of @place. */
const struct code *resolver_code_at(struct resolver *resolver, const struct place *place, u64 va);
/* What is at @va, in any mode. */
const struct code *resolver_data_at(struct resolver *resolver, const struct place *place, u64 va);

/*
 * After place->ip was changed to what the sample is charged to: the chain begins there. @exact: with this address; else
 * the same function will do.
 */
void resolver_charge_chain(struct resolver *resolver, u32 needs, bool exact, struct place *place);

/* The code at @vaddr of the same mapping as @code, whose dso is known. */
const struct code *resolver_beside(struct resolver *resolver, const struct code *code, u64 vaddr);

/* By code->id and by code->function (one of the addresses that have it). */
const struct code *resolver_code(const struct resolver *resolver, u32 id);
const struct code *resolver_function(const struct resolver *resolver, u32 function);

/*
 * The function's name, demangled as the options of the dsos say, or NULL. Valid as long as the dso.
 */
const char *code_name(const struct code *code);

/*
 * The address to show without a symbol: the offset in the object's file, which is the same in every process; the va
 * if no file is mapped, and in the kernel. For a BPF program, the offset from its start, as in upstream's reports.
 */
u64 code_bare_address(const struct code *code);

/* A vaddr inside the instruction: that of a return address is in its call, which may be another function's last one. */
static inline u64 code_insn_vaddr(const struct code *code)
{
	return code->vaddr - (code->caller == CODE_RETURN);
}

/* File and line; false: unknown. */
bool code_line(const struct code *code, const char **file, u32 *line);

#endif
