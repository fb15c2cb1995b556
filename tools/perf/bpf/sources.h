/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads the records of a thread's publishers by a plan. sample_tls.bpf.c reads the thread that it interrupts;
 * bpf/current.h the thread that a program runs in; the recorder (record/waits/wall_tls.c) a sleeping thread. Each defines
 * __u8 to __u64 and peek() of bpf/read.h before; and for read_all() also has_obi and read_obi().
 */
#ifndef BPF_SOURCES_H
#define BPF_SOURCES_H

#include "bpf/node.h"
#include "bpf/read.h"
#include "bpf/sample_tls.h"

/* With these masks, the verifier knows that sizes and offsets are inside the scratch memory. */
#define WINDOW_MASK (2 * SAMPLE_TLS_WINDOW_MAX - 1)
#define PLACE_MASK  4095
#define OUTPUT_MASK 16383

struct label_at {
	struct {
		__u64 size, data;
	} key, value;
};

/* A bucket of Go's maps before 1.24: eight tags, eight keys, eight values. */
#define GO_SLOTS     8
#define GO_FIRST_TAG 5 /* lowest tag of a used slot */

struct go_text {
	__u64 data, size;
};

struct go_bucket {
	__u8 tags[GO_SLOTS];
	struct go_text keys[GO_SLOTS], values[GO_SLOTS];
};

struct go_label {
	struct go_text key, value;
};

/* The fields that every sample uses come first, next to each other; the output follows. */
struct scratch {
	struct label_at labels[SAMPLE_TLS_LABELS_MAX];
	union {
		struct go_bucket bucket;
		struct go_label go_labels[SAMPLE_TLS_LABELS_MAX];
	};
	__u32 at;      /* offset in @bytes where the next entry begins or grows */
	__u32 nr;      /* number of labels still to be read */
	__u32 cut;     /* the present entry leaves something out */
	__u32 missing; /* number of labels left out */
	__u32 context; /* of the sample: enum sample_tls_in */
	__u32 got;     /* bytes of labels in the present entry */
	__u32 hit_by;  /* thread of the last output of a tracepoint's hit with bytes */
	struct sample_tls_head head;
	__u8 bytes[OUTPUT_MASK + 1]; /* frame, entries, window */
};

/*
 * out: the module's block in the thread's vector. Returns a state. Only the thread itself changes
 * the vector, except for entries of libraries that were just loaded.
 */
static __always_inline int find_block(const struct sample_tls_source *s, __u64 tp, __u64 *block)
{
	__u64 vector, head, capacity, module = s->module;
	bool musl = s->reach == SAMPLE_TLS_MUSL;

	if (!peek(&vector, sizeof(vector), tp + 8) || !vector)
		return SAMPLE_TLS_UNREADABLE;
	if (!peek(&head, sizeof(head), vector))
		return SAMPLE_TLS_UNREADABLE;
	if (musl) { /* musl's first word is the number of modules */
		if (module > head)
			return SAMPLE_TLS_NONE;
	} else {
		if (head < s->generation)
			return SAMPLE_TLS_NONE;
		if (!peek(&capacity, sizeof(capacity), vector - 16))
			return SAMPLE_TLS_UNREADABLE;
		if (module > capacity)
			return SAMPLE_TLS_NONE;
	}
	if (!peek(block, sizeof(*block), vector + (module << (musl ? 3 : 4))))
		return SAMPLE_TLS_UNREADABLE;
	return *block == 0 || *block == ~0ull ? SAMPLE_TLS_NONE : SAMPLE_TLS_OK;
}

static __always_inline int find_variable(const struct sample_tls_source *s, __u64 tp, __u64 *va)
{
	__u64 base = tp;
	int state = SAMPLE_TLS_OK;

	if (s->reach != SAMPLE_TLS_STATIC)
		state = find_block(s, tp, &base);
	*va = base + s->offset;
	return state;
}

/* The address in the scratch memory @offset bytes into the present entry. */
static __always_inline __u8 *place(struct scratch *scratch, __u32 offset)
{
	return scratch->bytes + ((scratch->at + offset) & PLACE_MASK);
}

static __always_inline int read_bytes(struct scratch *scratch, __u64 va, __u32 size, __u32 *got)
{
	size &= 1023;
	*got = size;
	return peek(place(scratch, 0), size, va) ? SAMPLE_TLS_OK : SAMPLE_TLS_UNREADABLE;
}

#define OTEP_HEAD  28
#define OTEP_FIRST 128 /* contains nearly every record completely */

static __always_inline int read_otep_record(struct scratch *scratch, __u64 record, __u32 *got)
{
	__u8 *to = place(scratch, 0);
	__u32 size = OTEP_FIRST, attrs;
	__u8 valid;

	if (!peek(to, OTEP_FIRST, record)) {
		size = OTEP_HEAD;
		if (!peek(to, OTEP_HEAD, record))
			return SAMPLE_TLS_UNREADABLE;
	}
	attrs = to[26] | to[27] << 8;
	if (attrs > SAMPLE_TLS_OTEP_MAX - OTEP_HEAD) {
		attrs = SAMPLE_TLS_OTEP_MAX - OTEP_HEAD;
		scratch->cut = 1;
	}
	if (OTEP_HEAD + attrs > size) {
		/* One read for both, so that they are consistent. */
		if (peek(to, (OTEP_HEAD + attrs) & 1023, record))
			size = OTEP_HEAD + attrs;
		else if (!peek(to, OTEP_HEAD, record))
			return SAMPLE_TLS_UNREADABLE;
		else
			scratch->cut = 1;
	} else {
		size = OTEP_HEAD + attrs;
	}
	*got = size;
	if (to[24] == 1 && (!peek(&valid, sizeof(valid), record + 24) || valid != 1))
		return SAMPLE_TLS_UPDATING;
	return SAMPLE_TLS_OK;
}

static __always_inline int read_otep(struct scratch *scratch, __u64 va, __u32 *got)
{
	__u64 record;

	if (!peek(&record, sizeof(record), va))
		return SAMPLE_TLS_UNREADABLE;
	return record ? read_otep_record(scratch, record, got) : SAMPLE_TLS_NONE;
}

static __always_inline int read_node(struct scratch *scratch, const struct sample_tls_source *s,
				     __u64 va, __u32 *got)
{
	__u64 record = 0;
	int state = node_walk(s, va, &record);

	return state == SAMPLE_TLS_OK ? read_otep_record(scratch, record, got) : state;
}

static __always_inline int read_elastic(struct scratch *scratch, __u64 va, __u32 *got)
{
	__u8 *to = place(scratch, 0);
	__u64 record;
	__u8 valid;

	if (!peek(&record, sizeof(record), va))
		return SAMPLE_TLS_UNREADABLE;
	if (!record)
		return SAMPLE_TLS_NONE;
	if (!peek(to, SAMPLE_TLS_ELASTIC_MAX, record))
		return SAMPLE_TLS_UNREADABLE;
	*got = SAMPLE_TLS_ELASTIC_MAX;
	if (to[2] && (!peek(&valid, sizeof(valid), record + 2) || !valid))
		return SAMPLE_TLS_UPDATING;
	return SAMPLE_TLS_OK;
}

/* @nr labels are left out. */
static __always_inline void leave_out(struct scratch *scratch, __u64 nr)
{
	scratch->cut = 1;
	scratch->missing = nr < 254 ? nr : 254;
}

/*
 * Appends {u8 key size, u8 value size, key, value} of label @i to the entry, and its size to scratch->got. 0: it cannot be
 * read. A global function, as read_entry(): the verifier would check it in each state of its callers' loops.
 */
SOURCES_GLOBAL int add_label(struct scratch *scratch, __u32 i)
{
	__u64 key, value, key_size, value_size;
	__u8 *to;

	if (!scratch || i >= SAMPLE_TLS_LABELS_MAX)
		return 0;
	key = scratch->labels[i].key.data;
	value = scratch->labels[i].value.data;
	key_size = scratch->labels[i].key.size;
	value_size = scratch->labels[i].value.size;
	if (!key || !value) /* absent label. The library also leaves labels without a value */
		return 1;
	to = place(scratch, scratch->got);
	to[0] = key_size;
	to[1] = value_size;
	if (key_size > SAMPLE_TLS_KEY_MAX) {
		key_size = SAMPLE_TLS_KEY_MAX;
		to[0] = SAMPLE_TLS_KEY_MAX | SAMPLE_TLS_TEXT_CUT;
		scratch->cut = 1;
	}
	if (value_size > SAMPLE_TLS_VALUE_MAX) {
		value_size = SAMPLE_TLS_VALUE_MAX;
		to[1] = SAMPLE_TLS_VALUE_MAX | SAMPLE_TLS_TEXT_CUT;
		scratch->cut = 1;
	}
	if (!peek(to + 2, key_size & 31, key))
		return 0;
	to = place(scratch, scratch->got + 2 + key_size);
	if (value_size && !peek(to, value_size & 63, value))
		return 0;
	scratch->got += 2 + key_size + value_size;
	return 1;
}

/* Appends the scratch->nr labels in scratch->labels. */
static __always_inline int add_labels(struct scratch *scratch, __u32 *total)
{
	scratch->got = 0;
	for (__u32 i = 0; i < SAMPLE_TLS_LABELS_MAX; i++) {
		if (i >= scratch->nr)
			break;
		if (!add_label(scratch, i))
			return SAMPLE_TLS_UNREADABLE;
	}
	*total = scratch->got;
	return SAMPLE_TLS_OK;
}

static __always_inline int read_labels(struct scratch *scratch, __u64 va, __u32 *got)
{
	struct {
		__u64 storage, count;
	} set;
	__u64 at;

	if (!peek(&at, sizeof(at), va))
		return SAMPLE_TLS_UNREADABLE;
	if (!at)
		return SAMPLE_TLS_NONE;
	if (!peek(&set, sizeof(set), at))
		return SAMPLE_TLS_UNREADABLE;
	if (set.count > SAMPLE_TLS_LABELS_MAX) {
		leave_out(scratch, set.count - SAMPLE_TLS_LABELS_MAX);
		set.count = SAMPLE_TLS_LABELS_MAX;
	}
	scratch->nr = set.count;
	if (set.count &&
	    !peek(scratch->labels, set.count * sizeof(scratch->labels[0]), set.storage))
		return SAMPLE_TLS_UNREADABLE;
	return add_labels(scratch, got);
}

static __always_inline void take_go_label(struct scratch *scratch, const struct go_text *key,
					  const struct go_text *value)
{
	__u32 nr = scratch->nr;

	if (nr >= SAMPLE_TLS_LABELS_MAX)
		return;
	scratch->labels[nr].key.data = key->data;
	scratch->labels[nr].key.size = key->size;
	/* An empty text may have no address, but it exists. */
	scratch->labels[nr].value.data = value->size ? value->data : key->data;
	scratch->labels[nr].value.size = value->size;
	scratch->nr = nr + 1;
}

/* A map of up to eight labels has one bucket. Of a larger map the first two buckets are read. */
static __always_inline int take_go_map(struct scratch *scratch, __u64 labels)
{
	struct {
		__u64 count;
		__u8 flags, log2_buckets;
		__u8 rest[6];
		__u64 buckets;
	} map;
	__u64 at;

	if (!peek(&at, sizeof(at), labels) || (at && !peek(&map, sizeof(map), at)))
		return SAMPLE_TLS_UNREADABLE;
	if (!at || !map.count)
		return SAMPLE_TLS_NONE;
	for (__u32 b = 0; b < 2; b++) {
		/* Each bucket ends with a pointer to an overflow bucket. */
		if (b && !map.log2_buckets)
			break;
		if (!peek(&scratch->bucket, sizeof(scratch->bucket),
			  map.buckets + b * (sizeof(scratch->bucket) + 8)))
			return SAMPLE_TLS_UNREADABLE;
		for (__u32 i = 0; i < GO_SLOTS; i++) {
			if (scratch->bucket.tags[i] >= GO_FIRST_TAG)
				take_go_label(scratch, &scratch->bucket.keys[i],
					      &scratch->bucket.values[i]);
		}
	}
	if (map.count > scratch->nr)
		leave_out(scratch, map.count - scratch->nr);
	return SAMPLE_TLS_OK;
}

static __always_inline int take_go_slice(struct scratch *scratch, __u64 labels)
{
	struct {
		__u64 data, size;
	} slice;

	if (!peek(&slice, sizeof(slice), labels))
		return SAMPLE_TLS_UNREADABLE;
	if (!slice.size)
		return SAMPLE_TLS_NONE;
	if (slice.size > SAMPLE_TLS_LABELS_MAX) {
		leave_out(scratch, slice.size - SAMPLE_TLS_LABELS_MAX);
		slice.size = SAMPLE_TLS_LABELS_MAX;
	}
	if (!peek(scratch->go_labels, slice.size * sizeof(scratch->go_labels[0]), slice.data))
		return SAMPLE_TLS_UNREADABLE;
	for (__u32 i = 0; i < SAMPLE_TLS_LABELS_MAX; i++) {
		if (i >= slice.size)
			break;
		take_go_label(scratch, &scratch->go_labels[i].key, &scratch->go_labels[i].value);
	}
	return SAMPLE_TLS_OK;
}

/*
 * Goes from g through the thread's m to its current goroutine. While the runtime's own code runs, g
 * is the one of the thread's system stack, which has no labels.
 */
static __always_inline int read_go(struct scratch *scratch, const struct sample_tls_source *s,
				   __u64 va, __u32 *got)
{
	__u64 at;
	int state;

	if (!peek(&at, sizeof(at), va))
		return SAMPLE_TLS_UNREADABLE;
	if (!at)
		return SAMPLE_TLS_NONE;
	if (!peek(&at, sizeof(at), at + s->go_m))
		return SAMPLE_TLS_UNREADABLE;
	if (!at)
		return SAMPLE_TLS_NONE;
	if (!peek(&at, sizeof(at), at + s->go_curg))
		return SAMPLE_TLS_UNREADABLE;
	if (!at)
		return SAMPLE_TLS_NONE;
	if (!peek(&at, sizeof(at), at + s->go_labels))
		return SAMPLE_TLS_UNREADABLE;
	if (!at)
		return SAMPLE_TLS_NONE;
	scratch->nr = 0;
	state = s->go_map ? take_go_map(scratch, at) : take_go_slice(scratch, at);
	return state == SAMPLE_TLS_OK ? add_labels(scratch, got) : state;
}

static __always_inline int read_source(struct scratch *scratch, const struct sample_tls_source *s,
				       __u64 va, __u32 *got)
{
	switch (s->what) {
	case SAMPLE_TLS_OTEP:
		return read_otep(scratch, va, got);
	case SAMPLE_TLS_ELASTIC:
		return read_elastic(scratch, va, got);
	case SAMPLE_TLS_LABELS:
		return read_labels(scratch, va, got);
	case SAMPLE_TLS_GO:
		return read_go(scratch, s, va, got);
	case SAMPLE_TLS_NODE:
		return read_node(scratch, s, va, got);
	default:
		return read_bytes(scratch, va, s->size, got);
	}
}

/*
 * Stores 8 zero bytes at any address. BPF programs may store unaligned words; from plain C the
 * compiler would make single-byte stores; see record/waits/wall_tls.c.
 */
static __always_inline void put_zeros(void *to)
{
#ifdef __bpf__
	*(__u64 *)to = 0;
#else
	__builtin_memset(to, 0, sizeof(__u64));
#endif
}

/* Writes the head of an entry before its @size bytes, and moves on to the next entry. */
static __always_inline void close_entry(struct scratch *scratch, __u8 number, __u8 format,
					__u16 mark, int state, __u32 size)
{
	struct sample_tls_frame *frame = (struct sample_tls_frame *)scratch->bytes;
	struct sample_tls_entry *entry;

	size &= 2047;
	entry = (struct sample_tls_entry *)(scratch->bytes +
					    ((scratch->at - sizeof(struct sample_tls_entry)) &
					     PLACE_MASK));
	entry->number = number;
	entry->format = format;
	entry->state = state;
	/* As in activity/layout.h: 0, or 1 + the number of missing labels. */
	entry->cut = scratch->cut ? scratch->missing + 1 : 0;
	entry->size = size;
	entry->mark = mark;
	frame->nr++;
	/* Pads with zeros to a multiple of 8, by clearing the last word first. */
	put_zeros(place(scratch, size));
	scratch->at += ((size + 7) & ~7u) + sizeof(struct sample_tls_entry);
}

/*
 * A global function: the verifier checks it once, not for each source and program. So it may assume
 * nothing about its arguments.
 */
SOURCES_GLOBAL int read_entry(struct scratch *scratch, const struct sample_tls_source *s, __u64 tp)
{
	__u32 got = 0;
	__u64 va = 0;
	int state;

	if (!scratch || !s)
		return 0;
	scratch->cut = scratch->missing = 0;
	state = find_variable(s, tp, &va);
	if (state == SAMPLE_TLS_OK)
		state = read_source(scratch, s, va, &got);
	close_entry(scratch, s->number, s->format, s->mark, state,
		    state == SAMPLE_TLS_OK ? got : 0);
	return 0;
}

static __always_inline void read_obi(struct scratch *scratch);

/*
 * Reads the readable part of @window. A read copies all bytes or none, and the page below that of
 * the thread's block may be unmapped. Returns the number of bytes.
 */
static __always_inline __u32 read_window(__u8 *bytes, __u64 tp, __u32 window)
{
	__u32 in_page = ((tp - 1) & 4095) + 1;

	window &= WINDOW_MASK;
	if (peek(bytes, window, tp - window))
		return window;
	in_page &= ~7u;
	if (in_page >= window)
		return 0;
	in_page &= WINDOW_MASK;
	if (peek(bytes, in_page, tp - in_page))
		return in_page;
	return 0;
}

/* Writes frame, entries and window. Returns their size. */
static __always_inline __u32 read_all(struct scratch *scratch, const struct sample_tls_plan *plan,
				      __u64 tp)
{
	struct sample_tls_frame *frame = (struct sample_tls_frame *)scratch->bytes;
	__u32 window = plan ? plan->window : SAMPLE_TLS_WINDOW_DEFAULT, front, got = 0;

	*(__u64 *)frame = 0;
	frame->version = SAMPLE_TLS_FRAME_VERSION;
	frame->context = scratch->context;
	scratch->at = sizeof(*frame) + sizeof(struct sample_tls_entry);
	for (__u32 i = 0; plan && i < SAMPLE_TLS_SOURCES; i++) {
		if (i >= plan->nr)
			break;
		read_entry(scratch, &plan->sources[i], tp);
	}
	if (has_obi)
		read_obi(scratch);
	front = (scratch->at - sizeof(struct sample_tls_entry)) & PLACE_MASK;
	frame->size = front;
	if (window)
		got = read_window(scratch->bytes + front, tp, window);
	if (window && !got && front == sizeof(*frame))
		return 0;
	return front + got;
}

#endif
