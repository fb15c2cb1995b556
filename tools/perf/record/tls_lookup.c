// SPDX-License-Identifier: GPL-2.0-or-later
#include "record/tls_lookup.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <glib.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "dso/tls.h"
#include "perfevent/proc.h"
#include "record/tls_recall.h"

#define NS_PER_S	1000000000ull
#define SETTLED_NS	NS_PER_S	/* after that without a find a process counts as absent */
#define GIVE_UP_NS	(10 * NS_PER_S) /* after that an open look-up ends */
#define OVERLAYFS_MAGIC 0x794c7630
#define ELF_HEADER_SIZE 64
#define RETRY_NS	(20 * 1000000ull)  /* between two tries of an open look-up */
#define MAX_MAPPED	256		   /* objects of a process that mention a variable */
#define CHECK_NS	(50 * 1000000ull)  /* between two looks at whether libraries are there */
#define CHECKS		256		   /* processes that are looked at in one of them */
#define SURE_NS		(150 * 1000000ull) /* after which an end would have been heard of */
#define ELASTIC_STORAGE "elastic_apm_profiling_correlation_process_storage_v1"

/* What a file has to do with one of the variables. */
struct mention {
	bool defines;
	struct tls_symbol symbol;
	GArray *slots; /* struct tls_slot, or NULL */
};

/* A file that was mapped somewhere, as far as it matters: most mention nothing. */
struct tls_object {
	bool mentions;
	bool has_tls;
	bool foreign; /* not of this machine, and it defines one of the variables */
	bool program; /* for certain; of others it takes a process to tell */
	struct mention mention[TLS_PUBLISHERS];
	struct tls_segment segment;
	struct go_program go; /* of the one that is mentioned so */
	u64 storage_vaddr;    /* of Elastic's pointer to its process storage, or 0 */
	GArray *loads;	      /* GElf_Phdr: its PT_LOADs */
	u64 begin, end;	      /* of what they take, as the file states it */
	u64 dev, ino;
	u8 header[ELF_HEADER_SIZE];
};

/* An object that mentions a variable, in a process since @time; its code is at @start. */
struct mapped_object {
	struct tls_object *object;
	char *path;
	u64 bias, start, time;
	bool is_main;
};

/* A file with thread-local storage that a process has loaded. */
struct tls_block {
	const struct tls_object *object;
	u64 time;
};

/* Where a found variable is from. */
struct origin {
	u64 time, bias;
	const struct tls_object *object; /* NULL: the main program, which stays */
};

/*
 * Records of several CPUs arrive CPU by CPU. So the exec of a process may arrive before its fork,
 * and its mappings before both. Only the times in the records tell the order.
 */
struct tls_process {
	u32 pid;
	u64 began;		   /* the time of its fork or last exec; 0: not known */
	u64 first_time, last_time; /* of what it has mapped; 0: nothing, or before the recording */
	bool started;	/* its exec was seen, and no mapping since: the next is the main program */
	bool fresh;	/* is in the queue of those that may turn out to be absent */
	bool absent;	/* and did */
	bool foreign;	/* it was said that it has a foreign one */
	bool unordered; /* it was there before: nobody knows in which order it loaded what */
	GArray *blocks; /* struct tls_block, ascending by time; or NULL */
	struct tls_publisher publishers[TLS_PUBLISHERS];
	struct origin origins[TLS_PUBLISHERS]; /* of those that are found */
	u32 sought;	  /* bits: publishers of which it was said that they are */
	u32 fresh_found;  /* likewise */
	u32 settles_in;	  /* retries, of what is fresh */
	u64 checked_time; /* of samples: its libraries were all there */
	u64 missed_ns;	  /* CLOCK_MONOTONIC when one was not there; 0: none is missed */
	u64 missed_time;  /* of samples: it was not there from then on; 0: not known yet */
	GArray *mapped;	  /* struct mapped_object, or NULL */
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
	GHashTable *objects;   /* file by device, inode and change time -> struct tls_object */
	GHashTable *by_record; /* what a record says of a file -> the same */
	GHashTable *libraries; /* for tls_live_find() */
	struct tls_recall *recall;
	GHashTable *processes; /* pid -> struct tls_process */
	GHashTable *forks;     /* pid of the child -> struct fork */
	GHashTable *unsettled; /* pid: of processes in which something is fresh */
	GHashTable *missing;   /* pid: of processes whose missed_time is not known yet */
	GPtrArray *lookups;    /* struct open_lookup */
	GQueue fresh;	       /* struct fresh, oldest first */
	u64 now_ns, time;      /* as of the last retry */
	u64 checked_ns;	       /* when libraries were looked at last */
	u32 next_check;	       /* which processes are due */
	struct tls_lookup_counts counts;
	char *unfit;
};

static void object_free(gpointer data)
{
	struct tls_object *object = data;

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
	g_free(((struct mapped_object *)mapped)->path);
}

static void process_free(gpointer data)
{
	struct tls_process *p = data;

	for (u32 i = 0; i < TLS_PUBLISHERS; i++)
		g_free((char *)p->publishers[i].object);
	if (p->mapped)
		g_array_unref(p->mapped);
	if (p->blocks)
		g_array_unref(p->blocks);
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
	l->by_record = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
	l->libraries = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
	l->recall = tls_recall_new();
	l->processes = g_hash_table_new_full(NULL, NULL, NULL, process_free);
	l->forks = g_hash_table_new_full(NULL, NULL, NULL, g_free);
	l->unsettled = g_hash_table_new(NULL, NULL);
	l->missing = g_hash_table_new(NULL, NULL);
	l->lookups = g_ptr_array_new_with_free_func(g_free);
	g_queue_init(&l->fresh);
	l->now_ns = (u64)g_get_monotonic_time() * 1000;
	return l;
}

void tls_lookup_free(struct tls_lookup *l)
{
	if (!l)
		return;
	g_hash_table_destroy(l->by_record);
	g_hash_table_destroy(l->objects);
	g_hash_table_destroy(l->libraries);
	tls_recall_free(l->recall);
	g_hash_table_destroy(l->processes);
	g_hash_table_destroy(l->forks);
	g_hash_table_destroy(l->unsettled);
	g_hash_table_destroy(l->missing);
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

static struct tls_process *find_process(const struct tls_lookup *l, u32 pid)
{
	return g_hash_table_lookup(l->processes, GUINT_TO_POINTER(pid));
}

static struct tls_process *get_process(struct tls_lookup *l, u32 pid)
{
	struct tls_process *p = find_process(l, pid);

	if (!p) {
		p = g_new0(struct tls_process, 1);
		p->pid = pid;
		g_hash_table_insert(l->processes, GUINT_TO_POINTER(pid), p);
	}
	return p;
}

static bool found_any(const struct tls_process *p)
{
	for (u32 i = 0; i < TLS_PUBLISHERS; i++) {
		if (p->publishers[i].found)
			return true;
	}
	return false;
}

bool tls_lookup_has(const struct tls_lookup *l, u32 pid)
{
	const struct tls_process *p = find_process(l, pid);

	return p && found_any(p);
}

const struct tls_publisher *tls_lookup_publishers(const struct tls_lookup *l, u32 pid)
{
	const struct tls_process *p = find_process(l, pid);

	return p && found_any(p) ? p->publishers : NULL;
}

/* @number: of the publisher, or 0 where all are meant. */
static void tell(struct tls_lookup *l, const struct tls_process *p, enum tls_change change,
		 u32 number, u64 time, u32 parent)
{
	struct tls_news news = {
		.change = change,
		.pid = p->pid,
		.time = time,
		.number = number,
		.publisher = change == TLS_FOUND || change == TLS_SETTLED ? &p->publishers[number]
									  : NULL,
		.all = p->publishers,
		.had_any = found_any(p) || p->sought,
		.fresh = p->fresh_found >> number & 1,
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
	int fd = open(link, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct statfs fs;
	struct stat st;

	if (fd >= 0)
		return fd;
	for (size_t i = 0; i < ARRAY_SIZE(paths); i++) {
		fd = open(paths[i], O_RDONLY | O_CLOEXEC | O_NONBLOCK);
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

static void read_loads(Elf *elf, struct tls_object *object)
{
	size_t nr;

	object->loads = g_array_new(FALSE, FALSE, sizeof(GElf_Phdr));
	if (elf_getphdrnum(elf, &nr) != 0)
		return;
	for (size_t i = 0; i < nr; i++) {
		GElf_Phdr phdr;

		if (!gelf_getphdr(elf, (int)i, &phdr) || phdr.p_type != PT_LOAD)
			continue;
		if (!object->loads->len)
			object->begin = phdr.p_vaddr;
		object->begin = MIN(object->begin, phdr.p_vaddr);
		object->end = MAX(object->end, phdr.p_vaddr + phdr.p_memsz);
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

static void read_mentions(const struct tls_lookup *l, Elf *elf, struct tls_object *object)
{
	bool has_segment = tls_find_segment(elf, &object->segment);

	object->has_tls = has_segment;
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

/* 32-bit programs have their variables, too, but below another thread pointer. */
static bool is_foreign_publisher(const struct tls_lookup *l, Elf *elf)
{
	struct tls_symbol symbol;

	for (u32 i = 0; elf_kind(elf) == ELF_K_ELF && i < l->asked->len; i++) {
		const struct activity_layout *asked = asked_at(l, i);

		if (asked->format != ACTIVITY_GO && tls_find_symbol(elf, asked->symbol, &symbol))
			return true;
	}
	return false;
}

static void read_object(struct tls_lookup *l, int fd, struct tls_object *object)
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
	else if (elf)
		object->foreign = is_foreign_publisher(l, elf);
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

/*
 * The change time is in the key, because a program can be built again in place (same path, same
 * inode): then it is another file.
 */
static struct tls_object *object_of_fd(struct tls_lookup *l, int fd)
{
	struct tls_object *object;
	char key[96];
	struct stat st;

	if (fstat(fd, &st) != 0)
		return NULL;
	snprintf(key, sizeof(key), "%jx:%jx:%jx.%lx", (uintmax_t)st.st_dev, (uintmax_t)st.st_ino,
		 (uintmax_t)st.st_ctim.tv_sec, (unsigned long)st.st_ctim.tv_nsec);
	object = g_hash_table_lookup(l->objects, key);
	if (!object) {
		object = g_new0(struct tls_object, 1);
		read_object(l, fd, object);
		g_hash_table_insert(l->objects, g_strdup(key), object);
	}
	return object;
}

static struct tls_object *find_object(struct tls_lookup *l, const struct event_mmap *map)
{
	g_autofree char *key = object_key(map);
	struct tls_object *object = NULL;
	int fd = open_mapped(l, map);

	if (fd < 0) /* it has ended: what another process mapped before, or will */
		return g_hash_table_lookup(l->by_record, key);
	object = object_of_fd(l, fd);
	close(fd);
	if (object)
		g_hash_table_replace(l->by_record, g_steal_pointer(&key), object);
	return object;
}

/* What is to be added to the file's addresses in the process. */
static bool find_bias(const struct tls_object *object, const struct event_mmap *map, u64 *bias)
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

static bool is_main_program(const struct tls_lookup *l, u32 pid, const struct tls_object *object)
{
	g_autofree char *exe = g_strdup_printf("%s/%u/exe", l->paths->proc, pid);
	struct stat st;

	return stat(exe, &st) == 0 && st.st_dev == object->dev && st.st_ino == object->ino;
}

/* The first object of @p that defines variable @i, or NULL. */
static const struct mapped_object *find_definer(const struct tls_process *p, u32 i)
{
	for (guint m = 0; p->mapped && m < p->mapped->len; m++) {
		const struct mapped_object *mapped =
			&g_array_index(p->mapped, struct mapped_object, m);

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

static bool place_layout(const struct tls_lookup *l, u32 i, const struct mention *m,
			 const struct tls_place *place, struct activity_layout *placed,
			 GError **error)
{
	struct activity_layout asked = *asked_at(l, i);

	asked.publisher = (u8)i;
	asked.mark = tls_place_mark(place);
	asked.framed = place->reach != TLS_STATIC;
	asked.where = asked.framed ? ACTIVITY_APPENDED : ACTIVITY_IN_WINDOW;
	return activity_layout_place(&asked, place->reach == TLS_STATIC ? place->offset : 0,
				     m->defines ? m->symbol.size : 0, placed, error);
}

/* Variable @i of @p, defined by @by, is at @place. */
static void set_found(struct tls_lookup *l, struct tls_process *p, u32 i,
		      const struct mapped_object *by, const struct tls_place *place, u64 time)
{
	struct tls_publisher *publisher = &p->publishers[i];
	const struct mention *m = &by->object->mention[i];
	g_autoptr(GError) error = NULL;

	if (publisher->found && same_place(&publisher->place, place))
		return;
	if (!place_layout(l, i, m, place, &publisher->placed, &error)) {
		if (!l->unfit)
			l->unfit = g_strdup_printf("%s: %s", by->path, error->message);
		l->counts.unfit++;
		return;
	}
	/* Of a process without any nothing was read. */
	if (p->absent || p->fresh_found) {
		p->fresh_found |= 1u << i;
		p->settles_in = 2; /* the samples of the next but one come from now on */
		g_hash_table_add(l->unsettled, GUINT_TO_POINTER(p->pid));
	}
	l->counts.found += !publisher->found;
	publisher->found = true;
	p->sought &= ~(1u << i);
	p->origins[i] = (struct origin){ time, by->bias, by->is_main ? NULL : by->object };
	p->checked_time = MAX(p->checked_time, time);
	publisher->place = *place;
	g_free((char *)publisher->object);
	publisher->object = g_strdup(by->path);
	publisher->go = by->object->go;
	publisher->storage_va = asked_at(l, i)->format == ACTIVITY_ELASTIC &&
						by->object->storage_vaddr
					? by->bias + by->object->storage_vaddr
					: 0;
	p->absent = false;
	tell(l, p, TLS_FOUND, i, time, 0);
}

enum presence { IS_THERE, IS_ELSEWHERE, HAS_ENDED };

/* Is @object still what is mapped there? The process may have gone on to another program. */
static enum presence find_presence(u32 pid, const struct tls_object *object, u64 bias)
{
	u8 header[ELF_HEADER_SIZE];

	for (guint i = 0; i < object->loads->len; i++) {
		const GElf_Phdr *load = &g_array_index(object->loads, GElf_Phdr, i);

		if (load->p_offset != 0 || load->p_filesz < sizeof(header))
			continue;
		if (!tls_live_peek(pid, bias + load->p_vaddr, header, sizeof(header)))
			return errno == EFAULT ? IS_ELSEWHERE : HAS_ENDED;
		return memcmp(header, object->header, sizeof(header)) ? IS_ELSEWHERE : IS_THERE;
	}
	return IS_ELSEWHERE;
}

/* One try for variable @i. The place is that of the first that defines it, as linkers bind. */
static enum tls_live try_place(struct tls_lookup *l, const struct tls_process *p, u32 i,
			       struct tls_place *place)
{
	g_autoptr(GArray) objects = g_array_new(FALSE, TRUE, sizeof(struct tls_mapped));
	const struct mapped_object *definer = find_definer(p, i);

	for (guint m = 0; m < p->mapped->len; m++) {
		const struct mapped_object *mapped =
			&g_array_index(p->mapped, struct mapped_object, m);
		const struct mention *mention = &mapped->object->mention[i];
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
	return objects->len ? tls_live_find(l->paths, p->pid, (const void *)objects->data,
					    objects->len, l->libraries, place)
			    : TLS_LIVE_NOT_YET;
}

/* What @p has loaded up to @last, as tls_recall has it; false where nobody knows. */
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

/* @p has ended, or will not tell any more, where variable @i is: another may have. */
static void recall(struct tls_lookup *l, struct tls_process *p, u32 i, u64 time)
{
	const struct mapped_object *definer = find_definer(p, i);
	g_autoptr(GPtrArray) files = g_ptr_array_new();
	struct tls_place place;

	if (definer && list_loaded(p, definer->object, files) &&
	    tls_recall_find(l->recall,
			    &(struct tls_loaded){ (const void *const *)files->pdata, files->len,
						  i },
			    &place))
		set_found(l, p, i, definer, &place, time);
}

/* One try; true when the look-up is over, one way or the other. */
static bool try_lookup(struct tls_lookup *l, const struct open_lookup *o)
{
	struct tls_process *p = find_process(l, o->pid);
	const struct mapped_object *definer = p ? find_definer(p, o->publisher) : NULL;
	struct tls_place place;
	enum tls_live live;

	if (!definer)
		return true;
	live = try_place(l, p, o->publisher, &place);
	if (live == TLS_LIVE_NOT_YET)
		return false;
	set_found(l, p, o->publisher, definer, &place, o->time);
	if (live == TLS_LIVE_KNOWN)
		learn(l, p, o->publisher, definer->object, &place);
	return live == TLS_LIVE_KNOWN;
}

/* From @time on it is not known where variable @i of @p is. */
static void say_sought(struct tls_lookup *l, struct tls_process *p, u32 i, u64 time)
{
	if (!p || p->publishers[i].found || p->sought >> i & 1)
		return;
	p->sought |= 1u << i;
	tell(l, p, TLS_SOUGHT, i, time, 0);
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
	if (try_lookup(l, o)) {
		g_free(o);
		return;
	}
	g_ptr_array_add(l->lookups, o);
	say_sought(l, find_process(l, pid), publisher, time);
}

static bool is_found(const struct tls_lookup *l, const struct open_lookup *o)
{
	const struct tls_process *p = find_process(l, o->pid);

	return p && p->publishers[o->publisher].found;
}

static void close_lookups(struct tls_lookup *l, struct tls_process *p)
{
	u32 pid = p->pid;

	for (guint i = l->lookups->len; i-- > 0;) {
		const struct open_lookup *o = g_ptr_array_index(l->lookups, i);

		if (o->pid == pid) {
			if (!is_found(l, o))
				recall(l, p, o->publisher, o->time);
			l->counts.unresolved += !is_found(l, o);
			g_ptr_array_remove_index_fast(l->lookups, i);
		}
	}
}

static void add_fresh(struct tls_lookup *l, struct tls_process *p)
{
	struct fresh *fresh = g_new(struct fresh, 1);

	fresh->pid = p->pid;
	fresh->settled_ns = l->now_ns + SETTLED_NS;
	p->fresh = true;
	g_queue_push_tail(&l->fresh, fresh);
}

/* NULL where it is known already, or there are too many to be true. */
static struct mapped_object *add_mapped(struct tls_process *p, const struct mapped_object *as)
{
	struct mapped_object mapped = *as;

	if (!p->mapped) {
		p->mapped = g_array_new(FALSE, FALSE, sizeof(mapped));
		g_array_set_clear_func(p->mapped, mapped_clear);
	}
	for (guint i = 0; i < p->mapped->len; i++) {
		const struct mapped_object *known =
			&g_array_index(p->mapped, struct mapped_object, i);

		if (known->object == mapped.object && known->bias == mapped.bias)
			return NULL;
	}
	if (p->mapped->len == MAX_MAPPED)
		return NULL;
	mapped.path = g_strdup(as->path);
	g_array_append_val(p->mapped, mapped);
	return &g_array_index(p->mapped, struct mapped_object, p->mapped->len - 1);
}

/* Of what the main program's file @object defines, from the thread pointer. */
static s64 main_offset(const struct tls_lookup *l, const struct tls_object *object, u32 i)
{
	if (asked_at(l, i)->format == ACTIVITY_GO)
		return object->go.g_tpoff;
	return tls_main_tpoff(&object->segment, object->mention[i].symbol.value);
}

/* Its library is not there any more. */
static bool is_unloaded(const struct tls_process *p, u32 i)
{
	const struct origin *from = &p->origins[i];

	return p->publishers[i].found && from->object &&
	       find_presence(p->pid, from->object, from->bias) == IS_ELSEWHERE;
}

/*
 * The library of variable @i of @p was unloaded, at @time or earlier. Between the last time the
 * library was seen and @time, the variable may or may not have existed.
 */
static void withdraw(struct tls_lookup *l, struct tls_process *p, u32 i, u64 time)
{
	u64 since = MAX(p->checked_time, p->origins[i].time);

	p->publishers[i].found = false;
	if (since < time)
		tell(l, p, TLS_SOUGHT, i, since, 0);
	tell(l, p, TLS_WITHDRAWN, i, MAX(since, time), 0);
}

/* What @p has of the object @gone with load @bias is not there any more. */
static void unload(struct tls_lookup *l, struct tls_process *p, const struct tls_object *gone,
		   u64 bias, u64 time)
{
	for (guint m = p->mapped->len; m-- > 0;) {
		const struct mapped_object *mapped =
			&g_array_index(p->mapped, struct mapped_object, m);

		if (mapped->object == gone && mapped->bias == bias)
			g_array_remove_index(p->mapped, m);
	}
	for (u32 i = 0; i < l->asked->len; i++) {
		const struct origin *from = &p->origins[i];

		if (!p->publishers[i].found || from->object != gone || from->bias != bias)
			continue;
		withdraw(l, p, i, time);
		if (find_definer(p, i)) /* another library has one, too */
			open_a_lookup(l, p->pid, i, time);
	}
}

/*
 * A new mapping @map: of @object at @bias, or of a file that does not matter here. Libraries that
 * were mapped there before are unloaded. False if a newer mapping is there.
 */
static bool make_way(struct tls_lookup *l, struct tls_process *p, const struct event_mmap *map,
		     const struct tls_object *object, u64 bias, u64 time)
{
	for (guint m = p->mapped ? p->mapped->len : 0; m-- > 0;) {
		const struct mapped_object *there =
			&g_array_index(p->mapped, struct mapped_object, m);
		u64 begin = there->bias + there->object->begin;

		if (there->is_main || map->start + map->len <= begin ||
		    map->start >= there->bias + there->object->end)
			continue;
		if (there->time > time)
			return false;
		/* Another piece of its code. */
		if (there->object == object && there->bias == bias && there->start != map->start)
			continue;
		unload(l, p, there->object, there->bias, time);
		m = MIN(m, p->mapped->len);
	}
	return true;
}

/* @mapped is new in @p. What the main program defines is known by the file alone. */
static void look_at_mapped(struct tls_lookup *l, struct tls_process *p,
			   struct mapped_object *mapped, bool is_first, u64 time)
{
	bool is_main = mapped->object->program || is_first ||
		       is_main_program(l, p->pid, mapped->object);

	mapped->is_main = is_main;
	for (u32 i = 0; i < l->asked->len; i++) {
		const struct mention *m = &mapped->object->mention[i];
		struct tls_place place = { 0 };

		if (!(m->defines || m->slots))
			continue;
		if (m->defines && is_unloaded(p, i))
			withdraw(l, p, i, time);
		if (p->publishers[i].found)
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

static void note_block(struct tls_process *p, const struct tls_object *object, u64 time)
{
	struct tls_block block = { object, time };
	guint at;

	if (!p->blocks)
		p->blocks = g_array_new(FALSE, FALSE, sizeof(block));
	for (at = 0; at < p->blocks->len; at++) {
		if (g_array_index(p->blocks, struct tls_block, at).object == object)
			return; /* another piece of it */
	}
	while (at > 0 && g_array_index(p->blocks, struct tls_block, at - 1).time > time)
		at--;
	if (p->blocks->len < MAX_MAPPED)
		g_array_insert_val(p->blocks, at, block);
	else
		p->unordered = true;
}

/* Time 0 is that of what was there before the recording. */
static void note_mapping(struct tls_process *p, const struct tls_object *object, u64 time)
{
	p->unordered |= !time;
	if (object && object->has_tls)
		note_block(p, object, time);
	if (time && (!p->first_time || time < p->first_time))
		p->first_time = time;
	p->last_time = MAX(p->last_time, time);
}

/* Has there been an exec, or a new process of this number, since @time? */
static bool began_after(const struct tls_process *p, u64 time)
{
	return p && p->began > time;
}

/* Children that were forked since have @mapped, too. */
static void hand_down(struct tls_lookup *l, u32 parent, const struct mapped_object *mapped,
		      bool is_first)
{
	GHashTableIter it;
	gpointer child, value;

	g_hash_table_iter_init(&it, l->forks);
	while (g_hash_table_iter_next(&it, &child, &value)) {
		const struct fork *fork = value;
		struct tls_process *p = find_process(l, GPOINTER_TO_UINT(child));
		struct mapped_object *copy;

		if (fork->parent != parent || fork->time < mapped->time ||
		    began_after(p, fork->time))
			continue;
		p = get_process(l, GPOINTER_TO_UINT(child));
		p->began = fork->time;
		copy = add_mapped(p, mapped);
		if (copy)
			look_at_mapped(l, p, copy, is_first, fork->time);
	}
}

void tls_lookup_mmap(struct tls_lookup *l, const struct event_mmap *map, u64 time)
{
	struct tls_process *p = find_process(l, map->pid);
	struct mapped_object as = { .path = (char *)map->filename,
				    .start = map->start,
				    .time = time };
	struct mapped_object *mapped;
	bool is_first;

	if (time && p && time < p->began) /* of the program before */
		return;
	if (map->filename[0] != '/' || g_str_has_prefix(map->filename, "//anon")) {
		if (p)
			make_way(l, p, map, NULL, 0, time);
		return;
	}
	if (!p) {
		p = get_process(l, map->pid);
		add_fresh(l, p);
	}
	is_first = p->started;
	p->started = false;
	as.object = find_object(l, map);
	note_mapping(p, as.object, time);
	if (as.object && as.object->foreign && !p->foreign) {
		p->foreign = true;
		tell(l, p, TLS_FOREIGN, 0, time, 0);
	}
	if (!as.object || !as.object->mentions || !find_bias(as.object, map, &as.bias)) {
		make_way(l, p, map, NULL, 0, time);
		return;
	}
	mapped = make_way(l, p, map, as.object, as.bias, time) ? add_mapped(p, &as) : NULL;
	if (!mapped)
		return;
	look_at_mapped(l, p, mapped, is_first, time);
	hand_down(l, map->pid, mapped, is_first);
}

static void end_process(struct tls_lookup *l, struct tls_process *p, u64 time)
{
	close_lookups(l, p);
	if (p->absent || found_any(p) || p->sought)
		tell(l, p, TLS_GONE, 0, time, 0);
	g_hash_table_remove(l->processes, GUINT_TO_POINTER(p->pid));
}

/* What @p has mapped since @time; NULL for nothing. */
static GArray *take_mapped(struct tls_process *p, u64 time)
{
	GArray *taken = g_steal_pointer(&p->mapped);

	for (guint i = taken ? taken->len : 0; i-- > 0;) {
		if (g_array_index(taken, struct mapped_object, i).time < time)
			g_array_remove_index(taken, i);
	}
	return taken;
}

static GArray *take_blocks(struct tls_process *p, u64 time)
{
	GArray *taken = p->blocks ? g_array_copy(p->blocks) : NULL;

	for (guint i = taken ? taken->len : 0; i-- > 0;) {
		if (g_array_index(taken, struct tls_block, i).time < time)
			g_array_remove_index(taken, i);
	}
	return taken;
}

/*
 * Process @pid executes another program from @time on. If the exec was heard of late, what was
 * mapped since @time already belongs to the new program.
 */
static struct tls_process *begin_image(struct tls_lookup *l, u32 pid, u64 time)
{
	struct tls_process *p = find_process(l, pid), old = { 0 };
	g_autoptr(GArray) mapped = NULL, blocks = NULL;

	if (p) {
		mapped = take_mapped(p, time);
		blocks = take_blocks(p, time);
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
	p->blocks = g_steal_pointer(&blocks);
	for (guint i = 0; mapped && i < mapped->len; i++) {
		struct mapped_object *copy =
			add_mapped(p, &g_array_index(mapped, struct mapped_object, i));

		if (copy)
			look_at_mapped(l, p, copy, false, copy->time);
	}
	return p;
}

void tls_lookup_exec(struct tls_lookup *l, u32 pid, u64 time)
{
	const struct tls_process *p = find_process(l, pid);

	if (began_after(p, time))
		return;
	g_hash_table_remove(l->forks, GUINT_TO_POINTER(pid));
	add_fresh(l, begin_image(l, pid, time));
}

/* Returns a bit for each publisher that @parent had at @time and @child has from now on. */
static u32 inherit_publishers(const struct tls_process *parent, struct tls_process *child, u64 time)
{
	u32 taken = 0;

	for (u32 i = 0; i < TLS_PUBLISHERS; i++) {
		if (!parent->publishers[i].found || parent->origins[i].time > time ||
		    child->publishers[i].found)
			continue;
		child->publishers[i] = parent->publishers[i];
		child->publishers[i].object = g_strdup(parent->publishers[i].object);
		child->origins[i] = parent->origins[i];
		child->origins[i].time = time;
		taken |= 1u << i;
	}
	return taken;
}

/* What @parent had at @time is @child's as well. */
static void inherit(struct tls_lookup *l, const struct tls_process *parent,
		    struct tls_process *child, u64 time)
{
	u32 taken;

	for (guint i = 0; i < parent->mapped->len; i++) {
		const struct mapped_object *m =
			&g_array_index(parent->mapped, struct mapped_object, i);

		if (m->time <= time)
			add_mapped(child, m);
	}
	child->checked_time = time;
	child->unordered = parent->unordered;
	if (parent->blocks && !child->blocks)
		child->blocks = g_array_copy(parent->blocks);
	taken = inherit_publishers(parent, child, time);
	for (u32 i = 0; i < TLS_PUBLISHERS; i++) {
		if (taken >> i & 1)
			tell(l, child, TLS_FOUND, i, time, parent->pid);
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
	struct tls_process *parent, *child;

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
	struct tls_process *p;

	if (task->pid != task->tid)
		return;
	p = find_process(l, task->pid);
	if (began_after(p, time)) /* another process by now */
		return;
	g_hash_table_remove(l->forks, GUINT_TO_POINTER(task->pid));
	if (p && !(found_any(p) && has_other_threads(l, task->pid)))
		end_process(l, p, time);
}

bool tls_lookup_program(struct tls_lookup *l, const char *path, struct tls_publisher *all, u64 *dev,
			u64 *ino)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct tls_object *object;
	bool any = false;

	if (fd < 0)
		return false;
	object = g_new0(struct tls_object, 1);
	read_object(l, fd, object);
	close(fd);
	*dev = object->dev;
	*ino = object->ino;
	for (u32 i = 0; i < l->asked->len && object->mentions; i++) {
		const struct mention *m = &object->mention[i];

		all[i] = (struct tls_publisher){ .go = object->go };
		if (!m->defines)
			continue;
		all[i].place.offset = main_offset(l, object, i);
		all[i].found = place_layout(l, i, m, &all[i].place, &all[i].placed, NULL);
		any |= all[i].found;
	}
	object_free(object);
	return any;
}

struct map_walk {
	struct tls_lookup *l;
	u32 pid;
	u64 time;
	bool missed; /* an object that would have been looked at, and was not heard of */
};

static struct event_mmap mmap_of(const struct proc_map *map, u32 pid)
{
	return (struct event_mmap){
		.pid = pid,
		.tid = pid,
		.start = map->start,
		.len = map->end - map->start,
		.pgoff = map->pgoff,
		.maj = map->maj,
		.min = map->min,
		.ino = map->ino,
		.has_inode = true,
		.filename = map->name,
	};
}

static bool walk_map(const struct proc_map *map, void *arg)
{
	struct map_walk *walk = arg;
	struct event_mmap mmap = mmap_of(map, walk->pid);

	tls_lookup_mmap(walk->l, &mmap, walk->time);
	return true;
}

void tls_lookup_process(struct tls_lookup *l, u32 pid)
{
	struct map_walk walk = { .l = l, .pid = pid };

	proc_maps(l->paths, (pid_t)pid, false, walk_map, &walk, NULL);
}

static bool is_missed(const struct map_walk *walk, const struct event_mmap *mmap)
{
	const struct tls_process *p = find_process(walk->l, walk->pid);
	const struct tls_object *object =
		mmap->filename[0] == '/' && !g_str_has_prefix(mmap->filename, "//anon")
			? find_object(walk->l, mmap)
			: NULL;

	if (!object || !object->mentions)
		return false;
	for (guint i = 0; p && p->mapped && i < p->mapped->len; i++)
		if (g_array_index(p->mapped, struct mapped_object, i).object == object)
			return false;
	return true;
}

static bool find_missed(const struct proc_map *map, void *arg)
{
	struct map_walk *walk = arg;
	struct event_mmap mmap = mmap_of(map, walk->pid);

	walk->missed = is_missed(walk, &mmap);
	return !walk->missed;
}

static bool walk_missed(const struct proc_map *map, void *arg)
{
	struct map_walk *walk = arg;
	struct event_mmap mmap = mmap_of(map, walk->pid);

	if (is_missed(walk, &mmap))
		tls_lookup_mmap(walk->l, &mmap, walk->time);
	return true;
}

void tls_lookup_missed(struct tls_lookup *l, u32 pid, u64 time)
{
	struct map_walk walk = { .l = l, .pid = pid, .time = time };
	const struct tls_process *p = find_process(l, pid);

	proc_maps(l->paths, (pid_t)pid, false, find_missed, &walk, NULL);
	if (!walk.missed)
		return;
	if (p && p->mapped && p->mapped->len) {
		proc_maps(l->paths, (pid_t)pid, false, walk_missed, &walk, NULL);
		return;
	}
	/* Of what is known nothing matters: it may have been another program. */
	tls_lookup_exec(l, pid, time);
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
		struct tls_process *p = find_process(l, fresh->pid);

		if (!p || !p->fresh)
			continue;
		p->fresh = false;
		if (found_any(p) || p->started || has_open_lookup(l, p->pid))
			continue;
		p->absent = true;
		tell(l, p, TLS_ABSENT, 0, 0, 0);
	}
}

/* Are the libraries of @p there of which variables were found? */
static bool has_libraries(const struct tls_process *p)
{
	for (u32 i = 0; i < TLS_PUBLISHERS; i++) {
		if (is_unloaded(p, i))
			return false;
	}
	return true;
}

/*
 * A library that is not there was unloaded, or the process executes another program, which is
 * heard of in a moment. Samples that were taken before this look may still wait in the rings, so the
 * time from which on it is known to be gone comes from the next retry: date_missing().
 */
static void check_libraries(struct tls_lookup *l, struct tls_process *p)
{
	if (has_libraries(p)) {
		p->checked_time = MAX(p->checked_time, l->time);
		p->missed_ns = p->missed_time = 0;
	} else if (!p->missed_ns) {
		p->missed_ns = l->now_ns;
		g_hash_table_add(l->missing, GUINT_TO_POINTER(p->pid));
	} else if (p->missed_time && l->now_ns >= p->missed_ns + SURE_NS) {
		for (u32 i = 0; i < l->asked->len; i++) {
			if (is_unloaded(p, i))
				unload(l, p, p->origins[i].object, p->origins[i].bias,
				       p->missed_time);
		}
		p->missed_ns = p->missed_time = 0;
	}
}

/*
 * All samples that were taken before the library was missed have passed by now: l->time is the time
 * of the newest of them, or later. Rings that overwrite pass no samples before the end.
 */
static gboolean date_missing(gpointer pid, gpointer value, gpointer arg)
{
	struct tls_lookup *l = arg;
	struct tls_process *p = find_process(l, GPOINTER_TO_UINT(pid));

	(void)value;
	if (!p || !p->missed_ns)
		return TRUE;
	p->missed_time = l->time ? l->time + 1 : 0;
	return p->missed_time != 0;
}

/* Some of the processes if they are many: the next ones at the next time. */
static void check_processes(struct tls_lookup *l)
{
	u32 nr = g_hash_table_size(l->processes), at = 0;
	GHashTableIter it;
	gpointer value;

	l->checked_ns = l->now_ns;
	if (l->next_check >= nr)
		l->next_check = 0;
	g_hash_table_iter_init(&it, l->processes);
	while (g_hash_table_iter_next(&it, NULL, &value)) {
		if (at >= l->next_check && at < l->next_check + CHECKS && found_any(value))
			check_libraries(l, value);
		at++;
	}
	l->next_check += CHECKS;
}

/*
 * A fresh finding becomes settled when all samples from before the BPF program knew it have passed:
 * l->time is the time of the newest of them, or later. Rings that overwrite pass no samples before
 * the end.
 */
static gboolean settle_fresh(gpointer pid, gpointer value, gpointer arg)
{
	struct tls_lookup *l = arg;
	struct tls_process *p = find_process(l, GPOINTER_TO_UINT(pid));
	u32 fresh = p ? p->fresh_found : 0;

	(void)value;
	if (!fresh || !l->time || p->settles_in-- > 1)
		return !fresh;
	p->fresh_found = 0;
	for (u32 i = 0; i < TLS_PUBLISHERS; i++) {
		if (fresh >> i & 1 && p->publishers[i].found)
			tell(l, p, TLS_SETTLED, i, MAX(l->time + 1, p->origins[i].time), 0);
	}
	return TRUE;
}

void tls_lookup_retry(struct tls_lookup *l, u64 now_ns, u64 time)
{
	l->now_ns = now_ns;
	l->time = time;
	g_hash_table_foreach_remove(l->unsettled, settle_fresh, l);
	g_hash_table_foreach_remove(l->missing, date_missing, l);
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
	if (now_ns >= l->checked_ns + CHECK_NS)
		check_processes(l);
}

void tls_lookup_each(struct tls_lookup *l, tls_news_fn fn, void *arg)
{
	GHashTableIter it;
	gpointer value;

	g_hash_table_iter_init(&it, l->processes);
	while (g_hash_table_iter_next(&it, NULL, &value)) {
		const struct tls_process *p = value;
		struct tls_news news = { .pid = p->pid, .all = p->publishers };

		for (u32 i = 0; i < TLS_PUBLISHERS; i++) {
			bool found = p->publishers[i].found;

			news.number = i;
			news.change = found ? TLS_FOUND : TLS_SOUGHT;
			news.publisher = found ? &p->publishers[i] : NULL;
			if (found || p->sought >> i & 1)
				fn(&news, arg);
		}
	}
}
