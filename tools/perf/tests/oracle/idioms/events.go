// SPDX-License-Identifier: GPL-2.0-or-later
// Channels: buffered ones of structures, of channels and of functions; select with send, receive and default; ranges; nil ones.
package main

type event struct {
	kind    uint8
	at      int64
	payload [5]int32
	source  *sensor
}

type sensor struct {
	id    int
	last  event
	out   chan event
	sent  int
	drops uint32
}

type subscriber struct {
	name  string
	inbox chan *event
	done  chan struct{}
	seen  [4]int
}

type hub struct {
	subs    []*subscriber
	control chan func(*hub) int
	asks    chan chan int
	backlog chan event
	total   int
}

//go:noinline
func (s *sensor) emit(kind uint8, n int32) {
	e := event{kind: kind, at: int64(n) * 10, source: s}
	for i := range e.payload {
		e.payload[i] = n + int32(i)
	}
	select {
	case s.out <- e:
		s.sent++
		s.last = e
	default:
		s.drops++
	}
}

//go:noinline
func (h *hub) publish(e event) {
	for _, s := range h.subs {
		copied := e
		select {
		case s.inbox <- &copied:
		case h.backlog <- copied:
			h.total += 100
		}
	}
}

func (s *subscriber) read() (n int) {
	for e := range s.inbox {
		s.seen[e.kind&3]++
		n += int(e.payload[2]) + e.source.id
	}
	s.done <- struct{}{}
	return
}

//go:noinline
func (h *hub) serve(quit <-chan bool) (answers int) {
	var never chan event
	for {
		select {
		case f, ok := <-h.control:
			if !ok {
				h.control = nil
				continue
			}
			answers += f(h)
		case reply := <-h.asks:
			reply <- h.total
		case e := <-never:
			answers += int(e.at)
		case stop := <-quit:
			if stop {
				return
			}
		}
	}
}

//go:noinline
func drain(all chan event) (sum int64, last *sensor) {
	for {
		select {
		case e := <-all:
			sum += e.at + int64(e.payload[4])
			last = e.source
		default:
			return
		}
	}
}

func main() {
	h := &hub{control: make(chan func(*hub) int, 2), asks: make(chan chan int, 1), backlog: make(chan event, 16)}
	for _, name := range []string{"a", "b"} {
		h.subs = append(h.subs, &subscriber{name: name, inbox: make(chan *event, 8), done: make(chan struct{}, 1)})
	}
	s := &sensor{id: 3, out: make(chan event, 4)}
	for i := int32(0); i < 6; i++ {
		s.emit(uint8(i), i)
	}
	for len(s.out) > 0 {
		h.publish(<-s.out)
	}
	read := 0
	for _, sub := range h.subs {
		close(sub.inbox)
		read += sub.read()
		<-sub.done
	}
	quit := make(chan bool)
	answer := make(chan int)
	h.control <- func(h *hub) int { h.total++; return len(h.subs) }
	close(h.control)
	go func() {
		h.asks <- answer
		read += <-answer
		quit <- true
	}()
	answers := h.serve(quit)
	sum, last := drain(h.backlog)
	println(read > 0, answers, sum, last == nil, s.sent, s.drops, s.last.at, h.subs[0].seen[1])
}
