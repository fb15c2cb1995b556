/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The address that an instruction has accessed, from a sample's registers: base + index * scale + displacement. This is for
 * events whose samples have no data address, such as timers.
 */
#ifndef RESOLVE_DATA_ADDRESS_H
#define RESOLVE_DATA_ADDRESS_H

#include "perfdata/event.h"
#include "resolve/place.h"

/* How the data address of a sample is known; place->addr_how. */
enum address_how {
	ADDRESS_NONE,	     /* the sample has no address, and no registers */
	ADDRESS_EVENT,	     /* the event states it */
	ADDRESS_COMPUTED,    /* from registers */
	ADDRESS_OVERWRITTEN, /* the instruction has overwritten its own base or index */
	ADDRESS_NO_ACCESS,   /* the instruction accesses no memory */
	ADDRESS_THREAD, /* relative to a segment's base, which is not sampled: thread-local, per-CPU */
	ADDRESS_UNCLEAR, /* it is not known which instruction waited, or it cannot be decoded */
	NR_ADDRESS_HOW,
};

/* "computed"; a text for people. */
const char *address_how_text(enum address_how how);

/* The register of this number (asm/perf_regs.h). False: the sample does not have it. */
bool sample_register(const struct sample_regs *regs, u8 number, u64 *value);

struct data_addresses;

/* Each thread has one. It remembers what codes access, by their ids. */
struct data_addresses *data_addresses_new(void);
void data_addresses_free(struct data_addresses *addresses);

/*
 * The address that the instruction @code accesses. @executed: the registers are those after it, else those before. out: @va, if
 * ADDRESS_COMPUTED. An instruction with several accesses: that of the first operand in the code, of a push from memory the read one.
 */
enum address_how data_address(struct data_addresses *addresses, const struct code *code,
			      bool executed, const struct sample_regs *regs, u64 *va);

/*
 * The integer that the instruction @code has moved from or to memory, in the low bytes of *@value, as many as data_access() says. False: it
 * moves none of at most 8 bytes, or its register has not (or no longer) that value. @executed as in data_address(); a value that was
 * read is known only then.
 */
bool data_value(struct data_addresses *addresses, const struct code *code, bool executed,
		const struct sample_regs *regs, u64 *value);

/* What the instruction does there: bits of enum insn_access, 0 if that is not known; and the number of bytes, 0: not fixed. */
u8 data_access(struct data_addresses *addresses, const struct code *code, u16 *width);

#endif
