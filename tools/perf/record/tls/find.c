// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Finds the place of a variable in a process that maps the object that defines it.
 *
 * A look-up is tried at once, and again some times a second (tls/check.c), because the dynamic
 * linker needs time:
 *
 *	t=10.000  MMAP2 libotel.so	the record; the linker has just mapped the file
 *	t=10.001  the linker assigns the module a number and a place, relocates it, fills in GOT slots
 *	t=10.030  the recorder sees the record, and reads the process's memory: place TP - 0x70
 *
 * If it comes too early, the memory shows that nothing is filled in yet (tls/placement.c). The look-up
 * stays open for GIVE_UP_NS; then it counts as unresolved. As long as it is open, samples are "not
 * looked up yet" (TLS_SOUGHT).
 *
 * If the process ends first, the place of an earlier process with the same files in the same order
 * is taken (tls/recall.h).
 *
 * Before memory is read as a library's, its first bytes are compared with the file's: in between,
 * the process may have unloaded the library or executed another program.
 */
#include <errno.h>
#include <string.h>

#include "record/tls/lookup_private.h"

#define GIVE_UP_NS (10 * 1000000000ull) /* an open look-up ends after this time */

struct tls_process *tls_process_find(const struct tls_lookup *l, u32 pid)
{
	return g_hash_table_lookup(l->processes, GUINT_TO_POINTER(pid));
}

struct tls_process *tls_process_get(struct tls_lookup *l, u32 pid)
{
	struct tls_process *p = tls_process_find(l, pid);

	if (!p) {
		p = g_new0(struct tls_process, 1);
		p->pid = pid;
		g_hash_table_insert(l->processes, GUINT_TO_POINTER(pid), p);
	}
	return p;
}

bool tls_process_has_any(const struct tls_process *p)
{
	for (u32 i = 0; i < TLS_PUBLISHERS; i++) {
		if (p->publishers[i].found)
			return true;
	}
	return false;
}

void tls_tell(struct tls_lookup *l, const struct tls_process *p, enum tls_change change, u32 number,
	      u64 time, u32 parent)
{
	struct tls_news news = {
		.change = change,
		.pid = p->pid,
		.time = time,
		.number = number,
		.publisher = change == TLS_FOUND || change == TLS_SETTLED ? &p->publishers[number]
									  : NULL,
		.all = p->publishers,
		.had_any = tls_process_has_any(p) || p->sought,
		.fresh = p->fresh_found >> number & 1,
		.parent = parent,
	};

	l->fn(&news, l->arg);
}

const struct activity_layout *tls_asked_at(const struct tls_lookup *l, u32 i)
{
	return &g_array_index(l->asked, struct activity_layout, i);
}

const struct tls_in_process *tls_find_definer(const struct tls_process *p, u32 i)
{
	for (guint m = 0; p->mapped && m < p->mapped->len; m++) {
		const struct tls_in_process *mapped =
			&g_array_index(p->mapped, struct tls_in_process, m);

		if (mapped->object->mention[i].defines)
			return mapped;
	}
	return NULL;
}

static bool same_place(const struct tls_place *a, const struct tls_place *b)
{
	return a->reach == b->reach && a->offset == b->offset && a->module == b->module &&
	       a->generation == b->generation;
}

/*
 * Static places within the window below the thread pointer are read with it; all others are
 * appended to the sample as an entry (framed). The size of the symbol is known only of the object
 * that defines it; 0 otherwise.
 */
bool tls_place_layout(const struct tls_lookup *l, u32 i, const struct tls_mention *m,
		      const struct tls_place *place, struct activity_layout *placed, GError **error)
{
	struct activity_layout asked = *tls_asked_at(l, i);

	asked.publisher = (u8)i;
	asked.mark = tls_place_mark(place);
	asked.framed = place->reach != TLS_STATIC;
	asked.where = asked.framed ? ACTIVITY_APPENDED : ACTIVITY_IN_WINDOW;
	return activity_layout_place(&asked, place->reach == TLS_STATIC ? place->offset : 0,
				     m->defines ? m->symbol.size : 0, placed, error);
}

s64 tls_main_offset(const struct tls_lookup *l, const struct tls_object *object, u32 i)
{
	if (tls_asked_at(l, i)->format == ACTIVITY_GO)
		return object->go.g_tpoff;
	return tls_main_tpoff(&object->segment, object->mention[i].symbol.value);
}

/*
 * The same place again is no news. A variable that is smaller than its layout needs is unfit: the
 * reason is kept for the closing line.
 *
 * fresh: the process was reported as ABSENT, so the program read nothing of it. Samples that are on
 * their way have no bytes although the variable existed. FOUND says so (fresh); SETTLED follows
 * when all of them have passed.
 */
void tls_set_found(struct tls_lookup *l, struct tls_process *p, u32 i,
		   const struct tls_in_process *by, const struct tls_place *place, u64 time)
{
	struct tls_publisher *publisher = &p->publishers[i];
	const struct tls_mention *m = &by->object->mention[i];
	g_autoptr(GError) error = NULL;

	if (publisher->found && same_place(&publisher->place, place))
		return;
	if (!tls_place_layout(l, i, m, place, &publisher->placed, &error)) {
		if (!l->unfit)
			l->unfit = g_strdup_printf("%s: %s", by->path, error->message);
		l->counts.unfit++;
		return;
	}
	/* While no variable was known, the program read nothing in the process. */
	if (p->absent || p->fresh_found) {
		p->fresh_found |= 1u << i;
		p->settles_in = 2; /* samples of the retry after the next one are newer than this */
		g_hash_table_add(l->unsettled, GUINT_TO_POINTER(p->pid));
	}
	l->counts.found += !publisher->found;
	publisher->found = true;
	p->sought &= ~(1u << i);
	p->origins[i] = (struct tls_origin){ time, by->bias, by->is_main ? NULL : by->object };
	p->checked_time = MAX(p->checked_time, time);
	publisher->place = *place;
	g_free((char *)publisher->object);
	publisher->object = g_strdup(by->path);
	publisher->go = by->object->go;
	publisher->storage_va = tls_asked_at(l, i)->format == ACTIVITY_ELASTIC &&
						by->object->storage_vaddr
					? by->bias + by->object->storage_vaddr
					: 0;
	p->absent = false;
	tls_tell(l, p, TLS_FOUND, i, time, 0);
}

enum presence { IS_THERE, IS_ELSEWHERE, HAS_ENDED };

/*
 * Is @object still mapped there? The process may execute another program by now.
 *
 * The segment with file offset 0 has the ELF header, so it can be compared. EFAULT: nothing is
 * mapped there. Any other failure: there is no process, or it may not be read; then nothing is said
 * about the library.
 */
static enum presence find_presence(u32 pid, const struct tls_object *object, u64 bias)
{
	u8 header[TLS_HEADER_SIZE];

	for (guint i = 0; i < object->loads->len; i++) {
		const GElf_Phdr *load = &g_array_index(object->loads, GElf_Phdr, i);

		if (load->p_offset != 0 || load->p_filesz < sizeof(header))
			continue;
		if (!tls_peek(pid, bias + load->p_vaddr, header, sizeof(header)))
			return errno == EFAULT ? IS_ELSEWHERE : HAS_ENDED;
		return memcmp(header, object->header, sizeof(header)) ? IS_ELSEWHERE : IS_THERE;
	}
	return IS_ELSEWHERE;
}

/*
 * Tries once to find variable @i. If several objects define it, the first one counts, as in symbol
 * binding.
 */
static enum tls_placement try_place(struct tls_lookup *l, const struct tls_process *p, u32 i,
				    struct tls_place *place)
{
	g_autoptr(GArray) objects = g_array_new(FALSE, TRUE, sizeof(struct tls_mapped));
	const struct tls_in_process *definer = tls_find_definer(p, i);

	for (guint m = 0; m < p->mapped->len; m++) {
		const struct tls_in_process *mapped =
			&g_array_index(p->mapped, struct tls_in_process, m);
		const struct tls_mention *mention = &mapped->object->mention[i];
		struct tls_mapped object = {
			.bias = mapped->bias,
			.slots = mention->slots,
			.defines = mapped == definer,
			.symbol = mention->symbol,
			.segment = mapped->object->segment,
		};

		if ((mention->slots || object.defines) &&
		    find_presence(p->pid, mapped->object, mapped->bias) == IS_THERE)
			g_array_append_val(objects, object);
	}
	return objects->len ? tls_placement_find(l->paths, p->pid, (const void *)objects->data,
						 objects->len, l->libraries, place)
			    : TLS_PLACEMENT_NOT_YET;
}

/* Lists the files that @p has loaded up to @last, for tls_recall. False: their order is unknown. */
static bool list_loaded(const struct tls_process *p, const struct tls_object *last,
			GPtrArray *files)
{
	for (guint i = 0; p->blocks && !p->unordered && i < p->blocks->len; i++) {
		const struct tls_block *block = &g_array_index(p->blocks, struct tls_block, i);

		g_ptr_array_add(files, (gpointer)block->object);
		if (block->object == last)
			return true;
	}
	return false;
}

/*
 * Only final places are learned. A process that ran before the recording is no example: the order
 * of its libraries is not known.
 */
static void learn(struct tls_lookup *l, const struct tls_process *p, u32 i,
		  const struct tls_object *object, const struct tls_place *place)
{
	g_autoptr(GPtrArray) files = g_ptr_array_new();

	if (list_loaded(p, object, files))
		tls_recall_learn(l->recall,
				 &(struct tls_loaded){ (const void *const *)files->pdata,
						       files->len, i },
				 place);
}

/*
 * @p has ended, or its memory does not give the place of variable @i. Takes the place from a
 * process that loaded the same files.
 */
static void recall(struct tls_lookup *l, struct tls_process *p, u32 i, u64 time)
{
	const struct tls_in_process *definer = tls_find_definer(p, i);
	g_autoptr(GPtrArray) files = g_ptr_array_new();
	struct tls_place place;

	if (definer && list_loaded(p, definer->object, files) &&
	    tls_recall_find(l->recall,
			    &(struct tls_loaded){ (const void *const *)files->pdata, files->len,
						  i },
			    &place))
		tls_set_found(l, p, i, definer, &place, time);
}

bool tls_try_lookup(struct tls_lookup *l, const struct tls_open *o)
{
	struct tls_process *p = tls_process_find(l, o->pid);
	const struct tls_in_process *definer = p ? tls_find_definer(p, o->publisher) : NULL;
	struct tls_place place;
	enum tls_placement live;

	if (!definer)
		return true;
	live = try_place(l, p, o->publisher, &place);
	if (live == TLS_PLACEMENT_NOT_YET)
		return false;
	tls_set_found(l, p, o->publisher, definer, &place, o->time);
	if (live == TLS_PLACEMENT_KNOWN)
		learn(l, p, o->publisher, definer->object, &place);
	return live == TLS_PLACEMENT_KNOWN;
}

/* From @time on the place of variable @i of @p is unknown. */
static void say_sought(struct tls_lookup *l, struct tls_process *p, u32 i, u64 time)
{
	if (!p || p->publishers[i].found || p->sought >> i & 1)
		return;
	p->sought |= 1u << i;
	tls_tell(l, p, TLS_SOUGHT, i, time, 0);
}

/*
 * At most one look-up of a variable in a process is open. Its time is that of the first mapping
 * that needed it.
 */
void tls_open_lookup(struct tls_lookup *l, u32 pid, u32 publisher, u64 time)
{
	struct tls_open *o;

	for (guint i = 0; i < l->lookups->len; i++) {
		o = g_ptr_array_index(l->lookups, i);
		if (o->pid == pid && o->publisher == publisher)
			return;
	}
	o = g_new0(struct tls_open, 1);
	o->pid = pid;
	o->publisher = publisher;
	o->time = time;
	o->give_up_ns = l->now_ns + GIVE_UP_NS;
	if (tls_try_lookup(l, o)) {
		g_free(o);
		return;
	}
	g_ptr_array_add(l->lookups, o);
	say_sought(l, tls_process_find(l, pid), publisher, time);
}

bool tls_lookup_is_found(const struct tls_lookup *l, const struct tls_open *o)
{
	const struct tls_process *p = tls_process_find(l, o->pid);

	return p && p->publishers[o->publisher].found;
}

void tls_close_lookups(struct tls_lookup *l, struct tls_process *p)
{
	u32 pid = p->pid;

	for (guint i = l->lookups->len; i-- > 0;) {
		const struct tls_open *o = g_ptr_array_index(l->lookups, i);

		if (o->pid == pid) {
			if (!tls_lookup_is_found(l, o))
				recall(l, p, o->publisher, o->time);
			l->counts.unresolved += !tls_lookup_is_found(l, o);
			g_ptr_array_remove_index_fast(l->lookups, i);
		}
	}
}

bool tls_is_unloaded(const struct tls_process *p, u32 i)
{
	const struct tls_origin *from = &p->origins[i];

	return p->publishers[i].found && from->object &&
	       find_presence(p->pid, from->object, from->bias) == IS_ELSEWHERE;
}

/*
 * Example. The library was checked at t=100, another file was mapped in its place at t=140.
 *
 *	up to 100	found: samples have the variable
 *	100 to 140	sought: samples are "not looked up yet"
 *	from 140	withdrawn: samples have none
 */
void tls_withdraw(struct tls_lookup *l, struct tls_process *p, u32 i, u64 time)
{
	u64 since = MAX(p->checked_time, p->origins[i].time);

	p->publishers[i].found = false;
	if (since < time)
		tls_tell(l, p, TLS_SOUGHT, i, since, 0);
	tls_tell(l, p, TLS_WITHDRAWN, i, MAX(since, time), 0);
}

void tls_unload(struct tls_lookup *l, struct tls_process *p, const struct tls_object *gone,
		u64 bias, u64 time)
{
	for (guint m = p->mapped->len; m-- > 0;) {
		const struct tls_in_process *mapped =
			&g_array_index(p->mapped, struct tls_in_process, m);

		if (mapped->object == gone && mapped->bias == bias)
			g_array_remove_index(p->mapped, m);
	}
	for (u32 i = 0; i < l->asked->len; i++) {
		const struct tls_origin *from = &p->origins[i];

		if (!p->publishers[i].found || from->object != gone || from->bias != bias)
			continue;
		tls_withdraw(l, p, i, time);
		if (tls_find_definer(p, i)) /* another library defines it, too */
			tls_open_lookup(l, p->pid, i, time);
	}
}
