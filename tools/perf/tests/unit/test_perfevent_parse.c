// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * -e texts against a forged sysfs and tracefs. Names and attributes are those that
 * perf 6.1's `evlist` and `record -vv` print for the same text.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <inttypes.h>
#include <stdio.h>

#include "base/error.h"
#include "perfevent/names.h"
#include "perfevent/parse.h"
#include "perfevent/pmu.h"
#include "tests/unit/perfevent_tree.h"

#define DEVICES "sys/bus/event_source/devices/"

static int set_up(void **state)
{
	static struct tree t;
	static const char *const files[][2] = {
		{ DEVICES "cpu/type", "4\n" },
		{ DEVICES "cpu/format/event", "config:0-7,32-35\n" },
		{ DEVICES "cpu/format/umask", "config:8-15\n" },
		{ DEVICES "cpu/format/edge", "config:18\n" },
		{ DEVICES "cpu/format/ldlat", "config1:0-15\n" },
		{ DEVICES "cpu/format/all", "config2:0-63\n" },
		{ DEVICES "cpu/format/third", "config3:4-7\n" },
		{ DEVICES "cpu/format/broken", "config9:4-7\n" },
		{ DEVICES "cpu/events/cpu-cycles", "event=0x3c\n" },
		{ DEVICES "cpu/events/mem-loads", "event=0xcd,umask=0x1,ldlat=3\n" },
		{ DEVICES "cpu/events/odd", "event=0x1,nothing=2\n" },
		{ DEVICES "cpu/events/energy", "event=0x2\n" },
		{ DEVICES "cpu/events/energy.unit", "Joules\n" },
		{ DEVICES "cpu/events/energy.scale", "2.5e-10\n" },
		{ DEVICES "cpu/events/per-core", "event=0x9,umask=?\n" },
		{ DEVICES "uncore_imc_0/type", "20\n" },
		{ DEVICES "uncore_imc_0/cpumask", "0\n" },
		{ DEVICES "uncore_imc_0/format/event", "config:0-7\n" },
		{ DEVICES "uncore_imc_0/events/clockticks", "event=0xff\n" },
		{ DEVICES "uncore_imc_1/type", "21\n" },
		{ DEVICES "uncore_imc_1/cpumask", "0\n" },
		{ DEVICES "uncore_imc_1/format/event", "config:0-7\n" },
		{ DEVICES "uncore_imc_1/events/clockticks", "event=0xff\n" },
		{ DEVICES "software/type", "1\n" },
		{ "tracing/events/header_page", "" },
		{ "tracing/events/sched/sched_switch/id", "372\n" },
		{ "tracing/events/sched/sched_wakeup/id", "374\n" },
		{ "tracing/events/sched/sched_wakeup_new/id", "373\n" },
		{ "tracing/events/sched/enable", "0\n" },
		{ "tracing/events/syscalls/sys_enter_read/id", "700\n" },
	};

	tree_init(&t);
	for (u32 i = 0; i < ARRAY_SIZE(files); i++)
		tree_put(&t, files[i][0], files[i][1]);
	*state = &t;
	return 0;
}

static int tear_down(void **state)
{
	tree_release(*state);
	return 0;
}

/* One event per line, only what is not zero: name type config ... */
static void describe(const struct event_spec *s, GString *out)
{
	const struct evsel *e = s->evsel;
	const struct perf_event_attr *a = &e->attr;

	g_string_append_printf(out, "%s type=%u config=0x%" PRIx64, e->name, a->type,
			       (u64)a->config);
	if (a->type == PERF_TYPE_BREAKPOINT)
		g_string_append_printf(out, " bp=0x%llx/%llu type=%u", a->bp_addr, a->bp_len,
				       a->bp_type);
	else if (a->config1 || a->config2)
		g_string_append_printf(out, " config1=0x%llx config2=0x%llx", a->config1,
				       a->config2);
	if (e->config3)
		g_string_append_printf(out, " config3=0x%" PRIx64, e->config3);
	if (a->exclude_user || a->exclude_kernel || a->exclude_hv)
		g_string_append_printf(out, " excl=%s%s%s", a->exclude_user ? "u" : "",
				       a->exclude_kernel ? "k" : "", a->exclude_hv ? "h" : "");
	if (a->exclude_host || !a->exclude_guest)
		g_string_append_printf(out, " world=%s%s", a->exclude_host ? "" : "H",
				       a->exclude_guest ? "" : "G");
	if (a->exclude_idle)
		g_string_append(out, " idle");
	if (a->precise_ip)
		g_string_append_printf(out, " precise=%u%s", a->precise_ip,
				       s->max_precise ? "max" : "");
	if (a->sample_period)
		g_string_append_printf(out, " period=%llu", a->sample_period);
	if (a->sample_type)
		g_string_append_printf(out, " sample=0x%llx", a->sample_type);
	if (a->pinned)
		g_string_append(out, " pinned");
	if (a->exclusive)
		g_string_append(out, " exclusive");
	if (s->sample_read)
		g_string_append(out, " S");
	if (s->weak)
		g_string_append(out, " W");
	if (s->system_wide)
		g_string_append(out, " wide");
	if (s->pmu)
		g_string_append_printf(out, " pmu=%s", s->pmu);
	if (e->unit)
		g_string_append_printf(out, " unit=%s scale=%g", e->unit, e->scale);
	if (e->leader != e->idx)
		g_string_append_printf(out, " leader=%u", e->leader);
	if (e->nr_members > 1)
		g_string_append_printf(out, " members=%u group=%s", e->nr_members,
				       e->group_name ?: "-");
	for (u32 i = 0; e->cpus && i < e->cpus->len; i++)
		g_string_append_printf(out, "%s%u",
				       i ? "," : " cpus=", g_array_index(e->cpus, u32, i));
	g_string_append_c(out, '\n');
}

static const struct {
	const char *text, *events;
} good[] = {
	{ "cpu-clock", "cpu-clock type=1 config=0x0\n" },
	{ "task-clock", "task-clock type=1 config=0x1\n" },
	{ "page-faults", "page-faults type=1 config=0x2\n" },
	{ "faults:u", "faults:u type=1 config=0x2 excl=kh\n" },
	{ "faults:k", "faults:k type=1 config=0x2 excl=uh world=HG\n" },
	{ "cs", "cs type=1 config=0x3\n" },
	{ "context-switches", "context-switches type=1 config=0x3\n" },
	{ "cpu-migrations", "cpu-migrations type=1 config=0x4\n" },
	{ "migrations", "migrations type=1 config=0x4\n" },
	{ "minor-faults", "minor-faults type=1 config=0x5\n" },
	{ "major-faults", "major-faults type=1 config=0x6\n" },
	{ "alignment-faults", "alignment-faults type=1 config=0x7\n" },
	{ "emulation-faults", "emulation-faults type=1 config=0x8\n" },
	{ "dummy:HG", "dummy:HG type=1 config=0x9 world=HG\n" },
	{ "dummy:G", "dummy:G type=1 config=0x9 world=G\n" },
	{ "bpf-output", "bpf-output type=1 config=0xa period=1 sample=0x584\n" },
	{ "cgroup-switches", "cgroup-switches type=1 config=0xb\n" },
	{ "cycles", "cycles type=0 config=0x0\n" },
	{ "cpu-cycles:u", "cpu-cycles:u type=0 config=0x0 excl=kh\n" },
	{ "cycles:P", "cycles:P type=0 config=0x0 world=HG precise=3max\n" },
	{ "instructions:ppp", "instructions:ppp type=0 config=0x1 precise=3\n" },
	{ "branches", "branches type=0 config=0x4\n" },
	{ "branch-misses", "branch-misses type=0 config=0x5\n" },
	{ "ref-cycles", "ref-cycles type=0 config=0x9\n" },
	{ "stalled-cycles-frontend", "stalled-cycles-frontend type=0 config=0x7\n" },
	{ "L1-dcache-load-misses", "L1-dcache-load-misses type=3 config=0x10000\n" },
	{ "L1-dcache-loads", "L1-dcache-loads type=3 config=0x0\n" },
	{ "LLC-store-misses", "LLC-store-misses type=3 config=0x10102\n" },
	{ "dTLB-prefetches", "dTLB-prefetches type=3 config=0x203\n" },
	{ "iTLB-load-misses:k", "iTLB-load-misses:k type=3 config=0x10004 excl=uh world=HG\n" },
	{ "branch-load-misses", "branch-load-misses type=3 config=0x10005\n" },
	{ "node-loads", "node-loads type=3 config=0x6\n" },
	{ "l1d-misses", "l1d-misses type=3 config=0x10000\n" },
	{ "r1a8", "r1a8 type=4 config=0x1a8\n" },
	{ "r0x1A8:u", "r0x1A8:u type=4 config=0x1a8 excl=kh\n" },
	{ "1:0x2", "1:0x2 type=1 config=0x2\n" },
	{ "1:2:u", "1:2:u type=1 config=0x2 excl=kh\n" },
	/* modifiers */
	{ "cpu-clock:", "cpu-clock: type=1 config=0x0\n" },
	{ "cpu-clock:uk", "cpu-clock:uk type=1 config=0x0 excl=h\n" },
	{ "cpu-clock:kh", "cpu-clock:kh type=1 config=0x0 excl=u world=HG\n" },
	{ "cpu-clock:uG", "cpu-clock:uG type=1 config=0x0 excl=kh world=G\n" },
	{ "cpu-clock:uH", "cpu-clock:uH type=1 config=0x0 excl=kh\n" },
	{ "cpu-clock:up", "cpu-clock:up type=1 config=0x0 excl=kh precise=1\n" },
	{ "cpu-clock:uP", "cpu-clock:uP type=1 config=0x0 excl=kh precise=3max\n" },
	{ "cpu-clock:I", "cpu-clock:I type=1 config=0x0 world=HG idle\n" },
	{ "cpu-clock:D", "cpu-clock:D type=1 config=0x0 world=HG pinned\n" },
	{ "cpu-clock:e", "cpu-clock:e type=1 config=0x0 world=HG exclusive\n" },
	{ "cpu-clock:W", "cpu-clock:W type=1 config=0x0 world=HG W\n" },
	{ "cpu-clock:S", "cpu-clock:S type=1 config=0x0 world=HG S\n" },
	/* lists and groups */
	{ "cpu-clock,cs:u", "cpu-clock type=1 config=0x0\ncs:u type=1 config=0x3 excl=kh\n" },
	{ "{cpu-clock:u,faults}:S", "cpu-clock:u type=1 config=0x0 excl=kh S members=2 group=-\n"
				    "faults type=1 config=0x2 S leader=0\n" },
	{ "{cpu-clock,faults}:u", "cpu-clock type=1 config=0x0 excl=kh members=2 group=-\n"
				  "faults type=1 config=0x2 excl=kh leader=0\n" },
	{ "{cpu-clock:k,faults}:u", "cpu-clock:k type=1 config=0x0 excl=h members=2 group=-\n"
				    "faults type=1 config=0x2 excl=kh leader=0\n" },
	{ "cs,g{cpu-clock,faults}:D,dummy", "cs type=1 config=0x3\n"
					    "cpu-clock type=1 config=0x0 pinned members=2 group=g\n"
					    "faults type=1 config=0x2 leader=1\n"
					    "dummy type=1 config=0x9\n" },
	{ "{cpu-clock}", "cpu-clock type=1 config=0x0\n" },
	/* PMU terms */
	{ "cpu/event=0x13c,umask=2/",
	  "cpu/event=0x13c,umask=2/ type=4 config=0x10000023c pmu=cpu\n" },
	{ "cpu/edge/u", "cpu/edge/u type=4 config=0x40000 excl=kh pmu=cpu\n" },
	{ "cpu/edge/:u", "cpu/edge/:u type=4 config=0x40000 excl=kh pmu=cpu\n" },
	{ "cpu/config=5,config1=6,config2=7,config3=8/",
	  "cpu/config=5,config1=6,config2=7,config3=8/ type=4 config=0x5 config1=0x6 config2=0x7 "
	  "config3=0x8 pmu=cpu\n" },
	{ "cpu/all=0xffffffffffffffff,third=15/",
	  "cpu/all=0xffffffffffffffff,third=15/ type=4 config=0x0 config1=0x0 "
	  "config2=0xffffffffffffffff config3=0xf0 pmu=cpu\n" },
	{ "cpu/cpu-cycles/", "cpu/cpu-cycles/ type=4 config=0x3c pmu=cpu\n" },
	{ "cpu/mem-loads,ldlat=30/P",
	  "cpu/mem-loads,ldlat=30/P type=4 config=0x1cd config1=0x1e config2=0x0 world=HG "
	  "precise=3max pmu=cpu\n" },
	{ "cpu/energy/", "cpu/energy/ type=4 config=0x2 pmu=cpu unit=Joules scale=2.5e-10\n" },
	{ "cpu/per-core,umask=3/", "cpu/per-core,umask=3/ type=4 config=0x309 pmu=cpu\n" },
	{ "cpu/r1a8/", "cpu/r1a8/ type=4 config=0x1a8 pmu=cpu\n" },
	{ "cpu/instructions/", "cpu/instructions/ type=0 config=0x1 pmu=cpu\n" },
	{ "cpu/L1-dcache-loads/", "cpu/L1-dcache-loads/ type=3 config=0x0 pmu=cpu\n" },
	{ "cpu/event=1,name=mine/u", "mine type=4 config=0x1 excl=kh pmu=cpu\n" },
	{ "cpu/event=1,name='a,b/c'/", "a,b/c type=4 config=0x1 pmu=cpu\n" },
	{ "cpu/event=1,cpu=0-1/", "cpu/event=1,cpu=0-1/ type=4 config=0x1 pmu=cpu cpus=0,1\n" },
	{ "energy", "energy type=4 config=0x2 pmu=cpu unit=Joules scale=2.5e-10\n" },
	{ "mem-loads:u",
	  "mem-loads:u type=4 config=0x1cd config1=0x3 config2=0x0 excl=kh pmu=cpu\n" },
	{ "uncore_imc/event=4/",
	  "uncore_imc/event=4/ type=20 config=0x4 wide pmu=uncore_imc_0 cpus=0\n"
	  "uncore_imc/event=4/ type=21 config=0x4 wide pmu=uncore_imc_1 cpus=0\n" },
	{ "uncore_*_1/clockticks/",
	  "uncore_*_1/clockticks/ type=21 config=0xff wide pmu=uncore_imc_1 cpus=0\n" },
	{ "software/config=2/", "software/config=2/ type=1 config=0x2 pmu=software\n" },
	{ "cpu-clock//", "cpu-clock// type=1 config=0x0\n" },
	{ "cpu-clock/name=zoo/,cs", "zoo type=1 config=0x0\ncs type=1 config=0x3\n" },
	{ "cpu-clock/period=100/u", "cpu-clock/period=100/u type=1 config=0x0 excl=kh\n" },
	/* tracepoints: their modifiers are not in their names */
	{ "sched:sched_switch", "sched:sched_switch type=2 config=0x174 period=1 sample=0x584\n" },
	{ "sched:sched_switch:u",
	  "sched:sched_switch type=2 config=0x174 excl=kh period=1 sample=0x584\n" },
	{ "sched:sched_wak*",
	  "sched:sched_wakeup type=2 config=0x176 period=1 sample=0x584\n"
	  "sched:sched_wakeup_new type=2 config=0x175 period=1 sample=0x584\n" },
	{ "sc*:s*_[rs]*", "sched:sched_switch type=2 config=0x174 period=1 sample=0x584\n" },
	{ "{sched:sched_wak*,cpu-clock}",
	  "sched:sched_wakeup type=2 config=0x176 period=1 sample=0x584 members=3 group=-\n"
	  "sched:sched_wakeup_new type=2 config=0x175 period=1 sample=0x584 leader=0\n"
	  "cpu-clock type=1 config=0x0 leader=0\n" },
	/* breakpoints are called by what stands before the slash */
	{ "mem:0x1000", "mem:0x1000 type=5 config=0x0 bp=0x1000/4 type=3 period=1\n" },
	{ "mem:0x1000:x", "mem:0x1000:x type=5 config=0x0 bp=0x1000/8 type=4 period=1\n" },
	{ "mem:0x1000:w", "mem:0x1000:w type=5 config=0x0 bp=0x1000/4 type=2 period=1\n" },
	{ "mem:0x1000/8:rw", "mem:0x1000 type=5 config=0x0 bp=0x1000/8 type=3 period=1\n" },
	{ "mem:0x1000/1:xr", "mem:0x1000 type=5 config=0x0 bp=0x1000/1 type=5 period=1\n" },
	{ "mem:4096/2:rw:u", "mem:4096 type=5 config=0x0 bp=0x1000/2 type=3 excl=kh period=1\n" },
	{ "mem:0x1000:u", "mem:0x1000:u type=5 config=0x0 bp=0x1000/4 type=3 excl=kh period=1\n" },
};

static void texts_become_events(void **state)
{
	const struct tree *t = *state;

	for (u32 i = 0; i < ARRAY_SIZE(good); i++) {
		g_autoptr(GString) out = g_string_new(NULL);
		struct event_list list;
		GError *error = NULL;
		bool ok;

		event_list_init(&list);
		ok = event_list_parse(&list, &t->paths, good[i].text, &error);
		if (!ok)
			fail_msg("%s: %s", good[i].text, error->message);
		for (u32 k = 0; k < list.specs->len; k++)
			describe(event_list_at(&list, k), out);
		if (strcmp(out->str, good[i].events))
			fail_msg("%s:\n%swhere expected:\n%s", good[i].text, out->str,
				 good[i].events);
		event_list_release(&list);
	}
}

/* The mark's column is the first letter of the bad place; the whole message is shown. */
static const struct {
	const char *text, *message;
} bad[] = {
	{ "cpu-clokc",
	  "event syntax error: 'cpu-clokc'\n"
	  "                     \\___ there is no event 'cpu-clokc'; did you mean 'cpu-clock'?" },
	{ "cs,cpu-clokc:u",
	  "event syntax error: 'cs,cpu-clokc:u'\n"
	  "                        \\___ there is no event 'cpu-clokc'; did you mean "
	  "'cpu-clock'?" },
	{ "qqqqqqqq", "event syntax error: 'qqqqqqqq'\n"
		      "                     \\___ there is no event 'qqqqqqqq'" },
	{ "", "event syntax error: ''\n"
	      "                     \\___ expected the name of an event" },
	{ "cpu-clock,,cs", "event syntax error: 'cpu-clock,,cs'\n"
			   "                               \\___ expected the name of an event" },
	{ "cpu-clock,", "event syntax error: 'cpu-clock,'\n"
			"                               \\___ expected the name of an event" },
	{ "cycles:pppp",
	  "event syntax error: 'cycles:pppp'\n"
	  "                               \\___ unknown or repeated modifier: expected u k "
	  "h G H I p ppp P S D W or e" },
	{ "cpu-clock:uu",
	  "event syntax error: 'cpu-clock:uu'\n"
	  "                                \\___ unknown or repeated modifier: expected u "
	  "k h G H I p ppp P S D W or e" },
	{ "{cpu-clock", "event syntax error: '{cpu-clock'\n"
			"                     \\___ this group's '}' is missing" },
	{ "cpu-clock}", "event syntax error: 'cpu-clock}'\n"
			"                              \\___ expected a comma or the end" },
	{ "{cs,{cs}}", "event syntax error: '{cs,{cs}}'\n"
		       "                         \\___ groups do not nest" },
	{ "sched:sched_swich",
	  "event syntax error: 'sched:sched_swich'\n"
	  "                     \\___ there is no tracepoint 'sched:sched_swich'; did "
	  "you mean 'sched:sched_switch'?" },
	{ "mem:zz",
	  "event syntax error: 'mem:zz'\n"
	  "                         \\___ a breakpoint's address is a number such as 0x7f00" },
	{ "mem:0x10/16", "event syntax error: 'mem:0x10/16'\n"
			 "                              \\___ a breakpoint covers 1 to 8 bytes" },
	{ "cpuu/edge/",
	  "event syntax error: 'cpuu/edge/'\n"
	  "                     \\___ this machine has no PMU or event 'cpuu'; did you mean "
	  "'cpu'?" },
	{ "cpu/edge", "event syntax error: 'cpu/edge'\n"
		      "                        \\___ the closing '/' is missing" },
	{ "cpu/egde/",
	  "event syntax error: 'cpu/egde/'\n"
	  "                         \\___ cpu/ has no term or event 'egde'; did you mean "
	  "'edge'?" },
	{ "cpu/edge=2/",
	  "event syntax error: 'cpu/edge=2/'\n"
	  "                              \\___ value too big for cpu/edge/: the most is 1" },
	{ "cpu/event=0x1000/",
	  "event syntax error: 'cpu/event=0x1000/'\n"
	  "                               \\___ value too big for cpu/event/: the "
	  "most is 4095" },
	{ "cpu/edge=x/",
	  "event syntax error: 'cpu/edge=x/'\n"
	  "                              \\___ 'edge=' needs a number of at most 64 bits" },
	{ "cpu/config=0x10000000000000000/",
	  "event syntax error: 'cpu/config=0x10000000000000000/'\n"
	  "                                \\___ 'config=' needs a number of at most 64 bits" },
	{ "cpu/edge,,umask=1/", "event syntax error: 'cpu/edge,,umask=1/'\n"
				"                              \\___ expected a term" },
	{ "cpu/broken=1/",
	  "event syntax error: 'cpu/broken=1/'\n"
	  "                                \\___ the kernel's format of 'broken' is not "
	  "understood" },
	{ "cpu/odd/",
	  "event syntax error: 'cpu/odd/'\n"
	  "                         \\___ the kernel's text of 'odd' has an unknown term "
	  "'nothing'" },
	{ "cpu/per-core/",
	  "event syntax error: 'cpu/per-core/'\n"
	  "                         \\___ 'per-core' needs umask=VALUE beside it" },
	{ "cpu-clock/period=zz/",
	  "event syntax error: 'cpu-clock/period=zz/'\n"
	  "                                      \\___ 'period=' needs a number "
	  "of at most 64 bits" },
	{ "cpu-clock/edge/", "event syntax error: 'cpu-clock/edge/'\n"
			     "                               \\___ there is no term 'edge'" },
	{ "cpu/cpu=9-1/",
	  "event syntax error: 'cpu/cpu=9-1/'\n"
	  "                             \\___ 'cpu=' needs a list of CPUs such as 3 or "
	  "0-3" },
	{ "cs:u\n",
	  "event syntax error: 'cs:u?'\n"
	  "                         \\___ unknown or repeated modifier: expected u k h G H I "
	  "p ppp P S D W or e" },
	{ "cs,cs,cs,cs,cs,cs,cs,cs,cs,cs,cs,cs,cs,cs,cs,cs,cs,cs,cs,cs,nope1,cs,cs,cs",
	  "event syntax error: '..cs,cs,cs,cs,cs,cs,cs,cs,cs,cs,nope1,cs,cs,cs'\n"
	  "                                                     \\___ there is no event 'nope1'" },
};

static void a_bad_text_is_marked_at_its_place(void **state)
{
	const struct tree *t = *state;

	for (u32 i = 0; i < ARRAY_SIZE(bad); i++) {
		struct event_list list;
		GError *error = NULL;

		event_list_init(&list);
		assert_true(event_list_parse(&list, &t->paths, "dummy", NULL));
		if (event_list_parse(&list, &t->paths, bad[i].text, &error))
			fail_msg("'%s' was taken", bad[i].text);
		assert_string_equal(error->message, bad[i].message);
		assert_int_equal(list.specs->len, 1);
		g_error_free(error);
		event_list_release(&list);
	}
}

static void terms_are_kept_for_the_recorder(void **state)
{
	const struct tree *t = *state;
	struct event_list list;
	const struct event_terms *terms;

	event_list_init(&list);
	assert_true(event_list_parse(&list, &t->paths,
				     "cpu-clock/freq=50,period=7,call-graph=dwarf,stack-size=1024,"
				     "max-stack=9,nr=3,no-inherit,overwrite,time=0/",
				     NULL));
	terms = &event_list_at(&list, 0)->terms;
	assert_int_equal(terms->given, TERM_FREQ | TERM_PERIOD | TERM_CALL_GRAPH | TERM_STACK_SIZE |
					       TERM_MAX_STACK | TERM_MAX_EVENTS | TERM_INHERIT |
					       TERM_OVERWRITE | TERM_TIME);
	assert_int_equal(terms->freq, 50);
	assert_int_equal(terms->period, 7);
	assert_string_equal(terms->call_graph, "dwarf");
	assert_int_equal(terms->stack_size, 1024);
	assert_int_equal(terms->max_stack, 9);
	assert_int_equal(terms->max_events, 3);
	assert_false(terms->inherit);
	assert_true(terms->overwrite);
	assert_false(terms->time);
	event_list_release(&list);
}

/* Two kinds of core and no PMU called "cpu": one event each, the PMU's type above bit 32. */
static void generic_events_double_on_hybrid_machines(void **state)
{
	struct event_list list;
	struct tree t;
	GString *out = g_string_new(NULL);

	tree_init(&t);
	tree_put(&t, DEVICES "cpu_core/type", "4\n");
	tree_put(&t, DEVICES "cpu_core/cpus", "0-1\n");
	tree_put(&t, DEVICES "cpu_atom/type", "10\n");
	tree_put(&t, DEVICES "cpu_atom/cpus", "2\n");
	event_list_init(&list);
	assert_true(
		event_list_parse(&list, &t.paths, "cycles:u,r10,cs,cpu_atom/instructions/", NULL));
	for (u32 k = 0; k < list.specs->len; k++)
		describe(event_list_at(&list, k), out);
	assert_string_equal(
		out->str,
		"cpu_atom/cycles/u type=0 config=0xa00000000 excl=kh pmu=cpu_atom cpus=2\n"
		"cpu_core/cycles/u type=0 config=0x400000000 excl=kh pmu=cpu_core cpus=0,1\n"
		"cpu_atom/r10/ type=10 config=0x10 pmu=cpu_atom cpus=2\n"
		"cpu_core/r10/ type=4 config=0x10 pmu=cpu_core cpus=0,1\n"
		"cs type=1 config=0x3\n"
		"cpu_atom/instructions/ type=0 config=0xa00000001 pmu=cpu_atom cpus=2\n");
	event_list_release(&list);
	g_string_free(out, TRUE);
	tree_release(&t);
}

/* One kind of core under another name needs no PMU type in its config. */
static void a_single_core_pmu_of_another_name(void **state)
{
	struct event_list list;
	struct tree t;
	GString *out = g_string_new(NULL);

	tree_init(&t);
	tree_put(&t, DEVICES "armv8_pmuv3_0/type", "10\n");
	tree_put(&t, DEVICES "armv8_pmuv3_0/cpus", "0-1\n");
	event_list_init(&list);
	assert_true(event_list_parse(&list, &t.paths, "cycles,armv8_pmuv3/instructions/", NULL));
	for (u32 k = 0; k < list.specs->len; k++)
		describe(event_list_at(&list, k), out);
	assert_string_equal(out->str, "cycles type=0 config=0x0\n"
				      "armv8_pmuv3/instructions/ type=0 config=0x1 "
				      "pmu=armv8_pmuv3_0 cpus=0,1\n");
	event_list_release(&list);
	g_string_free(out, TRUE);
	tree_release(&t);
}

static bool print_name(const struct event_name *name, void *arg)
{
	g_string_append_printf(arg, "%s%s%s [%s]\n", name->name, name->alias ? " OR " : "",
			       name->alias ?: "", name->kind);
	return true;
}

static void names_are_listed_by_kind(void **state)
{
	const struct tree *t = *state;
	GString *out = g_string_new(NULL);

	assert_true(event_names_each(&t->paths, EVENT_NAMES_TRACEPOINT, print_name, out));
	assert_string_equal(out->str, "sched:sched_switch [Tracepoint event]\n"
				      "sched:sched_wakeup [Tracepoint event]\n"
				      "sched:sched_wakeup_new [Tracepoint event]\n"
				      "syscalls:sys_enter_read [Tracepoint event]\n");
	g_string_truncate(out, 0);
	assert_true(event_names_each(&t->paths, EVENT_NAMES_ALL, print_name, out));
	assert_non_null(strstr(out->str, "cpu-cycles OR cycles [Hardware event]\n"));
	assert_non_null(strstr(out->str, "page-faults OR faults [Software event]\n"));
	assert_non_null(strstr(out->str, "LLC-store-misses [Hardware cache event]\n"));
	assert_non_null(strstr(out->str, "cpu/energy/ OR energy [Kernel PMU event]\n"));
	assert_null(strstr(out->str, "scale"));
	assert_null(strstr(out->str, "iTLB-store"));
	g_string_free(out, TRUE);
}

/* Each name that the list shows is one that -e takes. */
static bool parse_name(const struct event_name *name, void *arg)
{
	const struct tree *t = arg;
	struct event_list list;
	GError *error = NULL;

	if (strstr(name->name, "odd") || strstr(name->name, "per-core"))
		return true;
	event_list_init(&list);
	if (!event_list_parse(&list, &t->paths, name->name, &error))
		fail_msg("%s", error->message);
	event_list_release(&list);
	return true;
}

static void listed_names_can_be_given(void **state)
{
	assert_true(event_names_each(&((struct tree *)*state)->paths, EVENT_NAMES_ALL, parse_name,
				     *state));
}

static void without_tracefs_the_mount_command_is_told(void **state)
{
	struct event_list list;
	GError *error = NULL;
	struct tree t;

	tree_init(&t);
	event_list_init(&list);
	assert_false(event_list_parse(&list, &t.paths, "sched:sched_switch", &error));
	assert_non_null(strstr(error->message, "sudo mount -t tracefs nodev "));
	g_error_free(error);
	event_list_release(&list);
	tree_release(&t);
}

static void some_machines_have_events_of_memory_accesses(void **state)
{
	static const struct {
		const char *file;
		bool states;
	} rows[] = {
		{ DEVICES "cpu/events/mem-loads", true },
		{ DEVICES "cpu_core/events/mem-loads", true },
		{ DEVICES "ibs_op/format/rand_en", true },
		{ DEVICES "arm_spe_0/format/ts_enable", true },
		{ DEVICES "ibs_fetch/format/rand_en", false },
		{ DEVICES "cpu/events/cpu-cycles", false },
	};

	for (u32 i = 0; i < ARRAY_SIZE(rows); i++) {
		g_autofree char *events = g_path_get_dirname(rows[i].file);
		g_autofree char *folder = g_path_get_dirname(events);
		g_autofree char *type = g_build_filename(folder, "type", NULL);
		struct tree t;

		tree_init(&t);
		assert_false(pmu_any_states_accesses(&t.paths));
		tree_put(&t, rows[i].file, "event=0xcd\n");
		tree_put(&t, type, "4\n");
		assert_int_equal(pmu_any_states_accesses(&t.paths), rows[i].states);
		tree_release(&t);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(texts_become_events),
		cmocka_unit_test(a_bad_text_is_marked_at_its_place),
		cmocka_unit_test(terms_are_kept_for_the_recorder),
		cmocka_unit_test(generic_events_double_on_hybrid_machines),
		cmocka_unit_test(a_single_core_pmu_of_another_name),
		cmocka_unit_test(some_machines_have_events_of_memory_accesses),
		cmocka_unit_test(names_are_listed_by_kind),
		cmocka_unit_test(listed_names_can_be_given),
		cmocka_unit_test(without_tracefs_the_mount_command_is_told),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
