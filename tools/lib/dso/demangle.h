/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Demangling: converts a mangled symbol into the name in the source.
 *
 * Supports C++ (Itanium ABI), Rust legacy (without its hash) and Rust v0, by libiberty. As in upstream perf 7, the
 * names of C++ functions have parameters, and those of templates also the return type.
 */
#ifndef DSO_DEMANGLE_H
#define DSO_DEMANGLE_H

/*
 * The demangled name; free it with g_free(). NULL: @raw is not mangled. A suffix from the compiler or linker (".cold",
 * ".part.0", "@plt") stays.
 */
char *demangle(const char *raw);

/* The same without parameters and return type: "S::run" where demangle() says "S::run(int)". */
char *demangle_bare(const char *raw);

#endif
