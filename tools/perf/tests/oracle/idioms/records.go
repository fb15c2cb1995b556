// SPDX-License-Identifier: GPL-2.0-or-later
// Large structures by value: copies, zeroing, comparison, many parameters and results, arrays of structures.
package main

type address struct {
	street, town string
	zip          uint32
	flags        [6]uint16
}

type person struct {
	name       string
	age        uint8
	home, work address
	scores     [12]float64
	next       *person
}

type key struct {
	a, b uint32
	s    string
}

var registry [4]person
var population int
var newest *person

//go:noinline
func build(name string, age uint8, zip uint32) person {
	p := person{name: name, age: age}
	p.home.zip = zip
	p.home.town = "town"
	for i := range p.scores {
		p.scores[i] = float64(i) * float64(age)
	}
	return p
}

//go:noinline
func move(p person, to address) person {
	p.work = p.home
	p.home = to
	return p
}

//go:noinline
func many(a, b, c, d, e, f, g, h, i, j, k int, last *person) (x, y int, z *person, s string) {
	last.age++
	return a + c + e + g + i + k, b + d + f + h + j, last.next, last.name
}

func (p *person) mean() (sum float64) {
	for _, s := range p.scores {
		sum += s
	}
	return sum / float64(len(p.scores))
}

//go:noinline
func same(x, y *key) bool { return *x == *y }

//go:noinline
func register(p person) {
	registry[population%len(registry)] = p
	newest = &registry[population%len(registry)]
	population++
}

func main() {
	var total float64
	for i := 0; i < 6; i++ {
		p := build("someone", uint8(20+i), uint32(1000*i))
		p = move(p, address{street: "road", zip: 7})
		p.next = newest
		register(p)
		total += newest.mean()
	}
	x, y, z, s := many(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, newest)
	k := &key{1, 2, s}
	println(x, y, z.work.zip, len(s), int(total), same(k, &key{1, 2, "someone"}), registry[2].home.street)
}
