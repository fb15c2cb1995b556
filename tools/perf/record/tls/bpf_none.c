// SPDX-License-Identifier: GPL-2.0-or-later
/* Replaces tls/bpf.c in a build without BPF: loading fails, and no other function is reached. */
#include "record/tls/bpf.h"

struct tls_bpf *tls_bpf_load(const struct kernel_paths *paths, GError **error)
{
	error_set(error, PERF_ERROR_UNSUPPORTED,
		  "this perf was built without BPF (see perf version --build-options)");
	return NULL;
}

void tls_bpf_free(struct tls_bpf *b)
{
}

bool tls_bpf_attach(struct tls_bpf *b, struct recording *rec, GError **error)
{
	return false;
}

void tls_bpf_listen(struct tls_bpf *b, tls_join_fn fn, void *arg)
{
}

void tls_bpf_pass(struct tls_bpf *b, u32 ring, const struct perf_event_header *record,
		  struct outlet *out)
{
}

void tls_bpf_flush(struct tls_bpf *b, struct outlet *out)
{
}

void tls_bpf_set_plan(struct tls_bpf *b, u32 pid, const struct sample_tls_plan *plan)
{
}

bool tls_bpf_has_obi(const struct tls_bpf *b)
{
	return false;
}

bool tls_bpf_has_context(const struct tls_bpf *b)
{
	return false;
}

int tls_bpf_plans_fd(const struct tls_bpf *b)
{
	return -1;
}

bool tls_bpf_plan(const struct tls_bpf *b, u32 pid, struct sample_tls_plan *plan)
{
	return false;
}

void tls_bpf_forget(struct tls_bpf *b, u32 pid)
{
}

void tls_bpf_set_program(struct tls_bpf *b, u64 dev, u64 ino, const struct sample_tls_plan *plan)
{
}

void tls_bpf_executes(struct tls_bpf *b, u32 pid, u64 dev, u64 ino)
{
}

struct tls_counts tls_bpf_counts(const struct tls_bpf *b)
{
	return (struct tls_counts){ 0 };
}
