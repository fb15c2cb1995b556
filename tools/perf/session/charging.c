// SPDX-License-Identifier: GPL-2.0-or-later
#include "session/charging.h"

#include "base/bytes.h"
#include "perfdata/event.h"
#include "perfdata/evsel.h"
#include "perfdata/read/reader.h"
#include "resolve/data_address.h"
#include "session/private.h"

struct charging {
	struct session *session;
	struct data_types *types;
	struct waited_codes *codes;
	struct data_addresses *addresses;
	GByteArray *events; /* enum waited_event + 1, by evsel's idx; 0: not asked yet */
};

struct charging *charging_new(struct session *s, struct data_types *types)
{
	struct charging *c = g_new0(struct charging, 1);

	c->session = s;
	c->types = types;
	c->codes = waited_codes_new(types, s->resolver);
	c->addresses = data_addresses_new();
	c->events = g_byte_array_new();
	return c;
}

void charging_free(struct charging *c)
{
	if (!c)
		return;
	waited_codes_free(c->codes);
	data_addresses_free(c->addresses);
	g_byte_array_unref(c->events);
	g_free(c);
}

static enum waited_event event_of(struct charging *c, const struct evsel *evsel)
{
	const struct session *s = c->session;
	u32 nr = c->events->len;

	if (evsel->idx >= nr) {
		g_byte_array_set_size(c->events, evsel->idx + 1);
		memset(c->events->data + nr, 0, c->events->len - nr);
	}
	if (!c->events->data[evsel->idx])
		c->events->data[evsel->idx] =
			(u8)waited_event_of(evsel, s->options.skid, perfdata_info(s->file->pd)) + 1;
	return c->events->data[evsel->idx] - 1;
}

/* The return address of a sample at the first instruction of a function. */
static void find_caller(const struct charging *c, const struct place *place,
			struct waited_hint *hint)
{
	const struct sample *sample = place->sample;
	const struct sample_bytes *stack = &sample->user_stack;
	const u64 *va = NULL;
	u64 top;

	/* The kernel's own unwinder knows the caller there, unlike a chain by frame pointers. */
	hint->evidence = place->sampled->level == '.' ? ENTERED_FROM_FRAMES : ENTERED_FROM_STACK;
	/* Nothing is pushed yet, so the return address is at the stack pointer, where the copy begins. */
	if (place->sampled->level == '.' && stack->size >= sizeof(top)) {
		memcpy(&top, stack->data, sizeof(top));
		va = &top;
		hint->evidence = ENTERED_FROM_STACK;
	} else if (sample->nr_ips && !hint->only_calls) {
		va = entries_caller(place->sampled->va, sample->ips, sample->nr_ips);
	}
	hint->caller = va ? resolver_code_at(c->session->resolver, place, *va) : NULL;
}

/* Recordings may have only some kinds of branches. */
static void find_branch(const struct place *place, struct waited_hint *hint)
{
	u64 types = place->evsel->attr.branch_sample_type;

	hint->only_calls = types & PERF_SAMPLE_BRANCH_CALL_STACK;
	if (!place->nr_branches || !(hint->only_calls || types & PERF_SAMPLE_BRANCH_ANY))
		return;
	hint->from = place->branches[0].from;
	hint->to = place->branches[0].to;
}

static const struct waited *find(struct charging *c, const struct place *place,
				 enum waited_event event, u32 want)
{
	struct waited_hint hint = { 0 };
	const struct waited *waited;

	find_branch(place, &hint);
	waited = waited_find(c->codes, place->sampled, event, NULL, want);
	if (waited->how == WAITED_ENTRY)
		find_caller(c, place, &hint);
	if (hint.caller || hint.from)
		waited = waited_find(c->codes, place->sampled, event, &hint, want);
	return waited;
}

/* The user's registers are those of the sample only if it is of user code. */
static const struct sample_regs *regs_of(const struct place *place)
{
	const struct sample *sample = place->sample;

	if (sample->intr_regs.abi || place->sampled->level != '.')
		return &sample->intr_regs;
	return &sample->user_regs;
}

/*
 * The sample's registers are those before the instruction that is charged, or after it (@executed). A charge that is only
 * likely (waited->own) has none: control may have come another way, past the instruction.
 */
static bool has_registers(const struct place *place, bool *executed)
{
	const struct waited *waited = place->waited;

	*executed = waited->code != place->sampled;
	return !waited->own &&
	       (waited->how == WAITED_HERE ||
		(*executed && (waited->how == WAITED_BEFORE || waited->how == WAITED_ENTRY)));
}

static enum address_how find_address(struct charging *c, const struct place *place, u64 *va)
{
	bool executed;

	if (!regs_of(place)->abi)
		return ADDRESS_NONE;
	if (event_of(c, place->evsel) == EVENT_NONE)
		return ADDRESS_NO_ACCESS;
	if (!waited_has_registers(place->evsel) || !has_registers(place, &executed))
		return ADDRESS_UNCLEAR;
	return data_address(c->addresses, place->waited->code, executed, regs_of(place), va);
}

static void take_value(struct charging *c, struct place *place)
{
	bool executed;

	place->has_value = event_of(c, place->evsel) != EVENT_NONE &&
			   waited_has_registers(place->evsel) && has_registers(place, &executed) &&
			   data_value(c->addresses, place->waited->code, executed, regs_of(place),
				      &place->value);
}

static void take_address(struct charging *c, struct place *place)
{
	enum address_how how;
	u64 va;

	place->addr_access = data_access(c->addresses, place->waited->code, &place->addr_width);
	take_value(c, place);
	if (place->addr_how == ADDRESS_EVENT || place->addr_how == ADDRESS_COMPUTED)
		return;
	how = find_address(c, place, &va);
	if (how == ADDRESS_NONE)
		return;
	place->addr_how = (u8)how;
	place->addr = how == ADDRESS_COMPUTED ? resolver_data_at(c->session->resolver, place, va)
					      : NULL;
}

/*
 * Needs of keys that read no address. The others take the very instruction: a symbol's first address is shown with -v, and the
 * calls that were inlined there are frames of a chain.
 */
#define NEED_NO_ADDRESS                                                                            \
	(NEED_DATA_TYPE | NEED_CHARGED | NEED_ACTIVITY | NEED_CONTEXT | NEED_PARALLELISM |         \
	 NEED_CPU | NEED_THREAD | NEED_COMM)

static u32 wanted(u32 needs, const struct place *place)
{
	u32 without = NEED_NO_ADDRESS | (place->nr_chain ? 0 : NEED_CHAIN | NEED_INLINE);

	return (needs & NEED_DATA_TYPE ? WAITED_WANT_DATA : 0) |
	       (needs & ~without ? WAITED_WANT_CODE : 0);
}

bool charging_addresses(const struct evsel *evsel)
{
	return evsel->attr.sample_type & (PERF_SAMPLE_REGS_INTR | PERF_SAMPLE_REGS_USER);
}

void charging_take(struct charging *c, u32 needs, struct place *place)
{
	const struct waited *waited =
		find(c, place, event_of(c, place->evsel), wanted(needs, place));

	place->waited = waited;
	if (needs & NEED_ADDR)
		take_address(c, place);
	if (needs & NEED_DATA_TYPE)
		place->access = waited_data(c->codes, waited);
	/* --ignore-callees may have chosen another frame. */
	if (!(needs & NEED_CHARGED) || place->ip != place->sampled)
		return;
	place->ip = waited->code;
	resolver_charge_chain(c->session->resolver, needs, needs & NEED_INSN, place);
}

bool charging_before(struct charging *c, const struct evsel *evsel)
{
	enum waited_event event = event_of(c, evsel);

	return event != EVENT_AT && event != EVENT_NONE;
}

bool charging_needs_caller(struct charging *c, const struct code *code, const struct evsel *evsel,
			   bool data)
{
	return waited_needs_caller(c->codes, code, event_of(c, evsel), data);
}

bool session_names_later(const struct session *s, const struct evsel *evsel)
{
	enum waited_event event = waited_event_of(evsel, SKID_BEFORE, NULL);

	return s->options.skid == SKID_SAMPLED && (event == EVENT_TIMER || event == EVENT_COUNTER);
}
