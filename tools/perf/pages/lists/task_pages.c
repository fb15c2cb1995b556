// SPDX-License-Identifier: GPL-2.0-or-later
#include "pages/lists/task_pages.h"

#include <sys/mman.h>

#include "base/table.h"
#include "dso/buildid.h"
#include "dso/dso.h"
#include "machine/machine.h"
#include "pages/base/list_rows.h"
#include "perfdata/read/reader.h"

static const struct rows_column columns[TASK_NR_MAP_COLUMNS] = {
	[TASK_PID] = { "pid", "pid", .kind = CELL_ID, .right = true },
	[TASK_TID] = { "tid", "tid", .kind = CELL_ID, .right = true },
	[TASK_PPID] = { "ppid", "ppid", .kind = CELL_ID, .right = true },
	[TASK_COMM] = { "comm", "comm", .kind = CELL_TEXT, .tree = true },
	[TASK_START] = { "start", "start", .kind = CELL_ADDRESS, .right = true },
	[TASK_END] = { "end", "end", .kind = CELL_ADDRESS, .right = true },
	[TASK_PROT] = { "prot", "prot", .kind = CELL_TEXT },
	[TASK_PGOFF] = { "pgoff", "offset", .kind = CELL_ADDRESS, .right = true },
	[TASK_FILE_ID] = { "file_id", "inode or build-id", .kind = CELL_TEXT },
	[TASK_FILE] = { "file", "file", .kind = CELL_TEXT },
};

/* A row: a thread, or one of its maps. */
struct task_line {
	const struct thread *thread;
	const struct map *map; /* NULL: the row is the thread */
	u64 start, end;
};

struct task_pages {
	struct pages pages;
	struct machine *machine;
	GPtrArray *threads; /* const struct thread *, sorted by pid and tid */
	bool maps;
};

static const struct task_pages *of(const struct pages *pages)
{
	return container_of(pages, struct task_pages, pages);
}

struct task_page {
	struct machine *machine;
	struct rows *rows;
	GArray *lines;	      /* struct task_line */
	GHashTable *children; /* tid -> GPtrArray of const struct thread *: its children */
	GHashTable *done;     /* const struct thread * */
	bool maps;
};

static const struct task_line *line_at(const struct task_page *p, u32 i)
{
	return &g_array_index(p->lines, struct task_line, i);
}

static void task_cell(const void *arg, u32 i, u32 column, u32 part, struct cell *out)
{
	const struct task_line *line = line_at(arg, i);
	const struct thread *thread = line->thread;

	if ((column < TASK_NR_COLUMNS) != !line->map) {
		out->kind = CELL_NONE;
	} else if (column <= TASK_PPID) {
		u32 id = column == TASK_PID   ? thread->pid
			 : column == TASK_TID ? thread->tid
					      : thread->ppid;

		out->number = (u64)(s64)(s32)id;
		out->is_signed = true;
	} else if (column == TASK_START) {
		out->number = line->start;
	} else if (column == TASK_END) {
		out->number = line->end;
	} else if (column == TASK_PGOFF) {
		out->number = line->map->pgoff + (line->start - line->map->start);
	}
}

/* Appends what the record has to identify the file: inode or build-id. */
static void append_file_id(const struct map *map, GString *out)
{
	const struct build_id id = dso_recorded_build_id(map->dso);
	char hex[BUILD_ID_HEX];

	if (map->ino || !id.size) {
		g_string_append_printf(out, "%" G_GUINT64_FORMAT, map->ino);
		return;
	}
	build_id_hex(&id, hex);
	g_string_append(out, hex);
}

static void task_text(const void *arg, u32 i, u32 column, u32 part, GString *out)
{
	const struct task_page *p = arg;
	const struct task_line *line = line_at(p, i);
	const struct map *map = line->map;

	if (column == TASK_COMM)
		g_string_append(out, machine_comm(p->machine, line->thread, UINT64_MAX));
	else if (column == TASK_PROT)
		g_string_append_printf(out, "%c%c%c%c", map->prot & PROT_READ ? 'r' : '-',
				       map->prot & PROT_WRITE ? 'w' : '-',
				       map->prot & PROT_EXEC ? 'x' : '-',
				       map->flags & MAP_SHARED ? 's' : 'p');
	else if (column == TASK_FILE_ID)
		append_file_id(map, out);
	else
		g_string_append(out, dso_long_name(map->dso));
}

static u64 task_key(const void *arg, u32 i)
{
	const struct task_line *line = line_at(arg, i);

	if (line->map)
		return line->start;
	return table_mix((u64)line->thread->pid << 32 | line->thread->tid, line->thread->start);
}

struct adding_maps {
	struct task_page *page;
	const struct thread *thread;
	u32 parent;
};

static void add_map(const struct map *map, u64 start, u64 end, void *arg)
{
	const struct adding_maps *a = arg;
	struct task_line line = { a->thread, map, start, end };

	g_array_append_val(a->page->lines, line);
	list_rows_add(a->page->rows, a->parent);
}

/* More than any real process tree has. A damaged file may have two processes that are each other's parent. */
#define MAX_DEPTH 64

static void add_below(struct task_page *p, const struct thread *thread, u32 parent, u32 depth)
{
	const GPtrArray *children = g_hash_table_lookup(p->children, GUINT_TO_POINTER(thread->tid));
	struct task_line line = { .thread = thread };
	struct adding_maps a = { p, thread, 0 };

	if (!g_hash_table_add(p->done, (void *)thread))
		return;
	g_array_append_val(p->lines, line);
	a.parent = list_rows_add(p->rows, parent);
	if (p->maps && thread->pid == thread->tid)
		machine_each_map(p->machine, thread, thread->end ? thread->end - 1 : 0, add_map,
				 &a);
	for (u32 k = 0; children && k < children->len && depth < MAX_DEPTH; k++)
		add_below(p, g_ptr_array_index(children, k), a.parent, depth + 1);
}

/* Adds the thread to the children of its parent, or to the roots. */
static void file_thread(struct task_page *p, const struct thread *thread, GPtrArray *roots,
			GHashTable *tids)
{
	gpointer parent = GUINT_TO_POINTER(thread->ppid);
	GPtrArray *children;

	if (thread->ppid == thread->tid || !g_hash_table_contains(tids, parent)) {
		g_ptr_array_add(roots, (void *)thread);
		return;
	}
	children = g_hash_table_lookup(p->children, parent);
	if (!children) {
		children = g_ptr_array_new();
		g_hash_table_insert(p->children, parent, children);
	}
	g_ptr_array_add(children, (void *)thread);
}

static void add_all(struct task_page *p, const GPtrArray *threads)
{
	g_autoptr(GPtrArray) roots = g_ptr_array_new();
	g_autoptr(GHashTable) tids = g_hash_table_new(NULL, NULL);

	for (u32 i = 0; i < threads->len; i++) {
		const struct thread *thread = g_ptr_array_index(threads, i);

		g_hash_table_add(tids, GUINT_TO_POINTER(thread->tid));
	}
	for (u32 i = 0; i < threads->len; i++)
		file_thread(p, g_ptr_array_index(threads, i), roots, tids);
	for (u32 i = 0; i < roots->len; i++)
		add_below(p, g_ptr_array_index(roots, i), LIST_TOP, 1);
	/* The remaining threads form circles: each is the other's parent. */
	for (u32 i = 0; i < threads->len; i++)
		add_below(p, g_ptr_array_index(threads, i), LIST_TOP, 1);
}

static void task_page_free(void *arg)
{
	struct task_page *p = arg;

	g_array_unref(p->lines);
	g_hash_table_destroy(p->children);
	g_hash_table_destroy(p->done);
	g_free(p);
}

static struct page *open_page(struct pages *pages, u32 i)
{
	static const struct list_ops ops = { task_cell, task_text, task_key };
	const struct task_pages *t = of(pages);
	struct page *page = page_new(g_strdup(t->maps ? "maps" : "tasks"));
	struct task_page *p = g_new0(struct task_page, 1);

	p->machine = t->machine;
	p->maps = t->maps;
	p->lines = g_array_new(FALSE, FALSE, sizeof(struct task_line));
	p->children = g_hash_table_new_full(NULL, NULL, NULL, (GDestroyNotify)g_ptr_array_unref);
	p->done = g_hash_table_new(NULL, NULL);
	page->own = p;
	page->free_own = task_page_free;
	page->rows = p->rows =
		list_rows_new(columns, t->maps ? TASK_NR_MAP_COLUMNS : TASK_NR_COLUMNS, &ops, p);
	p->rows->sparse = t->maps;
	add_all(p, t->threads);
	return page;
}

static void task_pages_free(struct pages *pages)
{
	struct task_pages *t = (struct task_pages *)of(pages);

	g_ptr_array_unref(t->threads);
	pages_release(pages);
	g_free(t);
}

static int compare_threads(const void *a, const void *b)
{
	const struct thread *x = *(const struct thread *const *)a;
	const struct thread *y = *(const struct thread *const *)b;

	if (x->pid != y->pid)
		return x->pid < y->pid ? -1 : 1;
	if (x->tid != y->tid)
		return x->tid < y->tid ? -1 : 1;
	return x->start < y->start ? -1 : x->start > y->start;
}

static bool nothing(const struct event *event, const struct place *place, void *arg, GError **error)
{
	return true;
}

struct pages *task_pages_new(struct session *session, bool maps, GError **error)
{
	static const struct pages_ops ops = { .open = open_page, .free = task_pages_free };
	struct machine *m = session_machine(session);
	struct task_pages *t;

	if (perfdata_is_pipe(session_perfdata(session)) &&
	    !session_each_event(session, 0, false, nothing, NULL, error))
		return NULL;
	t = g_new0(struct task_pages, 1);
	pages_init(&t->pages, &ops, "report", maps ? "maps" : "tasks");
	t->machine = m;
	t->maps = maps;
	t->threads = g_ptr_array_new();
	for (u32 i = 0; i < machine_nr_threads(m); i++)
		g_ptr_array_add(t->threads, (void *)machine_thread_at(m, i));
	g_ptr_array_sort(t->threads, compare_threads);
	t->pages.nr = 1;
	return &t->pages;
}
