/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tells a BPF program which control groups are selected (bpf/wanted.h). Its map has room for as many as there are. @ids:
 * u64. The results are 0 or negative errnos, as libbpf's.
 */
#ifndef RECORD_WALL_CGROUPS_H
#define RECORD_WALL_CGROUPS_H

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <glib.h>

#include "base/types.h"

/* Before the load. */
static inline int wall_cgroups_prepare(struct bpf_map *map, const GArray *ids)
{
	return bpf_map__set_max_entries(map, MAX(ids->len, 1));
}

/* After the load, before a program runs. */
static inline int wall_cgroups_fill(const struct bpf_map *map, const GArray *ids)
{
	const u8 one = 1;
	int err = 0;

	for (u32 i = 0; i < ids->len && !err; i++)
		err = bpf_map_update_elem(bpf_map__fd(map), &g_array_index(ids, u64, i), &one,
					  BPF_ANY);
	return err;
}

#endif
