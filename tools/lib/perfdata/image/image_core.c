// SPDX-License-Identifier: GPL-2.0-or-later
#include "perfdata/image/image_core.h"

#include <elf.h>
#include <string.h>

#include "perfdata/image/image_read.h"

/* From the kernel on x86-64: offsets in struct elf_prstatus, and of prpsinfo's pid. */
#define PRSTATUS_CURSIG 12 /* u16 */
#define PRSTATUS_PID	32 /* s32: the thread */
#define PRPSINFO_PID	24 /* s32: the process */

bool image_is_core(const void *data, u64 size)
{
	const Elf64_Ehdr *e = data;

	return size >= sizeof(*e) && !memcmp(e->e_ident, ELFMAG, SELFMAG) &&
	       e->e_ident[EI_CLASS] == ELFCLASS64 && e->e_ident[EI_DATA] == ELFDATA2LSB &&
	       e->e_type == ET_CORE;
}

/* The number of program headers. If it is above 65534, the first section header has it. */
static u64 nr_headers(const u8 *data, u64 size, const Elf64_Ehdr *e)
{
	Elf64_Shdr first;

	if (e->e_phnum != PN_XNUM)
		return e->e_phnum;
	if (e->e_shoff > size || size - e->e_shoff < sizeof(first))
		return 0;
	memcpy(&first, data + e->e_shoff, sizeof(first));
	return first.sh_info;
}

static void take_fact(const Elf64_Nhdr *note, const u8 *desc, struct image_in_core *found)
{
	u16 signal;

	if (note->n_type == NT_PRSTATUS && !found->tid && note->n_descsz >= PRSTATUS_PID + 4) {
		memcpy(&signal, desc + PRSTATUS_CURSIG, sizeof(signal));
		memcpy(&found->tid, desc + PRSTATUS_PID, sizeof(found->tid));
		found->signal = signal;
	} else if (note->n_type == NT_PRPSINFO && note->n_descsz >= PRPSINFO_PID + 4) {
		memcpy(&found->pid, desc + PRPSINFO_PID, sizeof(found->pid));
	}
}

static u64 padded(u32 size)
{
	return ((u64)size + 3) & ~(u64)3;
}

static void read_notes(const u8 *at, u64 size, struct image_in_core *found)
{
	Elf64_Nhdr note;

	while (size >= sizeof(note)) {
		const u8 *name = at + sizeof(note), *desc;
		u64 whole;

		memcpy(&note, at, sizeof(note));
		whole = sizeof(note) + padded(note.n_namesz) + padded(note.n_descsz);
		if (whole > size)
			return;
		desc = name + padded(note.n_namesz);
		if (note.n_namesz == 5 && !memcmp(name, "CORE", 5)) {
			take_fact(&note, desc, found);
		} else if (note.n_namesz == sizeof(IMAGE_NOTE_NAME) && !found->perfdata &&
			   !memcmp(name, IMAGE_NOTE_NAME, sizeof(IMAGE_NOTE_NAME)) &&
			   note.n_type == IMAGE_NOTE_TYPE) {
			found->perfdata = desc;
			found->size = note.n_descsz;
		}
		at += whole;
		size -= whole;
	}
}

static void look_at(const u8 *data, u64 size, const Elf64_Phdr *p, struct image_in_core *found)
{
	u64 there;

	if (p->p_offset > size)
		return;
	there = MIN(p->p_filesz, size - p->p_offset);
	if (p->p_type == PT_NOTE)
		read_notes(data + p->p_offset, there, found);
	else if (p->p_type == PT_LOAD && !found->image && !found->perfdata && !(p->p_offset % 8) &&
		 there >= IMAGE_PAGE && image_fits(data + p->p_offset, there)) {
		found->image = data + p->p_offset;
		found->size = there;
	}
}

bool image_find_in_core(const char *name, const void *data, u64 size, struct image_in_core *found,
			GError **error)
{
	const u8 *bytes = data;
	Elf64_Ehdr e;
	u64 nr;

	*found = (struct image_in_core){ 0 };
	memcpy(&e, data, sizeof(e));
	nr = nr_headers(bytes, size, &e);
	for (u64 i = 0; i < nr && e.e_phentsize == sizeof(Elf64_Phdr); i++) {
		u64 at = e.e_phoff + i * sizeof(Elf64_Phdr);
		Elf64_Phdr p;

		if (e.e_phoff > size || at > size || size - at < sizeof(p))
			break;
		memcpy(&p, bytes + at, sizeof(p));
		look_at(bytes, size, &p, found);
	}
	if (found->perfdata || found->image)
		return true;
	return error_set(
		error, PERF_ERROR_ABSENT,
		"%s: no recording is in this core: perf record --detached --on-crash maps one into "
		"the program that it starts, not into what a script starts then; perf core-handler "
		"adds one for every recorded process, if it is installed at the crash (perf "
		"doctor)",
		name);
}
