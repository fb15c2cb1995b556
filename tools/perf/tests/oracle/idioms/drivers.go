// SPDX-License-Identifier: GPL-2.0-or-later
// Interfaces that embed others, structures that embed interfaces, method values and expressions, tables of them, type switches over kinds.
package main

type reader interface {
	read(n int) ([]int16, error)
}

type closer interface{ close() int }

type device interface {
	reader
	closer
	name() string
}

type disk struct {
	label  string
	blocks []int16
	at     int
	opened bool
}

type cached struct {
	device
	last  []int16
	hits  int
	inner *stats
}

type stats struct{ reads, bytes uint32 }

type counted struct {
	*cached
	stats
	limit int
}

type tiny uint16

type broken struct{ code int }

func (b broken) Error() string { return "broken" }

func (d *disk) read(n int) ([]int16, error) {
	if d.at+n > len(d.blocks) {
		return nil, broken{d.at}
	}
	out := d.blocks[d.at : d.at+n]
	d.at += n
	return out, nil
}
func (d *disk) close() int   { d.opened = false; return d.at }
func (d *disk) name() string { return d.label }

func (c *cached) read(n int) ([]int16, error) {
	if len(c.last) == n {
		c.hits++
		return c.last, nil
	}
	got, err := c.device.read(n)
	if err == nil {
		c.last = got
		c.inner.reads++
	}
	return got, err
}

func (c *counted) read(n int) ([]int16, error) {
	c.reads++
	c.bytes += uint32(n) * 2
	if int(c.reads) > c.limit {
		return nil, broken{code: c.limit}
	}
	return c.cached.read(n)
}

func (t tiny) read(n int) ([]int16, error) { return make([]int16, int(t)+n), nil }
func (t tiny) close() int                  { return int(t) }
func (t tiny) name() string                { return "tiny" }

type action struct {
	name string
	run  func(int) ([]int16, error)
	stop func() int
	uses int
}

//go:noinline
func actions(devices []device) (all []action) {
	for _, d := range devices {
		all = append(all, action{name: d.name(), run: d.read, stop: d.close})
	}
	return
}

//go:noinline
func apply(f func(*disk, int) ([]int16, error), d *disk) int {
	got, err := f(d, 1)
	if err != nil {
		return -d.at
	}
	return int(got[0])
}

//go:noinline
func kind(x interface{}) int {
	switch v := x.(type) {
	case nil:
		return 0
	case *disk:
		return v.at
	case *cached:
		return v.hits + int(v.inner.reads)
	case *counted:
		return int(v.bytes) + v.hits
	case tiny:
		return int(v)
	case broken:
		return v.code
	case closer:
		return v.close()
	case []int16:
		return len(v)
	case string:
		return len(v)
	}
	return -1
}

//go:noinline
func run(all []action) (sum int, last error) {
	for round := 0; round < 3; round++ {
		for i := range all {
			a := &all[i]
			a.uses++
			got, err := a.run(2)
			if err != nil {
				last = err
				continue
			}
			sum += int(got[0]) + len(got)
		}
	}
	for _, a := range all {
		sum += a.stop() + a.uses
	}
	return
}

func main() {
	d := &disk{label: "d", blocks: []int16{1, 2, 3, 4, 5, 6, 7, 8, 9}}
	c := &cached{device: d, inner: &stats{}}
	k := &counted{cached: &cached{device: c, inner: &stats{}}, limit: 2}
	all := actions([]device{d, c, k, tiny(3)})
	sum, last := run(all)
	d.at = 0
	sum += apply((*disk).read, d)
	for _, x := range []interface{}{nil, d, c, k, tiny(4), last, d.blocks, "abc", 3.5} {
		sum = sum*2 + kind(x)
	}
	println(sum, k.reads, c.inner.reads, last != nil)
}
