// SPDX-License-Identifier: GPL-2.0-or-later
/* ELF files, as far as their thread-local variables go. */
#include <stdlib.h>
#include <string.h>

#include <glib.h>

#include "dso/go.h"
#include "dso/tls.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	g_autofree char *copy = g_memdup2(data, size);
	struct tls_segment segment;
	struct tls_symbol symbol;
	bool found;
	struct go_program go;
	struct tls_libc libc;
	u64 vaddr;
	Elf *elf;

	elf_version(EV_CURRENT);
	elf = elf_memory(copy, size);
	if (!elf)
		return 0;
	if (tls_find_segment(elf, &segment) && (segment.align & (segment.align - 1)))
		abort();
	found = tls_find_symbol(elf, "wanted", &symbol);
	if (found && symbol.value + symbol.size > segment.memsz)
		abort();
	if (found && tls_main_tpoff(&segment, symbol.value) > 0)
		abort();
	g_array_unref(tls_find_slots(elf, "wanted", found ? &symbol : NULL));
	tls_find_libc(elf, &libc);
	go_find_program(elf, &go);
	tls_find_object(elf, "wanted_object", &vaddr);
	elf_end(elf);
	return 0;
}
