// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Is a piece of code in the source before a variable's declaration? By the debug information of C++, an object exists
 * in its whole block. clang keeps temporary objects of earlier statements, which have no entry, in its place:
 *
 *	f->items.push_back(Job{ 1, 2 });	the Job is at 0(%rsp)
 *	std::vector<Job> v;			so is v
 */
#include <string.h>

#include "dwarf/internal.h"

/* The line of the table of lines, if it is in @file of the unit. 0: another file, or not known. */
static u32 line_of_code(const struct raw_unit *unit, u32 file, u64 address)
{
	Dwarf_Die root = unit->die;
	Dwarf_Line *line = dwarf_getsrc_die(&root, address);
	const char *here = line ? dwarf_linesrc(line, NULL, NULL) : NULL, *there = NULL;
	Dwarf_Files *files;
	int number;
	size_t nr;

	if (here && !dwarf_getsrcfiles(&root, &files, &nr) && file < nr)
		there = dwarf_filesrc(files, file, NULL, NULL);
	return there && !strcmp(here, there) && !dwarf_lineno(line, &number) && number > 0
		       ? (u32)number
		       : 0;
}

bool debuginfo_is_before(struct debuginfo *debug, const struct func_vars *vars,
			 const struct variable *variable, u64 vaddr)
{
	u64 address = vaddr + debug->source.dwarf_bias;
	struct unit *unit;
	const struct raw_unit *raw;
	u32 line;

	if (!variable->line)
		return false;
	for (u32 i = 0; i < vars->nr_inlined; i++) {
		const struct inlined_call *call = &vars->inlined[i];

		if (vaddr >= call->code.low && vaddr < call->code.high)
			return call->file == variable->file && call->line &&
			       call->line < variable->line;
	}
	unit = unit_find(debug, address);
	raw = unit ? unit_raw(debug, unit) : NULL;
	if (!raw || raw->split)
		return false;
	libdw_lock(debug->source.lock);
	line = line_of_code(raw, variable->file, address);
	libdw_unlock(debug->source.lock);
	return line && line < variable->line;
}
