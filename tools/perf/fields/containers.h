/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The container and the pod of a sample's thread. The process may publish them (attributes container.id, k8s.pod.name and
 * k8s.pod.uid of its OTEP 4719 context); else they are in the path of its cgroup, if the recording has it (record --all-cgroups,
 * --wall and --off-cpu).
 */
#ifndef FIELDS_CONTAINERS_H
#define FIELDS_CONTAINERS_H

#include "machine/cgroup_names.h"
#include "resolve/place.h"

/* The number of the sample's cgroup (machine_cgroup()); 0: the recording does not tell. @place has NEED_SAMPLE. */
u64 container_cgroup_id(const struct place *place);

/*
 * The container's id, or LXC's name; the pod's name, or its uid. "": the recording does not tell, or there is none. @place has
 * NEED_SAMPLE and NEED_ACTIVITY. The result is in @name, or lives as long as the session.
 */
const char *container_of_place(const struct place *place, char name[static CGROUP_NAME_SIZE]);
const char *pod_of_place(const struct place *place, char name[static CGROUP_NAME_SIZE]);

#endif
