// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Example: the function of cfi.c's head in a section of version 1, which the GNU assembler 2.40 writes. The section is
 * at 2148, the function at 1160. The numbers are hexadecimal. Header:
 *
 *	e2 de 01 01 03			magic, version, flags: the FDEs are sorted; AMD64
 *	00 f8 00			rbp has no fixed place, the return address is at CFA-8, no more bytes of header
 *	05 00 00 00 10 00 00 00		5 FDEs, 10 rows
 *	36 00 00 00			bytes of all rows
 *	00 00 00 00 55 00 00 00		distances of the FDEs and of the rows from the end of the header
 *
 * The function's FDE, and its rows, 1e bytes after the first one:
 *
 *	18 f0 ff ff 0e 00 00 00		address: 2148 - fe8 = 1160; size e
 *	1e 00 00 00 03 00 00 00 00	position of the rows, 3 rows, info: starts have 1 byte
 *
 *	00 03 08	from 0 on: info 3: base rsp, one offset of 1 byte: CFA rsp+8
 *	01 03 10	from 1 on: CFA rsp+16
 *	0d 03 08	from d on: CFA rsp+8
 *
 * With -fno-omit-frame-pointer there are rows such as "04 04 10 f0": from 4 on, base rbp, two offsets: CFA rbp+16, and
 * rbp at CFA-16.
 *
 * Rows become struct cfi_rule, as the program of an FDE would make them. The format does not tell where other registers
 * than rbp were saved. rbx and r12 to r15 may have been changed, so in the caller they are not known. If the rule of an
 * outer frame needs one of them, the walk ends there.
 */
#include "unwind/sframe.h"

#include <glib.h>

#include "base/cursor.h"

#define MAGIC	    0xdee2
#define AMD64	    3
#define PC_RELATIVE 0x04 /* flag of the header */

#define VERSION_LAST 3

/* Size of an FDE in bytes, by version. */
static const u8 fde_sizes[VERSION_LAST + 1] = { [1] = 17, [2] = 20, [3] = 16 };

#define TYPE_FLEXIBLE 1 /* in an FDE of version 3 */

/* Size of a PLT's block where the format does not state it: version 1 has only this one. */
#define PLT_ENTRY 16

bool sframe_open(struct sframe *s, const u8 *bytes, size_t size, u64 vaddr)
{
	struct cursor c = cursor_of(bytes, size);
	u16 magic = cursor_u16(&c);
	u8 version = cursor_u8(&c), flags = cursor_u8(&c), abi = cursor_u8(&c);
	s8 fp = (s8)cursor_u8(&c), ra = (s8)cursor_u8(&c);
	u8 more = cursor_u8(&c);
	u32 nr_fdes = cursor_u32(&c), fre_size, fdes, fres;
	size_t head;

	cursor_u32(&c); /* total number of rows, not needed */
	fre_size = cursor_u32(&c);
	fdes = cursor_u32(&c);
	fres = cursor_u32(&c);
	cursor_bytes(&c, more);
	if (c.failed || magic != MAGIC || version < 1 || version > VERSION_LAST || abi != AMD64 ||
	    !ra)
		return false;
	head = (size_t)(c.pos - bytes);
	if (fdes > cursor_left(&c) || fres > cursor_left(&c) || fre_size > cursor_left(&c) - fres ||
	    nr_fdes > (cursor_left(&c) - fdes) / fde_sizes[version])
		return false;
	*s = (struct sframe){ .bytes = bytes,
			      .size = head + fres + fre_size,
			      .vaddr = vaddr,
			      .version = version,
			      .from_field = flags & PC_RELATIVE,
			      .ra = ra,
			      .fp = fp,
			      .nr_fdes = nr_fdes,
			      .fdes = head + fdes,
			      .fres = head + fres };
	return true;
}

bool sframe_fde_read(const struct sframe *s, u32 i, struct sframe_fde *fde)
{
	size_t size = fde_sizes[s->version], at = s->fdes + i * size;
	struct cursor c = cursor_of(s->bytes + at, size);
	s64 start = s->version > 2 ? (s64)cursor_u64(&c) : (s32)cursor_u32(&c);
	u32 rows;
	u8 info, type = 0, repeated = PLT_ENTRY;

	*fde = (struct sframe_fde){ .size = cursor_u32(&c) };
	rows = cursor_u32(&c);
	if (rows > s->size - s->fres)
		return false;
	/* From version 3 on, the other fields are in front of the rows. */
	if (s->version > 2)
		c = cursor_of(s->bytes + s->fres + rows, s->size - s->fres - rows);
	fde->nr_rows = s->version > 2 ? cursor_u16(&c) : cursor_u32(&c);
	info = cursor_u8(&c);
	if (s->version > 2)
		type = cursor_u8(&c) & 0x1f;
	if (s->version > 1)
		repeated = cursor_u8(&c);
	fde->low = s->vaddr + (s->from_field ? at : 0) + (u64)start;
	fde->rows = s->version > 2 ? (size_t)(c.pos - s->bytes) : s->fres + rows;
	fde->start_size = (u8)(1 << (info & 0xf));
	fde->repeated = info & 0x10 ? repeated : 0;
	fde->flexible = type == TYPE_FLEXIBLE;
	fde->signal = s->version > 2 && info & 0x80;
	return !c.failed && (info & 0xf) <= 2 && type <= TYPE_FLEXIBLE && fde->size &&
	       !(info & 0x10 && !repeated);
}

/* To make the result of the signed read below unsigned: starts and controls are. By size in bytes. */
static const u32 masks[] = { [1] = 0xff, [2] = 0xffff, [4] = 0xffffffff };

static s32 sized(struct cursor *c, u8 size)
{
	switch (size) {
	case 1:
		return (s8)cursor_u8(c);
	case 2:
		return (s16)cursor_u16(c);
	}
	return (s32)cursor_u32(c);
}

static struct cfi_place at_cfa(s32 offset)
{
	return (struct cfi_place){ .how = CFI_AT, .value = offset };
}

/* Reads one of the three places of a flexible row. False: malformed. CFI_SAME: the row does not state it. */
static bool read_control(struct cursor *c, u8 *nr, u8 size, struct cfi_place *place)
{
	u32 control;

	*place = (struct cfi_place){ .how = CFI_SAME };
	if (!*nr)
		return true;
	control = (u32)sized(c, size) & masks[size];
	--*nr;
	if (!control)
		return true;
	if (!*nr || (control & 1 && control >> 3 >= CFI_NR_REGS))
		return false;
	place->value = sized(c, size);
	--*nr;
	place->reg = control & 1 ? (u8)(control >> 3) : 0;
	if (control & 1)
		place->how = control & 2 ? CFI_AT_REG : CFI_REG;
	else
		place->how = control & 2 ? CFI_AT : CFI_PLUS;
	return true;
}

static bool read_flexible(const struct sframe *s, struct cursor *c, u8 nr, u8 size,
			  struct cfi_rule *rule)
{
	struct cfi_place *rip = &rule->regs[CFI_RIP], *rbp = &rule->regs[CFI_RBP];

	if (!read_control(c, &nr, size, &rule->cfa) || !read_control(c, &nr, size, rip) ||
	    !read_control(c, &nr, size, rbp) || nr || c->failed ||
	    (rule->cfa.how != CFI_REG && rule->cfa.how != CFI_AT_REG))
		return false;
	if (rip->how == CFI_SAME)
		*rip = at_cfa(s->ra);
	if (rbp->how == CFI_SAME && s->fp)
		*rbp = at_cfa(s->fp);
	if (rbp->how != CFI_SAME)
		rule->set |= 1u << CFI_RBP;
	return true;
}

/* Registers that functions preserve, but whose places the format does not tell. */
static void set_unknown(struct cfi_rule *rule)
{
	static const u8 regs[] = { CFI_RBX, CFI_R12, CFI_R12 + 1, CFI_R12 + 2, CFI_R15 };

	for (u32 i = 0; i < ARRAY_SIZE(regs); i++) {
		rule->set |= 1u << regs[i];
		rule->regs[regs[i]].how = CFI_UNDEFINED;
	}
}

/*
 * Reads one row: its start, an info byte, the offsets. Info byte: bit 0: the CFA's register is rsp, else rbp; bits 1 to
 * 4: number of offsets; bits 5 and 6: size of an offset. No offset at all: the function has no caller (version 2,
 * errata 1).
 */
static bool read_row(const struct sframe *s, const struct sframe_fde *fde, struct cursor *c,
		     u32 *start, struct cfi_rule *rule)
{
	u8 info, nr, size;

	*start = (u32)sized(c, fde->start_size) & masks[fde->start_size];
	info = cursor_u8(c);
	nr = info >> 1 & 0xf;
	size = (u8)(1 << (info >> 5 & 3));
	*rule = (struct cfi_rule){ .set = 1u << CFI_RIP, .signal = fde->signal };
	rule->cfa = (struct cfi_place){ .how = CFI_REG, .reg = info & 1 ? CFI_RSP : CFI_RBP };
	rule->regs[CFI_RIP] = at_cfa(s->ra);
	set_unknown(rule);
	if (size > 4 || c->failed)
		return false;
	if (fde->flexible && nr)
		return read_flexible(s, c, nr, size, rule);
	if (!nr)
		rule->regs[CFI_RIP] = (struct cfi_place){ .how = CFI_UNDEFINED };
	else
		rule->cfa.value = sized(c, size);
	if (nr > 1 || (nr && s->fp)) {
		rule->set |= 1u << CFI_RBP;
		rule->regs[CFI_RBP] = at_cfa(nr > 1 ? sized(c, size) : s->fp);
	}
	for (u8 i = 2; i < nr; i++)
		sized(c, size);
	return !c->failed;
}

/* Reports the rows of one block. False: malformed; then the last row's rule is NULL. */
static bool say_rows(const struct sframe *s, const struct sframe_fde *fde, u32 from,
		     program_row row, void *arg)
{
	struct cursor c = cursor_of(s->bytes + fde->rows, s->size - fde->rows);
	u32 start, limit = fde->repeated ? MIN(fde->repeated, fde->size - from) : fde->size,
		   last = 0;

	for (u32 i = 0; i < fde->nr_rows; i++) {
		struct cfi_rule rule;

		if (!read_row(s, fde, &c, &start, &rule) || start < last) {
			row(arg, from + last, NULL);
			return false;
		}
		if (start >= limit)
			break;
		row(arg, from + start, &rule);
		last = start;
	}
	return true;
}

bool sframe_rows(const struct sframe *s, const struct sframe_fde *fde, u64 *budget, program_row row,
		 void *arg)
{
	u32 blocks = fde->repeated ? (fde->size + fde->repeated - 1) / fde->repeated : 1;
	u64 work = (u64)MAX(fde->nr_rows, 1u) * blocks;

	if (work > *budget)
		return false;
	*budget -= work;
	for (u32 i = 0; i < blocks; i++)
		if (!say_rows(s, fde, i * fde->repeated, row, arg))
			break;
	return true;
}
