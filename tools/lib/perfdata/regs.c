// SPDX-License-Identifier: GPL-2.0-or-later
#include "perfdata/regs.h"

static const char *const names[] = {
	"AX", "BX", "CX", "DX", "SI", "DI", "BP",  "SP",  "IP",	 "FLAGS", "CS",	 "SS",
	"DS", "ES", "FS", "GS", "R8", "R9", "R10", "R11", "R12", "R13",	  "R14", "R15",
};

const char *regs_name(u32 number)
{
	return number < ARRAY_SIZE(names) ? names[number] : NULL;
}
