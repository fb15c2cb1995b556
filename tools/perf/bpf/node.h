/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the context of the request that a Node.js thread serves.
 *
 * One thread serves many requests in turn. V8 keeps a value in a slot of the thread's isolate, and
 * restores it when a callback of a request runs. Node.js stores a Map there, from each
 * AsyncLocalStorage to its value. A publisher has its own AsyncLocalStorage. It stores an object in
 * it that points to a record of OTEP 4947. A thread-local variable states where the walk begins:
 *
 *	variable: { slot, handle of the storage, its hash, the value undefined }
 *	*slot -> Map -> table { elements, deleted, buckets, head of each bucket, entries }
 *	entry { key, value, index of the next one in its bucket }; value -> object -> record
 *
 * V8's words are tagged: a pointer has its lowest bit set; a number is in the upper 32 bits. A word
 * with the wrong tag is not followed. For example, while V8 replaces a table, a pointer is in the
 * field of its count. Each step is one read that may fail, and the number of steps is limited.
 */
#ifndef BPF_NODE_H
#define BPF_NODE_H

#include "bpf/read.h"
#include "bpf/sample_tls.h"

/*
 * V8's offsets, if the process does not state them: Map to table, table to its counts, object to
 * its first field.
 */
#define NODE_TABLE  24
#define NODE_HEADER 16
#define NODE_OBJECT 24

#define NODE_CHAIN	 32 /* maximum number of entries visited in a bucket */
#define NODE_MAX_BUCKETS (1u << 24)

struct node_variable {
	__u64 slot, handle;
	__u32 hash, zero;
	__u64 undefined;
};

struct node_table {
	__u64 elements, deleted, buckets;
};

struct node_entry {
	__u64 key, value, next;
};

static __always_inline bool node_is_number(__u64 word)
{
	return !(__u32)word;
}

static __always_inline bool node_is_object(__u64 word)
{
	return word & 1;
}

/* out: the table of the Map in @v's slot, and the address of its counts. Returns a state. */
static __always_inline int node_find_table(const struct sample_tls_source *s,
					   const struct node_variable *v, struct node_table *table,
					   __u64 *at)
{
	__u64 word;

	if (!peek(&word, sizeof(word), v->slot))
		return SAMPLE_TLS_UNREADABLE;
	if (word == v->undefined)
		return SAMPLE_TLS_NONE;
	if (!node_is_object(word) ||
	    !peek(&word, sizeof(word), word - 1 + (s->node_table ?: NODE_TABLE)) ||
	    !node_is_object(word))
		return SAMPLE_TLS_UNREADABLE;
	*at = word - 1 + (s->node_header ?: NODE_HEADER);
	if (!peek(table, sizeof(*table), *at))
		return SAMPLE_TLS_UNREADABLE;
	if (!node_is_number(table->elements))
		return SAMPLE_TLS_UPDATING;
	if (!node_is_number(table->deleted) || !node_is_number(table->buckets))
		return SAMPLE_TLS_UNREADABLE;
	table->elements >>= 32;
	table->deleted >>= 32;
	table->buckets >>= 32;
	if (!table->buckets || table->buckets > NODE_MAX_BUCKETS ||
	    table->buckets & (table->buckets - 1))
		return SAMPLE_TLS_UNREADABLE;
	return SAMPLE_TLS_OK;
}

/* Finds the value of the publisher's storage; NONE: the Map has none. */
static __always_inline int node_find_value(const struct node_variable *v,
					   const struct node_table *table, __u64 at, __u64 *value)
{
	__u64 key, next, nr = table->elements + table->deleted;
	struct node_entry entry;

	at += sizeof(*table);
	if (!peek(&key, sizeof(key), v->handle) ||
	    !peek(&next, sizeof(next), at + 8 * (v->hash & (table->buckets - 1))))
		return SAMPLE_TLS_UNREADABLE;
	at += 8 * table->buckets;
	for (__u32 i = 0; i < NODE_CHAIN; i++) {
		if (!node_is_number(next))
			return SAMPLE_TLS_UNREADABLE;
		next >>= 32;
		if (next == 0xffffffff) /* -1: the end */
			return SAMPLE_TLS_NONE;
		if (next >= nr || !peek(&entry, sizeof(entry), at + next * sizeof(entry)))
			return SAMPLE_TLS_UNREADABLE;
		if (entry.key == key) {
			*value = entry.value;
			return entry.value == v->undefined ? SAMPLE_TLS_NONE : SAMPLE_TLS_OK;
		}
		next = entry.next;
	}
	return SAMPLE_TLS_UNREADABLE;
}

/*
 * Finds the record's address in the object. Publishers before September 2026 state that the
 * object's field points to an object of theirs, and the offset of the record's address in that. If
 * the process states nothing, the field is the object's first one. It follows the three words that
 * every object has; from V8 13 on, one more word follows these, and is zero in objects of this
 * kind.
 */
static __always_inline int node_find_record(const struct sample_tls_source *s, __u64 object,
					    __u64 *record)
{
	__u64 words[2];

	if (!node_is_object(object))
		return SAMPLE_TLS_UNREADABLE;
	object -= 1;
	if (s->node_wrapped) {
		if (!peek(record, sizeof(*record), object + s->node_wrapped))
			return SAMPLE_TLS_UNREADABLE;
		if (*record && !peek(record, sizeof(*record), *record + s->node_fields))
			return SAMPLE_TLS_UNREADABLE;
	} else if (s->node_record) {
		if (!peek(record, sizeof(*record), object + s->node_record))
			return SAMPLE_TLS_UNREADABLE;
	} else {
		if (!peek(words, sizeof(words), object + NODE_OBJECT))
			return SAMPLE_TLS_UNREADABLE;
		*record = words[0] ?: words[1];
	}
	if (*record & 1)
		return SAMPLE_TLS_UNREADABLE;
	return *record ? SAMPLE_TLS_OK : SAMPLE_TLS_NONE;
}

/* True: the thread serves no request now. Works without assumptions about V8's objects. */
static __always_inline bool node_is_unused(const struct node_variable *v)
{
	__u64 word;

	return peek(&word, sizeof(word), v->slot) && word == v->undefined;
}

static __always_inline int node_walk(const struct sample_tls_source *s, __u64 va, __u64 *record)
{
	struct node_variable v;
	struct node_table table;
	__u64 at, value;
	int state;

	if (!peek(&v, sizeof(v), va))
		return SAMPLE_TLS_UNREADABLE;
	if (!v.slot) /* this thread publishes nothing */
		return SAMPLE_TLS_NONE;
	if (s->node_waits)
		return node_is_unused(&v) ? SAMPLE_TLS_NONE : SAMPLE_TLS_NOT_YET;
	if (s->node_foreign)
		return SAMPLE_TLS_UNREADABLE;
	state = node_find_table(s, &v, &table, &at);
	if (state == SAMPLE_TLS_OK)
		state = node_find_value(&v, &table, at, &value);
	return state == SAMPLE_TLS_OK ? node_find_record(s, value, record) : state;
}

#endif
