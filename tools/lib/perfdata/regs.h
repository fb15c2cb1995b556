/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The registers of a sample by the numbers of x86's asm/perf_regs.h: bit N of a mask is register N. */
#ifndef PERFDATA_REGS_H
#define PERFDATA_REGS_H

#include "base/types.h"

#define REGS_BP 6
#define REGS_SP 7
#define REGS_IP 8

/* Those that the kernel gives of 64-bit code: no segments of data, for these are not saved. */
#define REGS_ALL 0xff0fffull

/* "AX", "R8"; NULL from 24 on, where vector registers are. */
const char *regs_name(u32 number);

#endif
