/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Is this the object whose answers were kept? The build-id alone does not tell: it may be chosen by hand ("ld
 * --build-id=0x..."), or the file was changed later.
 */
#ifndef TYPEFLOW_IDENTITY_H
#define TYPEFLOW_IDENTITY_H

#include "dso/dso.h"

/*
 * A checksum over the input of the analysis: the code (not the kernel's, which is changed in memory), and addresses
 * and sizes of all sections of the file with the debug information. It reads all of the code.
 */
u64 object_identity(struct dso *dso);

#endif
