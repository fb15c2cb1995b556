// SPDX-License-Identifier: GPL-2.0-or-later
/* Properties of entries that depend on the unit's language. */
#include "dwarf/internal.h"

bool raw_is_cplusplus(const struct raw_unit *unit)
{
	switch (unit->language) {
	case DW_LANG_C_plus_plus:
	case DW_LANG_C_plus_plus_03:
	case DW_LANG_C_plus_plus_11:
	case DW_LANG_C_plus_plus_14:
	case 0x2b: /* DW_LANG_C_plus_plus_20 and _17, of DWARF 6 */
	case 0x2a:
		return true;
	default:
		return false;
	}
}

bool raw_has_namespaces(const struct raw_unit *unit)
{
	switch (unit->language) {
	case DW_LANG_C89:
	case DW_LANG_C:
	case DW_LANG_C99:
	case DW_LANG_C11:
	case 0x2c: /* DW_LANG_C17 */
	case DW_LANG_Mips_Assembler:
		return false;
	default:
		return true;
	}
}
