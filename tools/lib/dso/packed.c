// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The archive is zip because its index is at its end: what stands before it, here the recording, does not matter to
 * programs that read zip files.
 */
#include "dso/packed.h"

#include <errno.h>
#include <fcntl.h>
#include <minizip/unzip.h>
#include <minizip/zip.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"

#define BLOCK	      (1u << 16)
#define LEVEL	      6 /* of zlib */
#define NAME_MAX_SIZE 4096
#define NAMES_MAX     1000000 /* of hostile archives */

/* The end of a zip archive: this mark, fixed fields, and a comment, which ours does not have. */
#define END_MARK "PK\5\6"
#define END_SIZE 22

struct packed_file {
	unz64_file_pos at;
	int fd; /* the unpacked file; -1: there is none */
	bool asked;
};

struct packed {
	unzFile zip;
	pthread_mutex_t lock;
	GPtrArray *names;  /* in the order of the archive */
	GHashTable *files; /* name -> struct packed_file * */
	u64 left;	   /* bytes that may still be unpacked */
};

static bool ends_like_zip(const char *path, u64 *size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	char end[END_SIZE];
	struct stat st;
	bool found = false;

	if (fd < 0)
		return false;
	if (!fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_size > END_SIZE) {
		*size = (u64)st.st_size;
		found = pread(fd, end, END_SIZE, st.st_size - END_SIZE) == END_SIZE &&
			!memcmp(end, END_MARK, strlen(END_MARK));
	}
	close(fd);
	return found;
}

static void file_free(void *p)
{
	struct packed_file *file = p;

	if (file->fd >= 0)
		close(file->fd);
	g_free(file);
}

/* False: the archive is damaged here. */
static bool read_name(struct packed *packed)
{
	char name[NAME_MAX_SIZE];
	struct packed_file *file;
	char *own;

	if (unzGetCurrentFileInfo64(packed->zip, NULL, name, sizeof(name) - 1, NULL, 0, NULL, 0) !=
	    UNZ_OK)
		return false;
	name[sizeof(name) - 1] = 0;
	if (g_hash_table_contains(packed->files, name))
		return true;
	own = g_strdup(name);
	file = g_new0(struct packed_file, 1);
	file->fd = -1;
	g_ptr_array_add(packed->names, own);
	g_hash_table_insert(packed->files, own, file);
	return unzGetFilePos64(packed->zip, &file->at) == UNZ_OK;
}

static bool read_names(struct packed *packed)
{
	int status = unzGoToFirstFile(packed->zip);
	unz_global_info64 all;

	/* A recording without any file that can be packed. */
	if (unzGetGlobalInfo64(packed->zip, &all) == UNZ_OK && !all.number_entry)
		return true;
	while (status == UNZ_OK && packed->names->len < NAMES_MAX && read_name(packed))
		status = unzGoToNextFile(packed->zip);
	return packed->names->len > 0;
}

struct packed *packed_open(const char *path, GError **error)
{
	struct packed *packed;
	u64 size;

	if (!ends_like_zip(path, &size))
		return NULL;
	/* Each unpacked file stays open, and a pack can have thousands. */
	file_raise_limit();
	packed = g_new0(struct packed, 1);
	packed->zip = unzOpen64(path);
	pthread_mutex_init(&packed->lock, NULL);
	packed->names = g_ptr_array_new_with_free_func(g_free);
	packed->files = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, file_free);
	packed->left = size * PACKED_RATIO;
	if (packed->zip && read_names(packed))
		return packed;
	packed_free(packed);
	error_set(error, PERF_ERROR_FORMAT, "%s: the archive of packed files at its end is damaged",
		  path);
	return NULL;
}

void packed_free(struct packed *packed)
{
	if (!packed)
		return;
	g_hash_table_unref(packed->files);
	g_ptr_array_unref(packed->names);
	pthread_mutex_destroy(&packed->lock);
	if (packed->zip)
		unzClose(packed->zip);
	g_free(packed);
}

/* Copies the file that the archive stands at. False: it is damaged, or too large. */
static bool copy_out(struct packed *packed, int fd)
{
	g_autofree char *block = g_malloc(BLOCK);
	int got;

	if (unzOpenCurrentFile(packed->zip) != UNZ_OK)
		return false;
	while ((got = unzReadCurrentFile(packed->zip, block, BLOCK)) > 0) {
		if ((u64)got > packed->left || !file_write_fd(fd, block, (size_t)got))
			got = -1;
		else
			packed->left -= (u64)got;
		if (got < 0)
			break;
	}
	/* At the close, the checksum is compared. */
	return unzCloseCurrentFile(packed->zip) == UNZ_OK && got == 0;
}

/* A descriptor of the unpacked file, or -1. */
static int unpack(struct packed *packed, const struct packed_file *file)
{
	int fd;

	if (unzGoToFilePos64(packed->zip, &file->at) != UNZ_OK)
		return -1;
	fd = memfd_create("perf-packed", MFD_CLOEXEC);
	if (fd < 0 || copy_out(packed, fd))
		return fd;
	close(fd);
	return -1;
}

char *packed_path(struct packed *packed, const char *name)
{
	struct packed_file *file;
	int fd = -1;

	if (!packed)
		return NULL;
	pthread_mutex_lock(&packed->lock);
	file = g_hash_table_lookup(packed->files, name);
	/* One that cannot be unpacked is not tried again. */
	if (file && !file->asked)
		file->fd = unpack(packed, file);
	if (file) {
		file->asked = true;
		fd = file->fd;
	}
	pthread_mutex_unlock(&packed->lock);
	return fd >= 0 ? g_strdup_printf("/proc/self/fd/%d", fd) : NULL;
}

char *packed_path_of(struct packed *packed, const char *path)
{
	g_autofree char *name = g_strconcat(PACKED_FILES, path, NULL);

	return packed && path[0] == '/' ? packed_path(packed, name) : NULL;
}

GPtrArray *packed_names(struct packed *packed, const char *prefix)
{
	GPtrArray *found = g_ptr_array_new_with_free_func(g_free);

	for (u32 i = 0; packed && i < packed->names->len; i++)
		if (g_str_has_prefix(packed->names->pdata[i], prefix))
			g_ptr_array_add(found, g_strdup(packed->names->pdata[i]));
	return found;
}

struct packing {
	zipFile zip;
	GHashTable *names;
};

struct packing *packing_new(int fd, GError **error)
{
	g_autofree char *path = g_strdup_printf("/proc/self/fd/%d", fd);
	zipFile zip = zipOpen64(path, APPEND_STATUS_CREATEAFTER);
	struct packing *p;

	if (!zip) {
		error_set_errno(error, errno, "%s", path);
		return NULL;
	}
	p = g_new0(struct packing, 1);
	p->zip = zip;
	p->names = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	return p;
}

static bool refused(const char *name, GError **error)
{
	return error_set_errno(error, errno, "%s: cannot be packed", name);
}

static bool copy_in(struct packing *p, int fd, const char *path, GError **error)
{
	g_autofree char *block = g_malloc(BLOCK);
	ssize_t got;

	while ((got = read(fd, block, BLOCK)) > 0)
		if (zipWriteInFileInZip(p->zip, block, (unsigned int)got) != ZIP_OK)
			return refused(path, error);
	return got == 0 || error_set_errno(error, errno, "%s", path);
}

static bool begin_file(struct packing *p, const char *name)
{
	zip_fileinfo facts = { 0 };

	/* As if it could be larger than 4 GB: the size is not known before it was read. */
	return zipOpenNewFileInZip64(p->zip, name, &facts, NULL, 0, NULL, 0, NULL, Z_DEFLATED,
				     LEVEL, true) == ZIP_OK;
}

static bool add_open(struct packing *p, const char *name, int fd, const char *path, GError **error)
{
	bool good;

	if (!begin_file(p, name))
		return refused(path, error);
	good = copy_in(p, fd, path, error);
	return (zipCloseFileInZip(p->zip) == ZIP_OK || !good || refused(path, error)) && good;
}

/* Has no room for a file of that name, or there is one already. */
static bool is_left_out(const struct packing *p, const char *name)
{
	return strlen(name) >= NAME_MAX_SIZE || g_hash_table_contains(p->names, name);
}

bool packing_add(struct packing *p, const char *name, const char *path, GError **error)
{
	int fd;
	bool good;

	if (is_left_out(p, name))
		return true;
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	if (fd < 0)
		return error_set_errno(error, errno, "%s", path);
	g_hash_table_add(p->names, g_strdup(name));
	good = add_open(p, name, fd, path, error);
	close(fd);
	return good;
}

bool packing_add_bytes(struct packing *p, const char *name, const void *bytes, size_t size,
		       GError **error)
{
	bool good;

	if (is_left_out(p, name))
		return true;
	g_hash_table_add(p->names, g_strdup(name));
	good = size <= G_MAXUINT32 && begin_file(p, name) &&
	       zipWriteInFileInZip(p->zip, bytes, (unsigned int)size) == ZIP_OK &&
	       zipCloseFileInZip(p->zip) == ZIP_OK;
	return good || refused(name, error);
}

bool packing_end(struct packing *p, u32 *nr, GError **error)
{
	bool good = zipClose(p->zip, NULL) == ZIP_OK ||
		    error_set_errno(error, errno, "the files cannot be packed");

	p->zip = NULL;
	*nr = g_hash_table_size(p->names);
	packing_abandon(p);
	return good;
}

void packing_abandon(struct packing *p)
{
	if (p->zip)
		zipClose(p->zip, NULL);
	g_hash_table_unref(p->names);
	g_free(p);
}
