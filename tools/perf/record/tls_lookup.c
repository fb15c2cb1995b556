// SPDX-License-Identifier: GPL-2.0-or-later
#include "record/tls_lookup.h"

#include <dirent.h>
#include <fcntl.h>
#include <gelf.h>
#include <glib.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "dso/tls.h"
#include "perfevent/proc.h"

#define NS_PER_S	1000000000ull
#define SETTLED_NS	NS_PER_S	/* after that without a find a process counts as absent */
#define GIVE_UP_NS	(10 * NS_PER_S) /* after that an open look-up ends */
#define OVERLAYFS_MAGIC 0x794c7630
#define ELF_HEADER_SIZE 64
#define RETRY_NS	(20 * 1000000ull) /* between two tries of an open look-up */
#define MAX_MAPPED	256		  /* objects of a process that mention a variable */
#define ELASTIC_STORAGE "elastic_apm_profiling_correlation_process_storage_v1"

/* What a file has to do with one of the variables. */
struct mention {
	bool defines;
	struct tls_symbol symbol;
	GArray *slots; /* struct tls_slot, or NULL */
};

/* A file that was mapped somewhere, as far as it matters: most mention nothing. */
struct object {
	bool mentions;
	bool program; /* for certain; of others it takes a process to tell */
	struct mention mention[TLS_PUBLISHERS];
	struct tls_segment segment;
	struct go_program go; /* of the one that is mentioned so */
	u64 storage_vaddr;    /* of Elastic's pointer to its process storage, or 0 */
	GArray *loads;	      /* GElf_Phdr: its PT_LOADs */
	u64 dev, ino;
	u8 header[ELF_HEADER_SIZE];
};

/* An object that mentions a variable, in a process since @time. */
struct mapped {
	struct object *object;
	char *path;
	u64 bias, time;
};

/*
 * What happens on several CPUs is heard of CPU by CPU, so a process's exec may be heard of before
 * its fork, and what it maps before both. What decides is the time.
 */
struct process {
	u32 pid;
	u64 began;		   /* the time of its fork or last exec; 0: not known */
	u64 first_time, last_time; /* of what it has mapped; 0: nothing, or before the recording */
	bool started; /* its exec was seen, and no mapping since: the next is the main program */
	bool fresh;   /* is in the queue of those that may turn out to be absent */
	bool absent;  /* and did */
	struct tls_publisher publishers[TLS_PUBLISHERS];
	u64 found_time[TLS_PUBLISHERS];
	GArray *mapped; /* struct mapped, or NULL */
};

/* A child of late: what its parent had mapped before may be heard of after the fork. */
struct fork {
	u32 parent;
	u64 time, settled_ns;
};

/* A variable that libraries mention, and whose place is not known yet, or provisionally. */
struct open_lookup {
	u32 pid, publisher;
	u64 time;	/* of the mapping's record */
	u64 give_up_ns; /* CLOCK_MONOTONIC */
	u64 next_ns;	/* when it is worth another try */
};

struct fresh {
	u32 pid;
	u64 settled_ns;
};

struct tls_lookup {
	const GArray *asked;
	const struct kernel_paths *paths;
	tls_news_fn fn;
	void *arg;
	GHashTable *objects;   /* key of a file -> struct object */
	GHashTable *libraries; /* for tls_live_find() */
	GHashTable *processes; /* pid -> struct process */
	GHashTable *forks;     /* pid of the child -> struct fork */
	GPtrArray *lookups;    /* struct open_lookup */
	GQueue fresh;	       /* struct fresh, oldest first */
	u64 now_ns;
	struct tls_lookup_counts counts;
	char *unfit;
};

static void object_free(gpointer data)
{
	struct object *object = data;

	for (u32 i = 0; i < TLS_PUBLISHERS; i++) {
		if (object->mention[i].slots)
			g_array_unref(object->mention[i].slots);
	}
	if (object->loads)
		g_array_unref(object->loads);
	g_free(object);
}

static void mapped_clear(void *mapped)
{
	g_free(((struct mapped *)mapped)->path);
}

static void process_free(gpointer data)
{
	struct process *p = data;

	for (u32 i = 0; i < TLS_PUBLISHERS; i++)
		g_free((char *)p->publishers[i].object);
	if (p->mapped)
		g_array_unref(p->mapped);
	g_free(p);
}

struct tls_lookup *tls_lookup_new(const GArray *asked, const struct kernel_paths *paths,
				  tls_news_fn fn, void *arg)
{
	struct tls_lookup *l = g_new0(struct tls_lookup, 1);

	elf_version(EV_CURRENT);
	l->asked = asked;
	l->paths = paths;
	l->fn = fn;
	l->arg = arg;
	l->objects = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, object_free);
	l->libraries = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	l->processes = g_hash_table_new_full(NULL, NULL, NULL, process_free);
	l->forks = g_hash_table_new_full(NULL, NULL, NULL, g_free);
	l->lookups = g_ptr_array_new_with_free_func(g_free);
	g_queue_init(&l->fresh);
	l->now_ns = (u64)g_get_monotonic_time() * 1000;
	return l;
}

void tls_lookup_free(struct tls_lookup *l)
{
	if (!l)
		return;
	g_hash_table_destroy(l->objects);
	g_hash_table_destroy(l->libraries);
	g_hash_table_destroy(l->processes);
	g_hash_table_destroy(l->forks);
	g_ptr_array_unref(l->lookups);
	g_queue_clear_full(&l->fresh, g_free);
	g_free(l->unfit);
	g_free(l);
}

const struct tls_lookup_counts *tls_lookup_counts(const struct tls_lookup *l)
{
	return &l->counts;
}

const char *tls_lookup_unfit(const struct tls_lookup *l)
{
	return l->unfit;
}

static struct process *find_process(const struct tls_lookup *l, u32 pid)
{
	return g_hash_table_lookup(l->processes, GUINT_TO_POINTER(pid));
}

static struct process *get_process(struct tls_lookup *l, u32 pid)
{
	struct process *p = find_process(l, pid);

	if (!p) {
		p = g_new0(struct process, 1);
		p->pid = pid;
		g_hash_table_insert(l->processes, GUINT_TO_POINTER(pid), p);
	}
	return p;
}

static bool found_any(const struct process *p)
{
	for (u32 i = 0; i < TLS_PUBLISHERS; i++) {
		if (p->publishers[i].found)
			return true;
	}
	return false;
}

bool tls_lookup_has(const struct tls_lookup *l, u32 pid)
{
	const struct process *p = find_process(l, pid);

	return p && found_any(p);
}

const struct tls_publisher *tls_lookup_publishers(const struct tls_lookup *l, u32 pid)
{
	const struct process *p = find_process(l, pid);

	return p && found_any(p) ? p->publishers : NULL;
}

static void tell(struct tls_lookup *l, const struct process *p, enum tls_change change,
		 const struct tls_publisher *publisher, u64 time, u32 parent)
{
	struct tls_news news = {
		.change = change,
		.pid = p->pid,
		.time = time,
		.publisher = publisher,
		.all = p->publishers,
		.had_any = found_any(p),
		.parent = parent,
	};

	l->fn(&news, l->arg);
}

static const struct activity_layout *asked_at(const struct tls_lookup *l, u32 i)
{
	return &g_array_index(l->asked, struct activity_layout, i);
}

/* The file of @map: by the mapping itself where that is permitted, else by its path. */
static int open_mapped(const struct tls_lookup *l, const struct event_mmap *map)
{
	g_autofree char *link = g_strdup_printf("%s/%u/map_files/%" PRIx64 "-%" PRIx64,
						l->paths->proc, map->pid, map->start,
						map->start + map->len);
	g_autofree char *in_root =
		g_strdup_printf("%s/%u/root%s", l->paths->proc, map->pid, map->filename);
	const char *const paths[] = { in_root, map->filename };
	int fd = open(link, O_RDONLY | O_CLOEXEC);
	struct statfs fs;
	struct stat st;

	if (fd >= 0)
		return fd;
	for (size_t i = 0; i < ARRAY_SIZE(paths); i++) {
		fd = open(paths[i], O_RDONLY | O_CLOEXEC);
		if (fd < 0)
			continue;
		/* Another file may have taken its name; an overlay shows other inode numbers. */
		if (!map->has_inode || (fstat(fd, &st) == 0 && st.st_ino == map->ino) ||
		    (fstatfs(fd, &fs) == 0 && fs.f_type == OVERLAYFS_MAGIC))
			return fd;
		close(fd);
	}
	return -1;
}

static void read_loads(Elf *elf, struct object *object)
{
	size_t nr;

	object->loads = g_array_new(FALSE, FALSE, sizeof(GElf_Phdr));
	if (elf_getphdrnum(elf, &nr) != 0)
		return;
	for (size_t i = 0; i < nr; i++) {
		GElf_Phdr phdr;

		if (gelf_getphdr(elf, (int)i, &phdr) && phdr.p_type == PT_LOAD)
			g_array_append_val(object->loads, phdr);
	}
}

/* custom-labels says beside its variable which version of the layout it has: 1 is known. */
static bool is_known_version(Elf *elf, const struct activity_layout *asked)
{
	u64 vaddr;
	u32 version;

	return asked->format != ACTIVITY_LABELS ||
	       !tls_find_object(elf, "custom_labels_abi_version", &vaddr) ||
	       (tls_read_image(elf, vaddr, &version, sizeof(version)) && version == 1);
}

static void read_mentions(const struct tls_lookup *l, Elf *elf, struct object *object)
{
	bool has_segment = tls_find_segment(elf, &object->segment);

	for (u32 i = 0; i < l->asked->len; i++) {
		const struct activity_layout *asked = asked_at(l, i);
		struct mention *m = &object->mention[i];

		if (asked->format == ACTIVITY_GO) {
			m->defines = go_find_program(elf, &object->go);
			object->mentions |= m->defines;
			continue;
		}
		m->defines = has_segment && tls_find_symbol(elf, asked->symbol, &m->symbol) &&
			     is_known_version(elf, asked);
		m->slots = tls_find_slots(elf, asked->symbol, m->defines ? &m->symbol : NULL);
		if (asked->format == ACTIVITY_ELASTIC && m->defines &&
		    !tls_find_object(elf, ELASTIC_STORAGE, &object->storage_vaddr))
			object->storage_vaddr = 0;
		if (!m->slots->len)
			g_clear_pointer(&m->slots, g_array_unref);
		object->mentions |= m->defines || m->slots;
	}
}

static void read_object(struct tls_lookup *l, int fd, struct object *object)
{
	struct stat st;
	Elf *elf;

	if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode) ||
	    pread(fd, object->header, sizeof(object->header), 0) != sizeof(object->header) ||
	    memcmp(object->header, ELFMAG, SELFMAG) != 0)
		return;
	elf = elf_begin(fd, ELF_C_READ, NULL);
	if (elf && tls_supported(elf))
		read_mentions(l, elf, object);
	if (object->mentions) {
		object->program = tls_is_program(elf);
		object->dev = st.st_dev;
		object->ino = st.st_ino;
		read_loads(elf, object);
	}
	elf_end(elf);
}

static char *object_key(const struct event_mmap *map)
{
	GString *key = g_string_new(map->filename);

	if (map->has_inode)
		g_string_append_printf(key, " %x:%x %" PRIx64 " %" PRIx64, map->maj, map->min,
				       map->ino, map->ino_generation);
	for (u32 i = 0; map->has_build_id && i < MIN(map->build_id_size, 20); i++)
		g_string_append_printf(key, "%c%02x", i ? '.' : ' ', map->build_id[i]);
	return g_string_free(key, FALSE);
}

static struct object *find_object(struct tls_lookup *l, const struct event_mmap *map)
{
	g_autofree char *key = object_key(map);
	struct object *object = g_hash_table_lookup(l->objects, key);
	int fd;

	if (object)
		return object;
	fd = open_mapped(l, map);
	if (fd < 0) /* perhaps another process that maps it lives long enough */
		return NULL;
	object = g_new0(struct object, 1);
	read_object(l, fd, object);
	close(fd);
	g_hash_table_insert(l->objects, g_steal_pointer(&key), object);
	return object;
}

/* What is to be added to the file's addresses in the process. */
static bool find_bias(const struct object *object, const struct event_mmap *map, u64 *bias)
{
	for (guint i = 0; i < object->loads->len; i++) {
		const GElf_Phdr *load = &g_array_index(object->loads, GElf_Phdr, i);
		u64 end = load->p_offset + load->p_filesz;

		if (map->pgoff + map->len <= load->p_offset || map->pgoff >= end)
			continue;
		if (!(load->p_flags & PF_X))
			continue;
		*bias = map->start - map->pgoff + load->p_offset - load->p_vaddr;
		return true;
	}
	return false;
}

static bool is_main_program(const struct tls_lookup *l, u32 pid, const struct object *object)
{
	g_autofree char *exe = g_strdup_printf("%s/%u/exe", l->paths->proc, pid);
	struct stat st;

	return stat(exe, &st) == 0 && st.st_dev == object->dev && st.st_ino == object->ino;
}

/* The first object of @p that defines variable @i, or NULL. */
static const struct mapped *find_definer(const struct process *p, u32 i)
{
	for (guint m = 0; p->mapped && m < p->mapped->len; m++) {
		const struct mapped *mapped = &g_array_index(p->mapped, struct mapped, m);

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

/* Variable @i of @p, defined by @by, is at @place. */
static void set_found(struct tls_lookup *l, struct process *p, u32 i, const struct mapped *by,
		      const struct tls_place *place, u64 time)
{
	struct tls_publisher *publisher = &p->publishers[i];
	struct activity_layout asked = *asked_at(l, i);
	const struct mention *m = &by->object->mention[i];
	g_autoptr(GError) error = NULL;

	if (publisher->found && same_place(&publisher->place, place))
		return;
	asked.publisher = (u8)i;
	asked.framed = place->reach != TLS_STATIC;
	asked.where = asked.framed ? ACTIVITY_APPENDED : ACTIVITY_IN_WINDOW;
	if (!activity_layout_place(&asked, place->reach == TLS_STATIC ? place->offset : 0,
				   m->defines ? m->symbol.size : 0, &publisher->placed, &error)) {
		if (!l->unfit)
			l->unfit = g_strdup_printf("%s: %s", by->path, error->message);
		l->counts.unfit++;
		return;
	}
	l->counts.found += !publisher->found;
	publisher->found = true;
	p->found_time[i] = time;
	publisher->place = *place;
	g_free((char *)publisher->object);
	publisher->object = g_strdup(by->path);
	publisher->go = by->object->go;
	publisher->storage_va = asked.format == ACTIVITY_ELASTIC && by->object->storage_vaddr
					? by->bias + by->object->storage_vaddr
					: 0;
	p->absent = false;
	tell(l, p, TLS_FOUND, publisher, time, 0);
}

/* Is the object still what is mapped there? The process may have gone on to another program. */
static bool still_mapped(u32 pid, const struct mapped *mapped)
{
	const struct object *object = mapped->object;
	u8 header[ELF_HEADER_SIZE];

	for (guint i = 0; i < object->loads->len; i++) {
		const GElf_Phdr *load = &g_array_index(object->loads, GElf_Phdr, i);

		if (load->p_offset == 0 && load->p_filesz >= sizeof(header))
			return tls_live_peek(pid, mapped->bias + load->p_vaddr, header,
					     sizeof(header)) &&
			       memcmp(header, object->header, sizeof(header)) == 0;
	}
	return false;
}

/* One try for variable @i. The place is that of the first that defines it, as linkers bind. */
static enum tls_live try_place(struct tls_lookup *l, const struct process *p, u32 i,
			       struct tls_place *place)
{
	g_autoptr(GArray) objects = g_array_new(FALSE, TRUE, sizeof(struct tls_mapped));
	const struct mapped *definer = find_definer(p, i);

	for (guint m = 0; m < p->mapped->len; m++) {
		const struct mapped *mapped = &g_array_index(p->mapped, struct mapped, m);
		const struct mention *mention = &mapped->object->mention[i];
		struct tls_mapped object = {
			.bias = mapped->bias,
			.slots = mention->slots,
			.defines = mapped == definer,
			.symbol = mention->symbol,
			.segment = mapped->object->segment,
		};

		if ((mention->slots || object.defines) && still_mapped(p->pid, mapped))
			g_array_append_val(objects, object);
	}
	return objects->len ? tls_live_find(l->paths, p->pid, (const void *)objects->data,
					    objects->len, l->libraries, place)
			    : TLS_LIVE_NOT_YET;
}

/* One try; true when the look-up is over, one way or the other. */
static bool try_lookup(struct tls_lookup *l, const struct open_lookup *o)
{
	struct process *p = find_process(l, o->pid);
	const struct mapped *definer = p ? find_definer(p, o->publisher) : NULL;
	struct tls_place place;
	enum tls_live live;

	if (!definer)
		return true;
	live = try_place(l, p, o->publisher, &place);
	if (live == TLS_LIVE_NOT_YET)
		return false;
	set_found(l, p, o->publisher, definer, &place, o->time);
	return live == TLS_LIVE_KNOWN;
}

static void open_a_lookup(struct tls_lookup *l, u32 pid, u32 publisher, u64 time)
{
	struct open_lookup *o;

	for (guint i = 0; i < l->lookups->len; i++) {
		o = g_ptr_array_index(l->lookups, i);
		if (o->pid == pid && o->publisher == publisher)
			return;
	}
	o = g_new0(struct open_lookup, 1);
	o->pid = pid;
	o->publisher = publisher;
	o->time = time;
	o->give_up_ns = l->now_ns + GIVE_UP_NS;
	if (try_lookup(l, o))
		g_free(o);
	else
		g_ptr_array_add(l->lookups, o);
}

static bool is_found(const struct tls_lookup *l, const struct open_lookup *o)
{
	const struct process *p = find_process(l, o->pid);

	return p && p->publishers[o->publisher].found;
}

static void close_lookups(struct tls_lookup *l, u32 pid)
{
	for (guint i = l->lookups->len; i-- > 0;) {
		const struct open_lookup *o = g_ptr_array_index(l->lookups, i);

		if (o->pid == pid) {
			l->counts.unresolved += !is_found(l, o);
			g_ptr_array_remove_index_fast(l->lookups, i);
		}
	}
}

static void add_fresh(struct tls_lookup *l, struct process *p)
{
	struct fresh *fresh = g_new(struct fresh, 1);

	fresh->pid = p->pid;
	fresh->settled_ns = l->now_ns + SETTLED_NS;
	p->fresh = true;
	g_queue_push_tail(&l->fresh, fresh);
}

/* NULL where it is known already, or there are too many to be true. */
static const struct mapped *add_mapped(struct process *p, struct object *object, const char *path,
				       u64 bias, u64 time)
{
	struct mapped mapped = { object, NULL, bias, time };

	if (!p->mapped) {
		p->mapped = g_array_new(FALSE, FALSE, sizeof(mapped));
		g_array_set_clear_func(p->mapped, mapped_clear);
	}
	for (guint i = 0; i < p->mapped->len; i++) {
		const struct mapped *known = &g_array_index(p->mapped, struct mapped, i);

		if (known->object == object && known->bias == bias)
			return NULL;
	}
	if (p->mapped->len == MAX_MAPPED)
		return NULL;
	mapped.path = g_strdup(path);
	g_array_append_val(p->mapped, mapped);
	return &g_array_index(p->mapped, struct mapped, p->mapped->len - 1);
}

/* Of what the main program's file @object defines, from the thread pointer. */
static s64 main_offset(const struct tls_lookup *l, const struct object *object, u32 i)
{
	if (asked_at(l, i)->format == ACTIVITY_GO)
		return object->go.g_tpoff;
	return tls_main_tpoff(&object->segment, object->mention[i].symbol.value);
}

/* @mapped is new in @p. What the main program defines is known by the file alone. */
static void look_at_mapped(struct tls_lookup *l, struct process *p, const struct mapped *mapped,
			   bool is_first, u64 time)
{
	bool is_main = mapped->object->program || is_first ||
		       is_main_program(l, p->pid, mapped->object);

	for (u32 i = 0; i < l->asked->len; i++) {
		const struct mention *m = &mapped->object->mention[i];
		struct tls_place place = { 0 };

		if (p->publishers[i].found || !(m->defines || m->slots))
			continue;
		if (asked_at(l, i)->format == ACTIVITY_GO && !is_main)
			continue; /* a Go library in another program: its g is elsewhere */
		if (is_main && m->defines) {
			place.offset = main_offset(l, mapped->object, i);
			set_found(l, p, i, mapped, &place, time);
		} else if (find_definer(p, i)) {
			open_a_lookup(l, p->pid, i, time);
		}
	}
}

/* Time 0 is that of what was there before the recording. */
static void note_mapping(struct process *p, u64 time)
{
	if (time && (!p->first_time || time < p->first_time))
		p->first_time = time;
	p->last_time = MAX(p->last_time, time);
}

/* Has there been an exec, or a new process of this number, since @time? */
static bool began_after(const struct process *p, u64 time)
{
	return p && p->began > time;
}

/* Children that were forked since have @mapped, too. */
static void hand_down(struct tls_lookup *l, u32 parent, const struct mapped *mapped, bool is_first)
{
	GHashTableIter it;
	gpointer child, value;

	g_hash_table_iter_init(&it, l->forks);
	while (g_hash_table_iter_next(&it, &child, &value)) {
		const struct fork *fork = value;
		struct process *p = find_process(l, GPOINTER_TO_UINT(child));
		const struct mapped *copy;

		if (fork->parent != parent || fork->time < mapped->time ||
		    began_after(p, fork->time))
			continue;
		p = get_process(l, GPOINTER_TO_UINT(child));
		p->began = fork->time;
		copy = add_mapped(p, mapped->object, mapped->path, mapped->bias, mapped->time);
		if (copy)
			look_at_mapped(l, p, copy, is_first, fork->time);
	}
}

void tls_lookup_mmap(struct tls_lookup *l, const struct event_mmap *map, u64 time)
{
	struct process *p = find_process(l, map->pid);
	const struct mapped *mapped;
	struct object *object;
	bool is_first;
	u64 bias;

	if (map->filename[0] != '/' || g_str_has_prefix(map->filename, "//anon"))
		return;
	if (time && p && time < p->began) /* of the program before */
		return;
	if (!p) {
		p = get_process(l, map->pid);
		add_fresh(l, p);
	}
	is_first = p->started;
	p->started = false;
	object = find_object(l, map);
	note_mapping(p, time);
	if (!object || !object->mentions || !find_bias(object, map, &bias))
		return;
	mapped = add_mapped(p, object, map->filename, bias, time);
	if (!mapped)
		return;
	look_at_mapped(l, p, mapped, is_first, time);
	hand_down(l, map->pid, mapped, is_first);
}

static void end_process(struct tls_lookup *l, struct process *p, u64 time)
{
	close_lookups(l, p->pid);
	if (p->absent || found_any(p))
		tell(l, p, TLS_GONE, NULL, time, 0);
	g_hash_table_remove(l->processes, GUINT_TO_POINTER(p->pid));
}

/* What @p has mapped since @time; NULL for nothing. */
static GArray *take_mapped(struct process *p, u64 time)
{
	GArray *taken = g_steal_pointer(&p->mapped);

	for (guint i = taken ? taken->len : 0; i-- > 0;) {
		if (g_array_index(taken, struct mapped, i).time < time)
			g_array_remove_index(taken, i);
	}
	return taken;
}

/* Its old image ends at @time, where that was heard of late; the new one has @mapped. */
static struct process *begin_image(struct tls_lookup *l, u32 pid, u64 time)
{
	struct process *p = find_process(l, pid), old = { 0 };
	g_autoptr(GArray) mapped = NULL;

	if (p) {
		mapped = take_mapped(p, time);
		old = *p;
		end_process(l, p, time);
	}
	p = get_process(l, pid);
	p->began = time;
	p->started = old.last_time < time;
	if (!p->started) {
		p->first_time = MAX(old.first_time, time);
		p->last_time = old.last_time;
	}
	for (guint i = 0; mapped && i < mapped->len; i++) {
		const struct mapped *m = &g_array_index(mapped, struct mapped, i), *copy;

		copy = add_mapped(p, m->object, m->path, m->bias, m->time);
		if (copy)
			look_at_mapped(l, p, copy, false, copy->time);
	}
	return p;
}

void tls_lookup_exec(struct tls_lookup *l, u32 pid, u64 time)
{
	const struct process *p = find_process(l, pid);

	if (began_after(p, time))
		return;
	g_hash_table_remove(l->forks, GUINT_TO_POINTER(pid));
	add_fresh(l, begin_image(l, pid, time));
}

/* Returns a bit for each publisher that @parent had at @time and @child has from now on. */
static u32 inherit_publishers(const struct process *parent, struct process *child, u64 time)
{
	u32 taken = 0;

	for (u32 i = 0; i < TLS_PUBLISHERS; i++) {
		if (!parent->publishers[i].found || parent->found_time[i] > time ||
		    child->publishers[i].found)
			continue;
		child->publishers[i] = parent->publishers[i];
		child->publishers[i].object = g_strdup(parent->publishers[i].object);
		child->found_time[i] = time;
		taken |= 1u << i;
	}
	return taken;
}

/* What @parent had at @time is @child's as well. */
static void inherit(struct tls_lookup *l, const struct process *parent, struct process *child,
		    u64 time)
{
	u32 taken;

	for (guint i = 0; i < parent->mapped->len; i++) {
		const struct mapped *m = &g_array_index(parent->mapped, struct mapped, i);

		if (m->time <= time)
			add_mapped(child, m->object, m->path, m->bias, m->time);
	}
	taken = inherit_publishers(parent, child, time);
	for (u32 i = 0; i < TLS_PUBLISHERS; i++) {
		if (taken >> i & 1)
			tell(l, child, TLS_FOUND, &child->publishers[i], time, parent->pid);
	}
	for (guint i = 0, nr = l->lookups->len; i < nr; i++) {
		const struct open_lookup *o = g_ptr_array_index(l->lookups, i);

		if (o->pid == parent->pid && o->time <= time)
			open_a_lookup(l, child->pid, o->publisher, time);
	}
}

static void add_fork(struct tls_lookup *l, const struct event_task *task, u64 time)
{
	struct fork *fork = g_new(struct fork, 1);

	fork->parent = task->ppid;
	fork->time = time;
	fork->settled_ns = l->now_ns + SETTLED_NS;
	g_hash_table_insert(l->forks, GUINT_TO_POINTER(task->pid), fork);
}

void tls_lookup_fork(struct tls_lookup *l, const struct event_task *task, u64 time)
{
	struct process *parent, *child;

	if (task->pid == task->ppid)
		return;
	child = find_process(l, task->pid);
	if (began_after(child, time))
		return;
	/* Of an earlier process of that number, whose end was not heard of, or already its own. */
	if (child && child->first_time > time)
		child->began = time;
	else if (child)
		end_process(l, child, time);
	add_fork(l, task, time);
	parent = find_process(l, task->ppid);
	if (!parent || !parent->mapped || began_after(parent, time))
		return;
	child = get_process(l, task->pid);
	child->began = time;
	inherit(l, parent, child, time);
}

/* Does a thread other than the first go on? */
static bool has_other_threads(const struct tls_lookup *l, u32 pid)
{
	g_autofree char *path = g_strdup_printf("%s/%u/task", l->paths->proc, pid);
	u32 nr = 0;
	DIR *dir = opendir(path);

	if (!dir)
		return false;
	for (struct dirent *entry; (entry = readdir(dir));)
		nr += g_ascii_isdigit(entry->d_name[0]);
	closedir(dir);
	return nr > 1;
}

void tls_lookup_exit(struct tls_lookup *l, const struct event_task *task, u64 time)
{
	struct process *p;

	if (task->pid != task->tid)
		return;
	p = find_process(l, task->pid);
	if (began_after(p, time)) /* another process by now */
		return;
	g_hash_table_remove(l->forks, GUINT_TO_POINTER(task->pid));
	if (p && !(found_any(p) && has_other_threads(l, task->pid)))
		end_process(l, p, time);
}

struct walk {
	struct tls_lookup *l;
	u32 pid;
};

static bool walk_map(const struct proc_map *map, void *arg)
{
	struct walk *walk = arg;
	struct event_mmap mmap = {
		.pid = walk->pid,
		.tid = walk->pid,
		.start = map->start,
		.len = map->end - map->start,
		.pgoff = map->pgoff,
		.maj = map->maj,
		.min = map->min,
		.ino = map->ino,
		.has_inode = true,
		.filename = map->name,
	};

	tls_lookup_mmap(walk->l, &mmap, 0);
	return true;
}

void tls_lookup_process(struct tls_lookup *l, u32 pid)
{
	struct walk walk = { l, pid };

	proc_maps(l->paths, (pid_t)pid, false, walk_map, &walk, NULL);
}

static bool has_open_lookup(const struct tls_lookup *l, u32 pid)
{
	for (guint i = 0; i < l->lookups->len; i++) {
		const struct open_lookup *o = g_ptr_array_index(l->lookups, i);

		if (o->pid == pid)
			return true;
	}
	return false;
}

static gboolean is_settled(gpointer pid, gpointer value, gpointer l)
{
	const struct fork *fork = value;

	(void)pid;
	return fork->settled_ns <= ((const struct tls_lookup *)l)->now_ns;
}

static void settle(struct tls_lookup *l)
{
	const struct fresh *first;

	g_hash_table_foreach_remove(l->forks, is_settled, l);
	while ((first = g_queue_peek_head(&l->fresh)) && first->settled_ns <= l->now_ns) {
		g_autofree struct fresh *fresh = g_queue_pop_head(&l->fresh);
		struct process *p = find_process(l, fresh->pid);

		if (!p || !p->fresh)
			continue;
		p->fresh = false;
		if (found_any(p) || p->started || has_open_lookup(l, p->pid))
			continue;
		p->absent = true;
		tell(l, p, TLS_ABSENT, NULL, 0, 0);
	}
}

void tls_lookup_retry(struct tls_lookup *l, u64 now_ns)
{
	l->now_ns = now_ns;
	for (guint i = l->lookups->len; i-- > 0;) {
		struct open_lookup *o = g_ptr_array_index(l->lookups, i);
		bool over = false;

		if (now_ns >= o->next_ns) {
			over = try_lookup(l, o);
			o->next_ns = now_ns + RETRY_NS;
		}
		if (!over && now_ns >= o->give_up_ns) {
			l->counts.unresolved += !is_found(l, o);
			over = true;
		}
		if (over)
			g_ptr_array_remove_index_fast(l->lookups, i);
	}
	settle(l);
}

void tls_lookup_each(struct tls_lookup *l, tls_news_fn fn, void *arg)
{
	GHashTableIter it;
	gpointer value;

	g_hash_table_iter_init(&it, l->processes);
	while (g_hash_table_iter_next(&it, NULL, &value)) {
		const struct process *p = value;
		struct tls_news news = { .change = TLS_FOUND, .pid = p->pid, .all = p->publishers };

		for (u32 i = 0; i < TLS_PUBLISHERS; i++) {
			news.publisher = &p->publishers[i];
			if (news.publisher->found)
				fn(&news, arg);
		}
	}
}
