/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Split units that a packager has put into one .dwp file: DWARF 5, 7.3.5, and GNU's index
 * version 2 for DWARF 4.
 *
 * libdw before elfutils 0.191 reads .dwo files but no packages. So we build in memory the .dwo file that a unit was: the
 * parts of sections that the index lists for it. libdw opens that. Strings belong to the whole package and are
 * not copied.
 */
#ifndef DWARF_PACKAGE_H
#define DWARF_PACKAGE_H

#include <elfutils/libdw.h>

#include "dwarf/raw.h"

struct package;

/* @elf is borrowed and outlives it. NULL where @elf is NULL or has no index. */
struct package *package_new(Elf *elf);
void package_free(struct package *package);

/* The split unit with the id that its skeleton states; false: it is not in the package. */
bool package_unit(struct package *package, u64 id, Dwarf_Die *unit);

/* The type with that signature; false: no unit of the package defines it. */
bool package_type(struct package *package, u64 signature, Dwarf_Die *type);

/* Gives a file that came from a package what all its files share. */
void package_complete(struct package *package, struct raw_file *file);

#endif
