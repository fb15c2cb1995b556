// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The kernel starts this when a process dumps core: as root, with the core on standard input, while
 * the process still exists.
 */
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <syslog.h>
#include <unistd.h>

#include "detached/core_handler.h"
#include "detached/born.h"
#include "detached/core_stream.h"
#include "detached/core_words.h"
#include "detached/pinned.h"
#include "detached/shelf.h"
#include "perfdata/image/image_read.h"

#define DUMPABLE_ROOT "2" /* suid_dumpable: only root may read the core */

struct crash {
	char *const *words; /* enum core_word */
	u32 pid, tid;
	u64 born, born_monotonic; /* ns of CLOCK_REALTIME and CLOCK_MONOTONIC; 0: not known */
	const char *letters;	  /* letters of CORE_WORDS, one per word */
	char *before;		  /* the previous pattern */
};

/* %E: the program's path in the kernel's form, with '!' for '/'. */
static void append_program(const struct crash *crash, GString *to)
{
	g_autofree char *link = g_strdup_printf("/proc/%u/exe", crash->pid);
	g_autofree char *path = g_file_read_link(link, NULL);

	if (path)
		g_string_append(to, g_strdelimit(path, "/", '!'));
	else
		g_string_append_printf(to, "%s (path unknown)", crash->words[WORD_NAME]);
}

/* %F: a pidfd of the process, for the previous handler. It stays open until this program ends. */
static void append_pidfd(const struct crash *crash, GString *to)
{
	int fd = (int)syscall(SYS_pidfd_open, crash->pid, 0);

	if (fd >= 0 && !fcntl(fd, F_SETFD, 0))
		g_string_append_printf(to, "%d", fd);
}

/*
 * Expands the previous pattern: "%P" becomes the value that the kernel gave us. Unknown letters are
 * left out, as by the kernel.
 */
static char *expand(const struct crash *crash, const char *pattern)
{
	GString *text = g_string_new(NULL);

	for (const char *c = pattern; *c; c++) {
		const char *letter = *c == '%' && c[1] ? strchr(crash->letters, c[1]) : NULL;

		if (*c != '%') {
			g_string_append_c(text, *c);
			continue;
		}
		if (letter)
			g_string_append(text, crash->words[letter - crash->letters]);
		else if (c[1] == '%')
			g_string_append_c(text, '%');
		else if (c[1] == 'f')
			g_string_append(text, crash->words[WORD_NAME]);
		else if (c[1] == 'E')
			append_program(crash, text);
		else if (c[1] == 'F')
			append_pidfd(crash, text);
		c += c[1] != 0;
	}
	return g_string_free(text, false);
}

/* It had ended before the process started: its samples with this pid are of an earlier process. */
static bool is_earlier(const struct image_header *h, const struct crash *crash)
{
	return shelf_is_of_earlier_boot(h) || (h->ended_ns && h->ended_ns < crash->born);
}

/* Finds a recording of the process; with @by_cpu, one of all CPUs. */
static char *find_in(const char *dir, const struct crash *crash, bool by_cpu)
{
	g_autoptr(GPtrArray) paths = shelf_list(dir, NULL);
	char *found = NULL;

	for (u32 i = 0; paths && i < paths->len && !found; i++) {
		const char *path = g_ptr_array_index(paths, i);
		struct shelf_image *image;

		shelf_flush(path);
		image = shelf_open(path, NULL);
		if (!image)
			continue;
		if (!image->header.by_cpu == !by_cpu && !is_earlier(&image->header, crash) &&
		    image_has_key(image->data, &image->header, crash->pid))
			found = g_strdup(path);
		shelf_close(image);
	}
	return found;
}

/* Files of the user are opened with the user's rights. -1 with errno. */
static int become_user(const struct crash *crash)
{
	return setgroups(0, NULL) || setegid((gid_t)atoi(crash->words[WORD_GID])) ||
			       seteuid((uid_t)atoi(crash->words[WORD_UID]))
		       ? -1
		       : 0;
}

static int become_root(void)
{
	return seteuid(0) || setegid(0) ? -1 : 0;
}

/*
 * Searches only the recordings of the user who owns the process. Root's recordings may have data
 * that this user may not see, and the user can read the core.
 */
static char *find_recording(const struct crash *crash)
{
	g_autofree char *dir = shelf_dir((u32)atoi(crash->words[WORD_UID]));
	char *found = find_in(dir, crash, false);

	return found ? found : find_in(dir, crash, true);
}

/* Pinned recordings belong to root. */
static GByteArray *take_pinned(const struct crash *crash, const struct image_choice *choice)
{
	g_autofree char *path = atoi(crash->words[WORD_UID])
					? NULL
					: pinned_find(crash->pid, crash->born_monotonic);

	return path ? pinned_to_perfdata(path, choice) : NULL;
}

/*
 * The recording as a perf.data file in memory, with the crash that the kernel reported. NULL: there
 * is none.
 */
static GByteArray *take_recording(const struct crash *crash)
{
	const struct image_choice choice = { .first_pid = crash->pid, .first_tid = crash->tid };
	struct shelf_image *image;
	g_autofree char *path = NULL;
	GByteArray *file = NULL;

	if (become_user(crash))
		return NULL;
	path = find_recording(crash);
	image = path ? shelf_open(path, NULL) : NULL;
	if (become_root())
		_exit(1);
	if (image) {
		file = image_to_perfdata(path, image->data, image->size, &choice, NULL);
		shelf_close(image);
	}
	return file ? file : take_pinned(crash, &choice);
}

/* The words of the previous pattern, expanded. As in the kernel, any number of blanks separates two. */
static char **expand_words(const struct crash *crash)
{
	g_auto(GStrv) words = g_strsplit_set(crash->before + 1, " \t\n", 0);
	GPtrArray *expanded = g_ptr_array_new();

	for (char **word = words; *word; word++)
		if (**word)
			g_ptr_array_add(expanded, expand(crash, *word));
	g_ptr_array_add(expanded, NULL);
	return (char **)g_ptr_array_free(expanded, false);
}

/* Starts the previous handler, with the core as its standard input. -1 with errno. */
static int start_before(const struct crash *crash, pid_t *child)
{
	g_auto(GStrv) words = expand_words(crash);
	int fds[2];

	if (!words[0]) {
		errno = ENOENT;
		return -1;
	}
	if (pipe2(fds, O_CLOEXEC))
		return -1;
	*child = fork();
	if (!*child) {
		dup2(fds[0], STDIN_FILENO);
		execv(words[0], words);
		_exit(127);
	}
	close(fds[0]);
	if (*child > 0)
		return fds[1];
	close(fds[1]);
	return -1;
}

/*
 * Removes this user's earlier core at @name. The kernel lets a process of root remove anybody's file there. Where others
 * may write (/tmp), that file is not known to be a core, so it stays.
 */
static void remove_own(const char *name)
{
	struct stat st;

	if (!lstat(name, &st) && S_ISREG(st.st_mode) && st.st_uid == geteuid())
		unlink(name);
}

/* A new file of this user that nobody else can read, as the kernel requires. -1 with errno. */
static int create_own(const char *name)
{
	int fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	struct stat st;

	if (fd < 0 || (!fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_uid == geteuid() &&
		       st.st_nlink == 1 && (st.st_mode & 0677) == 0600))
		return fd;
	close(fd);
	errno = EPERM;
	return -1;
}

/*
 * Opens the core file with the rights of the process's user, at the place where the kernel would
 * write it. As root (the process changed its privileges), no file is removed.
 */
static int open_as_user(const struct crash *crash, const char *name)
{
	bool as_root = !strcmp(crash->words[WORD_DUMPABLE], DUMPABLE_ROOT);
	g_autofree char *cwd = g_strdup_printf("/proc/%u/cwd", crash->pid);

	if (as_root && *name != '/') {
		errno = EPERM;
		return -1;
	}
	if (*name != '/' && chdir(cwd))
		return -1;
	if (!as_root && become_user(crash))
		return -1;
	/* The kernel also replaces the file of an earlier crash. */
	if (!as_root)
		remove_own(name);
	return create_own(name);
}

static int open_core_file(const struct crash *crash)
{
	g_autofree char *name = expand(crash, crash->before);
	g_autofree char *uses_pid = NULL, *with_pid = NULL;

	if (!*name)
		return -1;
	if (!strchr(crash->before, '%') &&
	    g_file_get_contents("/proc/sys/kernel/core_uses_pid", &uses_pid, NULL, NULL) &&
	    *uses_pid == '1')
		with_pid = g_strconcat(name, ".", crash->words[WORD_PID], NULL);
	return open_as_user(crash, with_pid ? with_pid : name);
}

/* The limit of a core: RLIMIT_CORE for a file, as in the kernel; none for a pipe. */
static u64 limit_of(const struct crash *crash, bool is_pipe)
{
	return is_pipe ? G_MAXUINT64 : strtoull(crash->words[WORD_LIMIT], NULL, 10);
}

static int hand_on(const struct crash *crash)
{
	bool is_pipe = *crash->before == '|', added = false, fine;
	g_autoptr(GByteArray) recording = take_recording(crash);
	u64 limit = limit_of(crash, is_pipe);
	g_autoptr(GError) error = NULL;
	pid_t child = -1;
	int out = -1;

	signal(SIGPIPE, SIG_IGN);
	if (is_pipe)
		out = start_before(crash, &child);
	else if (limit)
		out = open_core_file(crash);
	if (out < 0 && limit)
		syslog(LOG_WARNING, "core of process %u: %s", crash->pid, strerror(errno));
	if (out < 0)
		return 1;
	fine = core_stream(STDIN_FILENO, out, recording ? recording->data : NULL,
			   recording ? recording->len : 0, limit, &added, &error);
	close(out);
	if (!fine)
		syslog(LOG_WARNING, "core of process %u: %s", crash->pid, error->message);
	while (child > 0 && waitpid(child, NULL, 0) < 0 && errno == EINTR)
		;
	return fine ? 0 : 1;
}

static void read_birth(struct crash *crash)
{
	struct born born;

	if (!born_read((s32)crash->pid, &born))
		return;
	crash->born = born_on(&born, CLOCK_REALTIME);
	crash->born_monotonic = born_on(&born, CLOCK_MONOTONIC);
}

int core_handler_run(int nr, char *const *words)
{
	static const char letters[] = "PpiIsugdtche"; /* letters of CORE_WORDS */
	struct crash crash = { .letters = letters };
	int status;

	if (nr < 1 + NR_WORDS) {
		fprintf(stderr, "perf: core-handler run is for the kernel's core_pattern\n");
		return 129;
	}
	crash.words = words + 1;
	crash.pid = (u32)atoi(crash.words[WORD_PID_INITIAL]);
	crash.tid = (u32)atoi(crash.words[WORD_TID_INITIAL]);
	read_birth(&crash);
	crash.before = core_pattern_before(words[0]);
	if (!crash.before)
		crash.before = g_strdup("core");
	openlog("perf-core-handler", LOG_PID, LOG_DAEMON);
	status = hand_on(&crash);
	g_free(crash.before);
	return status;
}
