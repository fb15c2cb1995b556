/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The header's information about loaded BPF programs: the features BPF_PROG_INFO and BPF_BTF.
 * Internal to perfdata/.
 */
#ifndef PERFDATA_BPF_INFO_H
#define PERFDATA_BPF_INFO_H

#include <stdio.h>

#include "base/cursor.h"
#include "perfdata/info.h"

/* A feature's section into @info, in the place of what was there. */
void bpf_info_read_progs(struct cursor *c, struct perfdata_info *info);
void bpf_info_read_btfs(struct cursor *c, struct perfdata_info *info);

/* The features as `perf report --header` of upstream prints them. */
void bpf_info_print_progs(const struct perfdata_info *info, FILE *out);
void bpf_info_print_btfs(const struct perfdata_info *info, FILE *out);

/* Elements of info->bpf_progs and info->btfs. */
void bpf_info_free_prog(void *prog);
void bpf_info_free_btf(void *btf);

#endif
