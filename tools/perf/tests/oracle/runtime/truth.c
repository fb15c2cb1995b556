// SPDX-License-Identifier: GPL-2.0-or-later
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "log.h"
#include "truth.h"

static struct oracle_log *log_open(void)
{
	static struct oracle_log *log;
	static int tried;
	const char *path;
	struct stat st;
	void *map;
	int fd;

	if (tried++)
		return log;
	path = getenv(ORACLE_LOG_ENV);
	fd = path ? open(path, O_RDWR) : -1;
	if (fd < 0 || fstat(fd, &st))
		return NULL;
	map = mmap(NULL, (size_t)st.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	close(fd);
	if (map != MAP_FAILED)
		log = map;
	return log;
}

void truth_say(uint32_t what, const void *address, size_t size, const char *type, size_t type_size,
	       size_t count);

void truth_say(uint32_t what, const void *address, size_t size, const char *type, size_t type_size,
	       size_t count)
{
	struct oracle_log *log = log_open();

	if (!log)
		return;
	if (log->nr == log->max)
		_exit(99);
	log->entries[log->nr] = (struct oracle_entry){
		.address = (uintptr_t)address,
		.size = size,
		.type = (uintptr_t)type,
		.type_size = (uint32_t)type_size,
		.what = what,
		.count = count,
	};
	log->nr++;
}

void *truth_alloc(size_t size, const char *type, size_t count)
{
	void *object = calloc(1, size);

	if (!object)
		abort();
	truth_say(ORACLE_MADE, object, size, type, strlen(type), count);
	return object;
}

void *truth_realloc(void *old, size_t size, const char *type, size_t count)
{
	void *object = realloc(old, size);

	if (!object)
		abort();
	if (old)
		truth_say(ORACLE_FREED, old, 0, NULL, 0, 0);
	truth_say(ORACLE_MADE, object, size, type, strlen(type), count);
	return object;
}

void truth_free(void *object)
{
	if (object)
		truth_say(ORACLE_FREED, object, 0, NULL, 0, 0);
	free(object);
}

void truth_object(const void *address, size_t size, const char *type, size_t type_size,
		  size_t count)
{
	truth_say(ORACLE_PLACED, address, size, type, type_size, count);
}
