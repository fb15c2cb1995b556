/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Is this the object that answers were kept of? Its build-id says so, unless somebody has
 * chosen it (`ld --build-id=0x...`), or has changed the file since.
 */
#ifndef TYPEFLOW_IDENTITY_H
#define TYPEFLOW_IDENTITY_H

#include "dso/dso.h"

/*
 * A sum over what answers are made of: the code (but a kernel's, which is changed in memory), and where
 * all sections of the file with the debug information lie, and how long they are. Costs a reading of
 * the code.
 */
u64 object_identity(struct dso *dso);

#endif
