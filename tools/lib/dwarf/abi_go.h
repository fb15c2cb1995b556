/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Go's calling convention ABIInternal on amd64 (the document abi-internal in the sources of Go's compiler; since Go 1.17).
 * abi.h is the interface for all conventions but for results, of which a Go function may have several.
 */
#ifndef DWARF_ABI_GO_H
#define DWARF_ABI_GO_H

#include "dwarf/abi.h"

#define ABI_GO_GOROUTINE 14 /* the register that has the address of the present runtime.g */

/* As abi_parameters(), of a proto that is Go's. */
u32 abi_go_parameters(const struct proto *proto, struct abi_part *parts, u32 max);

/* Where the results are after the call; abi_part.param is an index into proto.results. */
u32 abi_go_results(const struct proto *proto, struct abi_part *parts, u32 max);

/* False for the symbols of functions with the older convention ABI0, which passes all on the stack: assembly. */
bool abi_go_is_internal(const char *symbol);

#endif
