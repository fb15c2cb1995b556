/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which object files does this profile speak of?
 *
 * The table of dsos (perf's word: executables, libraries, the kernel, its modules, the
 * vdso, regions without a file), each entered once under its name and build-id. Nothing
 * is opened here: a dso looks for its file when it is first asked for something in it
 * (dso/dso.h). Which of them lies where in whose memory is the machine's business.
 *
 * All functions may be called from several threads at once.
 */
#ifndef DSO_DSOS_H
#define DSO_DSOS_H

#include "base/types.h"
#include "dso/buildid.h"

enum dso_kind {
	DSO_USER,	  /* a file mapped by a process */
	DSO_KERNEL,	  /* "[kernel.kallsyms]" */
	DSO_MODULE,	  /* "[ext4]" or "/lib/modules/6.1.0/kernel/fs/ext4/ext4.ko" */
	DSO_VDSO,	  /* "[vdso]", "[vdso32]" */
	DSO_ANON,	  /* memory without a file: "//anon", "[heap]", "[stack]" */
	DSO_JIT,	  /* executable memory without a file: symbols from /tmp/perf-PID.map */
	DSO_BPF,	  /* code made in the kernel, named by a KSYMBOL record: one symbol */
	DSO_GUEST_KERNEL, /* "[guest.kernel.kallsyms]" */
};

/* Where to look for files. Strings are copied; NULL takes the default. */
struct dso_options {
	const char *symfs;	 /* a folder that holds the files under their recorded names */
	bool symfs_flat;	 /* all files lie in symfs itself, under their last names */
	const char *vmlinux;	 /* the kernel's ELF file */
	const char *kallsyms;	 /* a copy of /proc/kallsyms */
	const char *buildid_dir; /* the build-id cache; default ~/.debug */
	const char *debug_dir;	 /* default /usr/lib/debug */
	bool no_vmlinux;	 /* never look for a vmlinux on this machine */
	bool no_demangle;	 /* names of C++ and Rust symbols as in the file */
	bool force;		 /* JIT maps of any owner, which may say anything */
	bool demangle_kernel;	 /* demangle the kernel's symbols too */
};

struct dsos;
struct dso;

struct dsos *dsos_new(const struct dso_options *options);
/*
 * For another machine's profile beside that of @first. It is filled like a table of its own, by another thread
 * perhaps; then dsos_join() gives its dsos ids, which go on from those of @first. From there on nothing is
 * entered. Build-ids known by name are this one's own. To be freed before @first, which keeps the dsos.
 */
struct dsos *dsos_new_beside(struct dsos *first, const struct dso_options *options);
/*
 * Tables are joined one by one; ids depend on the order of the calls alone. A file with a build-id that @first
 * has is the same dso from now on; a kernel and its modules only where they lay at the same addresses.
 */
void dsos_join(struct dsos *beside);
/* What counts instead of @dso, of a table that was joined: itself, or the same file's of the first table. */
struct dso *dsos_joined(const struct dso *dso);
void dsos_free(struct dsos *dsos);

/*
 * The dso called @long_name with that build-id (@build_id_size 0: not recorded), entered
 * when new; never NULL, lives until dsos_free(). The same name and build-id give the same
 * dso. Where none is recorded, one known for that name (dsos_know_build_id()) counts.
 */
struct dso *dsos_get(struct dsos *dsos, const char *long_name, const u8 *build_id,
		     size_t build_id_size, enum dso_kind kind);

/*
 * The build-id of every dso called @long_name that has none recorded of its own: from the
 * table of build-ids in a file's header. Holds for those entered already and later.
 */
void dsos_know_build_id(struct dsos *dsos, const char *long_name, const u8 *build_id,
			size_t build_id_size);

/* Ids are dense from 0 in the order of entry. */
u32 dsos_count(struct dsos *dsos);
struct dso *dsos_at(struct dsos *dsos, u32 id);

#endif
