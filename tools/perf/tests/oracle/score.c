// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Questions for a perf, and its answers held against the truth that oracle/step wrote:
 *
 *   score ask PROGRAM PATH TRUTH        the questions as text for the forge: one sample per
 *                                       instruction, numbered by its weight; PATH is
 *                                       where the perf that is asked finds PROGRAM
 *   score held PROGRAM TRUTH REPORT     the sums, one "NAME N" line each
 *   score list PROGRAM TRUTH REPORT     each instruction: VADDR VERDICT ANSWER TRUTH CLASS TIMES TEXT
 *   score self PROGRAM TRUTH            the sums of REPORTs that it makes: "true NAME N" of one whose answers
 *                                       are the truth, "shuffled NAME N" of two where each is the truth of
 *                                       another instruction
 *
 * REPORT is the output of `perf report --skid=sampled --stdio -q -s local_weight,type,typeoff`.
 *
 * An answer is right if it is right for every execution of the instruction: `n->kid[i]` that is
 * said to be the member before is wrong, even if i was once such that it would be right. Of an
 * instruction with two memory operands (movs) the answer may be either's. An access over several
 * members is right only as "(one of several)". Beside the instructions
 * the executions are counted, each for itself: "ran", "ran:typed" and "ran:right".
 */
#include <err.h>
#include <gelf.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "layout.h"

#define BIAS 0x555555554000ul

enum verdict {
	EXACT,	   /* the object and the offset in it */
	CONTAINED, /* a member of it, or a larger one, at the same byte */
	SCALAR,	   /* the scalar at that byte */
	FIELD,	   /* a right type, a wrong offset */
	TYPE,	   /* none of what is there */
	NONE,	   /* no type */
	NR_VERDICTS,
};
static const char *const verdict_names[] = {
	"exact", "contained", "scalar", "field", "type", "none"
};

/* What may name a place that an operand touched in @times executions. */
struct place {
	char *class, *type;
	s64 offset;
	u64 size, count, times;
	u32 choice; /* the same for all that may name it */
	u16 width;
	u32 operand;
};

/* An answer held against one operand. */
struct judgement {
	enum verdict verdict; /* the worst of all executions */
	u64 ran, right;	      /* executions */
};

struct question {
	u64 vaddr;
	GArray *places; /* struct place of known truth */
	char *apart;	/* class of a place without one */
	char *text;
	u64 times;
	char *answer; /* type; NULL: none */
	s64 answer_offset;
};

struct quiz {
	GPtrArray *all;	  /* struct question *, by vaddr */
	GPtrArray *asked; /* those with a known truth; number 1 is the first */
};

static bool known_class(const char *class)
{
	return !strcmp(class, "heap") || !strcmp(class, "global") || !strcmp(class, "thread") ||
	       !strcmp(class, "frame");
}

static int by_vaddr(const void *a, const void *b)
{
	const struct question *x = *(struct question *const *)a, *y = *(struct question *const *)b;

	return x->vaddr < y->vaddr ? -1 : x->vaddr > y->vaddr;
}

static int by_choice(const void *a, const void *b)
{
	const struct place *x = a, *y = b;

	if (x->operand != y->operand)
		return x->operand < y->operand ? -1 : 1;
	return x->choice < y->choice ? -1 : x->choice > y->choice;
}

static void take_line(GHashTable *by_address, struct quiz *quiz, char **f)
{
	u64 vaddr = g_ascii_strtoull(f[0], NULL, 16);
	struct question *q = g_hash_table_lookup(by_address, (gpointer)(uintptr_t)vaddr);
	struct place place = {
		.class = g_strdup(f[4]),
		.type = g_strdup(f[5]),
		.offset = g_ascii_strtoll(f[6], NULL, 10),
		.size = g_ascii_strtoull(f[7], NULL, 10),
		.count = g_ascii_strtoull(f[8], NULL, 10),
		.choice = (u32)g_ascii_strtoull(f[9], NULL, 10),
		.times = g_ascii_strtoull(f[10], NULL, 10),
		.operand = (u32)g_ascii_strtoull(f[1], NULL, 10),
		.width = (u16)g_ascii_strtoull(f[2], NULL, 10),
	};

	if (!q) {
		q = g_new0(struct question, 1);
		q->vaddr = vaddr;
		q->places = g_array_new(FALSE, FALSE, sizeof(struct place));
		q->text = g_strdup(f[11]);
		g_hash_table_insert(by_address, (gpointer)(uintptr_t)vaddr, q);
		g_ptr_array_add(quiz->all, q);
	}
	q->times += place.times;
	if (known_class(place.class) || !strcmp(place.class, "around"))
		g_array_append_val(q->places, place);
	else if (!q->apart)
		q->apart = g_strdup(place.class);
}

static struct quiz *quiz_load(const char *path)
{
	g_autoptr(GHashTable) by_address = g_hash_table_new(NULL, NULL);
	struct quiz *quiz = g_new0(struct quiz, 1);
	g_autofree char *text = NULL;
	g_auto(GStrv) lines = NULL;

	if (!g_file_get_contents(path, &text, NULL, NULL))
		errx(2, "%s cannot be read", path);
	quiz->all = g_ptr_array_new();
	quiz->asked = g_ptr_array_new();
	lines = g_strsplit(text, "\n", -1);
	for (char **line = lines; *line; line++) {
		g_auto(GStrv) fields = g_strsplit(*line, "\t", 12);

		if (g_strv_length(fields) == 12)
			take_line(by_address, quiz, fields);
	}
	g_ptr_array_sort(quiz->all, by_vaddr);
	for (u32 i = 0; i < quiz->all->len; i++) {
		struct question *q = g_ptr_array_index(quiz->all, i);

		g_array_sort(q->places, by_choice);
		if (q->places->len)
			g_ptr_array_add(quiz->asked, q);
	}
	return quiz;
}

static void ask(const struct quiz *quiz, const char *program, const char *path)
{
	int fd = open(program, O_RDONLY);
	u64 bias = 0;
	GElf_Ehdr ehdr;
	size_t nr;
	Elf *elf;

	elf_version(EV_CURRENT);
	elf = elf_begin(fd, ELF_C_READ, NULL);
	if (!elf || !gelf_getehdr(elf, &ehdr) || elf_getphdrnum(elf, &nr))
		errx(2, "%s: no ELF file", program);
	if (ehdr.e_type == ET_DYN)
		bias = BIAS;
	printf("event cpu-clock sample_type=IP|TID|TIME|PERIOD|WEIGHT\ncomm pid=7 text=oracle "
	       "misc=exec time=1\n");
	for (size_t i = 0; i < nr; i++) {
		GElf_Phdr phdr;
		u64 skew;

		gelf_getphdr(elf, (int)i, &phdr);
		if (phdr.p_type != PT_LOAD || !(phdr.p_flags & PF_X))
			continue;
		skew = phdr.p_vaddr & 4095;
		printf("mmap2 pid=7 start=0x%lx len=0x%lx pgoff=0x%lx prot=5 flags=2 file=%s "
		       "time=2 misc=user\n",
		       bias + phdr.p_vaddr - skew, ALIGN_UP(phdr.p_memsz + skew, 4096),
		       phdr.p_offset - skew, path);
	}
	for (u32 i = 0; i < quiz->asked->len; i++) {
		const struct question *q = g_ptr_array_index(quiz->asked, i);

		printf("sample misc=user pid=7 time=%u ip=0x%lx period=1 weight=%u\n", i + 10,
		       bias + q->vaddr, i + 1);
	}
	elf_end(elf);
	close(fd);
}

#define SEVERAL INT64_MIN /* as an answer's offset: one of several members */

/*
 * "  5.00%  12  struct n  struct n +0x8 (next)": number, type, offset; pseudo types have none, and
 * "struct n (one of several)" is anywhere in it.
 */
static void take_answer(const struct quiz *quiz, GRegex *regex, const char *line)
{
	g_autoptr(GMatchInfo) match = NULL;
	g_autofree char *number = NULL, *rest = NULL, *offset = NULL;
	struct question *q;
	const char *type;
	u64 n;

	if (!g_regex_match(regex, line, 0, &match))
		return;
	number = g_match_info_fetch(match, 1);
	rest = g_match_info_fetch(match, 2);
	offset = g_match_info_fetch(match, 3);
	n = g_ascii_strtoull(number, NULL, 10);
	if (n < 1 || n > quiz->asked->len)
		return;
	q = g_ptr_array_index(quiz->asked, n - 1);
	/* The type's own column and the offset's are parted by two blanks or more. */
	type = g_strrstr(rest, "  ");
	type = type ? type + 2 : rest;
	if (!strcmp(type, "(unknown)") || !strcmp(type, "(unknown type)") ||
	    !strcmp(type, "(no memory access)") || q->answer)
		return;
	q->answer = g_strdup(type);
	q->answer_offset = offset && *offset ? (s64)g_ascii_strtoull(offset, NULL, 0) : SEVERAL;
}

/* Columns are as wide as the longest name in them: two blanks say as much, and are quicker to match. */
static void squeeze_blanks(char *line)
{
	char *to = line;

	for (const char *from = line; *from; from++)
		if (*from != ' ' || to - line < 2 || to[-1] != ' ' || to[-2] != ' ')
			*to++ = *from;
	*to = '\0';
}

static void take_answers(const struct quiz *quiz, const char *report)
{
	g_autoptr(GRegex) regex = g_regex_new("^ *[0-9.]+% +([0-9]+) +.*?(?:  +| )([^ ].*?) "
					      "(?:\\+(0x[0-9a-f]+|[0-9]+)(?: \\(.*\\))?|"
					      "\\(one of several\\))\\s*$",
					      G_REGEX_OPTIMIZE, 0, NULL);
	g_auto(GStrv) lines = g_strsplit(report, "\n", -1);

	for (char **line = lines; *line; line++) {
		squeeze_blanks(*line);
		take_answer(quiz, regex, *line);
	}
}

static void load_answers(const struct quiz *quiz, const char *path)
{
	g_autofree char *text = NULL;

	if (!g_file_get_contents(path, &text, NULL, NULL))
		errx(2, "%s cannot be read", path);
	take_answers(quiz, text);
}

/*
 * Go's code of a generic function has types that are named after the shape of their arguments: "element[go.shape.int_0]" and
 * "element[int]" are one type, and the program allocates under both names.
 */
static bool same_shape(const char *a, const char *b)
{
	const char *shape = strstr(a, "[go.shape.");

	return shape && !strncmp(a, b, (size_t)(shape + 1 - a));
}

/* All pointers have one shape: "go.shape.*uint8" is what a generic function's code calls any of them. */
static bool is_shaped_pointer(const struct view *a, const struct view *b)
{
	return g_str_has_prefix(a->name, "go.shape.*") && b->family == 'p';
}

/* "Node" is ns::Node and "Box<int>" is ns::Box<int>: a name that says less is not wrong. */
static bool same_name(const struct view *full, const struct view *said)
{
	const char *bare = said->bare ?: said->name;

	if (!strcmp(full->name, said->name) || same_shape(full->name, said->name) ||
	    same_shape(said->name, full->name) || is_shaped_pointer(full, said) ||
	    is_shaped_pointer(said, full))
		return true;
	return full->bare && !strcmp(full->bare, bare) &&
	       (!strcmp(bare, said->name) || g_str_has_suffix(full->name, said->name));
}

/* Integers of one size are one to the processor. */
static bool same_scalar(const struct view *truth, const struct view *said)
{
	return truth->family == said->family && truth->size == said->size && truth->family == 'i';
}

/*
 * Structs that begin alike, as headers of objects do: the same members of the same scalar at the
 * same place. C says such a member may be reached through either. The object may be a member of another.
 */
static bool same_member(const struct view *truth, const struct view *said)
{
	return said->level == LEVEL_OBJECT && truth->offset == said->offset && truth->member &&
	       said->member && !strcmp(truth->member, said->member);
}

static enum verdict judge_views(const GArray *truth, const GArray *said, bool closure)
{
	enum verdict best = TYPE;

	for (u32 i = 0; i < truth->len; i++) {
		const struct view *t = &g_array_index(truth, struct view, i);

		for (u32 j = 0; j < said->len; j++) {
			const struct view *s = &g_array_index(said, struct view, j);
			enum verdict verdict = TYPE;

			if (s->level != LEVEL_OBJECT && t->level != LEVEL_OBJECT)
				continue;
			if (same_name(t, s))
				verdict = t->offset != s->offset     ? FIELD
					  : s->level != LEVEL_OBJECT ? CONTAINED
					  : t->level == LEVEL_OBJECT ? EXACT
					  : t->level == LEVEL_SCALAR ? SCALAR
								     : CONTAINED;
			else if (same_member(t, s))
				verdict = CONTAINED;
			else if (s->level == LEVEL_OBJECT && t->size && s->size &&
				 t->offset == s->offset && same_scalar(t, s))
				verdict = SCALAR;
			/* A byte is a byte of anything, be it between members. */
			else if (s->level == LEVEL_OBJECT && s->family == 'c')
				verdict = SCALAR;
			/*
			 * A struct around the truth may be right, but around a scalar only a closure: its
			 * captures are variables of their own.
			 */
			if (s->level != LEVEL_OBJECT && (verdict == FIELD || (t->size && !closure)))
				verdict = TYPE;
			best = MIN(best, verdict);
		}
	}
	return best;
}

/* No member is named: right where the structure is, by any of its names. */
static bool has_object(const GArray *truth, const GArray *said)
{
	for (u32 i = 0; i < truth->len; i++)
		for (u32 j = 0; j < said->len; j++) {
			const struct view *v = &g_array_index(said, struct view, j);

			if (v->level == LEVEL_OBJECT &&
			    same_name(&g_array_index(truth, struct view, i), v))
				return true;
		}
	return false;
}

/* How far into a number or pointer the place is. */
static s64 into_scalar(const GArray *truth)
{
	for (u32 i = 0; i < truth->len; i++) {
		const struct view *v = &g_array_index(truth, struct view, i);

		if (v->size && v->offset > 0 && v->offset < v->size)
			return v->offset;
	}
	return 0;
}

/* By the offset that is said, or, where none is, by the structure. */
static enum verdict judge_place(struct layout *layout, const struct place *p, const GArray *said,
				bool several, bool closure, bool repeated)
{
	g_autoptr(GArray) truth = layout_views_new();
	enum verdict verdict = TYPE;
	s64 into;

	layout_views(layout, p->type, p->offset, p->size, p->count, truth);
	into = repeated ? into_scalar(truth) : 0;
	/* `rep stosb` comes to each byte of a number: they are the number. */
	if (into) {
		g_array_set_size(truth, 0);
		layout_views(layout, p->type, p->offset - into, p->size, p->count, truth);
	}
	if (!several)
		verdict = judge_views(truth, said, closure);
	else if (has_object(truth, said))
		verdict = CONTAINED;
	if (!strcmp(p->class, "around"))
		verdict = verdict <= SCALAR ? CONTAINED : TYPE;
	return verdict;
}

/* One member is said, and all bytes that are touched at once are in it. */
static bool fits_answer(struct layout *layout, const struct question *q, u16 width)
{
	return !q->answer || q->answer_offset == SEVERAL || !strncmp(q->text, "rep", 3) ||
	       layout_is_one(layout, q->answer, q->answer_offset, width);
}

/* Of the operand whose places begin at *@i, which becomes where the next one's do. */
static struct judgement judge_operand(struct layout *layout, const struct question *q, u32 *i,
				      const GArray *said, bool closure)
{
	const struct place *places = (const struct place *)(void *)q->places->data;
	u32 operand = places[*i].operand;
	struct judgement j = { .verdict = EXACT };
	bool fits = fits_answer(layout, q, places[*i].width);

	while (*i < q->places->len && places[*i].operand == operand) {
		const struct place *first = &places[*i];
		enum verdict best = q->answer ? TYPE : NONE;

		for (; *i < q->places->len && places[*i].choice == first->choice; ++*i)
			if (q->answer)
				best = MIN(best, judge_place(layout, &places[*i], said,
							     q->answer_offset == SEVERAL, closure,
							     !strncmp(q->text, "rep", 3)));
		if (!fits)
			best = MAX(best, FIELD);
		j.verdict = MAX(j.verdict, best);
		j.ran += first->times;
		j.right += best <= SCALAR ? first->times : 0;
	}
	return j;
}

static struct judgement judge(struct layout *layout, const struct question *q)
{
	struct judgement best = { .verdict = NR_VERDICTS };
	g_autoptr(GArray) said = layout_views_new();
	bool closure = false;

	if (q->answer) {
		layout_views(layout, q->answer, q->answer_offset == SEVERAL ? 0 : q->answer_offset,
			     0, 1, said);
		closure = strstr(q->answer, "{closure_env#") ||
			  (said->len && !*g_array_index(said, struct view, 0).name);
	}
	for (u32 i = 0; i < q->places->len;) {
		struct judgement j = judge_operand(layout, q, &i, said, closure);

		if (j.verdict < best.verdict ||
		    (j.verdict == best.verdict && j.right * best.ran > best.right * j.ran))
			best = j;
	}
	return best;
}

static void count_apart(const struct quiz *quiz, const char *prefix)
{
	g_autoptr(GHashTable) classes = g_hash_table_new(g_str_hash, g_str_equal);
	GHashTableIter iter;
	gpointer name, n;

	for (u32 i = 0; i < quiz->all->len; i++) {
		const struct question *q = g_ptr_array_index(quiz->all, i);

		if (!q->places->len)
			g_hash_table_insert(classes, q->apart,
					    (char *)g_hash_table_lookup(classes, q->apart) + 1);
	}
	g_hash_table_iter_init(&iter, classes);
	while (g_hash_table_iter_next(&iter, &name, &n))
		printf("%sapart:%s %lu\n", prefix, (char *)name, (unsigned long)(uintptr_t)n);
}

static void sum_up(struct layout *layout, const struct quiz *quiz, const char *prefix)
{
	u64 sums[NR_VERDICTS] = { 0 }, ran = 0, typed = 0, right = 0;

	for (u32 i = 0; i < quiz->asked->len; i++) {
		const struct question *q = g_ptr_array_index(quiz->asked, i);
		struct judgement j = judge(layout, q);

		sums[j.verdict]++;
		ran += j.ran;
		typed += q->answer ? j.ran : 0;
		right += j.right;
	}
	printf("%sinstructions %u\n%sasked %u\n", prefix, quiz->all->len, prefix, quiz->asked->len);
	printf("%sran %lu\n%sran:typed %lu\n%sran:right %lu\n", prefix, (unsigned long)ran, prefix,
	       (unsigned long)typed, prefix, (unsigned long)right);
	for (u32 i = 0; i < NR_VERDICTS; i++)
		printf("%s%s %lu\n", prefix, verdict_names[i], (unsigned long)sums[i]);
	count_apart(quiz, prefix);
}

static const char *level_names[] = { "", ".", "." };

static void print_truth(struct layout *layout, const struct question *q, GString *out)
{
	for (u32 i = 0; i < q->places->len && i < 12; i++) {
		const struct place *p = &g_array_index(q->places, struct place, i);
		g_autoptr(GArray) views = layout_views_new();

		layout_views(layout, p->type, p->offset, p->size, p->count, views);
		if (out->len)
			g_string_append(out, " | ");
		for (u32 j = 0; j < views->len && j < 6; j++) {
			const struct view *v = &g_array_index(views, struct view, j);

			g_string_append_printf(out, "%s%s+%ld", level_names[v->level], v->name,
					       (long)v->offset);
		}
	}
}

/* Of an object, not what lies around one. */
static const struct place *first_place(const struct question *q)
{
	for (u32 i = 0; i < q->places->len; i++)
		if (known_class(g_array_index(q->places, struct place, i).class))
			return &g_array_index(q->places, struct place, i);
	return &g_array_index(q->places, struct place, 0);
}

static void list(struct layout *layout, const struct quiz *quiz)
{
	for (u32 i = 0; i < quiz->asked->len; i++) {
		const struct question *q = g_ptr_array_index(quiz->asked, i);
		const struct place *place = first_place(q);
		GString *truth = g_string_new(NULL);

		print_truth(layout, q, truth);
		printf("%lx\t%s\t", (unsigned long)q->vaddr,
		       verdict_names[judge(layout, q).verdict]);
		if (q->answer)
			printf(q->answer_offset == SEVERAL ? "%s (one of several)" : "%s +%ld",
			       q->answer, (long)q->answer_offset);
		printf("\t%s\t%s\t%lu\t%s\n", truth->str, place->class, (unsigned long)q->times,
		       q->text);
		g_string_free(truth, TRUE);
	}
}

/*
 * What is true of all executions as an answer: a type with an offset, a type alone where the offsets
 * differ, NULL where the types do.
 */
static char *true_answer(struct layout *layout, const struct question *q)
{
	const struct place *first = first_place(q);
	g_autoptr(GArray) whole = layout_views_new();
	const struct view *view;
	bool several = false;

	layout_views(layout, first->type, first->offset, first->size, first->count, whole);
	if (!whole->len)
		return NULL;
	view = &g_array_index(whole, struct view, 0);
	for (u32 i = 0; i < q->places->len; i++) {
		const struct place *p = &g_array_index(q->places, struct place, i);
		g_autoptr(GArray) views = layout_views_new();

		if (p->operand != first->operand || !known_class(p->class))
			continue;
		layout_views(layout, p->type, p->offset, p->size, p->count, views);
		if (!views->len || strcmp(g_array_index(views, struct view, 0).name, view->name))
			return NULL;
		several |= g_array_index(views, struct view, 0).offset != view->offset;
	}
	several |= !layout_is_one(layout, view->name, view->offset, first->width);
	return several ? g_strdup_printf("%s (one of several)", view->name)
		       : g_strdup_printf("%s +0x%lx (member)", view->name,
					 (unsigned long)view->offset);
}

/* A report by the outermost names, of the truths of the instructions that are @shift further on. */
static char *make_report(struct layout *layout, const struct quiz *quiz, u32 shift)
{
	GString *report = g_string_new(NULL);
	u32 n = quiz->asked->len;

	for (u32 i = 0; i < n; i++) {
		const struct question *q = g_ptr_array_index(quiz->asked, (i + shift) % n);
		g_autofree char *answer = true_answer(layout, q);

		if (answer)
			g_string_append_printf(report, "     0.00%%  %u  %s  %s\n", i + 1, "-",
					       answer);
	}
	return g_string_free(report, FALSE);
}

static void forget_answers(const struct quiz *quiz)
{
	for (u32 i = 0; i < quiz->asked->len; i++) {
		struct question *q = g_ptr_array_index(quiz->asked, i);

		g_clear_pointer(&q->answer, g_free);
	}
}

static void test_self(struct layout *layout, const struct quiz *quiz)
{
	static const u32 shifts[] = { 0, 1009, 2003 };

	for (u32 i = 0; i < ARRAY_SIZE(shifts); i++) {
		g_autofree char *report = make_report(layout, quiz, shifts[i]);

		forget_answers(quiz);
		take_answers(quiz, report);
		sum_up(layout, quiz, shifts[i] ? "shuffled " : "true ");
	}
}

int main(int argc, char **argv)
{
	struct layout *layout;
	struct quiz *quiz;

	if (argc == 5 && !strcmp(argv[1], "ask")) {
		ask(quiz_load(argv[4]), argv[2], argv[3]);
		return 0;
	}
	if (argc < 4)
		errx(2, "score ask|held|list|self ...");
	layout = layout_open(argv[2]);
	quiz = quiz_load(argv[3]);
	if (!strcmp(argv[1], "self")) {
		test_self(layout, quiz);
	} else if (argc == 5 && !strcmp(argv[1], "held")) {
		load_answers(quiz, argv[4]);
		sum_up(layout, quiz, "");
	} else if (argc == 5 && !strcmp(argv[1], "list")) {
		load_answers(quiz, argv[4]);
		list(layout, quiz);
	} else {
		errx(2, "score ask|held|list|self ...");
	}
	layout_close(layout);
	return 0;
}
