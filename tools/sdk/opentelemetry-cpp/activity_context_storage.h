/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * opentelemetry-cpp and libactivity: the span that is current on a thread is its activity.
 *
 * A span processor cannot do that, for it hears of the begin and the end of spans, not of when a
 * thread works for one. The storage of the runtime context does: each trace::Scope attaches a
 * context there, on the thread that works for it, and detaches it. To be set before the first span:
 *
 *	activity_sdk::follow_current_span();
 *
 * A program with a storage of its own hands it over, and keeps using it as before.
 */
#ifndef ACTIVITY_CONTEXT_STORAGE_H
#define ACTIVITY_CONTEXT_STORAGE_H

#include <utility>

#include <activity.h>
#include <opentelemetry/context/runtime_context.h>
#include <opentelemetry/trace/context.h>

namespace activity_sdk
{

namespace context = opentelemetry::context;
namespace nostd = opentelemetry::nostd;

class context_storage : public context::RuntimeContextStorage
{
      public:
	explicit context_storage(nostd::shared_ptr<context::RuntimeContextStorage> inner)
	    : inner_(std::move(inner))
	{
	}

	context::Context GetCurrent() noexcept override
	{
		return inner_->GetCurrent();
	}

	nostd::unique_ptr<context::Token> Attach(const context::Context &next) noexcept override
	{
		nostd::unique_ptr<context::Token> token = inner_->Attach(next);

		publish(next);
		return token;
	}

	/* Detaching one from below the top takes those above it along: what is left counts. */
	bool Detach(context::Token &token) noexcept override
	{
		bool detached = inner_->Detach(token);

		if (detached)
			publish(inner_->GetCurrent());
		return detached;
	}

      private:
	static void publish(const context::Context &now) noexcept
	{
		opentelemetry::trace::SpanContext span =
			opentelemetry::trace::GetSpan(now)->GetContext();

		if (!span.IsValid()) {
			activity_clear();
			return;
		}
		activity_set(span.trace_id().Id().data(), span.span_id().Id().data());
		activity_flags(span.trace_flags().flags());
	}

	nostd::shared_ptr<context::RuntimeContextStorage> inner_;
};

inline void follow_current_span(nostd::shared_ptr<context::RuntimeContextStorage> inner =
					nostd::shared_ptr<context::RuntimeContextStorage>(
						new context::ThreadLocalContextStorage()))
{
	context::RuntimeContext::SetRuntimeContextStorage(
		nostd::shared_ptr<context::RuntimeContextStorage>(new context_storage(inner)));
}

} // namespace activity_sdk

#endif
