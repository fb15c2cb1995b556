// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Tries activity_context_storage.h, first call by call, then as something to record:
 *
 *   try MILLISECONDS
 *
 * Two threads work in turns for spans of their own, each within an outer one. Prints
 * "FUNCTION TRACE SPAN", which holds for each sample in that function.
 */
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>

#include <opentelemetry/trace/default_span.h>
#include <opentelemetry/trace/scope.h>

#include "activity_context_storage.h"

namespace trace = opentelemetry::trace;
namespace nostd = opentelemetry::nostd;
using span_ptr = nostd::shared_ptr<trace::Span>;

struct ids {
	uint8_t trace[16], span[8];
};

static ids make_ids(uint8_t trace, uint8_t span)
{
	ids made;

	memset(made.trace, trace, sizeof(made.trace));
	memset(made.span, span, sizeof(made.span));
	return made;
}

static span_ptr make_span(const ids &of)
{
	trace::SpanContext context(trace::TraceId(of.trace), trace::SpanId(of.span),
				   trace::TraceFlags(trace::TraceFlags::kIsSampled), false);

	return span_ptr(new trace::DefaultSpan(context));
}

static void expect(const ids *of, const char *what)
{
	activity_ids now;
	bool found = activity_look(&now);

	if (found != (of != nullptr) ||
	    (of && (memcmp(now.trace_id, of->trace, 16) != 0 ||
		    memcmp(now.span_id, of->span, 8) != 0 || now.flags != 1))) {
		fprintf(stderr, "try: wrong activity: %s\n", what);
		exit(1);
	}
}

static void try_calls()
{
	ids outer = make_ids(1, 2), inner = make_ids(1, 3);

	expect(nullptr, "before any span");
	{
		trace::Scope scope(make_span(outer));

		expect(&outer, "in a scope");
		{
			trace::Scope nested(make_span(inner));

			expect(&inner, "in a scope within");
			std::thread([] { expect(nullptr, "on another thread"); }).join();
		}
		expect(&outer, "after the scope within");
		{
			span_ptr none(new trace::DefaultSpan(trace::SpanContext::GetInvalid()));
			trace::Scope nothing(none);

			expect(nullptr, "in the scope of a span that is none");
		}
		expect(&outer, "after it");
	}
	expect(nullptr, "after all");
	{
		trace::Scope *below = new trace::Scope(make_span(outer));
		trace::Scope *above = new trace::Scope(make_span(inner));

		delete below;
		expect(nullptr, "after a scope that ended before the one within");
		delete above;
		expect(nullptr, "after that one");
	}
}

/* work.c has them: functions of their own, so that a sample tells which span there was. */
extern "C" {
void work_outer_1(void);
void work_inner_1(void);
void work_outer_2(void);
void work_inner_2(void);
}

static void work(std::chrono::steady_clock::time_point end, uint8_t trace, void (*outer_work)(),
		 void (*inner_work)())
{
	while (std::chrono::steady_clock::now() < end) {
		trace::Scope scope(make_span(make_ids(trace, 0xa0)));

		outer_work();
		{
			trace::Scope nested(make_span(make_ids(trace, 0xb0)));

			inner_work();
		}
	}
}

static void say(const char *function, const ids &of)
{
	printf("%s ", function);
	for (uint8_t byte : of.trace)
		printf("%02x", byte);
	putchar(' ');
	for (uint8_t byte : of.span)
		printf("%02x", byte);
	putchar('\n');
}

int main(int argc, char **argv)
{
	activity_sdk::follow_current_span();
	try_calls();
	if (argc > 1) {
		auto end = std::chrono::steady_clock::now() +
			   std::chrono::milliseconds(atoi(argv[1]));
		std::thread other(work, end, 0x22, work_outer_2, work_inner_2);

		work(end, 0x11, work_outer_1, work_inner_1);
		other.join();
		say("work_outer_1", make_ids(0x11, 0xa0));
		say("work_inner_1", make_ids(0x11, 0xb0));
		say("work_outer_2", make_ids(0x22, 0xa0));
		say("work_inner_2", make_ids(0x22, 0xb0));
	}
	return 0;
}
