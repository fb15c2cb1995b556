// SPDX-License-Identifier: GPL-2.0-or-later
#include "pages/notes/jit_notes.h"

#include <string.h>

#include "dso/dso.h"
#include "machine/machine.h"
#include "pages/notes/notes.h"

/*
 * @file: how the name of the runtime's program or library begins; it ends there, or a version follows. A process that
 * maps several is the first one in this table.
 */
static const struct runtime {
	const char *file, *name, *how;
} runtimes[] = {
	{ "libjvm.so", "java",
	  "start java with -XX:+DumpPerfMapAtExit, or with the agent libperf-jvmti.so and perf "
	  "inject --jit" },
	{ "libcoreclr.so", "dotnet", "set DOTNET_PerfMapEnabled=1" },
	{ "node", "node", "start node with --perf-basic-prof" },
	{ "libnode.so", "node", "start node with --perf-basic-prof" },
	{ "beam.smp", "erlang", "start erl with +JPperf true" },
	{ "luajit", "luajit", "build LuaJIT with -DLUAJIT_USE_PERFTOOLS" },
	{ "libluajit", "luajit", "build LuaJIT with -DLUAJIT_USE_PERFTOOLS" },
	{ "libpython3", "python", "start python with -X perf (3.12 and later)" },
	{ "python3", "python", "start python with -X perf (3.12 and later)" },
};

/* The runtime of one process, and whether the code that is looked for is in this process. */
struct runtime_search {
	const struct dso *code;
	bool here;
	u32 runtime; /* ARRAY_SIZE(runtimes): none */
};

static bool is_file(const char *name, const char *file)
{
	size_t length = strlen(file);

	return !strncmp(name, file, length) && !g_ascii_isalpha(name[length]);
}

static void see_map(const struct map *map, u64 start, u64 end, void *arg)
{
	struct runtime_search *s = arg;

	s->here |= map->dso == s->code;
	for (u32 i = 0; map->dso && dso_kind(map->dso) == DSO_USER && i < s->runtime; i++)
		if (is_file(dso_short_name(map->dso), runtimes[i].file))
			s->runtime = i;
}

/* The runtime whose compiler made @code; ARRAY_SIZE(runtimes): not known. */
static u32 runtime_of(struct machine *m, const struct dso *code)
{
	for (u32 i = 0; i < machine_nr_threads(m); i++) {
		const struct thread *t = machine_thread_at(m, i);
		struct runtime_search s = { code, false, ARRAY_SIZE(runtimes) };

		if (t->pid != t->tid)
			continue;
		machine_each_map(m, t, t->end - 1, see_map, &s);
		if (s.here && s.runtime < ARRAY_SIZE(runtimes))
			return s.runtime;
	}
	return ARRAY_SIZE(runtimes);
}

static u32 find_runtime(struct session *session, const struct dso *code)
{
	u32 runtime = ARRAY_SIZE(runtimes);

	for (u32 i = 0; i < session_nr_files(session) && runtime == ARRAY_SIZE(runtimes); i++)
		runtime = runtime_of(session_machine(session_file(session, i)), code);
	return runtime;
}

/* Two rows of the table can be of one runtime. */
static u32 first_of_name(u32 runtime)
{
	while (runtime && runtime < ARRAY_SIZE(runtimes) &&
	       !strcmp(runtimes[runtime].name, runtimes[runtime - 1].name))
		runtime--;
	return runtime;
}

void notes_add_jit(struct notes *notes, struct session *session, const GArray *counts, u64 all)
{
	u64 sums[ARRAY_SIZE(runtimes) + 1] = { 0 };
	struct dsos *dsos = session_dsos(session);

	for (u32 id = 0; id < counts->len; id++) {
		struct dso *dso = dsos_at(dsos, id);
		u64 nr = g_array_index(counts, u64, id);

		if (nr && dso_kind(dso) == DSO_JIT && dso_no_symbols(dso).why == DSO_NO_FILE)
			sums[first_of_name(find_runtime(session, dso))] += nr;
	}
	for (u32 i = 0; i < ARRAY_SIZE(sums); i++) {
		bool known = i < ARRAY_SIZE(runtimes);

		if (notes_is_large(sums[i], all))
			notes_add(notes, NOTE_REMARK,
				  "%" G_GUINT64_FORMAT
				  " sample%s no symbol: code that %s generated, of which no "
				  "/tmp/perf-PID.map is here%s%s",
				  sums[i], sums[i] == 1 ? " has" : "s have",
				  known ? runtimes[i].name : "a just-in-time compiler",
				  known ? ": " : "", known ? runtimes[i].how : "");
	}
}
