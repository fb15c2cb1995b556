// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Is /proc of the recorder's own pid namespace? /proc/self names the reader as that /proc's
 * namespace numbers it. If it is not getpid(), the /proc is another namespace's (unshare -p without
 * a new mount), and no translation makes its numbers fit.
 *
 * In the initial namespace nothing is translated: programs see its numbers anyway.
 */
#include "record/base/pid_namespace.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define INITIAL_NAMESPACE 0xeffffffc /* the kernel's PROC_PID_INIT_INO */

u32 pid_namespace_self(void)
{
	char text[16] = "";
	ssize_t size = readlink("/proc/self", text, sizeof(text) - 1);

	return size > 0 ? (u32)strtoul(text, NULL, 10) : (u32)getpid();
}

u32 pid_namespace_own(void)
{
	struct stat st;

	if (pid_namespace_self() != (u32)getpid() || stat("/proc/self/ns/pid", &st) ||
	    st.st_ino == INITIAL_NAMESPACE)
		return 0;
	return (u32)st.st_ino;
}
