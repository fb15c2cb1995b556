// SPDX-License-Identifier: GPL-2.0-or-later
// Maps of all key sizes and large values, maps of maps, of slices and of interfaces; deletion while ranging; growth; sets.
package main

type item struct {
	name    string
	price   float64
	stock   int32
	tags    []string
	related map[uint32]*item
}

type position struct {
	shelf uint16
	row   int8
}

type large struct {
	values [24]int32
	owner  *item
	sum    int64
}

type catalog struct {
	byID    map[uint32]*item
	byName  map[string]item
	byPlace map[position]*item
	blocks  map[uint64]large
	groups  map[string][]*item
	nested  map[string]map[int]*position
	seen    map[[2]int32]bool
	any     map[interface{}]*item
	misses  int
}

func newCatalog() *catalog {
	return &catalog{byID: map[uint32]*item{}, byName: map[string]item{}, byPlace: make(map[position]*item, 20),
		blocks: map[uint64]large{}, groups: map[string][]*item{}, nested: map[string]map[int]*position{},
		seen: map[[2]int32]bool{}, any: map[interface{}]*item{}}
}

//go:noinline
func (c *catalog) add(id uint32, name, group string, price float64) *item {
	it := &item{name: name, price: price, stock: int32(id), related: map[uint32]*item{}}
	c.byID[id] = it
	c.byName[name] = *it
	c.byPlace[position{uint16(id), int8(id & 3)}] = it
	c.groups[group] = append(c.groups[group], it)
	if c.nested[group] == nil {
		c.nested[group] = map[int]*position{}
	}
	c.nested[group][int(id)] = &position{shelf: uint16(id), row: 1}
	c.seen[[2]int32{int32(id), int32(len(name))}] = true
	c.any[id], c.any[name] = it, it
	block := c.blocks[uint64(id/4)]
	block.values[id%24]++
	block.owner = it
	block.sum += int64(id)
	c.blocks[uint64(id/4)] = block
	return it
}

//go:noinline
func (c *catalog) relate(a, b uint32) bool {
	x, y := c.byID[a], c.byID[b]
	if x == nil || y == nil {
		c.misses++
		return false
	}
	x.related[b] = y
	y.related[a] = x
	x.tags = append(x.tags, y.name)
	return true
}

//go:noinline
func (c *catalog) sell(name string) float64 {
	it, ok := c.byName[name]
	if !ok {
		c.misses++
		return 0
	}
	it.stock--
	c.byName[name] = it
	return it.price * float64(it.stock)
}

//go:noinline
func (c *catalog) sweep(least int32) (gone int) {
	for id, it := range c.byID {
		if it.stock < least {
			delete(c.byID, id)
			for other := range it.related {
				delete(c.byID[other].relatedOrNil(), id)
			}
			gone++
		}
	}
	for at, it := range c.byPlace {
		if it.stock < least {
			delete(c.byPlace, at)
			gone += int(at.row)
		}
	}
	return
}

func (it *item) relatedOrNil() map[uint32]*item {
	if it == nil {
		return nil
	}
	return it.related
}

//go:noinline
func (c *catalog) worth() (total float64, shelves int) {
	for _, all := range c.groups {
		for _, it := range all {
			total += it.price + float64(len(it.related))
		}
	}
	for _, places := range c.nested {
		for id, p := range places {
			shelves += id + int(p.shelf) + int(p.row)
		}
	}
	for _, b := range c.blocks {
		shelves += int(b.sum) + int(b.owner.stock) + int(b.values[3])
	}
	for k := range c.seen {
		shelves += int(k[0])
	}
	return
}

func main() {
	c := newCatalog()
	names := []string{"nut", "bolt", "screw", "nail", "hook", "ring", "pin", "rod", "cap", "key", "lid", "saw"}
	for i, name := range names {
		c.add(uint32(i), name, names[i%3], float64(i)/2)
	}
	for i := uint32(0); i < 14; i++ {
		c.relate(i, i*5%12)
	}
	sold := c.sell("pin") + c.sell("none")
	total, shelves := c.worth()
	println(int(sold), int(total), shelves, c.sweep(4), c.misses, c.any["rod"].stock+c.any[uint32(2)].stock)
}
