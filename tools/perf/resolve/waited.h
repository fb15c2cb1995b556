/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which instruction took the time of a sample? A timer, and a counter without precision, interrupts behind the instruction
 * that waited; other events happen at the instruction that they name, or at none. Each distinct address is asked about
 * once; what decides between several ways to an address is in waited.c.
 */
#ifndef RESOLVE_WAITED_H
#define RESOLVE_WAITED_H

#include "perfdata/info.h"
#include "resolve/data.h"
#include "resolve/entered.h"
#include "resolve/resolve.h"

/* --skid */
enum skid_mode {
	SKID_AUTO,    /* by the kind of event, and by what was measured on the recorded machine */
	SKID_BEFORE,  /* by the kind of event */
	SKID_SAMPLED, /* always the sampled instruction */
};

/* False: another text than "auto", "before", "sampled". */
bool skid_mode_parse(const char *text, enum skid_mode *mode);

/* What the address of a sample stands for. */
enum waited_event {
	EVENT_NONE, /* something that no instruction waited for */
	EVENT_AT,   /* the instruction itself */
	EVENT_TIMER, /* the instruction behind the one that waited; not taken while interrupts are off */
	EVENT_COUNTER, /* the same, but taken at any time */
	EVENT_TRAP,    /* the instruction behind the one that accessed the watched memory */
	NR_WAITED_EVENTS,
};

/*
 * @info: the header of the file; NULL: nothing was measured.
 */
enum waited_event waited_event_of(const struct evsel *evsel, enum skid_mode mode,
				  const struct perfdata_info *info);

/*
 * False: the registers of its samples may be those of a later instruction than the one that they name. So it is with precise events: IBS
 * keeps the address of the tagged instruction, and the interrupt has its own registers.
 */
bool waited_has_registers(const struct evsel *evsel);

/* What a sample knows about how control came to its address. NULL: unknown. */
struct waited_hint {
	const struct code *from, *to; /* the last taken branch */
	bool only_calls;	      /* or the last call that has not returned */
	const struct code *caller;    /* the return address */
	u8 evidence;		      /* enum entered_evidence: of @caller */
};

struct waited {
	const struct code *code; /* what the sample is charged to; never NULL */
	struct access access;	 /* valid if @own: the answer about data, instead of @code's */
	bool own;
	bool has_data; /* data was asked for */
	bool nearly;   /* @code is not that instruction, but another one of its function */
	u8 how;	       /* enum waited_how */
	u32 decided;   /* for waited.c: what is known of the address in the file; 0: nothing */
};

struct waited_codes;

/* Borrows both. One for each thread, with its own resolver and data_types_new_beside(). */
struct waited_codes *waited_codes_new(struct data_types *types, struct resolver *resolver);
void waited_codes_free(struct waited_codes *codes);

/* What of an answer is wanted; or of them. */
enum waited_want {
	WAITED_WANT_DATA = 1 << 0, /* its data, too; without it, functions are decoded only */
	WAITED_WANT_CODE =
		1 << 1, /* that instruction; without it, another one of its function will do */
};

/*
 * The answer for a sample of @event at @code; never NULL, valid until the next call with a hint, otherwise as long as
 * @codes. @hint: NULL: none. @want: enum waited_want.
 */
const struct waited *waited_find(struct waited_codes *codes, const struct code *code,
				 enum waited_event event, const struct waited_hint *hint, u32 want);

/* The data of a sample with the answer @waited, which was found with its data. Lives as long as @codes and their types. */
const struct access *waited_data(struct waited_codes *codes, const struct waited *waited);

/* True if a caller would change the answer for @code: it is the first instruction of a function. @data: as above. */
bool waited_needs_caller(struct waited_codes *codes, const struct code *code,
			 enum waited_event event, bool data);

#endif
