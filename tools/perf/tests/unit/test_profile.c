// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A profile is the same however it was fed: sample by sample, by numbers, by numbers that several
 * threads made. The recordings are drawn by chance from a fixed seed: threads that change their
 * names, processes that map, fork and exec, kernel and user, chains, activities, several CPUs.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "critical/asked.h"
#include "fields/columns.h"
#include "fields/request_keys.h"
#include "hist/profile.h"
#include "sanitized.h"
#include "session/session.h"
#include "forged.h"

#define NR_SAMPLES (SANITIZED ? 1000 : 3000)

static void add_change(GString *t, u64 *state, u64 time)
{
	u32 pid = 10 + (u32)forged_draw(state, 4), tid = pid * 10 + (u32)forged_draw(state, 3);
	static const char *const files[] = { "/none/a", "/none/b", "/none/c.so" };

	switch (forged_draw(state, 5)) {
	case 0:
		g_string_append_printf(t, "comm pid=%u tid=%u text=name%u time=%llu\n", pid, tid,
				       (u32)forged_draw(state, 4), (unsigned long long)time);
		break;
	case 1:
		g_string_append_printf(
			t, "mmap2 pid=%u start=%#x len=0x4000 file=%s misc=user time=%llu\n", pid,
			0x10000 + (u32)forged_draw(state, 4) * 0x2000, files[forged_draw(state, 3)],
			(unsigned long long)time);
		break;
	case 2:
		g_string_append_printf(t, "fork pid=%u ppid=%u tid=%u ptid=%u time=%llu\n", pid,
				       10 + (u32)forged_draw(state, 4), pid * 10 + 3, pid * 10,
				       (unsigned long long)time);
		break;
	case 3:
		g_string_append_printf(t, "comm pid=%u tid=%u text=new misc=exec time=%llu\n", pid,
				       pid, (unsigned long long)time);
		break;
	default:
		g_string_append_printf(t,
				       "tls_layout pid=%u at=%llu tp_offset=-8 size=8 kind=1 "
				       "layout=req symbol=req object=/none/a state=%u\n",
				       pid, (unsigned long long)time, (u32)forged_draw(state, 2));
	}
}

static void add_sample(GString *t, u64 *state, u64 time, bool two_layouts)
{
	u32 pid = 10 + (u32)forged_draw(state, 5), tid = pid * 10 + (u32)forged_draw(state, 4);
	bool kernel = !forged_draw(state, 4);
	u64 ip = (kernel ? 0xffffffff81000000 : 0x10000) + forged_draw(state, 8) * 0x1000;
	u32 event = (u32)forged_draw(state, 2);

	g_string_append_printf(t,
			       "sample event=%u pid=%u tid=%u ip=%#llx time=%llu cpu=%u period=%u "
			       "misc=%s chain=%s,%#llx,%#x weight=%u addr=%#x",
			       event, pid, tid, (unsigned long long)ip, (unsigned long long)time,
			       (u32)forged_draw(state, 3), 1 + (u32)forged_draw(state, 5),
			       kernel ? "kernel" : "user", kernel ? "kernel" : "user",
			       (unsigned long long)ip,
			       0x10000 + (u32)forged_draw(state, 3) * 0x1000,
			       (u32)forged_draw(state, 3),
			       0x10000 + (u32)forged_draw(state, 3) * 0x1000);
	if (forged_draw(state, 3) && !(two_layouts && event))
		g_string_append_printf(t, " tls=%02x00000000000000", (u32)forged_draw(state, 3));
	g_string_append_c(t, '\n');
}

/* @form: what a line "file" says, "": a plain file. */
static char *recording_in(const char *form, u64 seed, bool two_layouts)
{
	static const char common[] = "IDENTIFIER|IP|TID|TIME|ADDR|CPU|PERIOD|CALLCHAIN";
	g_autoptr(GString) t = g_string_new(NULL);
	u64 state = seed;

	if (form[0])
		g_string_append_printf(t, "file %s\n", form);
	g_string_append_printf(t, "event cpu-clock sample_type=%s%s|TLS_USER tls_user=8\n", common,
			       two_layouts ? "|WEIGHT" : "");
	g_string_append_printf(t, "event task-clock sample_type=%s%s tls_user=8\n", common,
			       two_layouts ? "" : "|TLS_USER");
	for (u64 i = 0; i < NR_SAMPLES; i++) {
		u64 time = 1000 + i * 100;

		if (!forged_draw(&state, 40))
			add_change(t, &state, time - forged_draw(&state, 3) * 1000);
		add_sample(t, &state, time, two_layouts);
	}
	return forged_file(t->str);
}

static char *recording(u64 seed, bool two_layouts)
{
	return recording_in("", seed, two_layouts);
}

struct looked {
	struct session *session;
	struct lexicon *lexicon;
	struct columns *columns;
	struct profile *profile;
};

enum way { ONE_BY_ONE, BY_NUMBERS };

static bool take(const struct place *place, u32 filtered, void *arg, GError **error)
{
	profile_take(arg, place, filtered);
	return true;
}

struct question {
	const char *path, *sort;
	const GPtrArray *beside; /* const char *: further files; NULL: none */
	struct session_filter filter;
	bool chains, children;
	bool one_thread; /* not by several too */
	enum clusters_kind clusters;
	size_t numbers_size;
	u32 max_ids; /* 0: any number */
};

static void look(struct looked *l, const struct question *q, enum way way, int threads)
{
	struct session_options so = { .input = q->path,
				      .beside = q->beside,
				      .filter = q->filter,
				      .threads = threads,
				      .part_size = 4096,
				      .numbers_size = q->numbers_size };
	struct columns_options co = { .sort = q->sort,
				      .sort_default = COLUMNS_DEFAULT_SORT,
				      .families = FIELD_NORMAL | FIELD_MEMORY,
				      .children = q->children };
	struct profile_options po = { .chains = q->chains,
				      .children = q->children,
				      .clusters = q->clusters };
	GError *error = NULL;

	l->session = session_open(&so, &error);
	assert_null(error);
	l->lexicon = lexicon_new(l->session);
	l->lexicon->max_ids = q->max_ids;
	l->lexicon->request_keys = asked_new(l->session, NULL, 50);
	co.lexicon = l->lexicon;
	l->columns = columns_new(&co, &error);
	assert_null(error);
	po.columns = l->columns;
	chain_options_init(&po.chain);
	l->profile = profile_new(l->session, l->lexicon, &po);
	if (way == BY_NUMBERS) {
		assert_true(profile_read(l->profile, &error));
		return;
	}
	assert_true(session_each_sample(l->session, profile_needs(l->profile), take, l->profile,
					&error));
	profile_look(l->profile);
}

static void looked_free(struct looked *l)
{
	profile_free(l->profile);
	columns_free(l->columns);
	asked_free(l->lexicon->request_keys);
	lexicon_free(l->lexicon);
	session_close(l->session);
}

/* The recordings have no waits, so nothing can be on a critical path. */
static bool is_answered(const struct field *field)
{
	return field->family & (FIELD_NORMAL | FIELD_MEMORY) && !(field->needs & NEED_CRITICAL);
}

static gint by_size(gconstpointer a, gconstpointer b)
{
	u64 x = *(const u64 *)a, y = *(const u64 *)b;

	return x < y ? -1 : x > y;
}

/* The sums of an entry in its clusters, which have other numbers if they are seen in another order. */
static void add_clusters(const struct profile_event *e, const struct hist_entry *entry,
			 GString *out)
{
	const GArray *parts = hist_parts(e->hist);
	g_autoptr(GArray) sums = g_array_new(FALSE, TRUE, sizeof(u64));
	u64 all = 0;

	for (u32 i = 0; i < parts->len; i++) {
		const struct hist_part *part = &g_array_index(parts, struct hist_part, i);

		if (part->entry != entry->id)
			continue;
		if (part->cluster >= sums->len)
			g_array_set_size(sums, part->cluster + 1);
		g_array_index(sums, u64, part->cluster) += part->period;
		all += part->period;
	}
	assert_int_equal(all, entry->shown ? entry->self->period : 0);
	g_array_sort(sums, by_size);
	for (u32 i = 0; i < sums->len; i++)
		if (g_array_index(sums, u64, i))
			g_string_append_printf(out, " cluster %llu",
					       (unsigned long long)g_array_index(sums, u64, i));
}

static void add_entry(const struct looked *l, const struct profile_event *e, u32 i, GString *out)
{
	const struct hist_entry *entry = hist_at(e->hist, i);
	const struct hist_stack *stack = NULL;

	for (u32 k = 0; k < l->columns->groups->len; k++) {
		field_print(l->columns->groups->pdata[k], l->lexicon, entry->keys[k], out);
		g_string_append_c(out, '|');
	}
	g_string_append_printf(out, " %d", entry->shown);
	g_string_append_printf(out, " %llu %llu", (unsigned long long)entry->self->samples,
			       (unsigned long long)entry->self->period);
	for (u32 m = 0; m < HIST_NR_MODES; m++)
		g_string_append_printf(out, " %llu", (unsigned long long)entry->self->by_mode[m]);
	if (entry->children)
		g_string_append_printf(out, " children %llu",
				       (unsigned long long)entry->children->period);
	while ((stack = hist_next_stack(e->hist, entry, stack))) {
		struct stack_walk walk = stacks_walk(l->profile->stacks, stack->stack);
		const struct stack_frame *frame;

		g_string_append_printf(out, " [%llu", (unsigned long long)stack->period);
		while ((frame = stack_next(&walk)))
			g_string_append_printf(out, " %llx", (unsigned long long)frame->code->va);
		g_string_append_c(out, ']');
	}
	if (l->profile->clusters)
		add_clusters(e, entry, out);
	g_string_append_c(out, '\n');
}

static char *text_of(const struct looked *l)
{
	GString *out = g_string_new(NULL);

	for (u32 i = 0; i < l->profile->events->len; i++) {
		const struct profile_event *e = l->profile->events->pdata[i];
		const struct profile_totals *t =
			&g_array_index(e->totals, struct profile_totals, 0);

		g_string_append_printf(out, "%llu %llu, %llu %llu, %llu, %d\n",
				       (unsigned long long)t->samples,
				       (unsigned long long)t->period,
				       (unsigned long long)t->shown_samples,
				       (unsigned long long)t->shown_period,
				       (unsigned long long)t->chain_period, e->has_chains);
		for (u32 k = 0; k < hist_nr(e->hist); k++)
			add_entry(l, e, k, out);
	}
	for (u32 i = 0; i < NR_ACTIVITY_STATES; i++)
		g_string_append_printf(out, "%llu ",
				       (unsigned long long)l->profile->activity_states[i]);
	return g_string_free(out, FALSE);
}

static void assert_same(const struct question *q)
{
	struct looked l;
	g_autofree char *expected = NULL, *got = NULL, *got_by_three = NULL;

	look(&l, q, ONE_BY_ONE, 1);
	expected = text_of(&l);
	looked_free(&l);
	look(&l, q, BY_NUMBERS, 1);
	got = text_of(&l);
	looked_free(&l);
	if (strcmp(expected, got))
		print_message("of -s %s\n", q->sort);
	assert_string_equal(expected, got);
	if (q->one_thread)
		return;
	look(&l, q, BY_NUMBERS, 3);
	got_by_three = text_of(&l);
	looked_free(&l);
	if (strcmp(expected, got_by_three))
		print_message("by three threads, of -s %s\n", q->sort);
	assert_string_equal(expected, got_by_three);
}

/*
 * Each field is read by three threads once, not twice: a program has to stay below 512 threads in all, as LeakSanitizer's
 * list of them (GCC 12) then moves to another place while other threads read it, and they die.
 */
static void every_field_is_as_by_single_samples(void **state)
{
	for (u32 two = 0; two < 2; two++) {
		g_autofree char *path = recording(88172645463325252ull, two);
		const struct field *field;

		for (u32 i = 0; (field = fields_at(i)); i++) {
			struct question q = { .path = path,
					      .sort = field->name,
					      .one_thread = true };
			g_autofree char *beside = g_strdup_printf("comm,%s,sym", field->name);

			if (!is_answered(field))
				continue;
			assert_same(&q);
			q.sort = beside;
			q.one_thread = false;
			assert_same(&q);
		}
		unlink(path);
	}
}

/* Without memory for them, the numbers of alike samples start again after each part. */
static void numbers_that_start_again_change_nothing(void **state)
{
	for (u32 two = 0; two < 2; two++) {
		g_autofree char *path = recording(88172645463325252ull, two);

		assert_same(
			&(struct question){ .path = path, .sort = "comm,sym", .numbers_size = 1 });
		assert_same(&(struct question){
			.path = path, .sort = "activity,dso", .chains = true, .numbers_size = 1 });
		unlink(path);
	}
}

static char *heaviest_id(const char *path, size_t numbers_size)
{
	const struct question q = {
		.path = path, .sort = "activity", .numbers_size = numbers_size, .max_ids = 1
	};
	struct looked l;
	char *text;

	look(&l, &q, BY_NUMBERS, 1);
	assert_true(l.profile->folded_samples > 0);
	text = text_of(&l);
	looked_free(&l);
	return text;
}

/* An id that comes first, and one with twice its time: the second one has the only row, however often numbers start again. */
static void the_heaviest_id_has_the_row(void **state)
{
	g_autoptr(GString) t =
		g_string_new("event cpu-clock sample_type=IP|TID|TIME|PERIOD|TLS_USER tls_user=8\n"
			     "tls_layout pid=7 at=0 tp_offset=-8 size=8 kind=1 layout=req "
			     "symbol=req object=/none/a\n");
	g_autofree char *path = NULL, *once = NULL, *often = NULL;

	for (u32 i = 0; i < 900; i++)
		g_string_append_printf(
			t, "sample pid=7 ip=0x1000 time=%u misc=user tls=%02x00000000000000\n",
			1000 + i, i < 300 ? 1 : 2);
	path = forged_file(t->str);
	once = heaviest_id(path, 0);
	assert_non_null(strstr(once, " 600 600 "));
	often = heaviest_id(path, 1);
	assert_string_equal(often, once);
	unlink(path);
}

struct pure {
	const struct field *field;
	struct lexicon *lexicon;
	GArray *keys; /* u64, by sample */
	u32 next;
	bool again;
};

static bool compare_key(const struct place *place, u32 filtered, void *arg, GError **error)
{
	struct pure *p = arg;
	u64 key = p->field->key(p->field, p->lexicon, place);

	if (p->again)
		assert_int_equal(key, g_array_index(p->keys, u64, p->next));
	else
		g_array_append_val(p->keys, key);
	assert_int_equal(p->field->key(p->field, p->lexicon, place), key);
	p->next++;
	return true;
}

/* A key is the same however often, and after whichever other samples, it is asked for; ids weigh nothing by it. */
static void keys_are_pure(void **state)
{
	g_autofree char *path = recording(7919, false);
	const struct field *field;

	for (u32 i = 0; (field = fields_at(i)); i++) {
		struct question q = { .path = path, .sort = "dso" };
		struct pure p = { .field = field };
		struct looked l;

		if (!is_answered(field) || field->take || field->value)
			continue;
		look(&l, &q, BY_NUMBERS, 1);
		p.lexicon = l.lexicon;
		l.lexicon->max_ids = 2;
		assert_true(request_keys_prepare(l.lexicon, field->needs, NULL));
		p.keys = g_array_new(FALSE, FALSE, sizeof(u64));
		for (u32 pass = 0; pass < 2; pass++) {
			p.next = 0;
			p.again = pass;
			assert_true(session_each_sample(l.session, field->needs, compare_key, &p,
							NULL));
		}
		g_array_unref(p.keys);
		looked_free(&l);
	}
	unlink(path);
}

static void filters_are_as_by_single_samples(void **state)
{
	static const struct session_filter filters[] = {
		{ .comms = "name1,new" }, { .pids = "11,12" },	  { .tids = "101,110" },
		{ .cpus = "1" },	  { .time = "10%-60%" },  { .dsos = "a,[unknown]" },
		{ .symbols = "none" },	  { .with_parent = true }
	};
	g_autofree char *path = recording(7919, false);

	for (size_t i = 0; i < ARRAY_SIZE(filters); i++) {
		struct question q = { .path = path,
				      .sort = "pid,dso,activity",
				      .filter = filters[i],
				      .chains = i % 2 };

		assert_same(&q);
		q.children = true;
		assert_same(&q);
	}
	unlink(path);
}

static void chains_are_as_by_single_samples(void **state)
{
	g_autofree char *path = recording(104729, false);
	struct question q = { .path = path, .sort = "comm,dso", .chains = true };

	assert_same(&q);
	q.children = true;
	assert_same(&q);
	q.sort = "activity,cpu,addr";
	assert_same(&q);
	unlink(path);
}

/* Their blocks are of 4 kB. */
static void compressed_files_are_as_plain_ones(void **state)
{
	static const char *const forms[] = { "zstd=1", "zstd=19", "pipe zstd=3" };
	static const char *const sorts[] = { "comm,dso,sym", "cpu,activity", "pid,addr", "time" };

	for (size_t i = 0; i < ARRAY_SIZE(forms); i++) {
		g_autofree char *path = recording_in(forms[i], 7919, i % 2);
		g_autofree char *plain = recording(7919, i % 2);

		for (size_t k = 0; k < ARRAY_SIZE(sorts); k++) {
			struct question q = { .path = path, .sort = sorts[k], .chains = k % 2 };
			g_autofree char *got = NULL, *expected = NULL;
			struct looked l;

			assert_same(&q);
			look(&l, &q, BY_NUMBERS, 3);
			got = text_of(&l);
			looked_free(&l);
			q.path = plain;
			look(&l, &q, BY_NUMBERS, 3);
			expected = text_of(&l);
			looked_free(&l);
			assert_string_equal(expected, got);
		}
		unlink(path);
		unlink(plain);
	}
}

/* Of three, one has no samples, and the first and the last map some of the same files. */
static void several_files_are_as_one_after_the_other(void **state)
{
	static const char *const sorts[] = { "comm,dso,sym", "dso,cpu", "pid,activity",
					     "host,addr" };
	g_autofree char *path = recording(104729, false), *last = recording(7919, true);
	g_autofree char *compressed = recording_in("zstd=1", 65537, false);
	g_autofree char *empty = forged_file("event cpu-clock sample_type=IP|TID|TIME\n");
	g_autoptr(GPtrArray) beside = g_ptr_array_new();

	g_ptr_array_add(beside, empty);
	g_ptr_array_add(beside, last);
	for (size_t i = 0; i < ARRAY_SIZE(sorts); i++) {
		struct question q = {
			.path = path, .sort = sorts[i], .beside = beside, .chains = i % 2
		};

		assert_same(&q);
		q.filter.pids = "11,12";
		assert_same(&q);
	}
	/* The last file may be the one without, or one may be compressed. */
	beside->pdata[0] = last;
	beside->pdata[1] = empty;
	assert_same(&(struct question){ .path = path, .sort = "dso,sym", .beside = beside });
	beside->pdata[0] = compressed;
	beside->pdata[1] = last;
	assert_same(&(struct question){ .path = path, .sort = "dso,sym", .beside = beside });
	unlink(compressed);
	unlink(path);
	unlink(last);
	unlink(empty);
}

/* A look changes nothing: the same samples twice, with a look between, are those of both at once. */
static void a_look_in_between_changes_nothing(void **state)
{
	g_autofree char *path = recording(65537, false);
	struct question q = { .path = path, .sort = "comm,sym", .chains = true, .children = true };
	g_autofree char *once = NULL, *again = NULL;
	struct looked l;

	look(&l, &q, ONE_BY_ONE, 1);
	once = text_of(&l);
	profile_look(l.profile);
	again = text_of(&l);
	assert_string_equal(once, again);
	looked_free(&l);
}

/* Half of two times the samples is once the samples; what fades to nothing is gone. */
static void what_fades_is_forgotten(void **state)
{
	g_autofree char *path = recording(65537, false);
	struct question q = { .path = path, .sort = "comm,sym", .chains = true, .children = true };
	g_autofree char *once = NULL, *faded = NULL;
	GError *error = NULL;
	struct looked l;

	look(&l, &q, ONE_BY_ONE, 1);
	once = text_of(&l);
	assert_true(
		session_each_sample(l.session, profile_needs(l.profile), take, l.profile, &error));
	profile_fade(l.profile, 0.5);
	profile_look(l.profile);
	faded = text_of(&l);
	assert_string_equal(once, faded);
	profile_fade(l.profile, 0);
	profile_look(l.profile);
	for (u32 i = 0; i < l.profile->events->len; i++)
		assert_int_equal(
			hist_nr(((struct profile_event *)l.profile->events->pdata[i])->hist), 0);
	looked_free(&l);
	unlink(path);
}

static void clusters_are_as_by_single_samples(void **state)
{
	static const enum clusters_kind kinds[] = { CLUSTERS_ONE, CLUSTERS_THREADS,
						    CLUSTERS_REQUESTS };
	g_autofree char *path = recording(88172645463325252ull, false);

	for (u32 i = 0; i < ARRAY_SIZE(kinds); i++) {
		assert_same(&(struct question){
			.path = path, .sort = "dso,sym", .clusters = kinds[i] });
		assert_same(&(struct question){
			.path = path, .sort = "comm,sym", .chains = true, .clusters = kinds[i] });
		assert_same(&(struct question){ .path = path,
						.sort = "tid,activity",
						.filter = { .dsos = "a" },
						.clusters = kinds[i] });
	}
	unlink(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_field_is_as_by_single_samples),
		cmocka_unit_test(numbers_that_start_again_change_nothing),
		cmocka_unit_test(the_heaviest_id_has_the_row),
		cmocka_unit_test(keys_are_pure),
		cmocka_unit_test(filters_are_as_by_single_samples),
		cmocka_unit_test(chains_are_as_by_single_samples),
		cmocka_unit_test(compressed_files_are_as_plain_ones),
		cmocka_unit_test(several_files_are_as_one_after_the_other),
		cmocka_unit_test(a_look_in_between_changes_nothing),
		cmocka_unit_test(what_fades_is_forgotten),
		cmocka_unit_test(clusters_are_as_by_single_samples),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
