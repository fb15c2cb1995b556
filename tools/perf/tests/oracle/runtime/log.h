/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The file between a measured program and the stepper: a counter, then what has happened. */
#ifndef ORACLE_LOG_H
#define ORACLE_LOG_H

#include <stdint.h>

#define ORACLE_LOG_ENV "ORACLE_OBJECTS"

/* Typed: what was made there is objects of the type that the marker at `type` points to; size says if many. */
enum { ORACLE_MADE = 1, ORACLE_PLACED, ORACLE_FREED, ORACLE_TYPED };

struct oracle_entry {
	uint64_t address, size;
	uint64_t type; /* address of the name in the program */
	uint32_t type_size;
	uint32_t what;
	uint64_t count;
};

struct oracle_log {
	volatile uint64_t nr;
	uint64_t max;
	struct oracle_entry entries[];
};

#endif
