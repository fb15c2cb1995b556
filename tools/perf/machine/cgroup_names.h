/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The container and the pod that the path of a cgroup names. Container runtimes make a cgroup for each container, and kubelet
 * one for each pod:
 *
 *	/docker/ID							docker, cgroupfs
 *	/system.slice/docker-ID.scope					docker, systemd
 *	/machine.slice/libpod-ID.scope/container			podman
 *	/kubepods/burstable/podUID/ID					kubelet, cgroupfs
 *	/kubepods.slice/kubepods-podUID.slice/cri-containerd-ID.scope	kubelet, systemd; crio-ID.scope
 *	/lxc.payload.NAME/init.scope					LXC
 *
 * ID has 64 hexadecimal digits. UID has 36 characters, with "_" for "-" in names of systemd, or of a static pod 32 digits. The processes that
 * watch a container (crio-conmon-ID.scope) are not in it.
 */
#ifndef MACHINE_CGROUP_NAMES_H
#define MACHINE_CGROUP_NAMES_H

#include <stdbool.h>

#define CGROUP_NAME_SIZE 128 /* of a name, with its NUL */

/* The id of the innermost container of @path, or the name of LXC's. False: it names none. Then @name is "". */
bool cgroup_container(const char *path, char name[static CGROUP_NAME_SIZE]);

/* The uid of the pod, with "-" between its parts. False: it names none. Then @name is "". */
bool cgroup_pod(const char *path, char name[static CGROUP_NAME_SIZE]);

#endif
