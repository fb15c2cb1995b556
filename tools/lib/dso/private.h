/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shared by the sources of this folder. Only they include this.
 *
 * A dso's contents are loaded in steps: the file with the code, the debug file, the symbols, DWARF, lines. Each step is
 * done at most once, under the dso's lock. A step has a flag. If the flag is set (read it with g_atomic), the step's
 * fields may be read without the lock, and nobody writes them any more, not even the same value.
 *
 * Layers, from the bottom: dso.c (names, lock); process.c, files.c (find files); vdso.c, jitmap.c, kernel_text.c, kernel.c,
 * module.c (one kind of dso each); kernel_btf.c (DWARF made of BTF); steps.c (does a step for any kind); debug.c (DWARF); lines.c; dsos.c (the table, which frees
 * everything).
 */
#ifndef DSO_PRIVATE_H
#define DSO_PRIVATE_H

#include <glib.h>
#include <pthread.h>

#include "base/table.h"
#include "dso/dso.h"
#include "dso/image.h"
#include "dso/symtab.h"

struct absence {
	enum dso_absent why;
	char *text;
};

struct lines;
struct module_file;
struct module_syms;

struct dsos {
	struct dso_options options;
	struct dsos *first; /* the table whose `all` has this table's dsos; usually this table */
	pthread_mutex_t lock;
	GPtrArray *all;	     /* id -> struct dso * */
	GPtrArray *blocks;   /* struct dso[DSOS_PER_BLOCK], this table's own */
	u32 nr;		     /* in blocks */
	struct table by_key; /* long name and recorded build-id -> position in blocks */
	GHashTable *known;   /* long name -> struct build_id * */
	GStringChunk *texts; /* names */
	GPtrArray *opened;   /* struct dso *, those with contents */
	GPtrArray *beside;   /* struct dsos *: of the first, which frees them */
	struct dso *kernel;  /* the first DSO_KERNEL entered: an atomic pointer */
};

/*
 * A profile may name a million files but have samples in only a few. So this struct is small, and the contents are
 * allocated at the first question that needs the file.
 */
struct dso {
	struct dsos *table;
	const char *long_name;	       /* as recorded: a path to open */
	const char *shown_name;	       /* the same, escaped for the terminal; may be == long_name */
	const char *short_name;	       /* escaped, too; may point into shown_name */
	struct dso_contents *contents; /* an atomic pointer: use in() */
	u32 id;
	u32 pids[2]; /* processes that have mapped the file, the first one and the last one; atomic; 0: none */
	u64 ino;		  /* the file's inode in the last one; atomic; 0: not known */
	struct build_id recorded; /* protected by the table's lock; use dso_final_id() */
	enum dso_kind kind : 8;
	bool unknown;	  /* the recorder did not find the file: the name may be another one's */
	bool by_contents; /* the file has no build-id: recorded is build_id_of_contents(), or absent */
};

struct dso_contents {
	pthread_mutex_t lock; /* recursive */
	bool id_final;	      /* dso_final_id() was called; protected by the table's lock */

	GPtrArray *texts; /* struct kernel_text *: the kernel's, dso_add_text() */

	int code_done; /* step 1 */
	struct image *code;
	struct absence no_code;

	int debug_done;	     /* step 2 */
	struct image *debug; /* may be == code */
	struct absence no_debug;

	struct symtab *symtab; /* step 3: an atomic pointer */
	char origin;	       /* dso_symbols_origin(); 0: no symbols */
	struct absence no_symbols;
	struct image *mini;	/* .gnu_debugdata */
	GPtrArray *old_symtabs; /* replaced ones: callers may still use their symbols */
	GArray *extra;		/* struct extra_symbol */

	int dwarf_done; /* step 4 */
	Dwarf *dwarf, *alt;
	Elf *dwarf_elf;
	GBytes *by_btf; /* what dwarf_elf was made of; NULL: a file */
	struct image *alt_image, *package;
	Elf *alt_elf;
	bool package_done;
	Dwarf_Addr dwarf_bias;
	int cfi_done;
	Dwarf_CFI *eh_cfi, *debug_cfi;
	Dwarf_Addr debug_cfi_bias;

	struct module_file *module; /* a kernel module's relocatable file */

	char *reference; /* the kernel's, dso_kernel_reference() */
	u64 reference_va;
	u64 kernel_bias;		 /* va - vaddr, known once the symbols are */
	struct module_syms *module_syms; /* the kernel's: its modules' in kallsyms */

	struct lines *lines;
};

/* The contents of @dso. The first call allocates them and adds them to the table. */
struct dso_contents *dso_make_contents(const struct dso *dso);

static inline struct dso_contents *in(const struct dso *dso)
{
	return __atomic_load_n(&dso->contents, __ATOMIC_ACQUIRE) ?: dso_make_contents(dso);
}

/* Are this dso's symbols shown demangled? */
static inline bool dso_demangles(const struct dso *dso)
{
	const struct dso_options *options = &dso->table->options;
	bool kernel = dso->kind == DSO_KERNEL || dso->kind == DSO_MODULE;

	return !options->no_demangle && (!kernel || options->demangle_kernel);
}

/*
 * The recorded build-id, for the search of files. From the first call on it does not change any more, so that the code,
 * the debug file and the symbols are of one build.
 */
const struct build_id *dso_final_id(const struct dso *dso);

struct extra_symbol {
	u64 start, size;
	const char *name; /* interned */
};

/* files.c: finds files. Each function returns an opened image, or NULL and the reason. */
struct image *files_find_code(struct dso *dso, struct absence *absence);
struct image *files_find_debug(struct dso *dso, const struct image *code, struct absence *absence);
/* The file with that name in the build-id cache: a path to free, or NULL. */
char *files_in_cache(const struct dso *dso, const struct build_id *id, const char *name);
/* An alternate debug file (dwz) of @image. */
struct image *files_find_alt(struct dso *dso, const struct image *image, const char *name,
			     const struct build_id *id);
/* Opens @path if it has the build-id @wanted (NULL or absent: any). NULL with the reason in @absence. */
struct image *files_open(const char *path, const struct build_id *wanted, struct absence *absence);
/*
 * process.c: a thread of process @pid that has not ended: the first one, if it goes on. Its paths are in /proc/TID. @pid itself:
 * none is found.
 */
u32 process_thread(u32 pid);
/* The file as a process sees it that has mapped it and still runs. NULL: none, or it is another file. */
struct image *process_find_code(struct dso *dso);
/* @path as such a process sees it, such as a debug file in its container: a path to free. NULL: no such process. */
char *process_path(struct dso *dso, const char *path);
/* A process that has mapped the file still runs, but sees other mounts than this one. 0: none. */
u32 process_elsewhere(struct dso *dso);

/* @path below symfs where one is set. To free. */
char *files_under_symfs(const struct dso_options *options, const char *path);

/* The name of @image for messages: its path; for a file in the build-id cache, @dso's name. */
const char *files_name(const struct dso *dso, const struct image *image);

void absence_set(struct absence *a, enum dso_absent why, const char *fmt, ...) G_GNUC_PRINTF(3, 4);
void absence_clear(struct absence *a);
struct dso_absence absence_shown(const struct absence *a);

/* What the user can do about missing debug information, besides installing a package: " or set DEBUGINFOD_URLS". */
const char *files_hint_about_servers(void);

/*
 * debuginfod.c: the file of a program or, with @debuginfo, that of its debug information. A path to free; NULL: no server has it, or may be asked
 * (dso/debuginfod.h).
 */
char *debuginfod_find(const struct build_id *id, bool debuginfo);

/* minidebug.c: the ELF inside .gnu_debugdata, NULL where there is none. */
struct image *minidebug_open(const struct image *image);

/* kernel.c: kernel and module symbols; NULL and why. @vmlinux: the dso's code, or NULL. */
struct symtab *kernel_load_symbols(struct dso *dso, const struct image *vmlinux,
				   struct absence *absence);
struct image *kernel_find_vmlinux(struct dso *dso, struct absence *absence);
struct symtab *kernel_module_symbols(struct dso *kernel, const char *module, u64 base,
				     struct absence *absence);
void kernel_free_modules(struct module_syms *m);

/* kernel_text.c: the kernel's code as recorded; NULL and why. */
struct image *kernel_text_image(struct dso *dso, struct absence *absence);
void kernel_text_free(void *text);

/* kernel_btf.c: opens a translation of the kernel's BTF. out: *@elf and the *@bytes it needs. NULL and why. */
/* kernel_globals.c: struct btf_global, sorted by address. To free with g_array_unref(). */
struct btf;
struct btf_code;
GArray *kernel_globals(struct dso *dso, const struct btf *btf, const struct btf_code *code);
Dwarf *kernel_btf_dwarf(struct dso *dso, Elf **elf, GBytes **bytes, struct absence *absence);
/* The same of a module, whose BTF has the kernel's as its base. */
Dwarf *module_btf_dwarf(struct dso *dso, Elf **elf, GBytes **bytes, struct absence *absence);

/* module.c; all under the dso's lock */
struct symtab *module_load_symbols(struct dso *dso, struct absence *absence);
Dwarf *module_dwarf(struct dso *dso, Dwarf_Addr *bias);
Elf *module_elf(struct dso *dso);
const char *module_path(struct dso *dso);
/* The vaddr of an offset from the module's load address. */
u64 module_vaddr(struct dso *dso, u64 offset);
const u8 *module_code(struct dso *dso, u64 vaddr, size_t *left);
bool module_externals(struct dso *dso, u64 *low, u64 *high);
void module_close(struct module_file *m);

/* origin.c: the letter of symbols read from @image, from a module's file */
char origin_of(const struct dso *dso, const struct image *image);
char origin_of_module(const struct dso *dso, const char *path);

/* vdso.c */
struct image *vdso_open(const char *name, const struct build_id *wanted, struct absence *absence);

/* jitmap.c */
struct symtab *jitmap_load(const struct dso *dso, struct absence *absence);

/* debug.c */
void debug_close(struct dso *dso);

/* lines.c */
void lines_free(struct lines *lines);

#endif
