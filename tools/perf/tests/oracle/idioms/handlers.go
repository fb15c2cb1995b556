// SPDX-License-Identifier: GPL-2.0-or-later
// Closures: captured by value and by reference, in structures, returned, deferred; method values.
package main

import "errors"

type context struct {
	path  string
	depth int
	err   error
	vars  map[string]string
}

type handler func(*context) bool

type route struct {
	prefix string
	h      handler
	hits   int
}

type router struct {
	routes []route
	before []handler
	misses int
}

func (r *router) handle(prefix string, h handler) {
	r.routes = append(r.routes, route{prefix: prefix, h: h})
}

func (r *router) serve(c *context) bool {
	for _, b := range r.before {
		if !b(c) {
			return false
		}
	}
	for i := range r.routes {
		rt := &r.routes[i]
		if len(c.path) >= len(rt.prefix) && c.path[:len(rt.prefix)] == rt.prefix {
			rt.hits++
			return rt.h(c)
		}
	}
	r.misses++
	return false
}

func counter(limit int) handler {
	n := 0
	return func(c *context) bool {
		n++
		c.depth += n
		return n <= limit
	}
}

func logged(name string, h handler, log *[]string) handler {
	return func(c *context) bool {
		*log = append(*log, name)
		ok := h(c)
		if !ok {
			c.err = errors.New(name)
		}
		return ok
	}
}

func (c *context) leave(mark *int) { *mark += c.depth }

//go:noinline
func guarded(r *router, c *context, mark *int) (ok bool) {
	defer c.leave(mark)
	defer func() {
		if e := recover(); e != nil {
			c.err = e.(error)
			ok = false
		}
	}()
	return r.serve(c)
}

func main() {
	r := &router{}
	var log []string
	r.before = append(r.before, counter(8))
	r.handle("/a", logged("a", func(c *context) bool { return c.depth > 1 }, &log))
	r.handle("/b", func(c *context) bool { panic(errors.New(c.path)) })
	mark, served := 0, 0
	for _, p := range []string{"/a", "/a/b", "/b", "/c", "/b/d", "/a", "/c", "/x", "/a", "/b"} {
		c := &context{path: p}
		if guarded(r, c, &mark) {
			served++
		}
		if c.err != nil {
			mark += len(c.err.Error())
		}
	}
	f := r.serve
	println(f(&context{path: "/c"}), served, mark, len(log), r.misses)
}
