/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What Go's debug information has besides DWARF's standard (cmd/internal/dwarf in Go's sources):
 *
 *	DW_AT_go_runtime_type	of a type: where its descriptor is, in bytes from the symbol runtime.types
 *	DW_AT_go_elem		of a map, channel or slice: the type of its elements
 *
 * The program passes descriptors to the runtime, so these tell which type the runtime's untyped functions handle.
 */
#ifndef DWARF_GO_H
#define DWARF_GO_H

#include "dwarf/debuginfo.h"

/* The type whose descriptor is @distance bytes behind runtime.types; NULL: none. The first call walks over all units. */
const struct type *debuginfo_go_type(struct debuginfo *debug, u64 distance);

/* The structure or typedef with that name, as "runtime.g", or "uintptr"; NULL: there is none. Also walks over all units. */
const struct type *debuginfo_go_named(struct debuginfo *debug, const char *name);

/* Of a map, a channel or a slice; NULL: not stated. Typedefs are not resolved, because only the typedef of a map states it. */
const struct type *type_go_element(const struct type *type);

#endif
