// SPDX-License-Identifier: GPL-2.0-or-later
/* Frames of sysprof captures: what is encoded is decoded again; of the other byte order; damaged. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "open_files.h"
#include "sysprof/reader.h"

static const u64 addrs[] = { (u64)-512, 0x401000, 0x402000 };
static const u64 regs[17] = { 1, 2, 3, 4, 5, 6, 7, 0x7fff0000, 0x401000 };
static const u8 stack[16] = "a copy of stack";

static const struct sysprof_frame frames[] = {
	{ .type = SYSPROF_PROCESS, .cpu = -1, .pid = 10, .time = 1000, .cmdline = "/bin/prog -x" },
	{ .type = SYSPROF_MAP,
	  .cpu = -1,
	  .pid = 10,
	  .time = 1001,
	  .map = { 0x400000, 0x500000, 0x1000, 77, "/bin/prog", "0102aabb" } },
	{ .type = SYSPROF_MAP,
	  .cpu = 0,
	  .pid = 10,
	  .time = 1002,
	  .map = { 1, 2, 3, 4, "[heap]", NULL } },
	{ .type = SYSPROF_SAMPLE, .cpu = 3, .pid = 10, .time = 1003, .sample = { 11, 3, addrs } },
	{ .type = SYSPROF_FORK, .cpu = 1, .pid = 10, .time = 1004, .child = 12 },
	{ .type = SYSPROF_STACK_USER,
	  .cpu = 2,
	  .pid = 10,
	  .time = 1005,
	  .stack = { 12, sizeof(stack), stack, 17, 2, regs } },
	{ .type = SYSPROF_EXIT, .cpu = 1, .pid = 12, .time = 1006 },
	{ .type = SYSPROF_TIMESTAMP, .cpu = -1, .pid = -1, .time = 1007 },
};

static GByteArray *capture(void)
{
	const struct sysprof_header header = { .date = "2026-01-02T03:04:05Z",
					       .time = 1000,
					       .end_time = 2000 };
	GByteArray *out = g_byte_array_new();

	sysprof_header_encode(&header, out);
	for (size_t i = 0; i < ARRAY_SIZE(frames); i++)
		assert_true(sysprof_frame_encode(&frames[i], out));
	return out;
}

/* A reader of these bytes; the file's name is gone at once. */
static struct sysprof_reader *open_bytes(const void *data, size_t size, int *fd, GError **error)
{
	FILE *file = tmpfile();

	assert_non_null(file);
	assert_int_equal(fwrite(data, 1, size, file), size);
	rewind(file);
	*fd = dup(fileno(file));
	fclose(file);
	lseek(*fd, 0, SEEK_SET);
	return sysprof_open_fd(*fd, "test", error);
}

static void check_frame(const struct sysprof_frame *got, const struct sysprof_frame *want)
{
	assert_int_equal(got->type, want->type);
	assert_int_equal(got->cpu, want->cpu);
	assert_int_equal(got->pid, want->pid);
	assert_int_equal(got->time, want->time);
	assert_int_equal(got->size % 8, 0);
	switch (want->type) {
	case SYSPROF_PROCESS:
		assert_string_equal(got->cmdline, want->cmdline);
		break;
	case SYSPROF_MAP:
		assert_int_equal(got->map.start, want->map.start);
		assert_int_equal(got->map.end, want->map.end);
		assert_int_equal(got->map.offset, want->map.offset);
		assert_int_equal(got->map.inode, want->map.inode);
		assert_string_equal(got->map.filename, want->map.filename);
		if (want->map.build_id)
			assert_string_equal(got->map.build_id, want->map.build_id);
		else
			assert_null(got->map.build_id);
		break;
	case SYSPROF_SAMPLE:
		assert_int_equal(got->sample.tid, want->sample.tid);
		assert_int_equal(got->sample.nr, want->sample.nr);
		assert_memory_equal(got->sample.addrs, want->sample.addrs, want->sample.nr * 8);
		break;
	case SYSPROF_FORK:
		assert_int_equal(got->child, want->child);
		break;
	case SYSPROF_STACK_USER:
		assert_int_equal(got->stack.tid, want->stack.tid);
		assert_int_equal(got->stack.size, want->stack.size);
		assert_memory_equal(got->stack.bytes, want->stack.bytes, want->stack.size);
		assert_int_equal(got->stack.abi, want->stack.abi);
		assert_int_equal(got->stack.nr_regs, want->stack.nr_regs);
		assert_memory_equal(got->stack.regs, want->stack.regs, want->stack.nr_regs * 8);
		break;
	default:
		break;
	}
}

static void test_round_trip(void **state)
{
	g_autoptr(GByteArray) bytes = capture();
	GError *error = NULL;
	struct sysprof_frame frame;
	int fd;
	struct sysprof_reader *r = open_bytes(bytes->data, bytes->len, &fd, &error);

	assert_non_null(r);
	assert_string_equal(sysprof_header_of(r)->date, "2026-01-02T03:04:05Z");
	assert_int_equal(sysprof_header_of(r)->time, 1000);
	assert_int_equal(sysprof_header_of(r)->end_time, 2000);
	for (size_t i = 0; i < ARRAY_SIZE(frames); i++) {
		u64 at = sysprof_position(r);

		assert_int_equal(sysprof_next(r, &frame, &error), 1);
		check_frame(&frame, &frames[i]);
		assert_memory_equal(frame.raw, bytes->data + at, frame.size);
	}
	assert_int_equal(sysprof_next(r, &frame, &error), 0);
	assert_int_equal(sysprof_position(r), bytes->len);
	sysprof_close(r);
	close(fd);
}

static void test_a_file_that_was_opened_is_closed(void **state)
{
	g_autoptr(GByteArray) bytes = capture();
	GError *error = NULL;
	u32 before = nr_open_files();
	struct sysprof_reader *r;

	assert_true(g_file_set_contents("capture.syscap", (char *)bytes->data, bytes->len, NULL));
	r = sysprof_open("capture.syscap", &error);
	assert_non_null(r);
	assert_int_equal(nr_open_files(), before + 1);
	sysprof_close(r);
	assert_int_equal(nr_open_files(), before);
	unlink("capture.syscap");
}

static void turn(u8 *at, size_t size)
{
	for (size_t i = 0; i < size / 2; i++) {
		u8 kept = at[i];

		at[i] = at[size - 1 - i];
		at[size - 1 - i] = kept;
	}
}

/* A capture as a machine of the other byte order writes it. */
static void turn_capture(GByteArray *bytes)
{
	u16 size;

	turn(bytes->data, 4);
	turn(bytes->data + 72, 8);
	turn(bytes->data + 80, 8);
	for (u32 at = SYSPROF_HEADER; at < bytes->len; at += size) {
		u8 *f = bytes->data + at;

		memcpy(&size, f, sizeof(size));
		switch (f[16]) {
		case SYSPROF_MAP:
			for (u32 i = 24; i < 56; i += 8)
				turn(f + i, 8);
			break;
		case SYSPROF_SAMPLE:
			for (u32 i = 0, *nr = &(u32){ f[24] }; i < *nr; i++)
				turn(f + 32 + 8 * i, 8);
			turn(f + 24, 2);
			turn(f + 28, 4);
			break;
		case SYSPROF_FORK:
			turn(f + 24, 4);
			break;
		case SYSPROF_STACK_USER:
			turn(f + 24, 8);
			turn(f + 32, 4);
			turn(f + 40 + sizeof(stack), 4);
			turn(f + 44 + sizeof(stack), 4);
			for (u32 i = 0; i < 17; i++)
				turn(f + 48 + sizeof(stack) + 8 * i, 8);
			break;
		default:
			break;
		}
		turn(f, 2);
		turn(f + 2, 2);
		turn(f + 4, 4);
		turn(f + 8, 8);
	}
}

static void test_foreign(void **state)
{
	g_autoptr(GByteArray) bytes = capture();
	GError *error = NULL;
	struct sysprof_frame frame;
	struct sysprof_reader *r;
	int fd;

	turn_capture(bytes);
	r = open_bytes(bytes->data, bytes->len, &fd, &error);
	assert_non_null(r);
	assert_true(sysprof_header_of(r)->foreign);
	assert_int_equal(sysprof_header_of(r)->time, 1000);
	for (size_t i = 0; i < ARRAY_SIZE(frames); i++) {
		u64 at = sysprof_position(r);

		assert_int_equal(sysprof_next(r, &frame, &error), 1);
		check_frame(&frame, &frames[i]);
		assert_memory_equal(frame.raw, bytes->data + at, frame.size);
	}
	assert_int_equal(sysprof_next(r, &frame, &error), 0);
	sysprof_close(r);
	close(fd);
}

/* Reads all that is there; the error of the end, or NULL. */
static char *read_all(const GByteArray *bytes)
{
	GError *error = NULL;
	struct sysprof_frame frame;
	char *text = NULL;
	int fd, got = 1;
	struct sysprof_reader *r = open_bytes(bytes->data, bytes->len, &fd, &error);

	while (r && got > 0)
		got = sysprof_next(r, &frame, &error);
	if (error)
		text = g_strdup(error->message);
	g_clear_error(&error);
	sysprof_close(r);
	close(fd);
	return text;
}

static void check_damage(u32 at, u8 value, const char *expected)
{
	g_autoptr(GByteArray) bytes = capture();
	g_autofree char *text = NULL;

	bytes->data[at] = value;
	text = read_all(bytes);
	if (!expected) {
		assert_null(text);
		return;
	}
	assert_non_null(text);
	if (!strstr(text, expected))
		fail_msg("%s", text);
}

static u32 offset_of(u32 frame)
{
	g_autoptr(GByteArray) bytes = capture();
	u32 at = SYSPROF_HEADER;
	u16 size;

	for (u32 i = 0; i < frame; i++) {
		memcpy(&size, bytes->data + at, sizeof(size));
		at += size;
	}
	return at;
}

static void test_damaged(void **state)
{
	check_damage(0, 0, "the magic of a sysprof capture");
	check_damage(4, 9, "version 1");
	check_damage(offset_of(0), 8, "a frame of at least 24 bytes");
	check_damage(offset_of(0), 41, "a multiple of 8");
	check_damage(offset_of(3) + 24, 200,
		     "the fields of its type"); /* more addresses than there are */
	check_damage(offset_of(5) + 24, 255,
		     "the fields of its type"); /* a stack beyond the frame */
	check_damage(offset_of(5) + 40 + sizeof(stack), 18, "the fields of its type");
	check_damage(offset_of(7), 0xf8, "a whole frame");
	check_damage(offset_of(4) + 16, 99, NULL); /* a type of later versions */
}

static void test_cut(void **state)
{
	g_autoptr(GByteArray) bytes = capture();

	for (u32 size = 0; size < bytes->len; size++) {
		g_autoptr(GByteArray) part = g_byte_array_new();
		g_autofree char *text = NULL;
		bool at_end = size == SYSPROF_HEADER;

		g_byte_array_append(part, bytes->data, size);
		text = read_all(part);
		for (u32 i = 1; i <= ARRAY_SIZE(frames); i++)
			at_end |= size == offset_of(i);
		assert_int_equal(text == NULL, at_end);
	}
}

/* No byte of it can make the reader look behind the frame. */
static void test_every_byte(void **state)
{
	g_autoptr(GByteArray) bytes = capture();

	for (u32 at = 0; at < bytes->len; at++) {
		static const u8 values[] = { 0, 1, 0x7f, 0x80, 0xff };
		u8 kept = bytes->data[at];

		for (u32 i = 0; i < sizeof(values); i++) {
			bytes->data[at] = values[i];
			g_free(read_all(bytes));
		}
		bytes->data[at] = kept;
	}
}

static void test_too_large(void **state)
{
	static const u64 many[9000];
	const struct sysprof_frame frame = { .type = SYSPROF_SAMPLE, .sample = { 1, 9000, many } };
	g_autoptr(GByteArray) out = g_byte_array_new();

	assert_false(sysprof_frame_encode(&frame, out));
	assert_int_equal(out->len, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_round_trip),
		cmocka_unit_test(test_a_file_that_was_opened_is_closed),
		cmocka_unit_test(test_foreign),
		cmocka_unit_test(test_damaged),
		cmocka_unit_test(test_cut),
		cmocka_unit_test(test_every_byte),
		cmocka_unit_test(test_too_large),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
