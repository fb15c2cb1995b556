/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads split units from a .dwp package (DWARF 5, 7.3.5, and GNU's index version 2 for DWARF 4).
 *
 * libdw before elfutils 0.191 reads .dwo files, but no packages. So the unit's original .dwo file is built in memory,
 * from the parts of sections that the index lists for it, and libdw opens that file. Strings belong to the whole
 * package and are not copied.
 */
#ifndef DWARF_PACKAGE_H
#define DWARF_PACKAGE_H

#include <elfutils/libdw.h>

#include "dwarf/raw.h"

struct package;

/* @elf is borrowed and must outlive the package. NULL: @elf is NULL or has no index. */
struct package *package_new(Elf *elf);
void package_free(struct package *package);

/* The split unit with @id, the id in its skeleton. False: it is not in the package. */
bool package_unit(struct package *package, u64 id, Dwarf_Die *unit);

/* The type with @signature. False: no unit of the package defines it. */
bool package_type(struct package *package, u64 signature, Dwarf_Die *type);

/* Adds to a file from a package the sections that all its files share. */
void package_complete(struct package *package, struct raw_file *file);

#endif
