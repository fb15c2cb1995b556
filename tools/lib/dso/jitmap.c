// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * /tmp/perf-PID.map: what a just-in-time compiler says of its code. Lines "START SIZE
 * NAME", numbers in hexadecimal, the name to the end of the line (the kernel's
 * tools/perf/Documentation/jit-interface.txt).
 */
#include <elf.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "dso/private.h"

#define MAX_JITMAP (1 << 30)

static void add_line(struct symtab *t, char *line)
{
	char *at = line, *size_end;
	u64 start, size;

	start = g_ascii_strtoull(at, &at, 16);
	if (at == line || *at != ' ')
		return;
	size = g_ascii_strtoull(at, &size_end, 16);
	if (size_end == at || *size_end != ' ' || !size_end[1])
		return;
	symtab_add(t, start, size, size_end + 1, STT_FUNC, STB_GLOBAL);
}

/* Anyone may put a file there: take only our own or root's, as upstream does. */
static bool is_trusted(const char *path, struct absence *absence)
{
	struct stat st;

	if (stat(path, &st) < 0) {
		absence_set(absence, DSO_NO_FILE, "%s: %s", path, g_strerror(errno));
		return false;
	}
	if (!S_ISREG(st.st_mode) || (st.st_uid && st.st_uid != geteuid() && geteuid())) {
		absence_set(absence, DSO_UNREADABLE, "%s: belongs to somebody else", path);
		return false;
	}
	return true;
}

struct symtab *jitmap_load(const char *path, struct absence *absence)
{
	g_autoptr(GError) error = NULL;
	struct symtab *t;
	char *text, *at;
	size_t size;

	if (!is_trusted(path, absence))
		return NULL;
	text = file_read(path, MAX_JITMAP, &size, &error);
	if (!text) {
		absence_set(absence, DSO_UNREADABLE, "%s", error->message);
		return NULL;
	}
	t = symtab_new();
	symtab_keep(t, text);
	for (at = text; at < text + size;) {
		char *end = memchr(at, '\n', text + size - at);

		if (!end)
			break;
		*end = 0;
		add_line(t, at);
		at = end + 1;
	}
	symtab_finish(t, SYMTAB_FILL_NEXT, 0);
	return t;
}
