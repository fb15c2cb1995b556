/* SPDX-License-Identifier: GPL-2.0-or-later */
/* truth.h for C++: types name themselves. */
#ifndef TRUTH_HH
#define TRUTH_HH

#include <cstddef>
#include <cxxabi.h>
#include <new>
#include <typeinfo>
#include <utility>

#include "truth.h"

namespace truth
{
/* As the source writes it, with namespaces and template arguments. */
template <class T> const char *name_of()
{
	static const char *name = abi::__cxa_demangle(typeid(T).name(), nullptr, nullptr, nullptr);

	return name;
}

/* new T(args...) and delete. */
template <class T, class... A> T *make(A &&...args)
{
	return new (truth_alloc(sizeof(T), name_of<T>(), 1)) T(std::forward<A>(args)...);
}

template <class T> void destroy(T *object)
{
	object->~T();
	truth_free(object);
}

/* For containers: what they allocate has the type that they ask for. */
template <class T> struct allocator {
	using value_type = T;

	allocator() = default;
	template <class U> allocator(const allocator<U> &)
	{
	}
	T *allocate(std::size_t n)
	{
		return static_cast<T *>(truth_alloc(n * sizeof(T), name_of<T>(), n));
	}
	void deallocate(T *p, std::size_t)
	{
		truth_free(p);
	}
	template <class U> bool operator==(const allocator<U> &) const
	{
		return true;
	}
	template <class U> bool operator!=(const allocator<U> &) const
	{
		return false;
	}
};
} // namespace truth

#endif
