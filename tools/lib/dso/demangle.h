/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What does the programmer call the symbol that the compiler named so?
 *
 * C++ (Itanium ABI), Rust legacy (its hash dropped) and Rust v0, by libiberty. C++ functions
 * have their parameters and templates their return type, as upstream perf 7 prints them.
 */
#ifndef DSO_DEMANGLE_H
#define DSO_DEMANGLE_H

/*
 * The name in the source's words, to be freed with g_free(), or NULL when @raw is not
 * mangled. A suffix that the compiler added (".cold", ".part.0", "@plt") stays.
 */
char *demangle(const char *raw);

/* The same without parameters and return type: "S::run" where demangle() says "S::run(int)". */
char *demangle_bare(const char *raw);

#endif
