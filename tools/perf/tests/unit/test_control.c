// SPDX-License-Identifier: GPL-2.0-or-later
/* --control: where commands come from, and how they are cut out of what is read. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <fcntl.h>
#include <glib.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "record/control.h"

struct pipes {
	int commands[2], acks[2];
	struct control control;
};

static void pipes_open(struct pipes *p)
{
	g_autofree char *text = NULL;

	assert_int_equal(pipe2(p->commands, O_CLOEXEC | O_NONBLOCK), 0);
	assert_int_equal(pipe2(p->acks, O_CLOEXEC | O_NONBLOCK), 0);
	text = g_strdup_printf("fd:%d,%d", p->commands[0], p->acks[1]);
	assert_true(control_open(&p->control, text, NULL));
}

static void pipes_close(struct pipes *p)
{
	control_close(&p->control);
	for (int i = 0; i < 2; i++) {
		close(p->commands[i]); /* those of the caller are left open */
		close(p->acks[i]);
	}
}

static void expect(struct pipes *p, const char *line)
{
	g_autofree char *got = control_take(&p->control);

	if (line)
		assert_string_equal(got, line);
	else
		assert_null(got);
}

static void send(struct pipes *p, const void *bytes, size_t size)
{
	assert_int_equal(write(p->commands[1], bytes, size), (ssize_t)size);
	control_fill(&p->control);
}

static void a_command_ends_with_its_line_a_nul_or_the_input(void **state)
{
	struct pipes p;

	pipes_open(&p);
	expect(&p, NULL);
	send(&p, "ping\n\nenable cpu-clock\0stop\ndis", 32);
	expect(&p, "ping");
	expect(&p, "");
	expect(&p, "enable cpu-clock");
	expect(&p, "stop");
	expect(&p, "dis");
	expect(&p, NULL);
	pipes_close(&p);
}

static void a_line_that_is_too_long_is_one_wrong_command(void **state)
{
	char text[CONTROL_LINE_SIZE];
	g_autofree char *got = NULL;
	struct pipes p;

	memset(text, 'x', sizeof(text));
	pipes_open(&p);
	send(&p, text, sizeof(text));
	got = control_take(&p.control);
	assert_int_equal(strlen(got), sizeof(text));
	expect(&p, NULL);
	for (int i = 0; i < 3; i++) {
		send(&p, text, sizeof(text));
		expect(&p, NULL);
	}
	send(&p, "yy\nping\n", 8);
	expect(&p, "ping");
	expect(&p, NULL);
	pipes_close(&p);
}

static void a_command_on_the_border_of_two_reads_is_whole(void **state)
{
	const u32 nr = CONTROL_LINE_SIZE / 3;
	g_autoptr(GString) text = g_string_new(NULL);
	struct pipes p;
	u32 got = 0;

	for (u32 i = 0; i < nr; i++)
		g_string_append(text, "enable\n");
	pipes_open(&p);
	assert_int_equal(write(p.commands[1], text->str, text->len), (ssize_t)text->len);
	while (got < nr) {
		char *line;

		control_fill(&p.control);
		for (; (line = control_take(&p.control)); got++) {
			assert_string_equal(line, "enable");
			g_free(line);
		}
	}
	/* Exactly one buffer, without a newline, and nothing behind it. */
	g_string_assign(text, "ping\n");
	while (text->len < CONTROL_LINE_SIZE)
		g_string_append_c(text, 'x');
	send(&p, text->str, text->len);
	expect(&p, "ping");
	expect(&p, text->str + 5);
	pipes_close(&p);
}

static void the_end_of_the_input_ends_the_control(void **state)
{
	struct pipes p;

	pipes_open(&p);
	close(p.commands[1]);
	p.commands[1] = -1;
	control_fill(&p.control);
	assert_int_equal(p.control.fd, -1);
	expect(&p, NULL);
	pipes_close(&p);
}

static void acknowledgements_never_block(void **state)
{
	static char room[1 << 20];
	struct pipes p;
	char got[8];

	pipes_open(&p);
	control_ack(&p.control);
	assert_int_equal(read(p.acks[0], got, sizeof(got)), 4);
	assert_memory_equal(got, "ack\n", 4);
	while (write(p.acks[1], room, sizeof(room)) > 0)
		;
	fcntl(p.acks[1], F_SETFL, 0); /* now it would block */
	control_ack(&p.control);
	pipes_close(&p);
}

static void fifos_are_opened_without_a_partner(void **state)
{
	g_autofree char *dir = g_dir_make_tmp("control.XXXXXX", NULL);
	g_autofree char *fifo = g_build_filename(dir, "ctl", NULL);
	g_autofree char *file = g_build_filename(dir, "file", NULL);
	g_autofree char *good = g_strdup_printf("fifo:%s,%s", fifo, fifo);
	g_autofree char *no_fifo = g_strdup_printf("fifo:%s", file);
	g_autofree char *no_ack = g_strdup_printf("fifo:%s,%s", fifo, file);
	struct control c;

	assert_int_equal(mkfifo(fifo, 0600), 0);
	assert_true(g_file_set_contents(file, "ping\n", -1, NULL));
	assert_true(control_open(&c, good, NULL));
	control_ack(&c);
	control_fill(&c);
	assert_memory_equal(c.text, "ack\n", 4);
	control_close(&c);
	assert_false(control_open(&c, no_fifo, NULL));
	control_close(&c);
	assert_false(control_open(&c, no_ack, NULL));
	control_close(&c);
	g_remove(file);
	g_remove(fifo);
	g_remove(dir);
}

static void a_wrong_place_is_named(void **state)
{
	static const char *const bad[] = { "",	      "fd",
					   "foo",     "fd:",
					   "fd:x",    "fd:-1",
					   "fd:9999", "fd:0,",
					   "fd:0,x",  "fd:99999999999",
					   "fifo:",   "fifo:/nowhere/at/all" };

	for (size_t i = 0; i < ARRAY_SIZE(bad); i++) {
		g_autoptr(GError) error = NULL;
		struct control c;

		assert_false(control_open(&c, bad[i], &error));
		assert_non_null(strstr(error->message, "--control"));
		control_close(&c);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_command_ends_with_its_line_a_nul_or_the_input),
		cmocka_unit_test(a_line_that_is_too_long_is_one_wrong_command),
		cmocka_unit_test(a_command_on_the_border_of_two_reads_is_whole),
		cmocka_unit_test(the_end_of_the_input_ends_the_control),
		cmocka_unit_test(acknowledgements_never_block),
		cmocka_unit_test(fifos_are_opened_without_a_partner),
		cmocka_unit_test(a_wrong_place_is_named),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
