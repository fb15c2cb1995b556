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
#include "record/tls_live.h"

#define NS_PER_S	1000000000ull
#define SETTLED_NS	NS_PER_S	/* after that without a find a process counts as absent */
#define GIVE_UP_NS	(10 * NS_PER_S) /* after that an open look-up ends */
#define OVERLAYFS_MAGIC 0x794c7630
#define ELF_HEADER_SIZE 64

/* A file that was mapped somewhere, as far as it matters: most define nothing and stay empty. */
struct object {
	bool defines;
	struct tls_symbol symbol;
	struct tls_segment segment;
	GArray *slots; /* struct tls_slot */
	GArray *loads; /* GElf_Phdr: its PT_LOADs */
	u64 dev, ino;
	u8 header[ELF_HEADER_SIZE];
};

struct process {
	u32 pid;
	bool started; /* its exec was seen, and no mapping since: the next is the main program */
	bool found;
	bool fresh;  /* is in the queue of those that may turn out to be absent */
	bool absent; /* and did */
	struct activity_layout placed;
	char *path; /* of the object, when found */
};

/* A library that defines the variable, and whose place is not known yet. */
struct open_lookup {
	u32 pid;
	struct object *object;
	char *path;
	u64 bias;
	u64 time;	/* of the mapping's record */
	u64 give_up_ns; /* CLOCK_MONOTONIC */
};

struct fresh {
	u32 pid;
	u64 settled_ns;
};

struct tls_lookup {
	const struct activity_layout *asked;
	const struct kernel_paths *paths;
	tls_news_fn fn;
	void *arg;
	GHashTable *objects;   /* key of a file -> struct object */
	GHashTable *fields;    /* for tls_live_block() */
	GHashTable *processes; /* pid -> struct process */
	GPtrArray *lookups;    /* struct open_lookup */
	GQueue fresh;	       /* struct fresh, oldest first */
	u64 now_ns;
	struct tls_lookup_counts counts;
	char *unfit;
};

static void object_free(gpointer data)
{
	struct object *object = data;

	if (object->slots)
		g_array_unref(object->slots);
	if (object->loads)
		g_array_unref(object->loads);
	g_free(object);
}

static void process_free(gpointer data)
{
	struct process *p = data;

	g_free(p->path);
	g_free(p);
}

static void open_lookup_free(gpointer data)
{
	struct open_lookup *o = data;

	g_free(o->path);
	g_free(o);
}

struct tls_lookup *tls_lookup_new(const struct activity_layout *asked,
				  const struct kernel_paths *paths, tls_news_fn fn, void *arg)
{
	struct tls_lookup *l = g_new0(struct tls_lookup, 1);

	elf_version(EV_CURRENT);
	l->asked = asked;
	l->paths = paths;
	l->fn = fn;
	l->arg = arg;
	l->objects = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, object_free);
	l->fields = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	l->processes = g_hash_table_new_full(NULL, NULL, NULL, process_free);
	l->lookups = g_ptr_array_new_with_free_func(open_lookup_free);
	g_queue_init(&l->fresh);
	l->now_ns = (u64)g_get_monotonic_time() * 1000;
	return l;
}

void tls_lookup_free(struct tls_lookup *l)
{
	if (!l)
		return;
	g_hash_table_destroy(l->objects);
	g_hash_table_destroy(l->fields);
	g_hash_table_destroy(l->processes);
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

static void tell(struct tls_lookup *l, const struct process *p, enum tls_change change, u64 time,
		 bool inherited)
{
	struct tls_news news = {
		.change = change,
		.pid = p->pid,
		.time = time,
		.placed = p->found ? &p->placed : NULL,
		.object = p->found ? p->path : "",
		.inherited = inherited,
	};

	l->fn(&news, l->arg);
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

static void read_object(struct tls_lookup *l, int fd, struct object *object)
{
	struct stat st;
	Elf *elf;

	if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode) ||
	    pread(fd, object->header, sizeof(object->header), 0) != sizeof(object->header) ||
	    memcmp(object->header, ELFMAG, SELFMAG) != 0)
		return;
	elf = elf_begin(fd, ELF_C_READ, NULL);
	if (elf && tls_supported(elf) && tls_find_segment(elf, &object->segment) &&
	    tls_find_symbol(elf, l->asked->symbol, &object->symbol)) {
		object->defines = true;
		object->dev = st.st_dev;
		object->ino = st.st_ino;
		object->slots = tls_find_slots(elf, l->asked->symbol, &object->symbol);
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

/* The variable is @tpoff from the thread pointer in @p. */
static void set_found(struct tls_lookup *l, struct process *p, const struct object *object,
		      const char *path, s64 tpoff, u64 time)
{
	g_autoptr(GError) error = NULL;

	if (!activity_layout_place(l->asked, tpoff, object->symbol.size, &p->placed, &error)) {
		if (!l->unfit)
			l->unfit = g_strdup_printf("%s: %s", path, error->message);
		l->counts.unfit++;
		return;
	}
	p->found = true;
	g_free(p->path);
	p->path = g_strdup(path);
	l->counts.found++;
	tell(l, p, TLS_FOUND, time, false);
}

/* Is @object still what is mapped there? The process may have gone on to another program. */
static bool still_mapped(const struct open_lookup *o)
{
	u8 header[ELF_HEADER_SIZE];

	for (guint i = 0; i < o->object->loads->len; i++) {
		const GElf_Phdr *load = &g_array_index(o->object->loads, GElf_Phdr, i);

		if (load->p_offset == 0 && load->p_filesz >= sizeof(header))
			return tls_live_peek(o->pid, o->bias + load->p_vaddr, header,
					     sizeof(header)) &&
			       memcmp(header, o->object->header, sizeof(header)) == 0;
	}
	return false;
}

/* One try; true when the look-up is over, one way or the other. */
static bool try_lookup(struct tls_lookup *l, const struct open_lookup *o)
{
	struct process *p = find_process(l, o->pid);
	enum tls_live live;
	u64 distance;
	s64 tpoff;

	if (!p || p->found)
		return true;
	if (!still_mapped(o))
		return false; /* not mapped in whole yet, or no more: time will tell */
	live = tls_live_block(l->paths, o->pid, o->bias, l->fields, &distance);
	if (live == TLS_LIVE_KNOWN && distance >= o->object->segment.memsz) {
		tpoff = (s64)(o->object->symbol.value - distance);
	} else if (live == TLS_LIVE_NOT_YET) {
		live = tls_live_slots(o->pid, o->bias, o->object->slots, &tpoff);
	} else {
		live = TLS_LIVE_NEVER;
	}
	if (live == TLS_LIVE_NOT_YET)
		return false;
	if (live == TLS_LIVE_KNOWN)
		set_found(l, p, o->object, o->path, tpoff, o->time);
	else
		l->counts.unresolved++;
	return true;
}

static void open_a_lookup(struct tls_lookup *l, u32 pid, struct object *object, const char *path,
			  u64 bias, u64 time)
{
	struct open_lookup *o;

	for (guint i = 0; i < l->lookups->len; i++) {
		o = g_ptr_array_index(l->lookups, i);
		if (o->pid == pid && o->bias == bias)
			return;
	}
	o = g_new0(struct open_lookup, 1);
	o->pid = pid;
	o->object = object;
	o->path = g_strdup(path);
	o->bias = bias;
	o->time = time;
	o->give_up_ns = l->now_ns + GIVE_UP_NS;
	if (try_lookup(l, o))
		open_lookup_free(o);
	else
		g_ptr_array_add(l->lookups, o);
}

static void close_lookups(struct tls_lookup *l, u32 pid)
{
	for (guint i = l->lookups->len; i-- > 0;) {
		const struct open_lookup *o = g_ptr_array_index(l->lookups, i);

		if (o->pid == pid) {
			g_ptr_array_remove_index_fast(l->lookups, i);
			l->counts.unresolved++;
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

void tls_lookup_mmap(struct tls_lookup *l, const struct event_mmap *map, u64 time)
{
	struct process *p = find_process(l, map->pid);
	struct object *object;
	bool is_first;
	u64 bias;

	if (map->filename[0] != '/' || g_str_has_prefix(map->filename, "//anon"))
		return;
	if (!p) {
		p = get_process(l, map->pid);
		add_fresh(l, p);
	}
	is_first = p->started;
	p->started = false;
	if (p->found)
		return;
	object = find_object(l, map);
	if (!object || !object->defines || !find_bias(object, map, &bias))
		return;
	if (is_first || is_main_program(l, map->pid, object))
		set_found(l, p, object, map->filename,
			  tls_main_tpoff(&object->segment, object->symbol.value), time);
	else
		open_a_lookup(l, map->pid, object, map->filename, bias, time);
}

static void end_process(struct tls_lookup *l, struct process *p, u64 time)
{
	close_lookups(l, p->pid);
	if (p->found || p->absent)
		tell(l, p, TLS_GONE, time, false);
	g_hash_table_remove(l->processes, GUINT_TO_POINTER(p->pid));
}

void tls_lookup_exec(struct tls_lookup *l, u32 pid, u64 time)
{
	struct process *p = find_process(l, pid);

	if (p)
		end_process(l, p, time);
	p = get_process(l, pid);
	p->started = true;
	add_fresh(l, p);
}

void tls_lookup_fork(struct tls_lookup *l, const struct event_task *task, u64 time)
{
	struct process *parent, *child;

	if (task->pid == task->ppid)
		return;
	child = find_process(l, task->pid);
	if (child) /* of an earlier process of that number, whose end was not heard of */
		end_process(l, child, time);
	parent = find_process(l, task->ppid);
	if (!parent)
		return;
	if (parent->found) {
		child = get_process(l, task->pid);
		child->found = true;
		child->placed = parent->placed;
		child->path = g_strdup(parent->path);
		tell(l, child, TLS_FOUND, time, true);
		return;
	}
	for (guint i = 0, nr = l->lookups->len; i < nr; i++) {
		const struct open_lookup *o = g_ptr_array_index(l->lookups, i);

		if (o->pid != task->ppid)
			continue;
		get_process(l, task->pid);
		open_a_lookup(l, task->pid, o->object, o->path, o->bias, time);
	}
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
	if (p && !(p->found && has_other_threads(l, task->pid)))
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

static void settle(struct tls_lookup *l)
{
	const struct fresh *first;

	while ((first = g_queue_peek_head(&l->fresh)) && first->settled_ns <= l->now_ns) {
		g_autofree struct fresh *fresh = g_queue_pop_head(&l->fresh);
		struct process *p = find_process(l, fresh->pid);

		if (!p || !p->fresh)
			continue;
		p->fresh = false;
		if (p->found || p->started || has_open_lookup(l, p->pid))
			continue;
		p->absent = true;
		tell(l, p, TLS_ABSENT, 0, false);
	}
}

void tls_lookup_retry(struct tls_lookup *l, u64 now_ns)
{
	l->now_ns = now_ns;
	for (guint i = l->lookups->len; i-- > 0;) {
		const struct open_lookup *o = g_ptr_array_index(l->lookups, i);
		bool over = try_lookup(l, o);

		if (!over && now_ns >= o->give_up_ns) {
			l->counts.unresolved++;
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
		struct tls_news news = {
			.change = TLS_FOUND, .pid = p->pid, .placed = &p->placed, .object = p->path
		};

		if (p->found)
			fn(&news, arg);
	}
}
