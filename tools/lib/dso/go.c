// SPDX-License-Identifier: GPL-2.0-or-later
#include "dso/go.h"

#include <gelf.h>
#include <glib.h>
#include <string.h>

#include "base/cursor.h"
#include "dso/dynamic.h"
#include "dso/tls.h"

#define BUILDINFO      ".go.buildinfo"
#define MAGIC	       "\xff Go buildinf:"
#define MAGIC_SIZE     14
#define FLAGS_AT       15
#define INLINE_STRINGS 2 /* flag, since Go 1.18: the version is stored after the header */
#define HEADER_SIZE    32
#define HEADER_ALIGN   16
#define MAX_SEARCH     (64u << 10)
#define G_BELOW_TP     (-8) /* the offset of g if the Go runtime sets up TLS itself */

/* The offsets, by the first minor version that has them. */
static const struct offsets {
	u32 since;
	u16 curg, labels;
	bool map;
} offsets[] = {
	{ 18, 192, 360, true },	 { 21, 192, 344, true },  { 23, 192, 352, true },
	{ 24, 192, 352, false }, { 25, 184, 344, false }, { 26, 184, 352, false },
};
#define G_M	   48
#define LAST_MINOR 26

static Elf_Data *find_section(Elf *elf, const char *name)
{
	Elf_Scn *scn = NULL;
	size_t strings;

	if (elf_getshdrstrndx(elf, &strings) != 0)
		return NULL;
	while ((scn = elf_nextscn(elf, scn))) {
		GElf_Shdr shdr;
		const char *text;

		if (!gelf_getshdr(scn, &shdr))
			continue;
		text = elf_strptr(elf, strings, shdr.sh_name);
		if (text && strcmp(text, name) == 0)
			return elf_getdata(scn, NULL);
	}
	return NULL;
}

/*
 * Without section headers: the build information at the start of the first data segment, where Go's linker writes it. A
 * C linker writes it somewhat later. out: *@size: the bytes from there.
 */
static const u8 *search_data(Elf *elf, size_t *size)
{
	GElf_Phdr phdr;
	Elf_Data *data;
	size_t nr;

	if (elf_getphdrnum(elf, &nr) != 0)
		return NULL;
	for (size_t i = 0; i < nr && gelf_getphdr(elf, (int)i, &phdr); i++) {
		if (phdr.p_type != PT_LOAD || (phdr.p_flags & (PF_W | PF_X)) != PF_W)
			continue;
		data = elf_getdata_rawchunk(elf, (s64)phdr.p_offset, MIN(phdr.p_filesz, MAX_SEARCH),
					    ELF_T_BYTE);
		/* The alignment is that of the address. */
		for (u64 at = -phdr.p_vaddr % HEADER_ALIGN;
		     data && at + HEADER_SIZE <= data->d_size; at += HEADER_ALIGN) {
			const u8 *header = (const u8 *)data->d_buf + at;

			*size = data->d_size - at;
			if (memcmp(header, MAGIC, MAGIC_SIZE) == 0)
				return header;
		}
		return NULL;
	}
	return NULL;
}

static const u8 *find_build_info(Elf *elf, size_t *size)
{
	Elf_Data *data;

	if (!dynamic_has_sections(elf))
		return search_data(elf, size);
	data = find_section(elf, BUILDINFO);
	*size = data ? data->d_size : 0;
	return data ? data->d_buf : NULL;
}

/* "go1.22.3" in the build information: 22. */
static bool find_minor(const u8 *info, size_t info_size, u32 *minor)
{
	struct cursor c = cursor_of(info, info_size);
	const u8 *header = cursor_bytes(&c, HEADER_SIZE), *text;
	char version[32];
	char *end;
	u8 size;

	if (!header || memcmp(header, MAGIC, MAGIC_SIZE) != 0 ||
	    !(header[FLAGS_AT] & INLINE_STRINGS))
		return false;
	size = cursor_u8(&c); /* a varint, of one byte for any version */
	text = size < sizeof(version) ? cursor_bytes(&c, size) : NULL;
	if (!text || size < 6 || memcmp(text, "go1.", 4) != 0)
		return false;
	memcpy(version, text, size);
	version[size] = '\0';
	*minor = (u32)g_ascii_strtoull(version + 4, &end, 10);
	return end != version + 4;
}

bool go_find_program(Elf *elf, struct go_program *program)
{
	size_t size = 0;
	const u8 *info = tls_supported(elf) ? find_build_info(elf, &size) : NULL;
	struct tls_segment segment;
	struct tls_symbol tlsg;
	u32 minor;

	if (!info || !find_minor(info, size, &minor) || minor < offsets[0].since ||
	    minor > LAST_MINOR)
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(offsets); i++) {
		if (minor < offsets[i].since)
			break;
		*program = (struct go_program){
			.minor = minor,
			.g_tpoff = G_BELOW_TP,
			.m = G_M,
			.curg = offsets[i].curg,
			.labels = offsets[i].labels,
			.map = offsets[i].map,
		};
	}
	/* In a program with cgo, the C linker chooses the offset. */
	if (tls_find_segment(elf, &segment) && tls_find_symbol(elf, "runtime.tlsg", &tlsg))
		program->g_tpoff = tls_main_tpoff(&segment, tlsg.value);
	return true;
}

bool go_is_program(Elf *elf)
{
	size_t size;

	return find_build_info(elf, &size);
}
