// SPDX-License-Identifier: GPL-2.0-or-later
/* Memory is mapped into a program before its first instruction, and the program runs as without. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#include <glib.h>

#include "detached/plant.h"

#define SIZE 12288u

/* A child that runs a shell as soon as it may, or ends with a status if there is no shell. */
struct child {
	pid_t pid;
	int go;	    /* write end: closed, it may run */
	int output; /* read end */
	int fd;	    /* what it inherits for the mapping */
};

static void run_shell(const char *shell, const char *script, int go, int output)
{
	char byte;

	dup2(output, STDOUT_FILENO);
	close(output);
	while (read(go, &byte, 1) > 0)
		;
	close(go);
	execl(shell, "sh", "-c", script, NULL);
	_exit(77);
}

static struct child start(const char *shell)
{
	struct child c = { .fd = memfd_create("planted", 0) };
	/* A program that it starts has another address space. The shell reads its own. */
	g_autofree char *script =
		g_strdup_printf("while read line; do echo \"$line\"; done </proc/$$/maps; "
				"[ ! -e /proc/$$/fd/%d ] || echo open",
				c.fd);
	int go[2], output[2];

	assert_true(c.fd >= 0);
	assert_int_equal(ftruncate(c.fd, SIZE), 0);
	assert_int_equal(pipe(go), 0);
	assert_int_equal(pipe(output), 0);
	c.pid = fork();
	assert_true(c.pid >= 0);
	if (!c.pid) {
		close(go[1]);
		close(output[0]);
		run_shell(shell, script, go[0], output[1]);
	}
	close(go[0]);
	close(output[1]);
	c.go = go[1];
	c.output = output[0];
	return c;
}

/* Ends the test where programs cannot be traced. */
static void begin(struct child *c)
{
	g_autoptr(GError) error = NULL;

	if (plant_begin(c->pid, &error)) {
		close(c->go);
		return;
	}
	close(c->go);
	close(c->output);
	close(c->fd);
	waitpid(c->pid, NULL, 0);
	print_message("%s\n", error->message);
	skip();
}

/* Waits for its end. Returns its output. */
static char *end(struct child *c, int *status)
{
	g_autoptr(GString) text = g_string_new(NULL);
	char bytes[4096];
	ssize_t nr;

	while ((nr = read(c->output, bytes, sizeof(bytes))) > 0)
		g_string_append_len(text, bytes, nr);
	assert_int_equal(waitpid(c->pid, status, 0), c->pid);
	close(c->output);
	close(c->fd);
	return g_string_free(g_steal_pointer(&text), FALSE);
}

static void test_mapped(void **state)
{
	struct child c = start("/bin/sh");
	g_autoptr(GError) error = NULL;
	g_autofree char *maps = NULL;
	unsigned long from, to;
	const char *line;
	char allowed[5];
	int status;

	begin(&c);
	assert_true(plant_finish(c.pid, c.fd, SIZE, &error));
	maps = end(&c, &status);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 0);
	line = strstr(maps, "/memfd:planted");
	assert_non_null(line);
	while (line > maps && line[-1] != '\n')
		line--;
	assert_int_equal(sscanf(line, "%lx-%lx %4s", &from, &to, allowed), 3);
	assert_int_equal(to - from, SIZE);
	assert_string_equal(allowed, "r--s");
	assert_null(strstr(maps, "\nopen\n"));
}

/* How the child ended is still there for its parent. */
static void test_no_program(void **state)
{
	struct child c = start("/not there");
	g_autoptr(GError) error = NULL;
	g_autofree char *output = NULL;
	int status;

	begin(&c);
	assert_false(plant_finish(c.pid, c.fd, SIZE, &error));
	assert_string_equal(error->message, "the command did not start");
	output = end(&c, &status);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 77);
	assert_string_equal(output, "");
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_mapped),
		cmocka_unit_test(test_no_program),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
