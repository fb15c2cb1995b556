// SPDX-License-Identifier: GPL-2.0-or-later
#include "options/next_perf.h"

#include <errno.h>
#include <glib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/types.h"

/*
 * "DEPTH:WORDS:DEV:INODE,DEV:INODE,...": the depth of calls, a hash of the arguments, the programs tried.
 */
#define TRAIL_VARIABLE "PERF_HANDED_ON"
/* Limit for scripts that add an argument each time: deeper than perf normally runs perf. */
#define TRAIL_MAX_DEPTH 16

struct trail {
	u32 depth;
	bool same_words;
	char *tried; /* ",DEV:INODE,DEV:INODE," */
};

static u32 hash_words(char *const *words)
{
	u32 hash = 5381;

	for (; *words; words++) {
		for (const char *c = *words; *c; c++)
			hash = hash * 33 + (u8)*c;
		hash = hash * 33 + '\n';
	}
	return hash;
}

static struct trail trail_read(char *const *words)
{
	const char *text = getenv(TRAIL_VARIABLE);
	struct trail trail = { 0 };
	unsigned hash = 0;
	int used = 0;

	if (text && sscanf(text, "%u:%x:%n", &trail.depth, &hash, &used) == 2 && used)
		trail.same_words = hash == hash_words(words);
	trail.tried = trail.same_words ? g_strdup_printf(",%s,", text + used) : g_strdup(",");
	return trail;
}

static char *trail_name(const struct stat *st)
{
	return g_strdup_printf("%llx:%llx", (unsigned long long)st->st_dev,
			       (unsigned long long)st->st_ino);
}

/* The variable's text after @path was tried, too. */
static char *trail_with(const struct trail *trail, char *const *words, const char *path)
{
	g_autofree char *name = NULL;
	struct stat st = { 0 };

	stat(path, &st);
	name = trail_name(&st);
	return g_strdup_printf("%u:%x:%s%s", trail->depth + 1, hash_words(words), trail->tried + 1,
			       name);
}

static bool is_candidate(const char *path, const struct trail *trail)
{
	g_autofree char *name = NULL, *entry = NULL;
	struct stat st, self;

	if (stat(path, &st) || !S_ISREG(st.st_mode) || access(path, X_OK))
		return false;
	if (!stat("/proc/self/exe", &self) && st.st_dev == self.st_dev && st.st_ino == self.st_ino)
		return false;
	name = trail_name(&st);
	entry = g_strdup_printf(",%s,", name);
	return !strstr(trail->tried, entry);
}

/* Relative directories are skipped: programs in the working directory are not installed ones. */
static char *find(const struct trail *trail)
{
	const char *path = getenv("PATH") ?: "/usr/local/bin:/usr/bin:/bin";
	g_auto(GStrv) folders = g_strsplit(path, ":", -1);

	if (trail->depth >= TRAIL_MAX_DEPTH)
		return NULL;
	for (char **folder = folders; *folder; folder++) {
		g_autofree char *file = g_build_filename(*folder, "perf", NULL);

		if (**folder == '/' && is_candidate(file, trail))
			return g_steal_pointer(&file);
	}
	return NULL;
}

char *next_perf_find(char *const *words)
{
	struct trail trail = trail_read(words);
	char *path = find(&trail);

	g_free(trail.tried);
	return path;
}

bool next_perf_came_back(char *const *words)
{
	struct trail trail = trail_read(words);

	g_free(trail.tried);
	return trail.same_words;
}

bool next_perf_exec(char *const *words, char *const *all)
{
	struct trail trail = trail_read(words);
	g_autofree char *path = find(&trail), *text = NULL;
	g_autoptr(GPtrArray) arguments = g_ptr_array_new();

	if (path) {
		text = trail_with(&trail, words, path);
		setenv(TRAIL_VARIABLE, text, 1);
		g_ptr_array_add(arguments, (char *)"perf");
		for (; *all; all++)
			g_ptr_array_add(arguments, *all);
		g_ptr_array_add(arguments, NULL);
		fflush(NULL);
		execv(path, (char *const *)arguments->pdata);
		fprintf(stderr, "perf: %s could not be started: %s\n", path, g_strerror(errno));
	}
	g_free(trail.tried);
	return false;
}

char *next_perf_ask(const char *word)
{
	char *words[] = { (char *)word, NULL };
	struct trail trail = trail_read(words);
	g_autofree char *path = find(&trail), *text = NULL;
	g_auto(GStrv) environment = g_get_environ();
	char *output = NULL;
	int status;

	if (path) {
		char *command[] = { path, (char *)word, NULL };

		text = trail_with(&trail, words, path);
		environment = g_environ_setenv(environment, TRAIL_VARIABLE, text, TRUE);
		if (!g_spawn_sync(NULL, command, environment, G_SPAWN_STDERR_TO_DEV_NULL, NULL,
				  NULL, &output, NULL, &status, NULL) ||
		    status)
			g_clear_pointer(&output, g_free);
	}
	g_free(trail.tried);
	return output ? g_strchomp(output) : NULL;
}

// clang-format off
const struct foreign_command foreign_commands[] = {
	{ "bench", "Run benchmarks of system calls, the scheduler, memory" },
	{ "daemon", "Run recordings in the background" },
	{ "ftrace", "Trace the kernel's functions" },
	{ "iostat", "Count I/O of root ports" },
	{ "kallsyms", "Look up symbols of the running kernel" },
	{ "kmem", "Record and report the kernel's allocations" },
	{ "kvm", "Record and report virtual machines" },
	{ "kwork", "Record and report the kernel's interrupts and work queues" },
	{ "lock", "Record and report contended locks" },
	{ "probe", "Define dynamic tracepoints" },
	{ "sched", "Record and report the scheduler" },
	{ "stat", "Count events while a command runs" },
	{ "test", "Run upstream's own tests" },
	{ "timechart", "Draw a recording of the system's behaviour" },
	{ "trace", "Trace system calls" },
	{ NULL, NULL },
};
// clang-format on

const struct foreign_command *foreign_command_find(const char *name)
{
	for (const struct foreign_command *c = foreign_commands; c->name; c++)
		if (!strcmp(c->name, name))
			return c;
	return NULL;
}

void next_perf_say_missing(const char *what, bool fallback)
{
	g_autofree char *package = next_perf_package();

	fprintf(stderr, "perf: the kernel's perf does %s, %s%s\n", what,
		fallback ? "but it is not on PATH: "
			 : "but --no-fallback or perf.fallback=false forbids to run it",
		fallback ? package : "");
}

/* By os-release(5): the words of ID and ID_LIKE, the closest first. */
char *next_perf_package(void)
{
	static const struct {
		const char *id, *command;
		bool by_release; /* the kernel's release follows */
	} ways[] = {
		{ "ubuntu", "apt-get install linux-tools-common linux-tools-", true },
		{ "debian", "apt-get install linux-perf", false },
		{ "fedora", "dnf install perf", false },
		{ "rhel", "dnf install perf", false },
		{ "suse", "zypper install perf", false },
		{ "arch", "pacman -S perf", false },
		{ "alpine", "apk add perf", false },
	};
	g_autofree char *id = g_get_os_info("ID"), *like = g_get_os_info("ID_LIKE");
	g_autofree char *text = g_strdup_printf("%s %s", id ?: "", like ?: "");
	g_auto(GStrv) words = g_strsplit(text, " ", -1);
	struct utsname kernel;

	for (char **word = words; *word; word++)
		for (size_t i = 0; i < ARRAY_SIZE(ways); i++)
			if (!strcmp(*word, ways[i].id))
				return g_strconcat(
					ways[i].command,
					ways[i].by_release && !uname(&kernel) ? kernel.release : "",
					NULL);
	return g_strdup("install your distribution's package of perf");
}
