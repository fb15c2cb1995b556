// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Only in a program that is linked statically (STATIC=1). The linker calls these functions instead of the C library's, also
 * from other libraries (--wrap in tools/build/features.mk).
 *
 * A static C library still loads parts of the system's at run time: for names of users (NSS), for locales. The system may have
 * another version of the C library, another C library (musl), or none. Parts of another version crash, or are not found.
 * These functions need no file but /etc/passwd.
 */
#include <dlfcn.h>
#include <errno.h>
#include <locale.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/types.h"

#define PASSWD_ROOM 16384

struct passwd *__wrap_getpwuid(uid_t uid);
int __wrap_getpwnam_r(const char *name, struct passwd *entry, char *room, size_t size,
		      struct passwd **found);
int __wrap_getpwuid_r(uid_t uid, struct passwd *entry, char *room, size_t size,
		      struct passwd **found);
char *__wrap_setlocale(int category, const char *locale);
char *__real_setlocale(int category, const char *locale);
void *__wrap_dlopen(const char *path, int flags);

/* The user of that name, or without a name, of that number. The results are those of getpwnam_r(). */
static int find_user(const char *name, uid_t uid, struct passwd *entry, char *room, size_t size,
		     struct passwd **found)
{
	FILE *file = fopen("/etc/passwd", "re");
	int failed = 0;

	*found = NULL;
	if (!file)
		return errno == ENOENT ? 0 : errno;
	while (!*found && !(failed = fgetpwent_r(file, entry, room, size, found)))
		if (name ? strcmp(entry->pw_name, name) != 0 : entry->pw_uid != uid)
			*found = NULL;
	fclose(file);
	return failed == ENOENT ? 0 : failed;
}

int __wrap_getpwnam_r(const char *name, struct passwd *entry, char *room, size_t size,
		      struct passwd **found)
{
	return find_user(name, 0, entry, room, size, found);
}

int __wrap_getpwuid_r(uid_t uid, struct passwd *entry, char *room, size_t size,
		      struct passwd **found)
{
	return find_user(NULL, uid, entry, room, size, found);
}

struct passwd *__wrap_getpwuid(uid_t uid)
{
	static _Thread_local struct passwd entry;
	static _Thread_local char room[PASSWD_ROOM];
	struct passwd *found;

	errno = find_user(NULL, uid, &entry, room, sizeof(room), &found);
	return found;
}

/* Locales are files of the system. "C.UTF-8" is part of the library, and is all that a terminal needs. */
char *__wrap_setlocale(int category, const char *locale)
{
	static const char *const variables[] = { "LC_ALL", "LC_CTYPE", "LANG" };
	const char *value = NULL;

	if (!locale || *locale)
		return __real_setlocale(category, locale);
	for (size_t i = 0; i < ARRAY_SIZE(variables) && (!value || !*value); i++)
		value = getenv(variables[i]);
	if (value && (strcasestr(value, "UTF-8") || strcasestr(value, "UTF8")))
		return __real_setlocale(category, "C.UTF-8");
	return __real_setlocale(category, "C");
}

/* A library of the system would bring the system's C library into the program, beside its own. */
void *__wrap_dlopen(const char *path, int flags)
{
	return NULL;
}
