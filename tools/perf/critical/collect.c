// SPDX-License-Identifier: GPL-2.0-or-later
#include "critical/collect.h"

#include <linux/perf_event.h>
#include <string.h>

#include "activity/layout.h"
#include "base/intern.h"
#include "base/table.h"
#include "base/text.h"
#include "critical/children.h"
#include "fields/objects.h"
#include "fields/waits.h"
#include "machine/machine.h"
#include "perfdata/evsel.h"
#include "perfdata/offcpu.h"
#include "perfdata/read/reader.h"
#include "resolve/locks.h"
#include "resolve/resolve.h"
#include "session/named.h"
#include "session/session.h"
#include "typeflow/typeflow.h"

#define FUTEX		202
#define NANOSLEEP	35
#define CLOCK_NANOSLEEP 230
#define MOST_LOCKS	65536
#define MOST_HOSTS	256 /* more clocks are not compared */
#define THREAD_HITS	64  /* threads that are found without their table */

/* The name of a lock, as one call chain has it. */
struct lock_at {
	u64 va;
	u32 pid, chain, kind;
	u32 owned; /* as recorded */
};

struct lock_fact {
	struct lock_at key;
	u32 object;
	u8 owned; /* also by the stack */
};

struct thread_hit {
	const struct thread *thread;
	struct collected_thread *known;
};

struct collecting {
	struct lexicon *lexicon;
	struct history *history;
	struct doings *doings;
	struct collect_result *result;
	enum collect_what what;
	const struct field *data;
	GHashTable *threads; /* const struct thread * -> struct collected_thread */
	struct thread_hit hits_of_threads[THREAD_HITS];
	GHashTable *locks;	  /* struct lock_fact */
	GArray *functions;	  /* u32 text + 1, by the function's number */
	GPtrArray *tick_evsels;	  /* const struct evsel *, by file; NULL: none yet */
	struct machine_hits hits; /* of the only file; with several files, they are not used */
	GString *text;
	GArray *hosts;	  /* u32, by file: the host's number */
	GPtrArray *names; /* const char *: the hosts */
	struct messages *messages;
	struct children *children;    /* NULL: one host, or not wanted */
	struct message_clock *clocks; /* by host; NULL: all clocks are one */
};

static u32 host_of(const struct collecting *c, const struct place *p)
{
	return g_array_index(c->hosts, u32, session_index(p->session));
}

static s64 correction_of(const struct collecting *c, const struct place *p)
{
	return c->clocks ? c->clocks[host_of(c, p)].correction : 0;
}

/* The place's time of day minus the clock of its file, by the clock of the first host. */
static u64 to_wall(const struct collecting *c, const struct place *p)
{
	return (u64)p->to_wall + (u64)correction_of(c, p);
}

static u32 doing_of(const struct collecting *c, const struct place *p)
{
	return doings_of(c->doings, p, correction_of(c, p));
}

static u64 time_of(const struct collecting *c, const struct place *p)
{
	return p->time + to_wall(c, p);
}

static guint hash_lock(gconstpointer p)
{
	const struct lock_at *k = p;

	return (guint)table_mix(table_mix(k->va, (u64)k->pid << 32 | k->chain),
				(u64)k->kind << 32 | k->owned);
}

static gboolean equal_locks(gconstpointer a, gconstpointer b)
{
	return !memcmp(a, b, sizeof(struct lock_at));
}

/* "server", or with several hosts "server on db1". */
static u32 name_of(struct collecting *c, const struct place *place, const char *comm)
{
	g_autofree char *name = NULL;

	if (c->names->len < 2)
		return intern_id(c->lexicon->texts, comm);
	name = g_strdup_printf("%s on %s", comm, (char *)c->names->pdata[host_of(c, place)]);
	return intern_id(c->lexicon->texts, name);
}

static struct collected_thread *add_thread(struct collecting *c, const struct place *place,
					   const struct thread *thread)
{
	struct collected_thread *added = g_new0(struct collected_thread, 1);
	u64 offset = to_wall(c, place);
	struct history_thread new = {
		.source = session_index(place->session),
		.pid = thread->pid,
		.tid = thread->tid,
		.start = thread->start ? thread->start + offset : 0,
		.end = thread->end == UINT64_MAX ? UINT64_MAX : thread->end + offset,
	};

	added->number = history_add_thread(c->history, &new);
	added->to_history = offset;
	g_hash_table_insert(c->threads, (void *)thread, added);
	return added;
}

static struct collected_thread *find_thread(struct collecting *c, const struct place *place,
					    const struct thread *thread)
{
	struct thread_hit *hit = &c->hits_of_threads[thread->tid % THREAD_HITS];

	if (hit->thread != thread) {
		hit->known = g_hash_table_lookup(c->threads, thread)
				     ?: add_thread(c, place, thread);
		hit->thread = thread;
	}
	return hit->known;
}

/* The number of @thread of the place's file, with the name that it has now. */
static u32 number_of(struct collecting *c, const struct place *place, const struct thread *thread,
		     const char *comm)
{
	struct collected_thread *known = find_thread(c, place, thread);

	if (known->comm != comm) {
		known->comm = comm;
		history_name_thread(c->history, known->number, name_of(c, place, comm));
	}
	return known->number;
}

/* No record names the thread: its name is its number, ":4711". */
static bool is_nameless(const struct thread *thread)
{
	const char *comm = machine_first_comm(thread);

	return !comm || (comm[0] == ':' && g_ascii_isdigit(comm[1]));
}

/* Another thread, at the time of @place. @name: as the sample has it; "": it does not. */
static u32 other_thread(struct collecting *c, const struct place *place, u32 pid, u32 tid,
			const char *name)
{
	struct machine *m = session_machine(place->session);
	bool alone = session_nr_files(c->lexicon->session) == 1;
	const struct thread *thread;

	if (!tid)
		return HISTORY_NOBODY;
	thread = machine_thread(m, pid, tid, place->time, alone ? &c->hits : NULL);
	if (*name && is_nameless(thread)) {
		g_autofree char *clean = text_shown(name);
		u32 id = intern_id(c->lexicon->texts, clean);

		return number_of(c, place, thread, intern_text(c->lexicon->texts, id));
	}
	return number_of(c, place, thread, machine_comm(m, thread, place->time));
}

static u32 owner_activity(struct collecting *c, const struct place *p, const struct wait *w)
{
	struct activity activity;
	struct place owner = *p;

	if (!(p->sample->type & PERF_SAMPLE_TLS_USER) || !w->raw.lock.activity_size)
		return 0;
	session_owner_activity(p->session, p, &w->raw.lock, w->owner_tls, &activity);
	owner.activity = &activity;
	return doing_of(c, &owner);
}

/* The CPU in whose run queue the thread was, and who had it. */
static void take_cpu(struct collecting *c, const struct place *p, const struct wait *w,
		     struct stay *stay)
{
	const struct wall_lock *lock = &w->raw.lock;

	g_string_printf(c->text, "CPU %u", wall_cpu(lock));
	stay->object = intern_id(c->lexicon->texts, c->text->str);
	stay->is_lock = true;
	stay->owned = lock->owner;
	if (lock->owner != WALL_OWNER_KNOWN)
		return;
	stay->owner = other_thread(c, p, wall_lock_owner_pid(lock) ?: EVENT_NO_PID, lock->owner_tid,
				   w->owner);
	stay->owner_activity = owner_activity(c, p, w);
}

/*
 * " 127.0.0.1:80" of "TCP 127.0.0.1:80->127.0.0.1:34512 ESTABLISHED": the end with the lower port, which is that of the service. If that is the
 * other end, with its process: " 127.0.0.1:6379 of redis-server[9]".
 */
static void append_service(const char *connection, GString *out)
{
	const char *local = strchr(connection, ' '), *arrow = strstr(connection, "->"), *remote,
		   *end;
	const char *ports[2];

	if (!local || !arrow || arrow < local)
		return;
	local++;
	remote = arrow + 2;
	ports[0] = g_strrstr_len(local, arrow - local, ":");
	ports[1] = g_strrstr_len(remote, (gssize)strcspn(remote, " "), ":");
	end = remote + strcspn(remote, " ");
	if (ports[0] && ports[1] &&
	    g_ascii_strtoull(ports[0] + 1, NULL, 10) <= g_ascii_strtoull(ports[1] + 1, NULL, 10))
		g_string_append_printf(out, " %.*s", (int)(arrow - local), local);
	else
		g_string_append_printf(out, " %.*s%s", (int)(end - remote), remote,
				       wait_peer(connection));
}

/* "TCP 127.0.0.1:80", "unix socket of postgres[99]": what does not tell equal waits apart. */
static void append_connection(const char *connection, GString *out)
{
	if (g_str_has_prefix(connection, "unix:")) {
		g_string_append_printf(out, "unix socket%s", wait_peer(connection));
		return;
	}
	g_string_append_len(out, connection, (gssize)strcspn(connection, " "));
	append_service(connection, out);
}

/* The descriptor that became ready, without what tells equal ones apart: ": eventfd", ": pipe", ": TCP 127.0.0.1:80". */
static void append_ready(const char *ready, GString *out)
{
	static const char anonymous[] = "anon_inode:[";

	g_string_append(out, ": ");
	if (g_str_has_prefix(ready, anonymous))
		g_string_append_len(out, ready + strlen(anonymous),
				    (gssize)strcspn(ready + strlen(anonymous), "]"));
	else if (g_str_has_prefix(ready, "unix:") ||
		 (strchr(ready, ':') && strcspn(ready, " ") < strlen(ready)))
		append_connection(ready, out);
	else
		g_string_append_len(out, ready, (gssize)strcspn(ready, ":"));
}

/* "read (pipe)", "read: TCP 127.0.0.1:6379 of redis-server[9]": numbers of sockets and pipes would tell equal waits apart. */
static u32 object_of_call(struct collecting *c, const struct place *p, const struct wait *w)
{
	static const char anonymous[] = "anon_inode:";
	const char *call = wait_syscall_name(w->raw.syscall), *file = w->file;
	size_t size = strcspn(file, ":");

	g_string_truncate(c->text, 0);
	if (call)
		g_string_append(c->text, call);
	else if (w->raw.syscall >= 0)
		g_string_append_printf(c->text, "system call %d", w->raw.syscall);
	else if (p->ip->level == 'k' && code_name(p->ip))
		g_string_append_printf(c->text, "%s [k]", code_name(p->ip));
	else
		g_string_append(c->text, "no system call");
	if (*w->ready && !object_has_cause(w))
		append_ready(w->ready, c->text);
	else if (*wait_peer(w->connection)) {
		g_string_append(c->text, ": ");
		append_connection(w->connection, c->text);
	} else if (g_str_has_prefix(file, anonymous))
		g_string_append_printf(c->text, " (%s)", file + strlen(anonymous));
	else if (*file && file[0] != '/' && file[size] == ':')
		g_string_append_printf(c->text, " (%.*s)", (int)size, file);
	else if (*file)
		g_string_append_printf(c->text, " %s", file);
	if (object_has_cause(w))
		g_string_append_printf(c->text, ": %s", w->ready);
	text_make_shown(c->text, 0);
	return intern_id(c->lexicon->texts, c->text->str);
}

static void find_lock(struct collecting *c, const struct place *p, const struct wait *w,
		      struct lock_fact *fact)
{
	g_string_truncate(c->text, 0);
	object_append_lock(p, w, c->text);
	text_make_shown(c->text, 0);
	fact->object = intern_id(c->lexicon->texts, c->text->str);
	fact->owned = (u8)lock_owner_of(p, &w->raw.lock);
}

/* The process of a lock's owner; EVENT_NO_PID: any. */
static u32 owner_pid(const struct place *p, const struct wall_lock *lock)
{
	if (wall_lock_is_shared(lock->kind))
		return wall_lock_owner_pid(lock) ?: EVENT_NO_PID;
	return p->thread->pid;
}

static void take_lock(struct collecting *c, const struct place *p, const struct wait *w,
		      struct stay *stay)
{
	struct lock_fact fact = { .key = { .va = w->raw.lock.va,
					   .pid = p->thread->pid,
					   .chain = p->chain_id,
					   .kind = w->raw.lock.kind,
					   .owned = w->raw.lock.owner } };
	/* Without a chain, the address tells the name. */
	bool is_told = p->chain_id || !(p->nr_chain || wall_lock_is_files(w->raw.lock.kind));
	struct lock_fact *known = is_told ? g_hash_table_lookup(c->locks, &fact) : NULL;

	/* The name of a thread's end has the thread's number. */
	if (w->raw.lock.kind == WALL_LOCK_THREAD)
		fact.object = intern_id(c->lexicon->texts, "the end of a thread (join)");
	if (!known) {
		u32 object = fact.object;

		if (g_hash_table_size(c->locks) >= MOST_LOCKS)
			g_hash_table_remove_all(c->locks);
		find_lock(c, p, w, &fact);
		fact.object = object ?: fact.object;
		known = g_memdup2(&fact, sizeof(fact));
		g_hash_table_replace(c->locks, known, known);
	}
	stay->is_lock = true;
	stay->object = known->object;
	stay->owned = known->owned;
	if (stay->owned == WALL_OWNER_KNOWN)
		stay->owner = other_thread(c, p, owner_pid(p, &w->raw.lock), w->raw.lock.owner_tid,
					   w->owner);
}

/*
 * What an interrupt tells by its place: only timers end these calls without a thread. The recording does not tell which
 * interrupt it was.
 */
static u8 end_of(const struct wait *w)
{
	s32 call = w->raw.syscall;

	if (w->raw.killed)
		return END_KILLED;
	if (w->edge.open)
		return END_OPEN;
	if (!(w->raw.flags & WALL_IRQ_WAKER))
		return w->raw.waker_tid ? END_THREAD : END_UNKNOWN;
	if (call == NANOSLEEP || call == CLOCK_NANOSLEEP || call == FUTEX ||
	    !strcmp(w->ready, "anon_inode:[timerfd]"))
		return END_TIMER;
	if (*w->ready && strstr(w->ready, "->"))
		return END_NETWORK;
	if (object_is_disk(w) || w->raw.state == WALL_DISK || w->raw.flags & WALL_IN_IO)
		return END_DISK;
	return *w->connection || g_str_has_prefix(w->file, "socket:") ? END_NETWORK : END_INTERRUPT;
}

/* Of what ended the wait, the time is the end of the wait. In a file alone, it is not asked for if a thread has ended the wait. */
static void take_messages(struct collecting *c, const struct place *p, const struct wait *w,
			  u32 thread, u32 activity)
{
	bool by_thread = w->raw.waker_tid && !(w->raw.flags & WALL_IRQ_WAKER);
	bool asked = !by_thread || session_nr_files(c->lexicon->session) > 1;

	for (u32 i = 0; i < w->edge.nr_messages; i++) {
		struct wall_message m = wait_message(w, i);
		u64 time = m.received ? time_of(c, p) : m.time + to_wall(c, p);

		if (m.received && !asked)
			continue;
		messages_add(c->messages, &m, host_of(c, p), thread, activity, time);
	}
}

/* Where the network is between hosts, that another thread ended the wait may be a proxy's work. */
static bool may_be_elsewhere(const struct wait *w)
{
	u8 end = end_of(w);

	return w->raw.in_state && w->raw.state != WALL_QUEUED &&
	       w->raw.lock.kind == WALL_LOCK_NONE &&
	       (end == END_NETWORK || end == END_INTERRUPT || end == END_UNKNOWN ||
		end == END_THREAD);
}

/* @w: NULL: the thread did not wait. */
static void see_child(struct collecting *c, const struct place *p, const struct wait *w, u32 thread,
		      u32 activity)
{
	const struct activity *a = p->activity;
	struct child_sight sight = { .correction = correction_of(c, p),
				     .host = host_of(c, p),
				     .thread = thread,
				     .activity = activity };

	if (!c->children || !activity_has_ids(a))
		return;
	sight.ids = (struct span_ids){ span_number(a->trace_id), span_number(a->trace_id + 8),
				       span_number(a->span_id) };
	if (a->has & ACTIVITY_HAS_PARENT)
		sight.parent = span_number(a->parent_id);
	sight.from = sight.to = time_of(c, p);
	if (w)
		sight.from -= MIN(p->sample->period, sight.to);
	sight.waits = w && may_be_elsewhere(w);
	children_see(c->children, &sight);
}

static void take_wait(struct collecting *c, const struct place *p, const struct wait *w)
{
	u64 to = time_of(c, p);
	struct stay stay = {
		.to = to,
		.from = to - MIN(p->sample->period, to),
		.thread = number_of(c, p, p->thread, p->comm),
		.owner = HISTORY_NOBODY,
		.waker = HISTORY_NOBODY,
		.kind = w->raw.state == WALL_QUEUED ? STAY_QUEUED : STAY_BLOCKED,
	};

	if (!w->raw.in_state) { /* shorter waits, added up */
		history_add_short(c->history, p->sample->period);
		return;
	}
	stay.activity = doing_of(c, p);
	if (stay.kind == STAY_BLOCKED) {
		stay.end = end_of(w);
		if (stay.end == END_THREAD)
			stay.waker =
				other_thread(c, p, w->raw.waker_pid, w->raw.waker_tid, w->waker);
		if (w->raw.lock.kind == WALL_LOCK_NONE)
			stay.object = object_of_call(c, p, w);
		else
			take_lock(c, p, w, &stay);
		if (stay.owner != HISTORY_NOBODY)
			stay.owner_activity = owner_activity(c, p, w);
	}
	if (stay.kind == STAY_QUEUED && w->raw.lock.kind == WALL_LOCK_CPU)
		take_cpu(c, p, w, &stay);
	doings_see(c->doings, stay.activity, stay.thread, stay.from, stay.to);
	see_child(c, p, w, stay.thread, stay.activity);
	history_add_stay(c->history, &stay);
	take_messages(c, p, w, stay.thread, stay.activity);
}

static void take_waker(struct collecting *c, const struct place *p)
{
	u64 time = time_of(c, p);
	struct wake wake = {
		.time = time,
		.waker = number_of(c, p, p->thread, p->comm),
		.thread = other_thread(c, p, EVENT_NO_PID, (u32)p->sample->addr, ""),
		.activity = doing_of(c, p),
	};

	doings_see(c->doings, wake.activity, wake.waker, time, time);
	see_child(c, p, NULL, wake.waker, wake.activity);
	if (wake.thread != HISTORY_NOBODY)
		history_add_wake(c->history, &wake);
}

/*
 * Functions of the kernel in which a thread waits for a lock on a CPU: the lock is short, or its owner runs. No event tells these waits, as
 * they do not leave the CPU.
 */
static bool is_spinning(const struct place *p, const char *name)
{
	static const char *const names[] = {
		"native_queued_spin_lock_slowpath",
		"__pv_queued_spin_lock_slowpath",
		"queued_spin_lock_slowpath",
		"resilient_queued_spin_lock_slowpath",
		"queued_read_lock_slowpath",
		"queued_write_lock_slowpath",
		"osq_lock",
		"mutex_spin_on_owner",
		"rwsem_spin_on_owner",
		"rwsem_optimistic_spin",
		"rtmutex_spin_on_owner",
		/* Asked of the owner's CPU in all of these loops, and nowhere else. */
		"__raw_callee_save___kvm_vcpu_is_preempted",
		"__raw_callee_save___native_vcpu_is_preempted",
	};
	size_t size = strcspn(name, ".");

	for (u32 i = 0; p->ip->level == 'k' && i < ARRAY_SIZE(names); i++)
		if (!strncmp(name, names[i], size) && !names[i][size])
			return true;
	return false;
}

static u32 code_of(struct collecting *c, const struct place *p)
{
	u32 function = p->ip->function;
	const char *name = code_name(p->ip);
	u32 *known;

	if (!name)
		return intern_id(c->lexicon->texts, "[unknown]");
	if (function >= c->functions->len)
		g_array_set_size(c->functions, function + 1);
	known = &g_array_index(c->functions, u32, function);
	if (!*known) {
		g_autofree char *text = g_strdup_printf(
			"%s%s%s", is_spinning(p, name) ? "spinning for a lock in " : "", name,
			p->ip->level == 'k' ? " [k]" : "");

		*known = intern_id(c->lexicon->texts, text) + 1;
	}
	return *known - 1;
}

static void take_tick(struct collecting *c, const struct place *p)
{
	u64 time = time_of(c, p);
	bool has_cpu = p->evsel->attr.sample_type & PERF_SAMPLE_CPU;
	struct tick tick = {
		.time = time,
		.thread = number_of(c, p, p->thread, p->comm),
		.code = c->what == COLLECT_ALL ? code_of(c, p) : 0,
		.activity = doing_of(c, p),
		.weight = (u32)CLAMP(evsel_period(p->evsel, p->sample), 1, UINT32_MAX),
		.cpu = has_cpu ? p->event->id.cpu : UINT32_MAX,
	};

	if (c->what == COLLECT_ALL && p->access && p->access->type)
		tick.data = (u32)c->data->key(c->data, c->lexicon, p);
	doings_see(c->doings, tick.activity, tick.thread, time, time);
	see_child(c, p, NULL, tick.thread, tick.activity);
	history_add_tick(c->history, &tick);
}

/* Samples at equal distances of running time. */
static bool is_clock(const struct evsel *evsel)
{
	const struct perf_event_attr *a = &evsel->attr;

	return evsel_is_timer(evsel) ||
	       (a->type == PERF_TYPE_HARDWARE && (a->config == PERF_COUNT_HW_CPU_CYCLES ||
						  a->config == PERF_COUNT_HW_REF_CPU_CYCLES));
}

/* Only the first clock of a file counts: two clocks would count time twice. */
static bool is_tick(struct collecting *c, const struct place *p)
{
	u32 file = session_index(p->session);

	if (!is_clock(p->evsel))
		return false;
	if (file >= c->tick_evsels->len)
		g_ptr_array_set_size(c->tick_evsels, (gint)file + 1);
	if (!c->tick_evsels->pdata[file])
		c->tick_evsels->pdata[file] = (void *)p->evsel;
	return c->tick_evsels->pdata[file] == p->evsel;
}

/*
 * Only that the thread worked for the activity then, or during its wait. The sample of an owner has the activity of an earlier
 * time, and waits that were added up have no time.
 */
static void take_sight(struct collecting *c, const struct place *p)
{
	u64 to = time_of(c, p), from = to;
	u32 activity;
	struct wait w;

	if (!strcmp(p->evsel->name, OFFCPU_OWNER_EVENT))
		return;
	if (wait_is_exact(p->evsel) && wait_of(p->evsel, p->sample, &w)) {
		if (!w.raw.in_state)
			return;
		from -= MIN(p->sample->period, to);
	}
	activity = doing_of(c, p);
	if (activity)
		doings_see(c->doings, activity, number_of(c, p, p->thread, p->comm), from, to);
}

static bool take(const struct place *p, u32 filtered, void *arg, GError **error)
{
	struct collecting *c = arg;
	struct wait w;

	if (!(p->evsel->attr.sample_type & PERF_SAMPLE_TIME))
		return true;
	c->result->has_activities |= p->sample->type & PERF_SAMPLE_TLS_USER;
	if (c->what == COLLECT_SIGHTS) {
		take_sight(c, p);
	} else if (wait_is_exact(p->evsel)) {
		if (wait_of(p->evsel, p->sample, &w)) {
			c->result->has_waits = true;
			take_wait(c, p, &w);
		}
	} else if (!strcmp(p->evsel->name, OFFCPU_WAKER_EVENT)) {
		take_waker(c, p);
	} else if (is_tick(c, p)) {
		c->result->has_ticks = true;
		take_tick(c, p);
	} else {
		take_sight(c, p);
	}
	return true;
}

static u32 needs_of(const struct collecting *c)
{
	static const u32 needs[] = {
		[COLLECT_SIGHTS] = NEED_ACTIVITY | NEED_THREAD | NEED_COMM | NEED_SAMPLE,
		[COLLECT_PATHS] = NEED_SYMBOL | NEED_CHAIN | NEED_ACTIVITY | NEED_THREAD |
				  NEED_COMM | NEED_CPU | NEED_SAMPLE,
		[COLLECT_ALL] = NEED_SYMBOL | NEED_CHAIN | NEED_ACTIVITY | NEED_THREAD | NEED_COMM |
				NEED_CPU | NEED_SAMPLE | NEED_CHARGED,
	};

	return needs[c->what] | (c->what == COLLECT_ALL ? c->data->needs : 0);
}

static void release(struct collecting *c)
{
	g_clear_pointer(&c->threads, g_hash_table_destroy);
	g_hash_table_destroy(c->locks);
	g_array_unref(c->functions);
	g_ptr_array_unref(c->tick_evsels);
	g_string_free(c->text, TRUE);
	g_array_unref(c->hosts);
	g_ptr_array_unref(c->names);
	g_free(c->clocks);
	messages_free(c->messages);
	children_free(c->children);
}

/* Files of hosts with one name are of one host. */
static void number_hosts(struct collecting *c)
{
	struct session *session = c->lexicon->session;

	c->hosts = g_array_new(FALSE, FALSE, sizeof(u32));
	c->names = g_ptr_array_new();
	for (u32 i = 0; i < session_nr_files(session); i++) {
		const char *name = session_host(session_file(session, i));
		guint host;

		if (!g_ptr_array_find_with_equal_func(c->names, name, g_str_equal, &host)) {
			host = c->names->len;
			g_ptr_array_add(c->names, (void *)name);
		}
		g_array_append_val(c->hosts, host);
	}
}

/* Only the messages of waits, to compare the clocks. */
static bool take_clocks(const struct place *p, u32 filtered, void *arg, GError **error)
{
	struct collecting *c = arg;
	struct wait w;

	if (p->evsel->attr.sample_type & PERF_SAMPLE_TIME && wait_is_exact(p->evsel) &&
	    wait_of(p->evsel, p->sample, &w))
		take_messages(c, p, &w, 0, 0);
	return true;
}

/* What is seen of spans, by the clocks of their hosts. */
static bool take_spans(const struct place *p, u32 filtered, void *arg, GError **error)
{
	struct wait w;
	bool waits = wait_is_exact(p->evsel) && wait_of(p->evsel, p->sample, &w);

	if (p->evsel->attr.sample_type & PERF_SAMPLE_TIME &&
	    strcmp(p->evsel->name, OFFCPU_OWNER_EVENT) && (!waits || w.raw.in_state))
		see_child(arg, p, waits ? &w : NULL, 0, 0);
	return true;
}

static void add_call(const struct child_call *call, void *arg)
{
	messages_add_call(arg, call->from_host, call->host, call->sent, call->begun, call->ended,
			  call->received);
}

static bool all_known(const struct collecting *c)
{
	for (u32 i = 0; i < c->names->len; i++)
		if (!c->clocks[i].is_known)
			return false;
	return true;
}

/* Where messages do not tell how clocks compare, child spans bound it. */
static bool compare_by_children(struct collecting *c, GError **error)
{
	bool ok;

	if (all_known(c))
		return true;
	g_clear_pointer(&c->clocks, g_free);
	c->children = children_new(session_spans(c->lexicon->session));
	ok = session_each_sample(c->lexicon->session, NEED_ACTIVITY | NEED_THREAD | NEED_SAMPLE,
				 take_spans, c, error);
	if (ok) {
		children_each(c->children, add_call, c->messages);
		c->clocks = messages_clocks(c->messages, c->names->len);
	}
	g_clear_pointer(&c->children, children_free);
	return ok;
}

/* With several hosts, all samples are read once more, before: times of requests must be by one clock when they are seen. */
static bool compare_clocks(struct collecting *c, GError **error)
{
	if (c->names->len < 2 || c->names->len > MOST_HOSTS)
		return true;
	if (!session_each_sample(c->lexicon->session, NEED_SAMPLE, take_clocks, c, error))
		return false;
	messages_seal(c->messages);
	c->clocks = messages_clocks(c->messages, c->names->len);
	if (!compare_by_children(c, error))
		return false;
	messages_free(c->messages);
	c->messages = messages_new();
	if (c->what != COLLECT_SIGHTS)
		c->children = children_new(session_spans(c->lexicon->session));
	return true;
}

static void tell_clocks(const struct collecting *c, struct collect_result *result)
{
	result->clocks = g_array_new(FALSE, FALSE, sizeof(struct collected_clock));
	for (u32 i = 1; c->clocks && i < c->names->len; i++) {
		struct message_clock *clock = &c->clocks[i];
		struct collected_clock told = { .host = c->names->pdata[i], .clock = *clock };

		told.with = clock->is_known ? c->names->pdata[clock->with] : NULL;
		g_array_append_val(result->clocks, told);
	}
}

static void add_arrival(const struct message_pair *pair, void *arg)
{
	const struct arrival arrival = { .time = pair->received,
					 .sent = pair->sent,
					 .thread = pair->to,
					 .from = pair->from,
					 .activity = pair->activity };

	history_add_arrival(arg, &arrival);
}

static void add_child(const struct child_call *call, void *arg)
{
	const struct arrival arrival = { .time = call->received,
					 .begun = call->begun,
					 .sent = call->ended,
					 .thread = call->waiter,
					 .from = call->from,
					 .activity = call->activity,
					 .is_child = true };

	history_add_arrival(arg, &arrival);
}

static void add_children(struct collecting *c)
{
	g_autofree u64 *errors = g_new(u64, c->names->len);

	for (u32 i = 0; i < c->names->len; i++)
		errors[i] = messages_error(c->clocks, i);
	children_each_pair(c->children, errors, add_child, c->history);
}

static void finish(struct collecting *c)
{
	messages_seal(c->messages);
	messages_each_pair(c->messages, add_arrival, c->history);
	if (c->children)
		add_children(c);
	history_seal(c->history);
	doings_settle(c->doings);
}

bool collect(struct lexicon *lexicon, enum collect_what what, bool keep_threads,
	     struct history *history, struct doings *doings, struct collect_result *result,
	     GError **error)
{
	struct collecting c = { .lexicon = lexicon,
				.history = history,
				.doings = doings,
				.result = result,
				.what = what,
				.data = fields_find("typeoff", FIELD_NORMAL, NULL) };
	bool ok;

	*result = (struct collect_result){ 0 };
	c.threads = g_hash_table_new_full(g_direct_hash, g_direct_equal, NULL, g_free);
	c.locks = g_hash_table_new_full(hash_lock, equal_locks, g_free, NULL);
	c.functions = g_array_new(FALSE, TRUE, sizeof(u32));
	c.tick_evsels = g_ptr_array_new();
	c.text = g_string_new(NULL);
	c.messages = messages_new();
	number_hosts(&c);
	ok = compare_clocks(&c, error) &&
	     session_each_sample(lexicon->session, needs_of(&c), take, &c, error);
	if (ok)
		finish(&c);
	if (ok)
		tell_clocks(&c, result);
	if (keep_threads)
		result->threads = g_steal_pointer(&c.threads);
	release(&c);
	return ok;
}
