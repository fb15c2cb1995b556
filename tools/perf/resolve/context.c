// SPDX-License-Identifier: GPL-2.0-or-later
#include "resolve/context.h"

#include <linux/perf_event.h>
#include <string.h>

#include "perfdata/event.h"
#include "perfdata/evsel.h"
#include "resolve/private.h"

#define MAX_FRAMES 127

/* The context that a function on the chain implies, if no inner frame has implied one. */
enum sign {
	SIGN_NOTHING, /* any context, or an exception: it keeps the context in which it occurs */
	SIGN_TASK,
	SIGN_SOFTIRQ,
	SIGN_HARDIRQ,
	SIGN_NMI,
};

struct contexts {
	GHashTable *signs; /* code->function -> enum sign + 1 */
};

/*
 * Entry functions of x86-64, of Linux 4.18 and later. A '*' at the end matches any suffix. On its way out, an interrupt
 * may schedule or deliver a signal: then the context is the task again.
 */
static const struct {
	const char *name;
	enum sign sign;
} functions[] = {
	{ "asm_exc_nmi*", SIGN_NMI },
	{ "exc_nmi*", SIGN_NMI },
	{ "end_repeat_nmi", SIGN_NMI },
	{ "handle_softirqs*", SIGN_SOFTIRQ },
	{ "__do_softirq", SIGN_SOFTIRQ },
	{ "__softirqentry_text_start", SIGN_SOFTIRQ },
	{ "irqentry_exit*", SIGN_TASK },
	{ "exit_to_user_mode*", SIGN_TASK },
	{ "preempt_schedule_irq", SIGN_TASK },
	{ "asm_sysvec_*", SIGN_HARDIRQ },
	{ "sysvec_*", SIGN_HARDIRQ },
	{ "__sysvec_*", SIGN_HARDIRQ },
	{ "asm_common_interrupt", SIGN_HARDIRQ },
	{ "common_interrupt*", SIGN_HARDIRQ },
	{ "__common_interrupt", SIGN_HARDIRQ },
	{ "asm_spurious_interrupt*", SIGN_HARDIRQ },
	{ "handle_irq_event*", SIGN_HARDIRQ },
	{ "apic_timer_interrupt", SIGN_HARDIRQ },
	{ "do_IRQ", SIGN_HARDIRQ },
	{ "entry_SYSCALL*", SIGN_TASK },
	{ "entry_SYSENTER*", SIGN_TASK },
	{ "entry_INT80*", SIGN_TASK },
	{ "asm_int80*", SIGN_TASK },
	{ "do_syscall_64", SIGN_TASK },
	{ "ret_from_fork*", SIGN_TASK },
	{ "secondary_startup_64*", SIGN_TASK },
	{ "x86_64_start_kernel", SIGN_TASK },
	{ "cpu_startup_entry", SIGN_TASK },
};

struct contexts *contexts_new(void)
{
	struct contexts *c = g_new0(struct contexts, 1);

	c->signs = g_hash_table_new(NULL, NULL);
	return c;
}

void contexts_free(struct contexts *c)
{
	if (!c)
		return;
	g_hash_table_destroy(c->signs);
	g_free(c);
}

static bool is_name(const char *name, const char *pattern)
{
	size_t size = strlen(pattern) - 1;

	return pattern[size] == '*' ? strncmp(name, pattern, size) == 0
				    : strcmp(name, pattern) == 0;
}

static enum sign read_name(const char *name)
{
	for (size_t i = 0; name && i < ARRAY_SIZE(functions); i++)
		if (is_name(name, functions[i].name))
			return functions[i].sign;
	return SIGN_NOTHING;
}

static enum sign sign_of(struct contexts *c, const struct code *code)
{
	gpointer key = GUINT_TO_POINTER(code->function), known;
	enum sign sign;

	if (code->level != 'k')
		return SIGN_NOTHING;
	known = g_hash_table_lookup(c->signs, key);
	if (known)
		return GPOINTER_TO_UINT(known) - 1;
	sign = read_name(code_name(code));
	g_hash_table_insert(c->signs, key, GUINT_TO_POINTER(sign + 1));
	return sign;
}

static enum cpu_context context_of(enum sign sign)
{
	static const u8 contexts[] = { [SIGN_NOTHING] = CPU_IN_UNKNOWN,
				       [SIGN_TASK] = CPU_IN_TASK,
				       [SIGN_SOFTIRQ] = CPU_IN_SOFTIRQ,
				       [SIGN_HARDIRQ] = CPU_IN_HARDIRQ,
				       [SIGN_NMI] = CPU_IN_NMI };

	return contexts[sign];
}

/* Reads the sampled address first, then the kernel's part of the chain. */
static enum cpu_context read_chain(struct contexts *c, struct resolver *r,
				   const struct place *place)
{
	const struct sample *sample = place->sample;
	bool symbols = r->symbols, kernel = true;
	enum sign sign;

	r->symbols = true;
	sign = sign_of(c, resolve_code(r, place->thread, place->cpumode, LOOKUP_MODE, sample->ip,
				       place->time));
	for (u64 i = 0; !sign && kernel && i < MIN(sample->nr_ips, MAX_FRAMES); i++) {
		u64 ip = sample->ips[i];

		if (ip >= (u64)PERF_CONTEXT_MAX)
			kernel = ip == (u64)PERF_CONTEXT_KERNEL;
		else
			sign = sign_of(c, resolve_code(r, place->thread, PERF_RECORD_MISC_KERNEL,
						       LOOKUP_ANY, ip, place->time));
	}
	r->symbols = symbols;
	return context_of(sign);
}

enum cpu_context contexts_find(struct contexts *c, struct resolver *r, const struct place *place,
			       bool framed, bool counted)
{
	const struct sample_bytes *tls = &place->sample->tls;
	enum cpu_context context = CPU_IN_UNKNOWN;

	if (place->cpumode == PERF_RECORD_MISC_USER)
		return CPU_IN_TASK;
	if (place->cpumode != PERF_RECORD_MISC_KERNEL)
		return CPU_IN_UNKNOWN;
	if (framed && place->sample->type & PERF_SAMPLE_TLS_USER) {
		context = activity_cpu_context(tls->data, tls->size, tls->dyn_size);
		if (counted && !tls->size && place->evsel->attr.type != PERF_TYPE_TRACEPOINT)
			context = CPU_IN_TASK;
		/*
		 * If several events are of one tracepoint, only one of them gets the thread's bytes. And a thread may
		 * have no bytes to read.
		 */
		if (!context && place->evsel->attr.type == PERF_TYPE_TRACEPOINT)
			context = cpu_context_of_tracepoint(place->sample->raw,
							    place->sample->raw_size);
	}
	return context ?: read_chain(c, r, place);
}
