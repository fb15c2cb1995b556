/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The table of dsos: all object files of a profile.
 *
 * dso is perf's word for executables, libraries, the kernel, its modules, the vdso, and regions without a file. The key
 * of a dso is its name and build-id. No file is opened here: a dso looks for its file at the first question that needs
 * it (dso/dso.h). The machine knows at which addresses processes have mapped the dsos.
 *
 * All functions are thread-safe.
 */
#ifndef DSO_DSOS_H
#define DSO_DSOS_H

#include "base/types.h"
#include "dso/buildid.h"

enum dso_kind {
	DSO_USER,   /* a file mapped by a process */
	DSO_KERNEL, /* "[kernel.kallsyms]" */
	DSO_MODULE, /* "[ext4]" or "/lib/modules/6.1.0/kernel/fs/ext4/ext4.ko" */
	DSO_VDSO,   /* "[vdso]", "[vdso32]" */
	DSO_ANON,   /* memory without a file: "//anon", "[heap]", "[stack]" */
	DSO_JIT,    /* executable memory without a file: symbols from /tmp/perf-PID.map */
	DSO_BPF,    /* code that the kernel generated: one symbol, named by a KSYMBOL record */
	DSO_GUEST_KERNEL, /* "[guest.kernel.kallsyms]" */
};

struct open_files;
struct packed;

/* Paths for the search of files. Strings are copied; NULL: the default. */
struct dso_options {
	const char *symfs;	 /* a root folder: the recorded paths are below it */
	bool symfs_flat;	 /* all files are directly in symfs, by their base names */
	const char *vmlinux;	 /* the kernel's ELF file */
	const char *kallsyms;	 /* a copy of /proc/kallsyms */
	const char *buildid_dir; /* the build-id cache; default ~/.debug */
	const char *debug_dir;	 /* default /usr/lib/debug */
	struct open_files *
		held; /* dso/open_files.h: files that are open; used instead of their paths. NULL: none */
	struct packed *packed; /* dso/packed.h: files that come before all others; NULL: none */
	bool no_vmlinux;       /* never look for a vmlinux on this machine */
	bool no_demangle;      /* do not demangle C++ and Rust symbols */
	bool force;	       /* read JIT maps of any owner, though they are not trusted */
	bool demangle_kernel;  /* demangle the kernel's symbols too */
	bool no_unnamed; /* functions of stripped files without a name have no symbol (symbol_is_unnamed()) */
};

struct dsos;
struct dso;

struct dsos *dsos_new(const struct dso_options *options);
/*
 * A second table, for the profile of another machine. It is filled like the first one, possibly by another thread. Then
 * dsos_join() gives its dsos ids that continue those of @first. After that, no dsos may be added. Each table has its
 * own build-ids from dsos_know_build_id(). Free it before @first, which owns the dsos.
 */
struct dsos *dsos_new_beside(struct dsos *first, const struct dso_options *options);
/*
 * Join the tables one after the other: ids depend only on the order of the calls. A file whose build-id is in @first is
 * the same dso from now on. A kernel and its modules are the same only if they had the same addresses.
 */
void dsos_join(struct dsos *beside);
/* For @dso of a joined table: the same file's dso in the first table, or @dso if there is none. */
struct dso *dsos_joined(const struct dso *dso);
void dsos_free(struct dsos *dsos);

/*
 * Finds or adds the dso called @long_name with that build-id. @build_id_size 0: none was recorded; then the build-id
 * from dsos_know_build_id() for that name is used, if there is one. Only zeros: the recorder could not find the
 * file any more; then no file is looked for, since the name may be another one's. Never NULL. The dso lives until
 * dsos_free().
 */
struct dso *dsos_get(struct dsos *dsos, const char *long_name, const u8 *build_id,
		     size_t build_id_size, enum dso_kind kind);

/*
 * The same for a file that has no build-id, as the recorder saw. @contents: its build_id_of_contents(), by which copies of it
 * are found; absent: not known, the name decides.
 */
struct dso *dsos_get_by_contents(struct dsos *dsos, const char *long_name,
				 const struct build_id *contents);

/*
 * States the build-id of every dso called @long_name that has no recorded one. It comes from the build-id table in a
 * file's header. It applies to existing dsos and to those added later.
 */
void dsos_know_build_id(struct dsos *dsos, const char *long_name, const u8 *build_id,
			size_t build_id_size);

/* The first kernel (DSO_KERNEL) that was added; NULL: none. */
struct dso *dsos_kernel(const struct dsos *dsos);

/* The number of dsos. Ids are 0, 1, 2, ... in the order in which dsos were added. */
u32 dsos_count(struct dsos *dsos);
struct dso *dsos_at(struct dsos *dsos, u32 id);

#endif
