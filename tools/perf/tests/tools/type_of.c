// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What the analysis says of instructions, and how it knows:
 *
 *   type_of PROGRAM VADDR...      one line each: TYPE +OFFSET, how or why not
 */
#include <stdio.h>
#include <stdlib.h>

#include "typeflow/typeflow.h"
