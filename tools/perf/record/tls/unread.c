// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The closing lines for activities that nobody read. For each process there is one line with the
 * most specific reason: 32-bit; an unknown schema; no symbol table; or no definition in any loaded
 * file.
 *
 * A process is looked at when the sign arrives, as its /proc entry is gone at the end. At most
 * MAX_PROCESSES are kept, and MAX_LINES told. Text from the process is escaped: it goes to a
 * terminal.
 */
#include "record/tls/unread.h"

#include <elf.h>
#include <fcntl.h>
#include <gelf.h>
#include <unistd.h>

#include "activity/process.h"
#include "base/file.h"

#define MAX_PROCESSES 4096
#define MAX_LINES     8

struct unread {
	u32 pid;
	bool found, foreign;
	bool no_symbols; /* its program has no symbol table */
	char *name;	 /* or NULL */
	char *schema;	 /* or NULL */
};

struct tls_unread {
	const struct kernel_paths *paths;
	GHashTable *processes; /* pid -> struct unread */
	GPtrArray *order;      /* struct unread, in order of arrival */
};

static void unread_free(void *data)
{
	struct unread *unread = data;

	g_free(unread->name);
	g_free(unread->schema);
	g_free(unread);
}

struct tls_unread *tls_unread_new(const struct kernel_paths *paths)
{
	struct tls_unread *u = g_new0(struct tls_unread, 1);

	u->paths = paths;
	u->processes = g_hash_table_new(NULL, NULL);
	u->order = g_ptr_array_new_with_free_func(unread_free);
	return u;
}

void tls_unread_free(struct tls_unread *u)
{
	if (!u)
		return;
	g_hash_table_destroy(u->processes);
	g_ptr_array_unref(u->order);
	g_free(u);
}

static bool has_symbols(Elf *elf)
{
	GElf_Shdr shdr;

	for (Elf_Scn *scn = NULL; (scn = elf_nextscn(elf, scn));) {
		if (gelf_getshdr(scn, &shdr) &&
		    (shdr.sh_type == SHT_SYMTAB || shdr.sh_type == SHT_DYNSYM))
			return true;
	}
	return false;
}

static void look_at_program(const struct tls_unread *u, struct unread *unread)
{
	g_autofree char *exe = g_strdup_printf("%s/%u/exe", u->paths->proc, unread->pid);
	int fd = open(exe, O_RDONLY | O_CLOEXEC);
	Elf *elf;

	unread->name = file_text("%s/%u/comm", u->paths->proc, unread->pid);
	if (unread->name)
		g_strchomp(unread->name);
	if (fd < 0)
		return;
	elf = elf_begin(fd, ELF_C_READ, NULL);
	if (elf && elf_kind(elf) == ELF_K_ELF) {
		unread->foreign |= gelf_getclass(elf) == ELFCLASS32;
		unread->no_symbols = !has_symbols(elf);
	}
	elf_end(elf);
	close(fd);
}

/* NULL: there are too many processes. */
static struct unread *get(struct tls_unread *u, u32 pid)
{
	struct unread *unread = g_hash_table_lookup(u->processes, GUINT_TO_POINTER(pid));

	if (unread || u->order->len == MAX_PROCESSES)
		return unread;
	unread = g_new0(struct unread, 1);
	unread->pid = pid;
	look_at_program(u, unread);
	g_hash_table_insert(u->processes, GUINT_TO_POINTER(pid), unread);
	g_ptr_array_add(u->order, unread);
	return unread;
}

void tls_unread_context(struct tls_unread *u, u32 pid, const void *data, u32 size)
{
	struct activity_process *process = activity_process_new(ACTIVITY_PROCESS_OTEL, data, size);
	struct unread *unread;

	/*
	 * Most contexts state only the service. If a context does not mention threads, nothing is
	 * missed.
	 */
	if (process && (process->schema || process->keys.nr)) {
		unread = get(u, pid);
		if (unread && process->schema) {
			g_free(unread->schema);
			unread->schema = g_strdup(process->schema);
		}
	}
	activity_process_free(process);
}

void tls_unread_foreign(struct tls_unread *u, u32 pid)
{
	struct unread *unread = get(u, pid);

	if (unread)
		unread->foreign = true;
}

void tls_unread_found(struct tls_unread *u, u32 pid)
{
	struct unread *unread = g_hash_table_lookup(u->processes, GUINT_TO_POINTER(pid));

	if (unread)
		unread->found = true;
}

/* Makes text from the process printable. */
static char *clean(const char *text)
{
	return text ? g_strescape(text, NULL) : g_strdup("?");
}

static char *line_of(const struct unread *unread)
{
	g_autofree char *name = clean(unread->name), *schema = clean(unread->schema);

	if (unread->foreign)
		return g_strdup_printf("process %u (%s) publishes activities, which are not read: "
				       "it is a 32-bit program; run a 64-bit build of it",
				       unread->pid, name);
	if (unread->schema && !activity_schema_known(unread->schema))
		return g_strdup_printf("process %u (%s) publishes activities, which are not read: "
				       "their format '%s' is unknown; configure another in the "
				       "publisher, or name the variable (--sample-tls=SYMBOL)",
				       unread->pid, name, schema);
	if (unread->no_symbols)
		return g_strdup_printf("process %u (%s) publishes activities, which are not read: "
				       "its program has no symbols; link it with "
				       "-Wl,--export-dynamic-symbol=otel_thread_ctx_v1, or do not "
				       "strip it",
				       unread->pid, name);
	return g_strdup_printf("process %u (%s) states that it publishes activities, but no file "
			       "that it loaded defines otel_thread_ctx_v1: export it "
			       "(-Wl,--export-dynamic-symbol=otel_thread_ctx_v1)",
			       unread->pid, name);
}

void tls_unread_say(const struct tls_unread *u, tls_sampled_fn sampled, void *arg, GPtrArray *lines)
{
	u32 nr = 0;

	for (guint i = 0; i < u->order->len; i++) {
		const struct unread *unread = g_ptr_array_index(u->order, i);

		if (unread->found || !sampled(unread->pid, arg))
			continue;
		if (nr++ < MAX_LINES)
			g_ptr_array_add(lines, line_of(unread));
	}
	if (nr > MAX_LINES)
		g_ptr_array_add(lines, g_strdup_printf("%u more processes publish activities that "
						       "are not read",
						       nr - MAX_LINES));
}
