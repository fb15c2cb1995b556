// SPDX-License-Identifier: GPL-2.0-or-later
/* A recording in memory: what is in it is what a reader finds, and nothing that is half written. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include <glib.h>

#include "allocated.h"
#include "detached/image_consumer.h"
#include "detached/shelf.h"
#include "detached/side.h"
#include "perfdata/image/image_read.h"
#include "perfdata/image/image_store.h"
#include "perfdata/write/encode.h"
#include "sanitized.h"

struct sample_record {
	struct perf_event_header header;
	u64 ip;
	u32 pid, tid;
	u64 time;
	u64 fill[4];
};

struct memory {
	u8 *bytes;
	u64 size;
	struct image_store *store;
};

static const struct image_layout layout = {
	.facts_room = 4096, .side_room = 8192, .chunks_room = 8 * 4096, .chunk_size = 4096
};

static int setup(void **state)
{
	struct memory *m = g_new0(struct memory, 1);
	struct perfdata_file_header facts = { .magic = PERFDATA_MAGIC, .size = sizeof(facts) };
	struct image_header *h;

	m->size = image_layout_size(&layout);
	m->bytes = aligned_alloc(4096, m->size);
	memset(m->bytes, 0, m->size);
	m->store = image_store_new(m->bytes, &layout);
	h = image_store_header(m->store);
	h->time_word = 2;
	h->tid_word = 1;
	facts.data.offset = sizeof(facts);
	assert_true(image_store_facts(m->store, &facts, sizeof(facts), NULL));
	*state = m;
	return 0;
}

static int teardown(void **state)
{
	struct memory *m = *state;

	image_store_free(m->store);
	free(m->bytes);
	g_free(m);
	return 0;
}

static void put(struct memory *m, u32 pid, u64 time)
{
	struct sample_record r = { { PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER, sizeof(r) },
				   .ip = time,
				   .pid = pid,
				   .tid = pid,
				   .time = time };

	for (int i = 0; i < 4; i++)
		r.fill[i] = time;
	image_store_put(m->store, pid, time, &r.header);
}

struct found {
	u32 nr, wrong;
	u64 first, last;
	u32 of_pid[16];
};

static void find(const struct perf_event_header *record, const struct image_chunk *chunk, u64 place,
		 void *arg)
{
	const struct sample_record *r = (const void *)record;
	struct found *f = arg;

	if (!chunk)
		return;
	f->nr++;
	f->wrong += r->header.size != sizeof(*r) || r->ip != r->time || r->fill[3] != r->time ||
		    chunk->key != r->pid;
	f->first = f->first && f->first < r->time ? f->first : r->time;
	f->last = MAX(f->last, r->time);
	f->of_pid[r->pid % 16]++;
}

/* Texts of a header without an end do not lead beyond it. */
static void texts_without_an_end_get_one(void **state)
{
	struct memory *m = *state;
	struct image_header *raw = (void *)m->bytes, h;

	memset(raw->name, 'x', sizeof(raw->name));
	memset(raw->target, 'x', sizeof(raw->target));
	memset(raw->reason_text, 'x', sizeof(raw->reason_text));
	memset(raw->save_error, 'x', sizeof(raw->save_error));
	assert_true(image_header_read("test", m->bytes, m->size, &h, NULL));
	assert_int_equal(strnlen(h.name, sizeof(h.name)), sizeof(h.name) - 1);
	assert_int_equal(strnlen(h.target, sizeof(h.target)), sizeof(h.target) - 1);
	assert_int_equal(strnlen(h.reason_text, sizeof(h.reason_text)), sizeof(h.reason_text) - 1);
	assert_int_equal(strnlen(h.save_error, sizeof(h.save_error)), sizeof(h.save_error) - 1);
}

static void another_version_is_named(void **state)
{
	struct memory *m = *state;
	struct image_header *raw = (void *)m->bytes, h;
	g_autofree char *expected = g_strdup_printf(
		"test: a detached recording of version %u; this perf reads version %u",
		raw->version + 1, raw->version);
	g_autoptr(GError) error = NULL;

	raw->version++;
	assert_false(image_header_read("test", m->bytes, m->size, &h, &error));
	assert_string_equal(error->message, expected);
}

static struct found look(const struct memory *m, const u8 *bytes)
{
	struct image_header h;
	struct found f = { 0 };

	assert_true(image_header_read("test", bytes, m->size, &h, NULL));
	image_each_record(bytes, &h, find, &f);
	return f;
}

static void what_is_put_is_found(void **state)
{
	struct memory *m = *state;
	struct found f;

	for (u64 i = 1; i <= 100; i++)
		put(m, 1 + i % 2, i);
	f = look(m, m->bytes);
	assert_int_equal(f.nr, 100);
	assert_int_equal(f.wrong, 0);
	assert_int_equal(f.of_pid[1], 50);
	assert_int_equal(image_store_header(m->store)->rings, 2);
}

static void the_newest_replace_the_oldest(void **state)
{
	struct memory *m = *state;
	const u64 nr = 100000;
	struct found f;

	for (u64 i = 1; i <= nr; i++)
		put(m, 1, i);
	f = look(m, m->bytes);
	assert_int_equal(f.wrong, 0);
	assert_int_equal(f.last, nr);
	assert_int_equal(f.nr, f.last - f.first + 1);
	assert_true(f.nr > 7 * 40);
	assert_int_equal(image_store_header(m->store)->rings_lost, 0);
}

/* Two chunks of two samples each: a wrap is four samples. A server that forks, at full rate, for days. */
static void a_million_wraps_take_no_memory(void **state)
{
	const struct image_layout tiny = { 4096, 4096, 512, 256 };
	const u64 wraps = SANITIZED ? 100000 : 1000000;
	struct memory m = { .size = image_layout_size(&tiny) };
	size_t before;

	m.bytes = aligned_alloc(4096, (m.size + 4095) & ~4095ull);
	memset(m.bytes, 0, m.size);
	m.store = image_store_new(m.bytes, &tiny);
	put(&m, 1, 1);
	before = allocated_bytes();
	for (u64 i = 2; i <= 4 * wraps; i++) {
		put(&m, (u32)(i / 100), i);
		if (i % 100 == 99)
			image_store_end_key(m.store, i / 100);
	}
	assert_true(image_store_header(m.store)->overwritten >= wraps);
	assert_in_range(allocated_bytes(), 0, before + 4096);
	image_store_free(m.store);
	free(m.bytes);
}

static void each_living_process_keeps_its_newest(void **state)
{
	struct memory *m = *state;
	struct found f;

	put(m, 2, 1);
	for (u64 i = 2; i <= 10000; i++)
		put(m, 1, i);
	f = look(m, m->bytes);
	assert_int_equal(f.of_pid[2], 1);
	image_store_end_key(m->store, 2);
	for (u64 i = 10001; i <= 20000; i++)
		put(m, 1, i);
	f = look(m, m->bytes);
	assert_int_equal(f.of_pid[2], 0);
}

static void more_processes_than_chunks_are_counted(void **state)
{
	struct memory *m = *state;

	for (u32 pid = 1; pid <= 12; pid++)
		put(m, pid, pid);
	assert_int_equal(image_store_header(m->store)->rings, 12);
	assert_int_equal(image_store_header(m->store)->rings_lost, 4);
	assert_int_equal(look(m, m->bytes).nr, 8);
}

/* A copy that is taken in the middle of a write: some words are of before, the others of after. */
static void half_overwritten_records_are_never_shown(void **state)
{
	struct memory *m = *state;
	g_autofree u8 *before = NULL, *mixed = NULL;

	for (u64 i = 1; i <= 5000; i++)
		put(m, 1, i);
	before = g_memdup2(m->bytes, m->size);
	for (u64 i = 5001; i <= 5300; i++)
		put(m, 1, i);
	/* Pages of a core are copied one after the other. */
	mixed = aligned_alloc(4096, m->size);
	for (u64 cut = 0; cut <= m->size; cut += 8) {
		u64 from = cut > m->size / 2 ? cut : 0;

		memcpy(mixed, before, m->size);
		memcpy(mixed + from, m->bytes + from, MIN(cut ? cut : 8, m->size - from));
		assert_int_equal(look(m, mixed).wrong, 0);
	}
	free(g_steal_pointer(&mixed));
}

static struct evsel *new_evsel(void)
{
	struct evsel *evsel = evsel_new();

	evsel->attr.size = sizeof(evsel->attr);
	evsel->attr.type = PERF_TYPE_SOFTWARE;
	evsel->attr.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME;
	evsel->attr.sample_id_all = 1;
	return evsel;
}

struct sides {
	struct memory *m;
	struct evsel *evsel;
	struct perfdata_decoder *decoder;
	struct side *side;
};

static struct sides sides_new(struct memory *m)
{
	struct sides s = { .m = m, .evsel = new_evsel() };

	s.decoder = perfdata_decoder_new(&s.evsel, 1, NULL);
	s.side = side_new(s.decoder);
	return s;
}

static void sides_end(struct sides *s)
{
	side_free(s->side);
	perfdata_decoder_free(s->decoder);
	evsel_free(s->evsel);
}

static void tell(struct sides *s, struct event *ev)
{
	g_autoptr(GByteArray) bytes = g_byte_array_new();
	struct event back;

	assert_true(event_encode(ev, s->evsel, bytes, NULL));
	assert_true(perfdata_decoder_decode(s->decoder, (const void *)bytes->data, &back));
	side_take(s->side, &back, (const void *)bytes->data, s->m->store);
}

static void tell_map(struct sides *s, u32 pid, u64 start, u64 time, const char *name)
{
	struct event ev = { .type = PERF_RECORD_MMAP2, .misc = PERF_RECORD_MISC_USER };

	ev.id = (struct sample_id){ .pid = pid, .tid = pid, .time = time, .has_time = true };
	ev.mmap = (struct event_mmap){ .pid = pid,
				       .tid = pid,
				       .start = start,
				       .len = 0x1000,
				       .prot = 5,
				       .has_inode = true,
				       .filename = name };
	tell(s, &ev);
}

static void tell_task(struct sides *s, u32 type, u32 pid, u32 parent, u64 time)
{
	struct event ev = { .type = type };

	ev.id = (struct sample_id){ .pid = pid, .tid = pid, .time = time, .has_time = true };
	ev.task = (struct event_task){ pid, parent, pid, parent, time };
	tell(s, &ev);
}

struct maps_found {
	struct sides *s;
	u32 of[8]; /* pid */
	u64 earliest[8];
};

static void find_map(const struct perf_event_header *record, const struct image_chunk *chunk,
		     u64 place, void *arg)
{
	struct maps_found *f = arg;
	struct event ev;

	if (chunk || record->type != PERF_RECORD_MMAP2)
		return;
	assert_true(perfdata_decoder_decode(f->s->decoder, record, &ev));
	f->of[ev.mmap.pid % 8]++;
	f->earliest[ev.mmap.pid % 8] = ev.id.time;
}

static struct maps_found look_at_maps(struct sides *s)
{
	struct maps_found f = { .s = s };
	struct image_header h;

	assert_true(image_header_read("test", s->m->bytes, s->m->size, &h, NULL));
	image_each_record(s->m->bytes, &h, find_map, &f);
	return f;
}

/* Millions of maps come and go; those of what lives stay, and memory does not grow. */
static void living_maps_survive_when_the_side_area_wraps(void **state)
{
	struct memory *m = *state;
	struct sides s = sides_new(m);

	tell_map(&s, 1, 0x10000, 1, "/lib/stays.so");
	for (u64 i = 2; i < 200000; i++) {
		tell_map(&s, 1, 0x20000, i, "/lib/comes-and-goes.so");
		put(m, 1, i);
		assert_true(side_size(s.side) < 32768);
	}
	assert_true(look_at_maps(&s).of[1] >= 2);
	assert_int_equal(image_store_header(m->store)->side_lost, 0);
	sides_end(&s);
}

static void processes_that_end_are_forgotten(void **state)
{
	struct memory *m = *state;
	struct sides s = sides_new(m);

	tell_map(&s, 1, 0x10000, 1, "/lib/stays.so");
	for (u32 i = 2; i < 100000; i++) {
		tell_task(&s, PERF_RECORD_FORK, 100 + i, 1, i);
		tell_map(&s, 100 + i, 0x30000, i, "/lib/of-the-child.so");
		put(m, 1, i);
		tell_task(&s, PERF_RECORD_EXIT, 100 + i, 1, i);
		assert_true(side_size(s.side) < 32768);
	}
	assert_int_equal(image_store_header(m->store)->side_lost, 0);
	sides_end(&s);
}

/* A server that forked itself into the background: what it has mapped was told of its parent. */
static void a_child_keeps_what_it_inherited(void **state)
{
	struct memory *m = *state;
	struct sides s = sides_new(m);
	struct maps_found f;

	tell_map(&s, 1, 0x10000, 1, "/lib/inherited.so");
	tell_task(&s, PERF_RECORD_FORK, 2, 1, 50);
	tell_task(&s, PERF_RECORD_EXIT, 1, 0, 60);
	for (u64 i = 100; i < 1000; i++) {
		tell_map(&s, 2, 0x20000, i, "/lib/comes-and-goes.so");
		put(m, 2, i);
	}
	/* All samples from before the parent's end are gone by now. */
	for (u64 i = 1000; i < 5000; i++)
		put(m, 2, i);
	for (u64 i = 5000; i < 5300; i++)
		tell_map(&s, 2, 0x20000, i, "/lib/comes-and-goes.so");
	f = look_at_maps(&s);
	assert_int_equal(f.of[1], 0);
	assert_true(f.of[2] >= 2);
	sides_end(&s);
}

static void damage_is_refused_or_passed_over(void **state)
{
	struct memory *m = *state;
	struct image_choice choice = { 0 };
	GRand *rand = g_rand_new_with_seed(1);
	g_autofree u8 *copy = g_malloc(m->size);

	for (u64 i = 1; i <= 500; i++)
		put(m, 1, i);
	for (int i = 0; i < 3000; i++) {
		GByteArray *file;

		memcpy(copy, m->bytes, m->size);
		for (int k = 0; k < 4; k++)
			copy[16 + g_rand_int_range(rand, 0, 1024)] = (u8)g_rand_int(rand);
		file = image_to_perfdata("test", copy, m->size, &choice, NULL);
		if (file)
			g_byte_array_unref(file);
	}
	g_rand_free(rand);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

struct watched {
	struct image_watch watch;
	u32 nr_saved;
};

static void count_saved(struct image_watch *watch, bool triggered)
{
	assert_false(triggered);
	container_of(watch, struct watched, watch)->nr_saved++;
}

/* Two readers: when the first is answered, the second has asked, and its signal has not come yet. */
static void a_reader_is_answered_for_what_it_asked(void **state)
{
	struct watched w = { { .save = count_saved }, 0 };
	struct consumer *c = image_consumer_new(false, &w.watch);
	g_autofree void *memory = g_malloc0(image_layout_size(&layout));
	struct image_header *h = image_consumer_add(c, memory, &layout);

	h->flush_asked = 2;
	c->ops->answer(c, 1);
	assert_int_equal(h->flush_done, 1);
	assert_int_equal(w.nr_saved, 0);
	c->ops->answer(c, 2);
	assert_int_equal(h->flush_done, 2);
	assert_int_equal(w.nr_saved, 0);
	h->flush_asked = 3;
	c->ops->next_part(c); /* SIGUSR2, which is no answer to the third */
	assert_int_equal(w.nr_saved, 1);
	assert_int_equal(h->flush_done, 2);
	c->ops->end(c);
	assert_true(h->flush_done >= h->flush_asked);
	c->ops->close(c);
}

/* 64 recordings in all: those that have a file, and those that are elsewhere. */
static void a_user_has_so_many_recordings(void **state)
{
	g_autofree char *dir = g_dir_make_tmp("shelf.XXXXXX", NULL);
	u32 most = shelf_limits().count;

	assert_int_equal(most, 64);
	for (u32 i = 0; i < 3; i++) {
		g_autofree char *path = g_strdup_printf("%s/recording%u", dir, i);

		assert_true(g_file_set_contents(path, "", 0, NULL));
	}
	assert_true(shelf_has_room(dir, (struct shelf_taken){ .count = most - 4 }, 4096, NULL));
	assert_false(shelf_has_room(dir, (struct shelf_taken){ .count = most - 3 }, 4096, NULL));
	for (u32 i = 0; i < 3; i++) {
		g_autofree char *path = g_strdup_printf("%s/recording%u", dir, i);

		assert_int_equal(unlink(path), 0);
	}
	assert_true(shelf_has_room(dir, (struct shelf_taken){ .count = most - 1 }, 4096, NULL));
	assert_int_equal(rmdir(dir), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(texts_without_an_end_get_one),
		TEST(another_version_is_named),
		TEST(what_is_put_is_found),
		TEST(the_newest_replace_the_oldest),
		TEST(a_million_wraps_take_no_memory),
		TEST(each_living_process_keeps_its_newest),
		TEST(more_processes_than_chunks_are_counted),
		TEST(half_overwritten_records_are_never_shown),
		TEST(living_maps_survive_when_the_side_area_wraps),
		TEST(processes_that_end_are_forgotten),
		TEST(a_child_keeps_what_it_inherited),
		TEST(damage_is_refused_or_passed_over),
		cmocka_unit_test(a_reader_is_answered_for_what_it_asked),
		cmocka_unit_test(a_user_has_so_many_recordings),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
