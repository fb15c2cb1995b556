// SPDX-License-Identifier: GPL-2.0-or-later
#include "detached/shelf.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/runtime.h"
#include "detached/born.h"
#include "perfdata/image/image_read.h"
#include "record/recorder.h"

#define FLUSH_MS      2000
#define COUNT_MAX     64
#define BYTES_PER_CPU (64u << 20)
#define UNFINISHED    ".new" /* the file that is being made: no name of a recording */

char *shelf_dir(u32 uid)
{
	const char *own = getenv("PERF_DETACHED_DIR");

	return own && *own ? g_strdup(own) : runtime_dir(uid);
}

char *shelf_dir_made(GError **error)
{
	g_autofree char *dir = shelf_dir(geteuid());

	if (runtime_make(dir))
		return g_steal_pointer(&dir);
	if (errno == ENOTDIR)
		error_set(error, PERF_ERROR_PERMISSION,
			  "%s is not a directory of this user: remove it, or set PERF_DETACHED_DIR",
			  dir);
	else
		error_set_errno(error, errno, "%s", dir);
	return NULL;
}

bool shelf_is_name(const char *name)
{
	size_t len = strlen(name);

	if (!len || len > 63 || !isalnum((unsigned char)*name))
		return false;
	for (const char *c = name; *c; c++)
		if (!isalnum((unsigned char)*c) && !strchr("-_.@+", *c))
			return false;
	return true;
}

char *shelf_path(const char *name)
{
	g_autofree char *dir = NULL;

	if (strchr(name, '/'))
		return g_strdup(name);
	dir = shelf_dir(geteuid());
	return g_build_filename(dir, name, NULL);
}

/* The writer's lock: it lasts as long as this process, and others see it from any pid namespace. */
static bool lock_for_writer(int fd)
{
	struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET };

	return !fcntl(fd, F_OFD_SETLK, &lock);
}

static bool is_locked(int fd)
{
	struct flock lock = { .l_type = F_WRLCK, .l_whence = SEEK_SET };

	return !fcntl(fd, F_OFD_GETLK, &lock) && lock.l_type != F_UNLCK;
}

void *shelf_create(const char *dir, u64 size, int *fd, GError **error)
{
	g_autofree char *path = g_build_filename(dir, UNFINISHED, NULL);
	int why;
	void *memory;

	unlink(path); /* of a process that was killed here */
	*fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (*fd < 0) {
		error_set_errno(error, errno, "%s", path);
		return NULL;
	}
	if (!lock_for_writer(*fd)) {
		error_set_errno(error, errno, "%s: a lock of it", dir);
		unlink(path);
		return NULL;
	}
	/* Allocate now: a page that cannot be allocated later would raise SIGBUS. */
	why = posix_fallocate(*fd, 0, (off_t)size);
	memory = why ? MAP_FAILED : mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, *fd, 0);
	if (memory != MAP_FAILED)
		return memory;
	error_set_errno(error, why ? why : errno, "%s: %" PRIu64 " bytes of memory for it", dir,
			size);
	unlink(path);
	return NULL;
}

bool shelf_show(const char *dir, const char *name, GError **error)
{
	g_autofree char *from = g_build_filename(dir, UNFINISHED, NULL);
	g_autofree char *path = g_build_filename(dir, name, NULL);
	struct stat st;

	if (!lstat(path, &st))
		error_set(error, PERF_ERROR_USAGE,
			  "a detached recording %s exists already: remove it with perf detached rm "
			  "%s",
			  name, name);
	else if (!rename(from, path))
		return true;
	else
		error_set_errno(error, errno, "%s", path);
	unlink(from);
	return false;
}

struct shelf_image *shelf_open(const char *path, GError **error)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct shelf_image *image;
	struct stat st;
	void *data;

	if (fd < 0) {
		error_set_errno(error, errno, "%s", path);
		return NULL;
	}
	if (fstat(fd, &st) || !S_ISREG(st.st_mode) || st.st_size < IMAGE_PAGE) {
		close(fd);
		error_set(error, PERF_ERROR_FORMAT, "%s: not a detached recording", path);
		return NULL;
	}
	data = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_SHARED, fd, 0);
	if (data == MAP_FAILED) {
		error_set_errno(error, errno, "%s", path);
		close(fd);
		return NULL;
	}
	image = g_new0(struct shelf_image, 1);
	image->fd = fd;
	image->path = g_strdup(path);
	image->data = data;
	image->size = (u64)st.st_size;
	image->resident = (u64)st.st_blocks * 512;
	if (image_header_read(path, data, image->size, &image->header, error))
		return image;
	shelf_close(image);
	return NULL;
}

void shelf_close(struct shelf_image *image)
{
	munmap((void *)image->data, image->size);
	close(image->fd);
	g_free(image->path);
	g_free(image);
}

/* 0: no such process, or a dead one that nobody has waited for. In a container, this may be for ever. */
static u64 start_of(s32 pid)
{
	struct born born;

	return born_read(pid, &born) && !born.dead ? born.ticks : 0;
}

static void read_boot_id(u8 id[16])
{
	g_autofree char *text = NULL;
	u32 n = 0;

	memset(id, 0, 16);
	if (!g_file_get_contents("/proc/sys/kernel/random/boot_id", &text, NULL, NULL))
		return;
	for (const char *c = text; *c && n < 32; c++)
		if (isxdigit((unsigned char)*c)) {
			id[n / 2] = (u8)(id[n / 2] << 4 | g_ascii_xdigit_value(*c));
			n++;
		}
}

bool shelf_is_of_earlier_boot(const struct image_header *h)
{
	u8 id[16];

	read_boot_id(id);
	return memcmp(id, h->boot_id, sizeof(id)) != 0;
}

/* Is the writer's pid a number of this pid namespace, and still the writer's? */
static bool is_here(const struct image_header *h)
{
	return h->worker_pid > 0 && start_of(h->worker_pid) == h->worker_start;
}

/* Writers of earlier versions hold no lock. */
static bool is_written(int fd, const struct image_header *h)
{
	return h->state != IMAGE_ENDED && h->worker_pid > 0 && !shelf_is_of_earlier_boot(h) &&
	       (is_locked(fd) || is_here(h));
}

bool shelf_is_written(const struct shelf_image *image)
{
	return is_written(image->fd, image->data);
}

s32 shelf_writer(const struct shelf_image *image)
{
	const struct image_header *h = image->data;

	return shelf_is_written(image) && is_here(h) ? h->worker_pid : 0;
}

void shelf_sign(struct image_header *h)
{
	h->worker_pid = getpid();
	h->worker_start = start_of(getpid());
	h->uid = geteuid();
	read_boot_id(h->boot_id);
}

static bool signal_writer(int file, const struct image_header *h, int signal, GError **error)
{
	int fd = (int)syscall(SYS_pidfd_open, h->worker_pid, 0), failed;

	/*
	 * The start time is checked after opening the pidfd: so the pid cannot belong to another
	 * process unnoticed.
	 */
	if (fd < 0 || !is_here(h)) {
		if (fd >= 0)
			close(fd);
		if (!is_written(file, h))
			return error_set(error, PERF_ERROR_ABSENT,
					 "the recording %s has ended already", h->name);
		return error_set(error, PERF_ERROR_ABSENT,
				 "the process that records %s is in another pid namespace, and "
				 "cannot be reached from here: do this there, or end it with perf "
				 "detached rm %s",
				 h->name, h->name);
	}
	failed = syscall(SYS_pidfd_send_signal, fd, signal, NULL, 0) ? errno : 0;
	close(fd);
	return !failed || error_set_errno(error, failed, "the process that records %s", h->name);
}

bool shelf_signal(const struct shelf_image *image, int signal, GError **error)
{
	return signal_writer(image->fd, &image->header, signal, error);
}

bool shelf_flush(const char *path)
{
	int fd = open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK);
	struct image_header *h, copy;
	struct stat st;
	bool done = false;
	u64 asked;

	if (fd < 0)
		return false;
	h = fstat(fd, &st) || st.st_size < IMAGE_PAGE
		    ? MAP_FAILED
		    : mmap(NULL, IMAGE_PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (h == MAP_FAILED) {
		close(fd);
		return false;
	}
	copy = *h;
	if (image_fits(h, IMAGE_PAGE) && copy.state == IMAGE_RECORDING && is_written(fd, &copy)) {
		asked = __atomic_add_fetch(&h->flush_asked, 1, __ATOMIC_ACQ_REL);
		done = !signal_writer(fd, &copy, RECORDER_ASK, NULL);
		for (int ms = 0; ms < FLUSH_MS && !done; ms += 2) {
			g_usleep(2000);
			done = __atomic_load_n(&h->flush_done, __ATOMIC_ACQUIRE) >= asked;
		}
		done = __atomic_load_n(&h->flush_done, __ATOMIC_ACQUIRE) >= asked;
	}
	munmap(h, IMAGE_PAGE);
	close(fd);
	return done;
}

static int by_text(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

GPtrArray *shelf_list(const char *dir, GError **error)
{
	GPtrArray *paths = g_ptr_array_new_with_free_func(g_free);
	GError *why = NULL;
	GDir *open_dir = g_dir_open(dir, 0, &why);
	const char *name;

	if (!open_dir && !g_error_matches(why, G_FILE_ERROR, G_FILE_ERROR_NOENT)) {
		error_set(error, PERF_ERROR_PERMISSION, "%s", why->message);
		g_clear_pointer(&paths, g_ptr_array_unref);
	}
	g_clear_error(&why);
	if (!open_dir)
		return paths;
	while ((name = g_dir_read_name(open_dir)))
		if (shelf_is_name(name))
			g_ptr_array_add(paths, g_build_filename(dir, name, NULL));
	g_dir_close(open_dir);
	g_ptr_array_sort(paths, by_text);
	return paths;
}

struct shelf_limits shelf_limits(void)
{
	return (struct shelf_limits){ (u64)MAX(sysconf(_SC_NPROCESSORS_CONF), 1) * BYTES_PER_CPU,
				      COUNT_MAX };
}

bool shelf_has_room(const char *dir, struct shelf_taken besides, u64 size, GError **error)
{
	g_autoptr(GPtrArray) paths = shelf_list(dir, error);
	struct shelf_limits limits = shelf_limits();
	u64 sum = besides.bytes;
	struct stat st;

	if (!paths)
		return false;
	for (u32 i = 0; i < paths->len; i++)
		if (!stat(g_ptr_array_index(paths, i), &st))
			sum += (u64)st.st_size;
	if (paths->len + besides.count >= limits.count)
		return error_set(error, PERF_ERROR_PERMISSION,
				 "there are %u detached recordings, and a user may have %u: remove "
				 "one with perf detached rm NAME",
				 paths->len + besides.count, limits.count);
	if (sum + size <= limits.bytes)
		return true;
	return error_set(error, PERF_ERROR_PERMISSION,
			 "detached recordings of a user may use %" PRIu64
			 " MB (CPUs x 64 MB): they use %" PRIu64 " MB, and this one needs %" PRIu64
			 " MB: choose a smaller --keep, or remove one with perf detached rm NAME",
			 limits.bytes >> 20, sum >> 20, (size + (1 << 20) - 1) >> 20);
}
