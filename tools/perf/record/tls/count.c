// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * BTF describes per-CPU variables as members of one section, ".data..percpu", with their offsets.
 * The distance between two of them is the same on each CPU:
 *
 *	runqueues		offset 0x31c40
 *	__preempt_count		offset 0x2f3d0		distance -0x2870
 *
 * The program reaches the run queue from the task (bpf/context.h), and adds the distance. Each time
 * it also checks that at the distance of current_task there is the present task.
 *
 * Linux 6.2 to 6.14 keep the count and the pointer to the current task in a struct, pcpu_hot. If BTF
 * does not have them, the context is not known, and call chains tell it in reports.
 */
#include "record/tls/count.h"

#include <bpf/btf.h>
#include <glib.h>
#include <string.h>

#define SECTION ".data..percpu"

/* Offset of the variable in the section; negative: not found. out: @type, its type. */
static s64 find_variable(const struct btf *btf, const char *name, const struct btf_type **type)
{
	s32 id = btf__find_by_name_kind(btf, SECTION, BTF_KIND_DATASEC);
	const struct btf_type *section = id > 0 ? btf__type_by_id(btf, (u32)id) : NULL;
	const struct btf_var_secinfo *info = section ? btf_var_secinfos(section) : NULL;

	for (u32 i = 0; section && i < btf_vlen(section); i++) {
		const struct btf_type *var = btf__type_by_id(btf, info[i].type);

		if (!var || g_strcmp0(btf__name_by_offset(btf, var->name_off), name) != 0)
			continue;
		*type = btf__type_by_id(btf, var->type);
		return info[i].offset;
	}
	return -1;
}

/* Members of unnamed structs count as those of the struct around them. */
static s64 find_member(const struct btf *btf, const struct btf_type *type, const char *name)
{
	const struct btf_member *member = btf_members(type);

	if (!btf_is_composite(type))
		return -1;
	for (u32 i = 0; i < btf_vlen(type); i++) {
		const char *present = btf__name_by_offset(btf, member[i].name_off);
		const struct btf_type *inner = btf__type_by_id(btf, member[i].type);
		s64 at = -1;

		if (present && strcmp(present, name) == 0)
			at = 0;
		else if (present && !*present && inner)
			at = find_member(btf, inner, name);
		if (at >= 0)
			return at + btf_member_bit_offset(type, i) / 8;
	}
	return -1;
}

/* Finds @name as a variable, or as a member of pcpu_hot. */
static s64 find_place(const struct btf *btf, const char *name, const char *member)
{
	const struct btf_type *type = NULL;
	s64 place = find_variable(btf, name, &type), at;

	if (place >= 0)
		return place;
	place = find_variable(btf, "pcpu_hot", &type);
	at = place >= 0 && type ? find_member(btf, type, member) : -1;
	return at >= 0 ? place + at : -1;
}

bool tls_count_find(const struct btf *btf, long long *count_from_rq, long long *current_from_rq)
{
	const struct btf_type *type;
	s64 rq, count, current;

	if (!btf)
		return false;
	rq = find_variable(btf, "runqueues", &type);
	count = find_place(btf, "__preempt_count", "preempt_count");
	current = find_place(btf, "current_task", "current_task");
	if (rq < 0 || count < 0 || current < 0)
		return false;
	*count_from_rq = count - rq;
	*current_from_rq = current - rq;
	return true;
}
