// SPDX-License-Identifier: GPL-2.0-or-later
#include "record/kernel_reader.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <errno.h>
#include <string.h>

#include "bpf/kernel_text.h"
#include "bpf/kernel_text.skel.h"
#include "record/base/kernel_types.h"

struct kernel_reader {
	struct kernel_text_bpf *skel;
	int program;
};

struct kernel_reader *kernel_reader_new(GError **error)
{
	struct kernel_text_bpf *skel;
	struct kernel_reader *reader;

	libbpf_set_print(NULL);
	skel = kernel_text_bpf__open_and_load();
	if (!skel) {
		kernel_bpf_failed("the kernel's code", "Linux 5.14", errno, error);
		return NULL;
	}
	reader = g_new0(struct kernel_reader, 1);
	reader->skel = skel;
	reader->program = bpf_program__fd(skel->progs.copy_text);
	return reader;
}

void kernel_reader_free(struct kernel_reader *reader)
{
	if (!reader)
		return;
	kernel_text_bpf__destroy(reader->skel);
	g_free(reader);
}

bool kernel_reader_read(struct kernel_reader *reader, u64 va, u8 *bytes, size_t size)
{
	LIBBPF_OPTS(bpf_test_run_opts, run);

	for (size_t at = 0; at < size; at += KERNEL_TEXT_PIECE) {
		size_t piece = MIN(size - at, KERNEL_TEXT_PIECE);

		reader->skel->bss->from = va + at;
		reader->skel->bss->size = (u32)piece;
		if (bpf_prog_test_run_opts(reader->program, &run) || run.retval)
			return false;
		memcpy(bytes + at, reader->skel->bss->bytes, piece);
	}
	return true;
}
