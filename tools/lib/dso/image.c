// SPDX-License-Identifier: GPL-2.0-or-later
#include "dso/image.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A program header table of a real file has about a dozen entries. */
#define SEGMENTS_MAX 65536

static int open_regular(const char *path, struct stat *st, GError **error)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	enum perf_error code = PERF_ERROR_SYSTEM;

	if (fd < 0) {
		if (errno == ENOENT || errno == ENOTDIR)
			code = PERF_ERROR_ABSENT;
		else if (errno == EACCES || errno == EPERM)
			code = PERF_ERROR_PERMISSION;
		error_set(error, code, "%s: %s", path, g_strerror(errno));
		return -1;
	}
	if (fstat(fd, st) < 0 || !S_ISREG(st->st_mode)) {
		error_set(error, PERF_ERROR_FORMAT, "%s: not a regular file", path);
		close(fd);
		return -1;
	}
	return fd;
}

static void read_segments(struct image *image)
{
	g_autoptr(GArray) segments = g_array_new(FALSE, FALSE, sizeof(struct segment));
	size_t nr = 0;

	if (elf_getphdrnum(image->elf, &nr) < 0)
		nr = 0;
	nr = MIN(nr, SEGMENTS_MAX);
	for (size_t i = 0; i < nr; i++) {
		GElf_Phdr ph;

		if (!gelf_getphdr(image->elf, i, &ph))
			break;
		if (ph.p_type == PT_NOTE && !image->build_id.size && ph.p_offset <= image->size &&
		    ph.p_filesz <= image->size - ph.p_offset)
			build_id_from_notes(image->bytes + ph.p_offset, ph.p_filesz,
					    &image->build_id);
		if (ph.p_type == PT_LOAD) {
			struct segment s = { ph.p_vaddr, ph.p_offset, ph.p_filesz, ph.p_memsz,
					     ph.p_flags };

			g_array_append_val(segments, s);
		}
	}
	image->nr_segments = segments->len;
	image->segments = (struct segment *)g_array_free(g_steal_pointer(&segments), FALSE);
}

/* In a debug file made by objcopy the PT_NOTE segment is empty; the note section is there. */
static void read_build_id_section(struct image *image)
{
	Elf_Scn *scn = NULL;

	while (!image->build_id.size && (scn = elf_nextscn(image->elf, scn))) {
		GElf_Shdr shdr;
		const u8 *notes;
		size_t size;

		if (!gelf_getshdr(scn, &shdr) || shdr.sh_type != SHT_NOTE)
			continue;
		notes = image_section_bytes(scn, &size);
		if (notes)
			build_id_from_notes(notes, size, &image->build_id);
	}
}

/* Reads the headers of @image, whose path and elf are set. Closes it if it is no ELF file. */
static struct image *read_headers(struct image *image, GError **error)
{
	if (!image->elf || elf_kind(image->elf) != ELF_K_ELF ||
	    !gelf_getehdr(image->elf, &image->ehdr) ||
	    !(image->bytes = (const u8 *)elf_rawfile(image->elf, &image->size))) {
		error_set(error, PERF_ERROR_FORMAT, "%s: not an ELF file", image->path);
		image_close(image);
		return NULL;
	}
	elf_cntl(image->elf, ELF_C_FDDONE);
	read_segments(image);
	read_build_id_section(image);
	return image;
}

static struct image *image_of_fd(int fd, const char *path, const struct stat *st, GError **error)
{
	struct image *image = g_new0(struct image, 1);

	image->path = g_strdup(path);
	image->dev = st->st_dev;
	image->ino = st->st_ino;
	elf_version(EV_CURRENT);
	image->elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
	return read_headers(image, error);
}

struct image *image_of_bytes(GBytes *bytes, const char *name, GError **error)
{
	struct image *image = g_new0(struct image, 1);
	size_t size;
	const void *data = g_bytes_get_data(bytes, &size);

	image->path = g_strdup(name);
	image->made = g_bytes_ref(bytes);
	elf_version(EV_CURRENT);
	image->elf = elf_memory((char *)data, size);
	return read_headers(image, error);
}

struct image *image_open(const char *path, GError **error)
{
	struct image *image;
	struct stat st;
	int fd = open_regular(path, &st, error);

	if (fd < 0)
		return NULL;
	image = image_of_fd(fd, path, &st, error);
	close(fd);
	return image;
}

void image_close(struct image *image)
{
	if (!image)
		return;
	elf_end(image->elf);
	if (image->made)
		g_bytes_unref(image->made);
	g_free(image->segments);
	g_free(image->path);
	g_free(image);
}

Elf *image_reopen(const struct image *image, int *fd)
{
	struct stat st;
	Elf *elf;

	*fd = open_regular(image->path, &st, NULL);
	if (*fd < 0)
		return NULL;
	elf = st.st_dev == image->dev && st.st_ino == image->ino && (u64)st.st_size == image->size
		      ? elf_begin(*fd, ELF_C_READ_MMAP, NULL)
		      : NULL;
	if (!elf) {
		close(*fd);
		*fd = -1;
	}
	return elf;
}

Elf_Scn *image_section(const struct image *image, const char *name, GElf_Shdr *shdr)
{
	Elf_Scn *scn = NULL;
	size_t names;

	if (elf_getshdrstrndx(image->elf, &names) < 0)
		return NULL;
	while ((scn = elf_nextscn(image->elf, scn))) {
		const char *at;

		if (!gelf_getshdr(scn, shdr) || shdr->sh_type == SHT_NOBITS)
			continue;
		at = elf_strptr(image->elf, names, shdr->sh_name);
		if (at && !strcmp(at, name))
			return scn;
	}
	return NULL;
}

Elf_Scn *image_section_of_type(const struct image *image, u32 type, GElf_Shdr *shdr)
{
	Elf_Scn *scn = NULL;

	while ((scn = elf_nextscn(image->elf, scn)))
		if (gelf_getshdr(scn, shdr) && shdr->sh_type == type)
			return scn;
	return NULL;
}

const u8 *image_section_bytes(Elf_Scn *scn, size_t *size)
{
	GElf_Shdr shdr;
	Elf_Data *data;

	*size = 0;
	if (!gelf_getshdr(scn, &shdr) || shdr.sh_type == SHT_NOBITS)
		return NULL;
	if (shdr.sh_flags & SHF_COMPRESSED && elf_compress(scn, 0, 0) < 0)
		return NULL;
	data = elf_rawdata(scn, NULL);
	if (!data || !data->d_buf)
		return NULL;
	*size = data->d_size;
	return data->d_buf;
}

bool image_identified_by(const struct image *image, const struct build_id *id)
{
	struct build_id contents;

	if (image->build_id.size || id->size != BUILD_ID_MAX || image->made)
		return build_id_equal(&image->build_id, id);
	contents = build_id_of_contents(image->bytes, image->size);
	return build_id_equal(&contents, id);
}

bool image_has_dwarf(const struct image *image)
{
	GElf_Shdr shdr;

	return image_section(image, ".debug_info", &shdr) ||
	       image_section(image, ".zdebug_info", &shdr);
}

/*
 * A mapping has whole pages, so an offset may be outside of the segment and still be mapped. Segments
 * that contain the offset are preferred: two segments may share a page of the file.
 */
bool image_foff_to_vaddr(const struct image *image, u64 foff, u64 *vaddr)
{
	const u64 page = 4096;

	for (u32 i = 0; i < image->nr_segments; i++) {
		const struct segment *s = &image->segments[i];

		if (foff >= s->foff && foff - s->foff < s->file_size) {
			*vaddr = foff - s->foff + s->vaddr;
			return true;
		}
	}
	for (u32 i = 0; i < image->nr_segments; i++) {
		const struct segment *s = &image->segments[i];
		u64 from = s->foff & ~(page - 1);

		if (foff >= from && foff - from < ALIGN_UP(s->foff - from + s->file_size, page)) {
			*vaddr = foff - s->foff + s->vaddr;
			return true;
		}
	}
	return false;
}

/*
 * Two segments may share a page of the file, which is then mapped twice. Such as those of lld:
 *
 *   constants  foff 0       vaddr 0
 *   code       foff 0x12148 vaddr 0x13148: mapped from 0x12000 on, whose vaddr is 0x13000 there and 0x12000 in the constants
 */
bool image_code_start(const struct image *image, u64 foff, u64 *vaddr)
{
	const u64 page = 4096;

	for (u32 i = 0; i < image->nr_segments; i++) {
		const struct segment *s = &image->segments[i];

		if (s->flags & PF_X && (s->foff & ~(page - 1)) == foff) {
			*vaddr = foff - s->foff + s->vaddr;
			return true;
		}
	}
	return image_foff_to_vaddr(image, foff, vaddr);
}

bool image_vaddr_to_foff(const struct image *image, u64 vaddr, u64 *foff)
{
	for (u32 i = 0; i < image->nr_segments; i++) {
		const struct segment *s = &image->segments[i];

		if (vaddr >= s->vaddr && vaddr - s->vaddr < s->file_size) {
			*foff = vaddr - s->vaddr + s->foff;
			return true;
		}
	}
	return false;
}

static const u8 *bytes_at(const struct image *image, u64 vaddr, bool constant, size_t *left)
{
	for (u32 i = 0; i < image->nr_segments; i++) {
		const struct segment *s = &image->segments[i];
		u64 in = vaddr - s->vaddr;

		if (vaddr < s->vaddr || in >= s->file_size)
			continue;
		if (s->foff > image->size || in >= image->size - s->foff ||
		    (constant && s->flags & PF_W))
			return NULL;
		*left = MIN(s->file_size - in, image->size - s->foff - in);
		return image->bytes + s->foff + in;
	}
	return NULL;
}

const u8 *image_at(const struct image *image, u64 vaddr, size_t *left)
{
	return bytes_at(image, vaddr, false, left);
}

const u8 *image_constant_at(const struct image *image, u64 vaddr, size_t *left)
{
	return bytes_at(image, vaddr, true, left);
}
