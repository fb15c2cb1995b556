/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The names of the bits of an event's attr, as upstream spells them ("IP|TID|TIME"): to print attributes, and to parse
 * the descriptions in tests. The lists end with a NULL name.
 */
#ifndef PERFDATA_NAMES_H
#define PERFDATA_NAMES_H

#include <glib.h>

#include "base/types.h"

struct bit_name {
	u64 bit;
	const char *name;
};

extern const struct bit_name sample_type_names[];
extern const struct bit_name read_format_names[];
extern const struct bit_name branch_type_names[];
extern const struct bit_name attr_flag_names[]; /* of the word at byte 40, without precise_ip */

/* Appends "A|B"; bits without a name as one hexadecimal number at the end. */
void bit_names_print(const struct bit_name *names, u64 bits, GString *out);

/* The reverse. Upper and lower case are the same; numbers are accepted, too. False: a name is unknown. */
bool bit_names_parse(const struct bit_name *names, const char *text, u64 *bits);

#endif
