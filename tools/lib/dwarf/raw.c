// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Walks entries: reads a whole entry, reads only its head, or skips it with all its children. Entries are stored as a
 * tree in prefix order; a code of 0 ends each list of children (DWARF 5, section 2.3). Example, with the level in < >:
 *
 *	<1> 2e	DW_TAG_structure_type "node", DW_AT_sibling 56
 *	<2>   3b	DW_TAG_member "next"
 *	<2>   48	DW_TAG_member "key"
 *	<2>   55	0
 *	<1> 56	DW_TAG_pointer_type
 *
 *	raw_read(2e)			next = 3b: the first child
 *	raw_read(55)			false, next = 56: the list ends
 *	raw_after(2e)			56, from DW_AT_sibling
 *	raw_next_wanted(2e, pointers)	56: of the structure, only the code and DW_AT_sibling are read
 *
 * clang writes no DW_AT_sibling. Then the children are stepped over one by one, and the level is counted: 3b, 48, and
 * 55 brings the level back.
 *
 * A kernel has millions of entries, so a walk should read few of them completely. Of an entry with an unwanted tag only
 * the code is decoded; the rest follows from the abbreviation.
 *
 * Malformed input: every step goes forward. A sibling reference that goes back or leaves the unit is ignored. An
 * unknown code or form moves the position to the unit's end, so all lists around it end, too.
 */
#include "dwarf/raw_private.h"

/* NULL: the table has no such code. */
static inline const struct raw_abbrev *find_abbrev(const struct raw_abbrevs *table, u64 code)
{
	const struct raw_abbrev *abbrev = NULL;

	if (G_LIKELY(code < table->nr_dense))
		abbrev = &table->dense[code];
	else if (table->large)
		abbrev = g_hash_table_lookup(table->large, GSIZE_TO_POINTER(code));
	return abbrev && abbrev->tag ? abbrev : NULL;
}

/* As raw_skip_form(), with the most frequent forms first. */
static inline bool skip_variable(const struct raw_unit *unit, u16 form, const u8 **at)
{
	u64 size;

	if (form == DW_FORM_exprloc)
		return raw_uleb(at, unit->end, &size) && raw_skip_bytes(at, unit->end, size);
	if (form == DW_FORM_udata)
		return raw_uleb(at, unit->end, &size);
	return raw_skip_form(unit, form, at);
}

bool raw_read(const struct raw_unit *unit, const u8 *at, struct raw_die *die)
{
	u64 code;

	die->at = at;
	die->next = unit->end;
	if (at < unit->start || !raw_uleb(&at, unit->end, &code))
		return false;
	if (code == 0) {
		die->next = at;
		return false;
	}
	die->abbrev = find_abbrev(unit->abbrevs, code);
	if (!die->abbrev)
		return false;
	/* The table may have no attributes at all. */
	die->attrs = unit->abbrevs->attrs;
	if (die->abbrev->nr)
		die->attrs += die->abbrev->first;
	die->values = at;
	if ((size_t)(unit->end - at) < die->abbrev->lead)
		return false;
	at += die->abbrev->lead;
	for (u32 i = die->abbrev->nr_lead; i < die->abbrev->nr; i++) {
		const struct raw_attr *attr = &die->attrs[i];

		die->slot[attr->slot] = at;
		if (attr->size == RAW_VARIABLE) {
			if (!skip_variable(unit, attr->form, &at))
				return false;
		} else if ((size_t)(unit->end - at) < attr->size) {
			return false;
		} else {
			at += attr->size;
		}
	}
	die->next = at;
	return true;
}

/*
 * The target of a 4-byte sibling reference at @at. It must be after @behind and inside the unit: else two entries could
 * refer to each other, and a walk would not end. NULL: it is not.
 */
static const u8 *sibling_at(const struct raw_unit *unit, const u8 *at, const u8 *behind)
{
	const u8 *end = unit->end;
	u64 offset;

	if (!raw_fixed(&at, end, 4, &offset) || offset >= (u64)(end - unit->start))
		return NULL;
	return unit->start + offset > behind ? unit->start + offset : NULL;
}

/* Position after the attributes that begin at @at. The unit's end if they do not fit. */
static inline const u8 *skip_attributes(const struct raw_unit *unit,
					const struct raw_abbrev *abbrev, const u8 *at)
{
	const struct raw_attr *attrs;

	if (abbrev->fixed)
		return (size_t)(unit->end - at) < abbrev->size ? unit->end : at + abbrev->size;
	attrs = unit->abbrevs->attrs;
	if (abbrev->nr)
		attrs += abbrev->first;
	for (u32 i = 0; i < abbrev->nr; i++) {
		if (attrs[i].size != RAW_VARIABLE && (size_t)(unit->end - at) >= attrs[i].size)
			at += attrs[i].size;
		else if (!skip_variable(unit, attrs[i].form, &at))
			return unit->end;
	}
	return at;
}

/*
 * One step over the entry at @at. If it states its sibling, skips its children too, else only its attributes. *@level
 * is the number of open lists of children.
 */
static const u8 *step(const struct raw_unit *unit, const u8 *at, u32 *level)
{
	const struct raw_abbrev *abbrev;
	const u8 *sibling;
	u64 code;

	if (!raw_uleb(&at, unit->end, &code))
		return unit->end;
	if (code == 0) {
		(*level)--;
		return at;
	}
	abbrev = find_abbrev(unit->abbrevs, code);
	if (!abbrev)
		return unit->end;
	if (abbrev->children && abbrev->sibling) {
		sibling = sibling_at(unit, at + abbrev->sibling - 1, at);
		if (sibling)
			return sibling;
	}
	at = skip_attributes(unit, abbrev, at);
	*level += abbrev->children;
	return at;
}

/* Position after the children that begin at @at. */
static const u8 *skip_children(const struct raw_unit *unit, const u8 *at)
{
	u32 level = 1;

	while (level && at < unit->end)
		at = step(unit, at, &level);
	return at;
}

const u8 *raw_after(const struct raw_unit *unit, const struct raw_die *die)
{
	const u8 *sibling;

	if (!die->abbrev->children)
		return die->next;
	if (raw_has(die, RAW_SIBLING) && raw_form(die, RAW_SIBLING) == DW_FORM_ref4) {
		sibling = sibling_at(unit, raw_value(die, RAW_SIBLING), die->next - 1);
		if (sibling)
			return sibling;
	}
	return skip_children(unit, die->next);
}

bool raw_next_head(const struct raw_unit *unit, const u8 **at, const u8 *wanted,
		   struct raw_head *head)
{
	const u8 *p = *at, *sibling;

	while (p < unit->end) {
		const struct raw_abbrev *abbrev;
		u64 code;

		*at = p;
		if (!raw_uleb(&p, unit->end, &code))
			break;
		if (code == 0) {
			*at = p;
			return false;
		}
		abbrev = find_abbrev(unit->abbrevs, code);
		if (!abbrev)
			break;
		if (abbrev->tag < RAW_TAGS && wanted[abbrev->tag]) {
			*head = (struct raw_head){ *at, p, abbrev };
			return true;
		}
		if (abbrev->children && abbrev->sibling) {
			sibling = sibling_at(unit, p + abbrev->sibling - 1, p);
			if (sibling) {
				p = sibling;
				continue;
			}
		}
		p = skip_attributes(unit, abbrev, p);
		if (abbrev->children)
			p = skip_children(unit, p);
	}
	*at = unit->end;
	return false;
}

bool raw_next_wanted(const struct raw_unit *unit, const u8 **at, const u8 *wanted)
{
	struct raw_head head;

	return raw_next_head(unit, at, wanted, &head);
}

const u8 *raw_after_head(const struct raw_unit *unit, const struct raw_head *head)
{
	const u8 *sibling;

	if (head->abbrev->children && head->abbrev->sibling) {
		sibling = sibling_at(unit, head->values + head->abbrev->sibling - 1, head->values);
		if (sibling)
			return sibling;
	}
	return head->abbrev->children
		       ? skip_children(unit, skip_attributes(unit, head->abbrev, head->values))
		       : skip_attributes(unit, head->abbrev, head->values);
}

u16 raw_tag(const struct raw_unit *unit, const u8 *at)
{
	const struct raw_abbrev *abbrev;
	u64 code;

	if (at < unit->start || !raw_uleb(&at, unit->end, &code) || !code)
		return 0;
	abbrev = find_abbrev(unit->abbrevs, code);
	return abbrev ? abbrev->tag : 0;
}

const u8 *raw_type_of_head(const struct raw_unit *unit, const struct raw_head *head)
{
	if (!head->abbrev->type || (size_t)(unit->end - head->values) < head->abbrev->type)
		return NULL;
	return raw_entry_at(unit, head->values + head->abbrev->type - 1);
}
