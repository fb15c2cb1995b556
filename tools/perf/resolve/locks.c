// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The frames of a wait for a lock, innermost first:
 *
 *	k futex_wait, ...	the kernel
 *	. __lll_lock_wait	the C library
 *	. pthread_mutex_lock	the lock's function: a row of the table below
 *	. take_shard		the caller: its call passes the lock's address
 *	. serve
 *
 * If the caller only passes on a pointer that it was called with, the call of its own caller is asked.
 */
#include "resolve/locks.h"

#include <inttypes.h>
#include <string.h>

#include "base/table.h"
#include "dso/dso.h"
#include "machine/machine.h"
#include "resolve/data.h"
#include "resolve/resolve.h"

#define MOST_FRAMES 16 /* of user code, in which the lock's function is looked for */
#define MOST_PASSED 4  /* callers that pass on a pointer */
#define MOST_KNOWN  65536
#define MOST_DEPTH  16 /* members in members */

struct lock_function {
	const char *name; /* without the underscores in front */
	const char *kind;
	u8 argument; /* that is the lock */
	bool owned;  /* its locks may have an owner */
};

static const struct lock_function functions[] = {
	{ "pthread_mutex_lock", "mutex", 0, true },
	{ "pthread_mutex_timedlock", "mutex", 0, true },
	{ "pthread_mutex_clocklock", "mutex", 0, true },
	{ "pthread_mutex_cond_lock", "mutex", 0, true },
	{ "mtx_lock", "mutex", 0, true },
	{ "mtx_timedlock", "mutex", 0, true },
	{ "pthread_rwlock_rdlock", "rwlock", 0, true },
	{ "pthread_rwlock_timedrdlock", "rwlock", 0, true },
	{ "pthread_rwlock_clockrdlock", "rwlock", 0, true },
	{ "pthread_rwlock_wrlock", "rwlock", 0, true },
	{ "pthread_rwlock_timedwrlock", "rwlock", 0, true },
	{ "pthread_rwlock_clockwrlock", "rwlock", 0, true },
	{ "pthread_cond_wait", "condition", 0, false },
	{ "pthread_cond_timedwait", "condition", 0, false },
	{ "pthread_cond_clockwait", "condition", 0, false },
	{ "cnd_wait", "condition", 0, false },
	{ "cnd_timedwait", "condition", 0, false },
	{ "sem_wait", "semaphore", 0, false },
	{ "sem_wait_slow", "semaphore", 0, false },
	{ "sem_wait_slow64", "semaphore", 0, false },
	{ "sem_timedwait", "semaphore", 0, false },
	{ "sem_clockwait", "semaphore", 0, false },
	{ "pthread_barrier_wait", "barrier", 0, false },
	{ "pthread_join", "join", 0, true },
	{ "pthread_timedjoin_np", "join", 0, true },
	{ "pthread_clockjoin_np", "join", 0, true },
	{ "pthread_clockjoin_ex", "join", 0, true },
	{ "thrd_join", "join", 0, true },
	{ "pthread_once", "once", 0, false },
	{ "call_once", "once", 0, false },
};

/* The lock's functions on a stack. */
struct lock_frames {
	const struct lock_function *inner,
		*outer; /* NULL: none; the same, or for example a cond's mutex and the cond */
	u32 caller;	/* index in the chain of the outer one's caller; may be behind the end */
};

struct lock_names {
	struct machine *machine;
	struct data_types *types;
	GHashTable *statics; /* struct known_lock, by process and address */
	GHashTable *passed;  /* key_of() -> char *; NULL: not known */
};

/* The name of a static lock in a process while its mappings stay the same. */
struct known_lock {
	u64 va, pid;
	u64 from, to;
	char *name; /* NULL: there is no variable */
};

static guint hash_known(gconstpointer p)
{
	const struct known_lock *k = p;

	return (guint)((k->va ^ k->pid << 40) * 0x9e3779b97f4a7c15 >> 32);
}

static gboolean equal_known(gconstpointer pa, gconstpointer pb)
{
	const struct known_lock *a = pa, *b = pb;

	return a->va == b->va && a->pid == b->pid;
}

static void free_known(void *p)
{
	g_free(((struct known_lock *)p)->name);
	g_free(p);
}

struct lock_names *lock_names_new(struct machine *machine, struct data_types *types)
{
	struct lock_names *n = g_new0(struct lock_names, 1);

	n->machine = machine;
	n->types = types;
	n->statics = g_hash_table_new_full(hash_known, equal_known, free_known, NULL);
	n->passed = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, g_free);
	return n;
}

void lock_names_free(struct lock_names *n)
{
	if (!n)
		return;
	g_hash_table_destroy(n->statics);
	g_hash_table_destroy(n->passed);
	g_free(n);
}

/* "___pthread_mutex_lock", "__GI_sem_wait", "__new_sem_wait": the same without what glibc puts in front. */
static const char *plain_name(const char *name)
{
	static const char *const fronts[] = { "GI_", "new_" };

	name += strspn(name, "_");
	for (u32 i = 0; i < ARRAY_SIZE(fronts); i++)
		if (g_str_has_prefix(name, fronts[i]))
			name += strlen(fronts[i]);
	return name + strspn(name, "_");
}

static const struct lock_function *function_of_frame(const struct code *code)
{
	const char *name = code->symbol ? plain_name(code->symbol->raw) : "";
	size_t size = strcspn(name, "@.");

	for (u32 i = 0; i < ARRAY_SIZE(functions); i++)
		if (!strncmp(name, functions[i].name, size) && !functions[i].name[size])
			return &functions[i];
	return NULL;
}

static struct lock_frames find_frames(const struct place *p)
{
	struct lock_frames found = { 0 };
	u32 users = 0;

	for (u32 i = 0; i < p->nr_chain && users < MOST_FRAMES; i++) {
		const struct code *code = p->chain[i];
		const struct lock_function *function;

		if (code->level != '.' || code->inlined)
			continue;
		users++;
		function = function_of_frame(code);
		if (!function)
			continue;
		found.inner = found.inner ?: function;
		found.outer = function;
		found.caller = i + 1;
	}
	return found;
}

/* Waits for the mutex of a condition, behind pthread_cond_wait(), whose own waits are of another kind. */
static bool is_mutex(const struct wall_lock *lock)
{
	return lock->kind == WALL_LOCK_MUTEX || lock->kind == WALL_LOCK_PI ||
	       lock->kind == WALL_LOCK_ROBUST;
}

static const char *kind_of(const struct lock_frames *frames, const struct wall_lock *lock)
{
	static const char *const kinds[] = {
		[WALL_LOCK_FUTEX] = "futex",  [WALL_LOCK_MUTEX] = "mutex",
		[WALL_LOCK_TIMED] = "mutex",  [WALL_LOCK_PI] = "mutex",
		[WALL_LOCK_ROBUST] = "mutex", [WALL_LOCK_READ] = "rwlock",
		[WALL_LOCK_WRITE] = "rwlock", [WALL_LOCK_THREAD] = "join",
	};

	if (!frames->inner)
		return kinds[lock->kind];
	return is_mutex(lock) && !frames->inner->owned ? "mutex" : frames->inner->kind;
}

/* The words may look like those of another kind of lock than the one of the function. */
static bool is_of_another(const struct lock_frames *frames, const struct wall_lock *lock)
{
	bool rwlock = lock->kind == WALL_LOCK_READ || lock->kind == WALL_LOCK_WRITE;

	return frames->inner && !is_mutex(lock) &&
	       (!frames->inner->owned || rwlock != !strcmp(frames->inner->kind, "rwlock"));
}

enum wall_owner lock_owner_of(const struct place *place, const struct wall_lock *lock)
{
	struct lock_frames frames = { 0 };

	if (lock->kind == WALL_LOCK_CPU)
		return lock->owner;
	if (!wall_lock_is_shared(lock->kind))
		frames = find_frames(place);
	return is_of_another(&frames, lock) ? WALL_OWNER_NONE : lock->owner;
}

/* Names of the implementation, which C and C++ reserve: "__data", "_M_mutex". */
static bool is_reserved(const char *name)
{
	return name[0] == '_' && (name[1] == '_' || g_ascii_isupper(name[1]));
}

/* The named member that covers @offset, or an unnamed one with such a member. */
static const struct member *member_of(const struct type *type, u64 offset)
{
	const struct member *member, *unnamed = NULL;
	u32 at = 0;

	while ((member = type_member_at(type, offset, &at))) {
		if (member->name)
			return member;
		unnamed = unnamed ?: member;
	}
	return unnamed;
}

/* One step into an array or a structure. False: the path ends here. */
static bool step(const struct type **type, u64 *offset, GString *path, bool *is_array)
{
	const struct type *stripped = type_strip(*type), *element;
	const struct member *member;

	*is_array = stripped->kind == TYPE_ARRAY;
	if (*is_array) {
		element = type_target(stripped);
		if (!element->size)
			return false;
		g_string_append_printf(path, "[%" PRIu64 "]", *offset / element->size);
		*offset %= element->size;
		*type = element;
		return true;
	}
	member = type_is_compound(stripped) ? member_of(stripped, *offset) : NULL;
	if (!member || (member->name && is_reserved(member->name)))
		return false;
	if (member->name)
		g_string_append_printf(path, "%s%s", path->len ? "." : "", member->name);
	*offset -= member->offset;
	*type = member->type;
	return true;
}

static bool is_called(const struct type *type, const char *name)
{
	return name && !g_strcmp0(type_strip(type)->name, name);
}

/*
 * The path to the lock, from a variable or from a type. In an array of structures the structure comes first, because all
 * its locks do the same work: "struct shard.lock in shards[3]". @lock: the name of the lock's type, if its members are no part of the
 * path; NULL: those with reserved names are not.
 */
static char *path_of(const struct pointee *to, const char *lock)
{
	g_autoptr(GString) path = g_string_new(to->variable);
	const struct type *type = to->type;
	u64 offset = (u64)to->offset;
	g_autofree char *array = NULL;
	bool is_array;

	if (to->offset < 0)
		return NULL;
	if (!to->variable)
		g_string_append(path, type_shown_name(type_strip(type)));
	for (u32 depth = 0;
	     depth < MOST_DEPTH && !is_called(type, lock) && step(&type, &offset, path, &is_array);
	     depth++) {
		if (!is_array || !to->variable || !type_is_compound(type_strip(type)))
			continue;
		g_free(array);
		array = g_strdup(path->str);
		g_string_assign(path, type_shown_name(type));
	}
	if (array && strchr(path->str, '.'))
		return g_strdup_printf("%s in %s", path->str, array);
	return g_strdup(array ?: path->str);
}

static char *path_to(const struct pointee *to, const char *lock)
{
	char *path;

	type_lock(to->type);
	path = path_of(to, lock);
	type_unlock(to->type);
	return path;
}

/* The last mapping of a file at or below an address. */
struct below {
	u64 va;
	const struct map *map;
};

static void take_map(const struct map *map, u64 start, u64 end, void *arg)
{
	struct below *b = arg;

	if (start <= b->va && !map->identity && !map->kernel && map->dso)
		b->map = map;
}

/*
 * The object file around @va and the vaddr in it. Recordings have the mappings of code only, but all segments of a file are
 * mapped at one distance from what the file states. Whether the file reaches so far is not known here.
 */
static struct dso *file_around(struct lock_names *n, const struct place *p, u64 va, u64 *vaddr)
{
	struct below below = { .va = va };

	machine_each_map(n->machine, p->thread, p->time, take_map, &below);
	if (!below.map)
		return NULL;
	if (!dso_code_start(below.map->dso, below.map->pgoff, vaddr))
		return NULL;
	*vaddr += va - below.map->start;
	return below.map->dso;
}

static char *symbol_at(struct dso *dso, u64 vaddr)
{
	const struct symbol *symbol = dso_find_symbol(dso, vaddr);

	if (!symbol || vaddr >= symbol->end)
		return NULL;
	return vaddr == symbol->start
		       ? g_strdup(symbol->raw)
		       : g_strdup_printf("%s+%#" PRIx64, symbol->raw, vaddr - symbol->start);
}

static char *find_static(struct lock_names *n, const struct place *p, u64 va,
			 const struct code *caller)
{
	struct pointee to;
	u64 vaddr;
	struct dso *dso = file_around(n, p, va, &vaddr);

	if (!dso)
		return NULL;
	if (data_types_variable(n->types, dso, vaddr,
				caller && caller->dso == dso ? code_insn_vaddr(caller) : 0, &to))
		return path_to(&to, NULL);
	return symbol_at(dso, vaddr);
}

static const char *name_static(struct lock_names *n, const struct place *p, u64 va,
			       const struct code *caller)
{
	struct known_lock key = { .va = va, .pid = p->thread->pid };
	struct known_lock *known = g_hash_table_lookup(n->statics, &key);

	if (known && p->time >= known->from && p->time < known->to)
		return known->name;
	if (g_hash_table_size(n->statics) >= MOST_KNOWN)
		g_hash_table_remove_all(n->statics);
	key.to = UINT64_MAX;
	machine_window(n->machine, p->thread->pid, p->time, &key.from, &key.to);
	key.name = find_static(n, p, va, caller);
	known = g_memdup2(&key, sizeof(key));
	g_hash_table_replace(n->statics, known, known);
	return known->name;
}

/* The frame at @i, or the next one that is no inlined call; NULL: there is none. */
static const struct code *frame_at(const struct place *p, u32 i)
{
	while (i < p->nr_chain && p->chain[i]->inlined)
		i++;
	return i < p->nr_chain ? p->chain[i] : NULL;
}

/* What the callers pass. NULL: not known, or a pointer to a lock that may be anywhere. */
static char *find_passed(struct lock_names *n, const struct place *p, u32 caller, u32 argument,
			 const char *lock)
{
	for (u32 i = 0; i < MOST_PASSED; i++, caller++) {
		const struct code *code = frame_at(p, caller);
		struct pointee to;
		g_autofree char *path = NULL;

		if (!code || !data_types_argument(n->types, code, argument, &to))
			return NULL;
		path = path_to(&to, lock);
		if (path && (to.variable || strchr(path, '.')))
			return g_steal_pointer(&path);
		if (to.parameter == TYPEFLOW_ARGUMENTS || to.offset)
			return NULL;
		argument = to.parameter;
	}
	return NULL;
}

/* The answer depends on the callers that may be asked. */
static u64 key_of(const struct place *p, u32 caller, u32 argument)
{
	u64 key = argument;

	for (u32 i = caller; i < p->nr_chain && i < caller + MOST_PASSED; i++)
		key = table_mix(key, p->chain[i]->id);
	return key;
}

/* @lock: see path_of(). */
static const char *name_passed(struct lock_names *n, const struct place *p, u32 caller,
			       u32 argument, const char *lock)
{
	u64 key = key_of(p, caller, argument);
	gpointer name;

	if (g_hash_table_lookup_extended(n->passed, &key, NULL, &name))
		return name;
	if (g_hash_table_size(n->passed) >= MOST_KNOWN)
		g_hash_table_remove_all(n->passed);
	name = find_passed(n, p, caller, argument, lock);
	g_hash_table_insert(n->passed, g_memdup2(&key, sizeof(key)), name);
	return name;
}

/* The kernel's functions that wait, and those that take a lock. */
static bool is_locking(const char *name)
{
	static const char *const fronts[] = { "schedule", "preempt_schedule",
					      "mutex_",	  "ww_mutex_",
					      "down_",	  "rwsem_" };

	name += strspn(name, "_");
	for (u32 i = 0; i < ARRAY_SIZE(fronts); i++)
		if (g_str_has_prefix(name, fronts[i]))
			return true;
	return false;
}

/*
 * k schedule, k rwsem_down_write_slowpath, k down_write, k ext4_file_write_iter, ...: the type and member that the last one
 * passes, "struct inode.i_rwsem"; if its code and types are not there, its name.
 */
static void append_kernels(struct lock_names *n, const struct place *p,
			   const struct wall_lock *lock, GString *out)
{
	bool is_mutex = lock->kind == WALL_LOCK_KERNEL_MUTEX;
	const char *function = NULL, *name = NULL;
	u32 i = 0;

	for (; i < p->nr_chain && p->chain[i]->level == 'k' && !function; i++)
		if (p->chain[i]->symbol && !is_locking(p->chain[i]->symbol->raw))
			function = p->chain[i]->symbol->raw;
	if (function)
		name = name_passed(n, p, i - 1, 0,
				   is_mutex ? "struct mutex" : "struct rw_semaphore");
	if (lock->kind == WALL_LOCK_MMAP_READ || lock->kind == WALL_LOCK_MMAP_WRITE)
		g_string_append(out, "mmap_lock");
	else if (name)
		g_string_append(out, name);
	else if (function)
		g_string_append_printf(out, "lock of %s", function);
	else
		g_string_append_printf(out, "%#" PRIx64, lock->va);
	g_string_append_printf(out, " (kernel %s)", is_mutex ? "mutex" : "rwsem");
}

static void append_users(struct lock_names *n, const struct place *p, const struct wall_lock *lock,
			 GString *out)
{
	struct lock_frames frames = find_frames(p);
	const char *name, *kind = kind_of(&frames, lock);
	u8 argument = frames.outer ? frames.outer->argument : 0;

	if (lock->kind == WALL_LOCK_THREAD) {
		g_string_append_printf(out, "thread %u (join)", lock->owner_tid);
		return;
	}
	/* pthread_cond_wait(cond, mutex) takes the mutex again */
	if (frames.outer && !frames.outer->owned && is_mutex(lock))
		argument = 1;
	name = name_static(n, p, lock->va, frames.outer ? frame_at(p, frames.caller) : NULL);
	if (!name && frames.outer)
		name = name_passed(n, p, frames.caller, argument, NULL);
	if (name)
		g_string_append(out, name);
	else
		g_string_append_printf(out, "%#" PRIx64, lock->va);
	g_string_append_printf(out, " (%s)", kind);
}

void lock_names_append(struct lock_names *n, const struct place *p, const struct wall_lock *lock,
		       GString *out)
{
	if (lock->kind == WALL_LOCK_CPU)
		g_string_append_printf(out, "CPU %u", wall_cpu(lock));
	else if (wall_lock_is_kernels(lock->kind))
		append_kernels(n, p, lock, out);
	else
		append_users(n, p, lock, out);
}
