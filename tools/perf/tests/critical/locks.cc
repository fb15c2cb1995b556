// SPDX-License-Identifier: GPL-2.0-or-later
// Locks of C++ for workloads/waiting.c, as a shared library: each function runs the body with the lock.
#include <mutex>
#include <shared_mutex>

struct book {
	long pages;
	std::mutex lock;
};
struct shelf {
	long books;
	std::shared_mutex lock;
};

static book book;
static shelf shelf;

extern "C" {
void with_mutex(void (*body)())
{
	std::lock_guard<std::mutex> taken(book.lock);
	body();
}

void with_writer(void (*body)())
{
	std::unique_lock<std::shared_mutex> taken(shelf.lock);
	body();
}

void with_reader(void (*body)())
{
	std::shared_lock<std::shared_mutex> taken(shelf.lock);
	body();
}
}
