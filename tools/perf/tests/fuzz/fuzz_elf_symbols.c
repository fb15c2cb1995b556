// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Any bytes as an object file, a .ko, a kallsyms and a perf-PID.map: whatever is read of
 * them ends, stays inside them, and answers look-ups.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "dso/dso.h"
#include "dso/elfsyms.h"
#include "dso/image.h"
#include "dso/kallsyms.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void look_around(struct dso *dso)
{
	u32 nr = dso_nr_symbols(dso);
	u64 vaddr;
	size_t left;

	for (u32 i = 0; i < nr && i < 100; i++) {
		const struct symbol *s = dso_symbol(dso, i), *found;
		const u8 *code;

		if (!s || s->start > s->end || !s->raw[0])
			abort();
		found = dso_find_symbol(dso, s->start);
		if (s->end > s->start && !found)
			abort();
		dso_symbol_name(dso, s);
		if (!dso_symbol_named(dso, s->raw))
			abort();
		code = dso_code(dso, s->start, &left);
		if (code && left) {
			volatile u8 last = code[left - 1];

			(void)last;
		}
	}
	for (u64 foff = 0; foff < 1 << 20; foff += 4099)
		if (dso_foff_to_vaddr(dso, foff, &vaddr))
			dso_find_symbol(dso, vaddr);
	dso_build_id(dso);
	dso_debug_file(dso);
}

static void read_kallsyms(const char *path)
{
	size_t size;
	char *text = kallsyms_read(path, &size, NULL);
	struct symtab *t;

	if (!text)
		return;
	kallsyms_address(text, size, "_text");
	t = symtab_new(true);
	kallsyms_add(t, text, size);
	symtab_finish(t, SYMTAB_FILL_KALLSYMS, 0);
	symtab_find(t, 0xffffffff81000000);
	symtab_free(t);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const enum dso_kind kinds[] = { DSO_USER, DSO_MODULE, DSO_JIT };
	struct dso_options options = { .buildid_dir = "/proc/self/absent",
				       .debug_dir = "/proc/self/absent" };
	int fd = memfd_create("fuzz", MFD_CLOEXEC);
	struct build_id id;
	char path[64];

	if (fd < 0 || write(fd, data, size) != (ssize_t)size)
		abort();
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++) {
		struct dsos *dsos = dsos_new(&options);

		look_around(dsos_get(dsos, path, NULL, 0, kinds[i]));
		dsos_free(dsos);
	}
	read_kallsyms(path);
	build_id_read(path, &id, NULL);
	build_id_from_notes(data, size, &id);
	close(fd);
	return 0;
}
