// SPDX-License-Identifier: GPL-2.0-or-later
#include "export/exchange/row_files.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/crew.h"
#include "base/file.h"

struct row_file {
	char *folder, *part; /* NULL: it is the caller's stream */
	FILE *out;
	struct rowset *rows; /* NULL: the table is not written */
	void *writer;
};

struct row_files {
	const struct row_writer *writer;
	struct crew *crew;
	struct row_file files[NR_ROW_TABLES];
};

/* The folder may be there. */
static bool make_folder(const char *path, GError **error)
{
	return !g_mkdir_with_parents(path, 0700) || error_set_errno(error, errno, "%s", path);
}

static bool open_part(struct row_file *f, const char *folder, const char *table, GError **error)
{
	f->folder = g_build_filename(folder, table, NULL);
	if (!make_folder(f->folder, error))
		return false;
	f->part = g_strdup_printf("%s/.part-%d", f->folder, (int)getpid());
	f->out = file_create_stream(f->part);
	return f->out || error_set_errno(error, errno, "%s", f->part);
}

struct row_files *row_files_new(const struct row_output *output, const struct intern *texts,
				GError **error)
{
	struct row_files *files = g_new0(struct row_files, 1);

	files->writer = output->writer;
	files->crew = crew_new(0);
	for (u32 i = 0; i < NR_ROW_TABLES; i++) {
		const struct row_table_spec *table = &row_tables[i];
		struct row_file *f = &files->files[i];

		if (output->only != NR_ROW_TABLES && output->only != i)
			continue;
		if (output->out)
			f->out = output->out;
		else if (!open_part(f, output->folder, table->name, error)) {
			row_files_free(files);
			return NULL;
		}
		f->rows = rowset_new(table->columns, table->nr_columns, table->most_rows, texts);
		f->writer = output->writer->open(f->out, files->crew, table, output->arg);
	}
	return files;
}

static void release_file(struct row_files *files, struct row_file *f)
{
	if (f->writer)
		files->writer->free(f->writer);
	rowset_free(f->rows);
	if (f->part && f->out)
		fclose(f->out);
	if (f->part)
		unlink(f->part);
	g_free(f->part);
	g_free(f->folder);
}

void row_files_free(struct row_files *files)
{
	if (!files)
		return;
	for (u32 i = 0; i < NR_ROW_TABLES; i++)
		release_file(files, &files->files[i]);
	crew_free(files->crew);
	g_free(files);
}

struct rowset *row_files_rows(struct row_files *files, enum row_table table)
{
	return files->files[table].rows;
}

static void write_rows(struct row_files *files, struct row_file *f)
{
	files->writer->write(f->writer, f->rows);
	rowset_clear(f->rows);
}

void row_files_end_row(struct row_files *files, enum row_table table)
{
	struct row_file *f = &files->files[table];

	rowset_end_row(f->rows);
	if (rowset_is_full(f->rows))
		write_rows(files, f);
}

void row_files_flush(struct row_files *files, enum row_table table)
{
	write_rows(files, &files->files[table]);
}

/* Ends the file under the name that it has while it is written. */
static bool finish_file(struct row_files *files, struct row_file *f, GError **error)
{
	bool good;
	int why;

	write_rows(files, f);
	files->writer->finish(f->writer);
	if (!f->part)
		return true;
	good = !(fflush(f->out) | ferror(f->out));
	why = errno;
	if (fclose(f->out) && good) {
		good = false;
		why = errno;
	}
	f->out = NULL;
	return good || error_set_errno(error, why, "%s: write", f->part);
}

static bool name_file(const struct row_files *files, struct row_file *f, const char *name,
		      GError **error)
{
	g_autofree char *path = g_strconcat(f->folder, "/", name, files->writer->suffix, NULL);

	if (rename(f->part, path))
		return error_set_errno(error, errno, "%s", path);
	g_clear_pointer(&f->part, g_free);
	return true;
}

/* No file gets its name before all are whole. */
bool row_files_finish(struct row_files *files, const char *name, GError **error)
{
	for (u32 i = 0; i < NR_ROW_TABLES; i++)
		if (files->files[i].rows && !finish_file(files, &files->files[i], error))
			return false;
	for (u32 i = 0; i < NR_ROW_TABLES; i++)
		if (files->files[i].part && !name_file(files, &files->files[i], name, error))
			return false;
	return true;
}
