// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Sums, differences and multiples of abstract values (value.h). An index is a number of which only the steps are known;
 * added to an address, it makes an address with these steps.
 *
 *	struct table { long nr; struct item items[8]; } *t;	sizeof(struct item) is 24
 *	t->items[i & 7].weight					weight is at 8 of an item
 *
 *	and  $0x7,%esi			%rsi: NUMBER, stride 1, span 7			0, 1 ... 7
 *	lea  (%rsi,%rsi,2),%rax		%rax: NUMBER, stride 3, span 7			0, 3 ... 21
 *	mov  0x10(%rdi,%rax,8),%rdx	%rax * 8: NUMBER, stride 24, span 7
 *					address: ADDRESS(struct table, 0x10, stride 24, span 7)
 *
 * %rsi + %rsi * 2 is a multiple of 3, since both have the same maker and so are multiples of one number. Of two numbers
 * with different makers, only the greatest common divisor of their strides is known: 1 here.
 *
 *	a				operation	b			result
 *	ADDRESS(struct node, 8)		+		CONST 8			ADDRESS(struct node, 16), the same maker
 *	SYMBOL + 0			+		CONST 8			SYMBOL + 8, the same maker
 *	ADDRESS(long, 0)		+		SYMBOL			ADDRESS(long, 0, stride 1)
 *	ADDRESS(struct node, 0)		-		NUMBER, stride 16	the same, with stride 16, span ANY
 *	ADDRESS(struct node, 0)		-		the same, other maker	NUMBER, stride sizeof(struct node)
 *	GLOBAL 0x4040			+		ADDRESS(struct node, 0)	SYMBOL, AMBIGUOUS: no C code does that
 *	SYMBOL				+		SYMBOL			SYMBOL, COMPUTED
 *	PERCPU 0			+		CONST 0x1c0		PERCPU 0x1c0
 *
 * Limits: a stride of more than 65535 becomes 1, a span of more than SPAN_MAX steps becomes SPAN_UP. Overflow wraps, as
 * in the processor.
 */
#include "typeflow/layout/value.h"

bool value_is_address(const struct value *value)
{
	return value->kind >= VALUE_STACK && value->kind <= VALUE_ADDRESS;
}

u8 how_weaker(u8 a, u8 b)
{
	static const u8 order[NR_ACCESS_HOW] = {
		[ACCESS_FLOW] = 1, [ACCESS_CALL] = 2, [ACCESS_INFERRED] = 3
	};

	return order[a] >= order[b] ? a : b;
}

u16 stride_gcd(u64 a, u64 b)
{
	while (b) {
		u64 rest = a % b;

		a = b;
		b = rest;
	}
	return a > UINT16_MAX ? 1 : (u16)a;
}

/*
 * Counts steps of another size over the same bytes; callers pass a divisor of both:
 *
 *	stride 8, span 3 (24 bytes); 8 more bytes, in steps of 4	(24 + 8) / 4 = 8
 *	an exact value; 24 more bytes, in steps of 8			3
 *	span ANY, UP or LOOSE						the same
 */
u8 value_span_of(const struct value *value, u64 more, u16 stride)
{
	u64 reach = more;

	if (!stride)
		return SPAN_ANY;
	if (value->stride) {
		if (!value->span || value->span >= SPAN_UP)
			return value->span;
		reach += (u64)value->span * value->stride;
	}
	return reach / stride > SPAN_MAX ? SPAN_UP : (u8)(reach / stride);
}

/* The span of the sum of both, whose stride is @stride. */
static u8 span_of_sum(const struct value *a, const struct value *b, u16 stride)
{
	bool up = (a->stride && a->span == SPAN_UP) || (b->stride && b->span == SPAN_UP);

	if ((a->stride && a->span == SPAN_LOOSE) || (b->stride && b->span == SPAN_LOOSE))
		return SPAN_LOOSE;
	if ((a->stride && !a->span) || (b->stride && !b->span))
		return SPAN_ANY;
	if (up)
		return SPAN_UP;
	return value_span_of(a, b->stride ? (u64)b->span * b->stride : 0, stride);
}

static s64 wrapping_add(s64 a, s64 b)
{
	return (s64)((u64)a + (u64)b);
}

/* A symbol without offset and stride. If it is scaled or added to an address, it must be a number. */
static bool is_bare(const struct value *value)
{
	return value->kind == VALUE_SYMBOL && !value->offset && !value->stride;
}

static struct value as_count(const struct value *value)
{
	struct value count = value_number(NULL, value->maker);

	return is_bare(value) ? count : *value;
}

/*
 * The maker is kept as long as the result is a multiple of the same number, for add_multiples(). A value that is no
 * number (an address that is misused as an index) becomes a number that is a multiple of @factor.
 */
struct value value_scale(const struct value *value, u64 factor, u32 maker)
{
	struct value scaled = value_number(NULL, maker);
	u64 stride = value->stride ? value->stride : 1;

	if (factor == 1)
		return *value;
	/* The same steps as of the positive factor, in the other direction. */
	if ((s64)factor < 0 && (s64)factor >= -UINT16_MAX) {
		scaled = value_scale(value, 0 - factor, maker);
		scaled.maker = maker;
		scaled.offset = (s64)((u64)value->offset * factor);
		scaled.span = SPAN_ANY;
		return scaled;
	}
	if (__builtin_mul_overflow(stride, factor, &stride) || stride > UINT16_MAX)
		stride = 1;
	if (value->kind == VALUE_CONST || value->kind == VALUE_NUMBER) {
		scaled.kind = value->kind;
		scaled.stride = value->stride ? (u16)stride : 0;
		scaled.span = value->stride ? value->span : 0;
		if (value->stride && stride == 1)
			scaled.span = value->span ? SPAN_UP : SPAN_ANY;
		/* Still a multiple of the same number, unless the stride is too large to represent. */
		if (stride > 1)
			scaled.maker = value->maker;
		scaled.offset = (s64)((u64)value->offset * factor);
		return scaled;
	}
	scaled.stride = (u16)(factor <= UINT16_MAX ? factor : 1);
	if (is_bare(value) && scaled.stride > 1)
		scaled.maker = value->maker;
	return scaled;
}

/* The address @base plus an index of which only the steps are known. */
static struct value moved(const struct value *base, const struct value *by, u32 maker)
{
	struct value sum = *base;

	if (by->kind == VALUE_CONST || by->kind == VALUE_NUMBER) {
		sum.offset = wrapping_add(sum.offset, by->offset);
		sum.stride = stride_gcd(sum.stride, by->stride);
		sum.span = span_of_sum(base, by, sum.stride);
	} else {
		sum.span = base->stride && base->span == SPAN_LOOSE ? SPAN_LOOSE : SPAN_ANY;
		sum.stride = 1;
	}
	/* A pointer or symbol plus a constant keeps its maker. */
	if (sum.kind != VALUE_SYMBOL && (sum.kind != VALUE_ADDRESS || sum.stride))
		sum.maker = maker;
	return sum;
}

/*
 * A sum of two pointers to the same type. C never adds two pointers, so one is an index in whole elements. LLVM's
 * debug information still calls it a pointer after the start of the array was subtracted from it.
 */
static bool is_row_index(const struct value *a, const struct value *b)
{
	return a->kind == VALUE_ADDRESS && b->kind == VALUE_ADDRESS && a->type == b->type &&
	       !a->offset && !b->offset && a->type->size && a->type->size <= UINT16_MAX;
}

static struct value moved_by_elements(const struct value *base, u32 maker)
{
	struct value sum = *base;

	sum.stride = stride_gcd(base->stride, base->type->size);
	sum.span = SPAN_ANY;
	sum.maker = maker;
	return sum;
}

/*
 * i * 8 + i = i * 9: multiples of the same number are added. i - i * 4 = -i * 3 is no longer a multiple of that number.
 */
static bool add_multiples(const struct value *a, const struct value *b, bool minus,
			  struct value *sum)
{
	s64 stride = minus ? (s64)a->stride - b->stride : (s64)a->stride + b->stride;

	if (!a->maker || a->maker != b->maker || !a->stride || !b->stride ||
	    (a->kind != VALUE_NUMBER && a->kind != VALUE_CONST) || a->kind != b->kind || !stride ||
	    ABS(stride) > UINT16_MAX)
		return false;
	*sum = *a;
	sum->stride = (u16)ABS(stride);
	if (stride < 0)
		sum->maker = 0;
	sum->span = minus || a->span != b->span ? SPAN_ANY : a->span;
	sum->offset = minus ? (s64)((u64)a->offset - (u64)b->offset)
			    : wrapping_add(a->offset, b->offset);
	sum->type = NULL;
	return true;
}

/*
 * %gs plus an address in the template of per-cpu data is an address in this CPU's copy. %gs plus another pointer is
 * that pointer, moved by the constant.
 */
static bool add_halves(const struct value *a, const struct value *b, struct value *sum)
{
	const struct value *gap = a->kind == VALUE_PERCPU ? a : b;
	const struct value *other = gap == a ? b : a;

	if (gap->kind != VALUE_PERCPU || other->kind == VALUE_PERCPU ||
	    (gap->offset && other->kind == VALUE_NUMBER))
		return false;
	*sum = *other;
	sum->offset = wrapping_add(other->offset, gap->offset);
	if (other->kind == VALUE_CONST || other->kind == VALUE_GLOBAL) {
		*sum = *gap;
		sum->offset = wrapping_add(other->offset, gap->offset);
		sum->stride = other->stride;
		sum->span = other->span;
	}
	return true;
}

struct value value_add(const struct value *a, const struct value *b, u32 maker)
{
	struct value sum, count_a = as_count(a), count_b = as_count(b);

	if (add_halves(a, b, &sum)) {
		if (sum.kind != VALUE_SYMBOL)
			sum.maker = maker;
		return sum;
	}
	if ((a->kind == VALUE_NUMBER || b->kind == VALUE_NUMBER) &&
	    add_multiples(&count_a, &count_b, false, &sum))
		return sum;
	if (value_is_address(a) && value_is_address(b))
		return is_row_index(a, b) ? moved_by_elements(a, maker)
					  : value_symbol(ACCESS_AMBIGUOUS, maker);
	if (value_is_address(a))
		return moved(a, b, maker);
	if (value_is_address(b))
		return moved(b, a, maker);
	if (a->kind == VALUE_SYMBOL && b->kind == VALUE_SYMBOL)
		return value_symbol(ACCESS_COMPUTED, maker);
	if (a->kind == VALUE_SYMBOL)
		return moved(a, b, maker);
	if (b->kind == VALUE_SYMBOL)
		return moved(b, a, maker);
	if (add_multiples(a, b, false, &sum))
		return sum;
	sum = value_number(NULL, maker);
	/* A number plus a constant keeps its maker. */
	if (!a->stride || !b->stride)
		sum.maker = a->stride ? a->maker : b->maker;
	if (a->kind == VALUE_CONST && b->kind == VALUE_CONST)
		sum.kind = VALUE_CONST;
	sum.offset = wrapping_add(a->offset, b->offset);
	sum.stride = stride_gcd(a->stride, b->stride);
	sum.span = span_of_sum(a, b, sum.stride);
	return sum;
}

/*
 * The distance between two pointers to elements of one array is a multiple of the element's size:
 *
 *	size_t n = v->end - v->start;	mov 8(%rdi),%rax; sub (%rdi),%rax
 */
static bool distance_of_elements(const struct value *a, const struct value *b, u32 maker,
				 struct value *out)
{
	const struct type *type;
	s64 size;

	if (a->kind != VALUE_ADDRESS || b->kind != VALUE_ADDRESS || !a->maker ||
	    a->maker == b->maker)
		return false;
	type = type_strip(a->type);
	size = (s64)type->size;
	if (type_strip(b->type) != type || size < 2 || size > UINT16_MAX || a->stride % size ||
	    b->stride % size || a->offset % size || b->offset % size)
		return false;
	*out = value_number(NULL, maker);
	out->stride = (u16)size;
	return true;
}

struct value value_subtract(const struct value *a, const struct value *b, u32 maker)
{
	struct value negative = *b;

	if (add_multiples(a, b, true, &negative))
		return negative;
	if (b->kind == VALUE_CONST || b->kind == VALUE_NUMBER) {
		negative.offset = (s64)(0 - (u64)negative.offset);
		negative.span = SPAN_ANY;
		if (negative.stride)
			negative.maker = 0;
		return value_add(a, &negative, maker);
	}
	/* Pointer - pointer is a number. Pointer - unknown is a pointer plus an index. */
	if (value_is_address(a) && !value_is_address(b)) {
		negative = value_number(NULL, maker);
		return value_add(a, &negative, maker);
	}
	if (distance_of_elements(a, b, maker, &negative))
		return negative;
	return value_number(NULL, maker);
}
