// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Expressions compiled to steps that hold the addresses of their own code: each step jumps to the
 * next through memory, and nothing but a table in data says where to.
 */
#include <stdio.h>
#include <string.h>

#include "truth.h"

enum op {
	OP_COLUMN,
	OP_CONST,
	OP_ADD,
	OP_LESS,
	OP_SKIP,
	OP_CALL,
	OP_LENGTH,
	OP_COUNT,
	OP_DONE,
	NR_OPS
};

struct datum {
	long value;
	unsigned char null, kind;
};

struct text {
	unsigned int length;
	char bytes[28];
};

struct counter {
	unsigned long seen, nulls;
	struct counter *next;
};

struct call {
	long (*function)(struct call *call);
	struct datum args[2];
	unsigned int calls;
};

struct step {
	const void *code;
	struct datum *result;
	union {
		struct {
			int column;
			short last;
		} column;
		struct datum constant;
		struct {
			struct datum *left, *right;
		} binary;
	} d;
	union {
		struct step *to;
		unsigned long taken;
	} skip;
	struct call *call;
	struct text *text;
	struct counter *counter;
};

struct row {
	int nr;
	long *values;
	unsigned char *nulls;
};

struct state {
	struct row *row;
	struct step *steps;
	struct datum result;
	unsigned int rows, skipped;
	struct counter *counters;
};

__attribute__((noinline)) static const void *const *run(struct state *state, struct row *row)
{
	static const void *const labels[NR_OPS] = { &&column, &&constant, &&add,   &&less, &&skip,
						    &&call,   &&length,	  &&count, &&done };
	struct step *step;

	if (!state)
		return labels;
	state->row = row;
	step = state->steps;
	goto * step->code;
column:
	step->result->value = row->values[step->d.column.column];
	step->result->null = row->nulls[step->d.column.column];
	if (step->d.column.last < step->d.column.column)
		step->d.column.last = (short)step->d.column.column;
	step++;
	goto * step->code;
constant:
	*step->result = step->d.constant;
	step++;
	goto * step->code;
add:
	step->result->value = step->d.binary.left->value + step->d.binary.right->value;
	step->result->null = step->d.binary.left->null | step->d.binary.right->null;
	step++;
	goto * step->code;
less:
	step->result->value = step->d.binary.left->value < step->d.binary.right->value;
	step->result->kind = 1;
	step++;
	goto * step->code;
skip:
	if (step->d.binary.left->value) {
		state->skipped++;
		step = step->skip.to;
	} else {
		step++;
	}
	goto * step->code;
call:
	step->call->args[0] = *step->d.binary.left;
	step->call->calls++;
	step->result->value = step->call->function(step->call);
	step++;
	goto * step->code;
length:
	step->result->value = step->text->length + step->text->bytes[0];
	step++;
	goto * step->code;
count:
	step->counter->seen++;
	if (step->result->null)
		step->counter->nulls++;
	state->counters = step->counter;
	step++;
	goto * step->code;
done:
	state->result.value += step->result->value;
	state->rows++;
	return NULL;
}

__attribute__((noinline)) static void emit(struct step *step, enum op op, struct datum *result)
{
	step->code = run(NULL, NULL)[op];
	step->result = result;
}

static long square(struct call *call)
{
	return call->args[0].value * call->args[0].value - call->calls;
}

__attribute__((noinline)) static void compile(struct state *state, struct datum *d,
					      struct text *text, struct counter *counter,
					      struct call *info)
{
	struct step *s = state->steps;

	emit(&s[0], OP_COLUMN, &d[0]);
	s[0].d.column.column = 1;
	emit(&s[1], OP_CONST, &d[1]);
	s[1].d.constant.value = 50;
	emit(&s[2], OP_ADD, &d[2]);
	s[2].d.binary.left = &d[0];
	s[2].d.binary.right = &d[1];
	emit(&s[3], OP_LESS, &d[3]);
	s[3].d.binary.left = &d[2];
	s[3].d.binary.right = &d[1];
	emit(&s[4], OP_SKIP, &d[3]);
	s[4].skip.to = &s[7];
	s[4].d.binary.left = &d[3];
	emit(&s[5], OP_CALL, &d[2]);
	s[5].call = info;
	s[5].d.binary.left = &d[0];
	emit(&s[6], OP_LENGTH, &d[3]);
	s[6].text = text;
	emit(&s[7], OP_COUNT, &d[2]);
	s[7].counter = counter;
	emit(&s[8], OP_DONE, &d[2]);
	info->function = square;
}

int main(void)
{
	struct state *state = create(struct state);
	struct datum *data = new_array(struct datum, 4);
	struct text *text = create(struct text);
	struct counter *counter = create(struct counter);
	struct call *info = create(struct call);
	struct row *row = create(struct row);

	memset(state, 0, sizeof(*state));
	memset(data, 0, 4 * sizeof(*data));
	memset(counter, 0, sizeof(*counter));
	memset(info, 0, sizeof(*info));
	text->length = 5;
	strcpy(text->bytes, "hello");
	row->nr = 3;
	row->values = new_array(long, 3);
	row->nulls = new_array(unsigned char, 3);
	state->steps = new_array(struct step, 9);
	memset(state->steps, 0, 9 * sizeof(struct step));
	compile(state, data, text, counter, info);
	for (long i = 0; i < 12; i++) {
		for (int c = 0; c < row->nr; c++) {
			row->values[c] = i * (c + 1) - 10;
			row->nulls[c] = (i + c) % 5 == 0;
		}
		run(state, row);
	}
	printf("%ld %u %u %lu %lu %d\n", state->result.value, state->rows, state->skipped,
	       counter->seen, counter->nulls, info->calls);
	return 0;
}
