// SPDX-License-Identifier: GPL-2.0-or-later
/* Keys of the thread that ran: process, thread, CPU, cgroup. */
#include "fields/private.h"

#include <limits.h>
#include <linux/perf_event.h>
#include <string.h>

#include "base/append.h"
#include "base/text.h"
#include "fields/containers.h"
#include "machine/machine.h"
#include "perfdata/event.h"
#include "perfdata/read/reader.h"
#include "session/session.h"

/*
 * A thread whose COMM record was lost, or comes later, has the first name that any record gives it. Upstream's reports
 * do the same. Upstream's scripts show ":TID" instead.
 */
static const char *comm_in_rows(const struct place *p)
{
	const char *first = p->comm[0] == ':' ? machine_first_comm(p->thread) : NULL;

	return first ?: p->comm;
}

/* Equal names have equal pointers (machine.h). */
static u64 key_comm(const struct field *field, struct lexicon *lex, const struct place *p)
{
	const char *comm = comm_in_rows(p);

	/* With several files, each has its own copies of names. */
	return (u64)(uintptr_t)(session_nr_files(lex->session) > 1 ? g_intern_string(comm) : comm);
}

static const char *comm_of(u64 key)
{
	return (const char *)(uintptr_t)key;
}

static int order_comms(const struct lexicon *lex, u64 a, u64 b)
{
	return strcmp(comm_of(a), comm_of(b));
}

static void print_comm(const struct field *field, const struct lexicon *lex, u64 key, GString *out)
{
	append_text(out, comm_of(key));
}

/* "worker-12" -> "worker-<N>". */
static u64 key_comm_nodigit(const struct field *field, struct lexicon *lex, const struct place *p)
{
	g_autoptr(GString) name = g_string_new(NULL);

	for (const char *c = comm_in_rows(p); *c;) {
		if (!g_ascii_isdigit(*c)) {
			g_string_append_c(name, *c++);
			continue;
		}
		g_string_append(name, "<N>");
		while (g_ascii_isdigit(*c))
			c++;
	}
	return intern_id(lex->texts, name->str);
}

/*
 * Key: the file and the tid. The same tid on two machines is two threads. Remembers one thread per key, for its name.
 */
static u64 key_thread(struct lexicon *lex, const struct place *p, const struct thread *thread)
{
	u64 key = (u64)session_index(p->session) << 32 | thread->tid;

	if (!g_hash_table_contains(lex->own->threads, GSIZE_TO_POINTER(key)))
		g_hash_table_insert(lex->own->threads, GSIZE_TO_POINTER(key), (void *)thread);
	return key;
}

static u64 key_pid(const struct field *field, struct lexicon *lex, const struct place *p)
{
	return key_thread(lex, p, p->thread);
}

/* Key: the process, by its main thread. */
static u64 key_tgid(const struct field *field, struct lexicon *lex, const struct place *p)
{
	struct machine *m = session_machine(p->session);

	if (p->thread->tid == p->thread->pid || p->thread->pid == EVENT_NO_PID)
		return key_thread(lex, p, p->thread);
	return key_thread(lex, p, machine_thread(m, p->thread->pid, p->thread->pid, p->time, NULL));
}

static void print_pid(const struct field *field, const struct lexicon *lex, u64 key, GString *out)
{
	const struct thread *thread = g_hash_table_lookup(lex->own->threads, GSIZE_TO_POINTER(key));
	struct session *file = session_file(lex->session, (u32)(key >> 32));

	g_string_append_printf(out, "%7d:%s", (int)thread->tid,
			       machine_comm(session_machine(file), thread, UINT64_MAX));
}

static u64 key_host(const struct field *field, struct lexicon *lex, const struct place *p)
{
	return intern_id(lex->texts, session_host(p->session));
}

static void print_host(const struct field *field, const struct lexicon *lex, u64 key, GString *out)
{
	const char *host = intern_text(lex->texts, (u32)key);
	g_autofree char *clean = text_clean(host, strlen(host), HOST_NAME_MAX);

	g_string_append(out, clean);
}

static u64 key_cpu(const struct field *field, struct lexicon *lex, const struct place *p)
{
	return p->event->id.cpu;
}

/* As upstream: three digits; without a CPU "-001". */
static void print_cpu(const struct field *field, const struct lexicon *lex, u64 key, GString *out)
{
	g_string_append_printf(out, "%.3d", (int)(u32)key);
}

static u64 key_socket(const struct field *field, struct lexicon *lex, const struct place *p)
{
	const struct perfdata_info *info = perfdata_info(session_perfdata(p->session));
	u32 cpu = p->event->id.cpu;

	if (!info->cpus || cpu >= info->cpus->len)
		return (u32)-1;
	return g_array_index(info->cpus, struct info_cpu, cpu).socket;
}

static u64 key_parent(const struct field *field, struct lexicon *lex, const struct place *p)
{
	return p->parent ? p->parent->function : 0;
}

static int order_parents(const struct lexicon *lex, u64 a, u64 b)
{
	if (!a || !b)
		return a ? 1 : b ? -1 : 0;
	return strcmp(code_name(resolver_function(session_resolver(lex->session), (u32)a)),
		      code_name(resolver_function(session_resolver(lex->session), (u32)b)));
}

static void print_parent(const struct field *field, const struct lexicon *lex, u64 key,
			 GString *out)
{
	struct resolver *r = session_resolver(lex->session);

	g_string_append(out, key ? code_name(resolver_function(r, (u32)key)) : "[other]");
}

static u64 key_cgroup(const struct field *field, struct lexicon *lex, const struct place *p)
{
	u64 id = container_cgroup_id(p);
	const char *path = id ? machine_cgroup(session_machine(p->session), id) : NULL;

	return intern_id(lex->texts, path ? path : id ? "unknown" : "N/A");
}

/* Device and inode of the cgroup namespace; the device is in the upper half. */
static u64 key_cgroup_id(const struct field *field, struct lexicon *lex, const struct place *p)
{
	u32 nr = 0;
	const struct namespace_link *links =
		machine_namespaces(session_machine(p->session), p->thread, p->time, &nr);

	if (!links || nr <= CGROUP_NS_INDEX)
		return 0;
	return links[CGROUP_NS_INDEX].dev << 32 | (u32)links[CGROUP_NS_INDEX].ino;
}

static void print_cgroup_id(const struct field *field, const struct lexicon *lex, u64 key,
			    GString *out)
{
	g_string_append_printf(out, "%u/0x%x", (u32)(key >> 32), (u32)key);
}

const struct field field_pid = {
	.name = "pid",
	.header = "    Pid:Command",
	.family = FIELD_NORMAL,
	.needs = NEED_THREAD,
	.key = key_pid,
	.print = print_pid,
};

/* The groups are those of upstream's pid, which is per thread, too. Only the title differs. */
const struct field field_tid = {
	.name = "tid",
	.header = "    Tid:Command",
	.family = FIELD_NORMAL,
	.needs = NEED_THREAD,
	.key = key_pid,
	.print = print_pid,
};

const struct field field_tgid = {
	.name = "tgid",
	.header = "   Tgid:Command",
	.family = FIELD_NORMAL,
	.fixed = true, /* as upstream */
	.cut = true,
	.needs = NEED_THREAD,
	.key = key_tgid,
	.print = print_pid,
};

const struct field field_comm = {
	.name = "comm",
	.header = "Command",
	.family = FIELD_NORMAL,
	.needs = NEED_COMM,
	.key = key_comm,
	.order = order_comms,
	.print = print_comm,
};

const struct field field_comm_nodigit = {
	.name = "comm_nodigit",
	.header = "CommandNoDigit",
	.family = FIELD_NORMAL,
	.needs = NEED_COMM,
	.key = key_comm_nodigit,
	.order = order_texts,
	.print = print_text,
};

const struct field field_parent = {
	.name = "parent",
	.header = "Parent symbol",
	.family = FIELD_NORMAL,
	.needs = NEED_PARENT,
	.key = key_parent,
	.order = order_parents,
	.print = print_parent,
};

/* Rows with few parallel threads come first. */
static u64 key_parallelism(const struct field *field, struct lexicon *lex, const struct place *p)
{
	return p->parallelism;
}

const struct field field_parallelism = {
	.name = "parallelism",
	.kind = CELL_COUNT,
	.header = "Parallelism",
	.family = FIELD_NORMAL,
	.needs = NEED_PARALLELISM,
	.right = true,
	.key = key_parallelism,
	.print = print_number,
};

const struct field field_host = {
	.name = "host",
	.header = "Host",
	.family = FIELD_NORMAL,
	.key = key_host,
	.order = order_texts,
	.print = print_host,
};

const struct field field_cpu = {
	.name = "cpu",
	.kind = CELL_ID,
	.header = "CPU",
	.family = FIELD_NORMAL,
	.needs = NEED_CPU,
	.width = 3,
	.fixed = true,
	.right = true,
	.key = key_cpu,
	.print = print_cpu,
};

const struct field field_socket = {
	.name = "socket",
	.kind = CELL_ID,
	.header = "Socket",
	.family = FIELD_NORMAL,
	.needs = NEED_CPU,
	.width = 6,
	.fixed = true,
	.right = true,
	.key = key_socket,
	.print = print_cpu,
};

const struct field field_cgroup = {
	.name = "cgroup",
	.header = "Cgroup",
	.family = FIELD_NORMAL,
	.needs = NEED_SAMPLE,
	.key = key_cgroup,
	.order = order_texts,
	.print = print_text,
};

const struct field field_cgroup_id = {
	.name = "cgroup_id",
	.header = "cgroup id (dev/inode)",
	.family = FIELD_NORMAL,
	.needs = NEED_THREAD,
	.key = key_cgroup_id,
	.print = print_cgroup_id,
};
