// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The vdso is not in a file. Every process has one. Our own vdso is used if its build-id is the recorded one, or if no
 * build-id was recorded and there is no better source.
 *
 * A 64-bit process can get the vdso of 32-bit processes by the system call arch_prctl, but only if it has no other
 * vdso. So a child process unmaps its own vdso and makes this call.
 */
#include "dso/vdso.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "dso/cache.h"
#include "dso/private.h"

#define ARCH_MAP_VDSO_32_HERE 0x2002 /* newer than some asm/prctl.h */
#define NARROW_MOST	      (64u << 10) /* bytes of the image and of the kernel's data in front of it */

const char *vdso_name(enum vdso which)
{
	return which == VDSO_NARROW ? "[vdso32]" : "[vdso]";
}

/* The size follows from the vdso's headers: segments, then section headers. */
static size_t vdso_size(const Elf64_Ehdr *ehdr)
{
	const Elf64_Phdr *ph = (const void *)((const u8 *)ehdr + ehdr->e_phoff);
	size_t size = ehdr->e_shoff + (size_t)ehdr->e_shentsize * ehdr->e_shnum;

	for (int i = 0; i < ehdr->e_phnum; i++)
		if (ph[i].p_type == PT_LOAD && ph[i].p_offset + ph[i].p_filesz > size)
			size = ph[i].p_offset + ph[i].p_filesz;
	return size;
}

/* The vdso of this process, in memory; NULL: there is none, or it is malformed. */
static const Elf64_Ehdr *own_vdso(void)
{
	const Elf64_Ehdr *ehdr = (const void *)getauxval(AT_SYSINFO_EHDR);

	return ehdr && !memcmp(ehdr->e_ident, ELFMAG, SELFMAG) &&
			       ehdr->e_ident[EI_CLASS] == ELFCLASS64
		       ? ehdr
		       : NULL;
}

static bool write_own(int fd)
{
	const Elf64_Ehdr *ehdr = own_vdso();

	return ehdr && write(fd, ehdr, vdso_size(ehdr)) == (ssize_t)vdso_size(ehdr);
}

struct vdso_range {
	u64 start, end;
};

/* The address ranges of this process's vdso and its data: struct vdso_range. */
static GArray *own_ranges(void)
{
	GArray *ranges = g_array_new(FALSE, FALSE, sizeof(struct vdso_range));
	g_autofree char *maps = NULL;
	struct vdso_range r;
	char word[2];

	if (!g_file_get_contents("/proc/self/maps", &maps, NULL, NULL))
		return ranges;
	for (const char *line = maps; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %*s %*s %*s %*s [v%1[dv]", &r.start,
			   &r.end, word) == 3)
			g_array_append_val(ranges, r);
	}
	return ranges;
}

/*
 * Runs in a child of a process with threads, so it makes only system calls, and none that the C library makes through
 * the vdso, which is unmapped by then. write() tells which pages are readable: the kernel's data before the image are
 * not.
 */
static bool write_narrow_here(const GArray *own, int probe, int fd)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	u8 *room = mmap(NULL, NARROW_MOST, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	long size;

	if (room == MAP_FAILED)
		return false;
	munmap(room, NARROW_MOST);
	for (u32 i = 0; i < own->len; i++) {
		const struct vdso_range *r = &g_array_index(own, struct vdso_range, i);

		munmap((void *)r->start, r->end - r->start);
	}
	size = syscall(SYS_arch_prctl, ARCH_MAP_VDSO_32_HERE, room);
	for (u8 *at = room; size > 0 && at < room + NARROW_MOST; at += page)
		if (write(probe, at, page) == (ssize_t)page && !memcmp(at, ELFMAG, SELFMAG))
			return write(fd, at, (size_t)size) == size;
	return false;
}

static bool write_narrow(int fd)
{
	g_autoptr(GArray) own = own_ranges();
	int probe = memfd_create("probe", MFD_CLOEXEC), status = 0;
	pid_t child = probe < 0 ? -1 : fork();

	if (!child)
		_exit(!write_narrow_here(own, probe, fd));
	if (probe >= 0)
		close(probe);
	while (child > 0 && waitpid(child, &status, 0) < 0)
		if (errno != EINTR)
			return false;
	return child > 0 && WIFEXITED(status) && !WEXITSTATUS(status);
}

/* Copies the vdso to an anonymous file. Returns the descriptor; -1: there is no vdso. */
static int vdso_file(enum vdso which)
{
	int fd = memfd_create("vdso", MFD_CLOEXEC);

	if (fd < 0 || (which == VDSO_NARROW ? write_narrow(fd) : write_own(fd)))
		return fd;
	close(fd);
	return -1;
}

static char *path_of(int fd)
{
	return g_strdup_printf("/proc/self/fd/%d", fd);
}

struct image *vdso_open(const char *name, const struct build_id *wanted, struct absence *absence)
{
	int fd = vdso_file(strcmp(name, vdso_name(VDSO_NARROW)) ? VDSO_OWN : VDSO_NARROW);
	g_autofree char *path = NULL;
	struct image *image;

	if (fd < 0) {
		absence_set(absence, DSO_NO_FILE, "%s: this kernel has none", name);
		return NULL;
	}
	path = path_of(fd);
	image = files_open(path, wanted, absence);
	close(fd);
	if (image) {
		g_free(image->path);
		image->path = g_strdup(name);
	} else {
		absence_set(absence, DSO_OTHER_FILE,
			    "%s: the running kernel's is not the recorded one", name);
	}
	return image;
}

bool vdso_build_id(enum vdso which, struct build_id *id)
{
	int fd = vdso_file(which);
	g_autofree char *path = NULL;
	bool found;

	if (fd < 0)
		return false;
	path = path_of(fd);
	found = build_id_read(path, id, NULL);
	close(fd);
	return found;
}

bool vdso_keep(enum vdso which, const char *buildid_dir)
{
	g_autofree char *dir = buildid_dir ? g_strdup(buildid_dir) : build_id_cache_folder();
	int fd = vdso_file(which);
	g_autofree char *path = fd >= 0 ? path_of(fd) : NULL;
	struct build_id id;
	bool kept = path && build_id_read(path, &id, NULL) &&
		    (cache_use(dir, &id, "vdso") ||
		     cache_add(dir, &id, vdso_name(which), "vdso", path, NULL));

	if (fd >= 0)
		close(fd);
	return kept;
}
