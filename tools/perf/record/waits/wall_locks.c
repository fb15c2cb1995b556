// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * An owner counts only if the waiting thread has not run between the look and the read: the count of its runs is read
 * after the words. That costs a file of /proc, so it is done only if the words name an owner:
 *
 *	condition, semaphore (most threads of a pool)	one process_vm_readv()
 *	mutex, rwlock					the same, and schedstat
 *
 * What the words are follows from the arguments of futex(). glibc's locks, as words of 4 bytes from their start, where W is the word at
 * which the thread waits, and the owner's number is the thread's in its pid namespace:
 *
 *	mutex		W = 2 (has waiters), count, owner			futex(W, FUTEX_WAIT, 2); FUTEX_WAIT_BITSET with a timeout
 *	robust mutex	W = owner | 0x80000000					futex(W, FUTEX_WAIT..., the same value)
 *	PI mutex	W = owner, perhaps | 0x80000000				futex(W, FUTEX_LOCK_PI)
 *	rwlock		readers, writers, W = 3, next, 0, 0, owner		futex(W, FUTEX_WAIT_BITSET, 3): a reader waits for a writer
 *	rwlock		readers, writers, phase, W = 3, 0, 0, owner		the same: a writer waits for a writer
 *	thread		W = its number, until it has ended			pthread_join(): not private, the value is the word
 *
 * Both of the rwlock's words have the value 3, so the owner is looked for at both distances (find_writer()): 16 and 12 bytes from W.
 * All other waits (conditions, semaphores) name nobody.
 *
 * A thread that sleeps on has no new look, but its lock may get another owner. So the words are read again when a
 * sample of the sleep is made.
 */
#include "record/waits/wall_locks.h"

#include <glib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include "base/file.h"
#include "record/waits/wall_account.h"
#include "record/waits/wall_file_locks.h"
#include "record/waits/wall_look.h"

#define OP_WAIT		    0
#define OP_LOCK_PI	    6
#define OP_WAIT_BITSET	    9
#define OP_WAIT_REQUEUE_PI  11
#define OP_LOCK_PI2	    13
#define OP_PRIVATE	    128
#define OP_MASK		    127
#define WORD_WAITERS	    0x80000000u
#define WORD_TID	    0x3fffffffu
#define TAKEN_CONTENDED	    2 /* a mutex with waiters */
#define WRITE_PHASE	    3 /* an rwlock that a writer has, with waiters */
#define RWLOCK_WRITE_PHASE  1
#define RWLOCK_WRITE_LOCKED 2
#define RWLOCK_READERS	    3 /* the number of readers begins at this bit */
#define WORDS		    5 /* from the futex on */
#define MOST_NUMBERS	    65536u

struct wall_locks {
	const struct kernel_paths *paths;
	struct wall_account *account;
	struct wall_file_locks *files;
	GHashTable *numbers; /* pid << 32 | tid in the thread's pid namespace -> tid */
};

struct wall_locks *wall_locks_new(const struct kernel_paths *paths, struct wall_account *account)
{
	struct wall_locks *l = g_new0(struct wall_locks, 1);

	l->paths = paths;
	l->account = account;
	l->files = wall_file_locks_new(paths);
	l->numbers = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
	return l;
}

void wall_locks_free(struct wall_locks *l)
{
	if (!l)
		return;
	wall_file_locks_free(l->files);
	g_hash_table_destroy(l->numbers);
	g_free(l);
}

static void learn_number(struct wall_locks *l, const struct wall_look *look)
{
	gint64 key = (gint64)look->pid << 32 | look->inner_tid;

	if (!look->inner_tid)
		return;
	if (g_hash_table_size(l->numbers) >= MOST_NUMBERS)
		g_hash_table_remove_all(l->numbers);
	if (GPOINTER_TO_UINT(g_hash_table_lookup(l->numbers, &key)) != look->tid)
		g_hash_table_insert(l->numbers, g_memdup2(&key, sizeof(key)),
				    GUINT_TO_POINTER(look->tid));
}

static bool is_thread(const struct wall_locks *l, u32 pid, u32 tid)
{
	const struct wall_look *look = wall_account_look(l->account, tid);
	g_autofree char *path = NULL;

	if (look)
		return look->pid == pid && look->state != WALL_ZOMBIE;
	path = g_strdup_printf("%s/%u/task/%u", l->paths->proc, pid, tid);
	return !access(path, F_OK);
}

/* The other thread of the process that has this number in its pid namespace; 0: none is known. */
static u32 find_thread(const struct wall_locks *l, const struct wall_look *look, u32 number)
{
	gint64 key = (gint64)look->pid << 32 | number;
	u32 tid = look->inner_tid ? GPOINTER_TO_UINT(g_hash_table_lookup(l->numbers, &key))
				  : number;

	return tid && tid != look->tid && is_thread(l, look->pid, tid) ? tid : 0;
}

static bool read_words(const struct wall_look *look, u64 va, u32 *words, u32 nr)
{
	struct iovec local = { words, nr * sizeof(*words) };
	struct iovec remote = { (void *)(uintptr_t)va, nr * sizeof(*words) };

	return process_vm_readv((pid_t)look->pid, &local, 1, &remote, 1, 0) ==
	       (ssize_t)(nr * sizeof(*words));
}

static bool has_not_run(const struct wall_locks *l, const struct wall_look *look)
{
	g_autofree char *text =
		file_text("%s/%u/task/%u/schedstat", l->paths->proc, look->pid, look->tid);
	const char *last = text ? strrchr(text, ' ') : NULL;

	return last && g_ascii_strtoull(last + 1, NULL, 10) == look->runs;
}

/*
 * Does a writer wait for the readers of an rwlock? Then no writer is in its words. Two readers have it, one writer has locked out others:
 *
 *	readers = 2 << 3 | write locked, writers, phase = 2, next = 1 or 3, 0, 0, owner = 0
 *
 * The first writer waits at phase (value 2, as a mutex has), a second one at next (value 3).
 */
static bool is_read_locked(const struct wall_look *look, struct wall_lock *lock, u32 value)
{
	u64 start = lock->va - (value == TAKEN_CONTENDED ? 8 : 12);
	u32 words[7];

	if (!read_words(look, start, words, G_N_ELEMENTS(words)) || words[4] || words[5] ||
	    words[6] || !(words[0] & RWLOCK_WRITE_LOCKED) || words[0] & RWLOCK_WRITE_PHASE ||
	    !(words[0] >> RWLOCK_READERS) || words[2] & 1 || !(words[3] & 1))
		return false;
	lock->va = start;
	lock->kind = WALL_LOCK_WRITE;
	lock->owner = WALL_OWNER_READERS;
	return true;
}

static u32 find_writer(const struct wall_locks *l, const struct wall_look *look,
		       struct wall_lock *lock, const u32 *words)
{
	u32 writer = find_thread(l, look, words[4]);

	if (writer) {
		lock->kind = WALL_LOCK_READ;
		lock->va -= 8;
		return writer;
	}
	writer = find_thread(l, look, words[3]);
	if (writer) {
		lock->kind = WALL_LOCK_WRITE;
		lock->va -= 12;
	}
	return writer;
}

/* Sets the kind and the address; returns the owner, 0: none is known. */
static u32 find_owner(const struct wall_locks *l, const struct wall_look *look,
		      struct wall_lock *lock, const u32 *words)
{
	u32 op = look->args[1] & OP_MASK, value = (u32)look->args[2], owner;

	if (op == OP_LOCK_PI || op == OP_LOCK_PI2) {
		lock->kind = WALL_LOCK_PI;
		return find_thread(l, look, words[0] & WORD_TID);
	}
	if (value & WORD_WAITERS) {
		owner = find_thread(l, look, words[0] & WORD_TID);
		lock->kind = owner ? WALL_LOCK_ROBUST : WALL_LOCK_FUTEX;
		return owner;
	}
	if (value == TAKEN_CONTENDED) {
		owner = find_thread(l, look, words[2]);
		if (op == OP_WAIT)
			lock->kind = WALL_LOCK_MUTEX;
		else if (owner)
			lock->kind = WALL_LOCK_TIMED;
		return owner;
	}
	if (op != OP_WAIT_BITSET)
		return 0;
	if (value == WRITE_PHASE)
		return find_writer(l, look, lock, words);
	if (look->args[1] & OP_PRIVATE || value != words[0])
		return 0;
	owner = find_thread(l, look, value);
	lock->kind = owner ? WALL_LOCK_THREAD : WALL_LOCK_FUTEX;
	return owner;
}

static bool waits_for_futex(const struct wall_look *look)
{
	u32 op = look->args[1] & OP_MASK;

	return look->state == WALL_SLEEP && look->syscall == SYS_futex && !look->in_32_bit_code &&
	       !(look->flags & (WALL_LAST_CALL | WALL_NO_CALL)) &&
	       (op == OP_WAIT || op == OP_WAIT_BITSET || op == OP_LOCK_PI || op == OP_LOCK_PI2 ||
		op == OP_WAIT_REQUEUE_PI);
}

static struct wall_lock read_futex(const struct wall_locks *l, const struct wall_look *look)
{
	struct wall_lock lock = { .va = look->args[0],
				  .kind = WALL_LOCK_FUTEX,
				  .owner = WALL_OWNER_UNREADABLE };
	u32 words[WORDS] = { 0 }, value = (u32)look->args[2];
	u32 op = look->args[1] & OP_MASK;

	if (!read_words(look, lock.va, words, WORDS) && !read_words(look, lock.va, words, 1))
		return lock;
	lock.owner_tid = find_owner(l, look, &lock, words);
	if (lock.owner_tid)
		lock.owner = WALL_OWNER_KNOWN;
	else
		lock.owner = lock.kind == WALL_LOCK_FUTEX ? WALL_OWNER_NONE : WALL_OWNER_STRANGER;
	if (!lock.owner_tid && op == OP_WAIT_BITSET &&
	    (value == TAKEN_CONTENDED || value == WRITE_PHASE))
		is_read_locked(look, &lock, value);
	return lock;
}

static bool waits_for_lock(const struct wall_look *look)
{
	return waits_for_futex(look) || wall_file_locks_waits(look);
}

static struct wall_lock read_lock(const struct wall_locks *l, const struct wall_look *look)
{
	return look->syscall == SYS_futex ? read_futex(l, look)
					  : wall_file_locks_read(l->files, look);
}

/* The lock; none, if the thread has run meanwhile: then the words may be of a later time. */
static struct wall_lock lock_of(const struct wall_locks *l, const struct wall_look *look)
{
	const struct wall_lock none = { 0 };
	struct wall_lock lock;

	if (look->moment != WALL_AT_PASS || !waits_for_lock(look))
		return none;
	lock = read_lock(l, look);
	return lock.owner == WALL_OWNER_NONE || lock.owner == WALL_OWNER_UNREADABLE ||
			       has_not_run(l, look)
		       ? lock
		       : none;
}

/* The thread sleeps at the same place again. It may wait for another owner now. */
static void read_again(struct wall_locks *l, struct wall_look *look, const struct wall_look *before)
{
	struct wall_look whole = *look;
	struct wall_lock lock;

	wall_look_complete(&whole, before);
	lock = lock_of(l, &whole);
	if (!memcmp(&lock, &before->lock, sizeof(lock)))
		return;
	*look = whole;
	look->lock = lock;
	look->same = false;
}

void wall_locks_read(struct wall_locks *l, struct wall_look *look, const struct wall_look *before)
{
	learn_number(l, look);
	if (!look->same)
		look->lock = lock_of(l, look);
	else if (before && waits_for_lock(before))
		read_again(l, look, before);
}

/* As far as the account knows, the thread still is in the sleep of @look. */
static bool still_sleeps(const struct wall_locks *l, const struct wall_look *look)
{
	const struct wall_look *last = wall_account_look(l->account, look->tid);

	return last && last->made == look->made && last->runs == look->runs && waits_for_lock(last);
}

static void renew(struct wall_locks *l, struct wall_look *look)
{
	struct wall_lock now = read_lock(l, look);

	if ((now.owner == look->lock.owner && now.owner_tid == look->lock.owner_tid) ||
	    !has_not_run(l, look))
		return;
	wall_account_set_lock(l->account, look->tid, &now);
	if (look->lock.owner != WALL_OWNER_KNOWN)
		return;
	look->lock.owner = WALL_OWNER_CHANGED;
	look->lock.owner_tid = 0;
}

void wall_locks_complete(struct wall_locks *l, struct wall_look *look)
{
	const struct wall_look *owner;
	bool may_change = look->lock.owner == WALL_OWNER_KNOWN ||
			  look->lock.owner == WALL_OWNER_STRANGER;

	if (look->lock.kind == WALL_LOCK_NONE || !may_change)
		return;
	if (still_sleeps(l, look))
		renew(l, look);
	owner = look->lock.owner == WALL_OWNER_KNOWN
			? wall_account_look(l->account, look->lock.owner_tid)
			: NULL;
	if (!owner)
		return;
	look->owner = owner->comm;
	look->owner_tls = owner->tls;
}
