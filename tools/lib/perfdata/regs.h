/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The registers of a sample, numbered as in x86's asm/perf_regs.h: bit N of a mask is register N. */
#ifndef PERFDATA_REGS_H
#define PERFDATA_REGS_H

#include "base/types.h"

#define REGS_BP 6
#define REGS_SP 7
#define REGS_IP 8

/* The registers that the kernel samples for 64-bit code: all but the data segments, which are not saved. */
#define REGS_ALL 0xff0fffull

/* Those that an address is made of. */
#define REGS_GENERAL 0xff00ffull

/* "AX", "R8"; NULL from 24 on: these numbers are vector registers. */
const char *regs_name(u32 number);

#endif
