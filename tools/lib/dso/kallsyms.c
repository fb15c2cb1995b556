// SPDX-License-Identifier: GPL-2.0-or-later
#include "dso/kallsyms.h"

#include <elf.h>
#include <string.h>

#include "base/file.h"

#define MAX_KALLSYMS (256 << 20) /* bytes; a large kernel has 20 MB */

/* Cuts one line (without its end) into a kallsym; false: not of that form. */
static bool parse_line(char *line, char *end, struct kallsym *out)
{
	char *at = line, *tab;
	u64 va = 0;

	/* A letter's low four bits are 1 to 6. */
	for (; at < end && g_ascii_isxdigit(*at) && at - line < 17; at++)
		va = va << 4 | (u64)((*at & 0xf) + (*at > '9' ? 9 : 0));
	if (at == line || end - at < 4 || at[0] != ' ' || at[2] != ' ')
		return false;
	out->va = va;
	out->type = at[1];
	out->name = at + 3;
	out->module = "";
	tab = memchr(at, '\t', end - at);
	if (tab) {
		*tab = 0;
		if (end - tab >= 3 && tab[1] == '[' && end[-1] == ']') {
			end[-1] = 0;
			out->module = tab + 2;
		}
	}
	return true;
}

size_t kallsyms_each(char *text, size_t size, bool (*fn)(const struct kallsym *, void *), void *arg)
{
	char *at = text, *end = text + size;
	size_t lines = 0;

	while (at < end) {
		char *stop = memchr(at, '\n', end - at);
		struct kallsym k;

		if (!stop)
			break;
		*stop = 0;
		lines++;
		if (parse_line(at, stop, &k) && !fn(&k, arg))
			break;
		at = stop + 1;
	}
	return lines;
}

/* Is any of the first addresses not zero? The first thousand lines may be per-cpu offsets. */
static bool has_addresses(const char *text, size_t size)
{
	const char *at = text, *end = text + size;

	while (at < end) {
		const char *stop = memchr(at, '\n', end - at);

		if (!stop)
			break;
		while (at < stop && *at == '0')
			at++;
		if (at < stop && g_ascii_isxdigit(*at))
			return true;
		at = stop + 1;
	}
	return false;
}

char *kallsyms_read(const char *path, size_t *size, GError **error)
{
	g_autofree char *text = NULL;

	text = file_read(path, MAX_KALLSYMS, size, error);
	if (!text)
		return NULL;
	if (!has_addresses(text, *size)) {
		error_set(error, PERF_ERROR_PERMISSION,
			  "%s: addresses are hidden: needs CAP_SYSLOG and kernel.kptr_restrict "
			  "below 2, or root",
			  path);
		return NULL;
	}
	return g_steal_pointer(&text);
}

bool kallsyms_add_one(struct symtab *t, const struct kallsym *k)
{
	char type = g_ascii_toupper(k->type);
	bool data = type == 'D' || type == 'B';

	/* '$' begins the assembler's marks on ARM and RISC-V. */
	if ((type != 'T' && type != 'W' && !data) || !k->name[0] || k->name[0] == '$')
		return false;
	symtab_add(t, k->va, 0, k->name, data ? STT_OBJECT : STT_FUNC,
		   type == 'W'		      ? STB_WEAK
		   : g_ascii_isupper(k->type) ? STB_GLOBAL
					      : STB_LOCAL);
	return true;
}

struct adding {
	struct symtab *t;
	u32 added;
};

static bool add_kernels_own(const struct kallsym *k, void *arg)
{
	struct adding *a = arg;

	if (!k->module[0] && kallsyms_add_one(a->t, k))
		a->added++;
	return true;
}

u32 kallsyms_add(struct symtab *t, char *text, size_t size)
{
	struct adding a = { t, 0 };

	kallsyms_each(text, size, add_kernels_own, &a);
	symtab_keep(t, text);
	return a.added;
}

u64 kallsyms_address(const char *text, size_t size, const char *name)
{
	g_autofree char *line = g_strdup_printf(" %s\n", name);
	const char *at = text;
	size_t len = strlen(line);

	while ((at = memmem(at, text + size - at, line, len))) {
		const char *from = at;

		while (from > text && from[-1] != '\n')
			from--;
		if (at - from > 2 && at[-2] == ' ')
			return g_ascii_strtoull(from, NULL, 16);
		at += len;
	}
	return 0;
}
