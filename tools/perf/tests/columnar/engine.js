// SPDX-License-Identifier: GPL-2.0-or-later
// Runs files of SQL in an engine of other people, and prints the rows of the last statement of each, as text with tabs.
//
//	node engine.js duckdb FOLDER NAME=VALUE... FILE.sql...		tables of --to=parquet
//	node engine.js clickhouse FOLDER NAME=VALUE... FILE.sql...	tables of --to=native
//	node engine.js parquet FILE.parquet				rows by hyparquet
//	node engine.js clickhouse-parquet FOLDER			number and weight of the samples of --to=parquet
//
// The folder node_modules is named by NODE_MODULES.
const fs = require('fs');
const path = require('path');

const modules = path.resolve(process.env.NODE_MODULES);
const load = (name) => require(require.resolve(name, { paths: [modules] }));

function statements(file) {
	const text = fs.readFileSync(file, 'utf8').replace(/^--.*$/gm, '');
	return text.split(/;$/m).map((s) => s.trim()).filter(Boolean);
}

// Shares have as many digits as both engines agree on.
function cell(value) {
	if (value === null || value === undefined) return '';
	if (typeof value === 'number' && !Number.isInteger(value)) return value.toFixed(6).replace(/0+$/, '').replace(/[.]$/, '');
	return String(value);
}

function print(file, rows) {
	console.log(`# ${path.basename(file, '.sql')}`);
	for (const row of rows) console.log(row.map(cell).join('\t'));
}

async function duckdb(folder, names, files) {
	const { DuckDBInstance } = load('@duckdb/node-api');
	process.chdir(folder);
	const connection = await (await DuckDBInstance.create(':memory:')).connect();
	for (const [name, value] of names) await connection.run(`SET VARIABLE ${name} = '${value}'`);
	for (const file of files) {
		let result;
		for (const s of statements(file)) result = await connection.runAndReadAll(s);
		const rows = result.getRows().map((row) => row.map((v) => (typeof v === 'bigint' ? v.toString() : v)));
		print(file, rows);
	}
}

const tables = ['samples', 'stacks', 'locations', 'types', 'spans', 'pushes', 'events', 'hosts'];

function clickhouse(folder, names, files) {
	const { Session } = load('chdb');
	const session = new Session();
	const bound = Object.fromEntries(names);
	for (const file of files) {
		let result = '';
		for (const s of statements(file))
			result = /\{\w+:String\}/.test(s) ? session.queryBind(s, bound, 'JSONCompactEachRow') : session.query(s, 'JSONCompactEachRow');
		if (path.basename(file) === 'schema.sql')
			for (const table of tables)
				session.query(`INSERT INTO ${table} SELECT * FROM file('${folder}/${table}/*.native', Native)`, 'CSV');
		print(file, result.split('\n').filter(Boolean).map((line) => JSON.parse(line)));
	}
	session.cleanup();
}

function clickhouseParquet(folder) {
	const { query } = load('chdb');
	process.stdout.write(query(`SELECT count(), sum(weight) FROM file('${folder}/samples/*.parquet', Parquet)`, 'TSV'));
}

// Numbers of 64 bits are exact.
async function parquet(file) {
	const from = (name) => import(require.resolve(name, { paths: [modules] }));
	const { asyncBufferFromFile, parquetReadObjects } = await from('hyparquet');
	const { compressors } = await from('hyparquet-compressors');
	const rows = await parquetReadObjects({ file: await asyncBufferFromFile(file), compressors });
	const text = (v) => (v instanceof Uint8Array ? Buffer.from(v).toString('hex') : Array.isArray(v) ? `[${v.join(',')}]` : String(v));
	if (rows.length) console.log(Object.keys(rows[0]).join('\t'));
	for (const row of rows) console.log(Object.values(row).map(text).join('\t'));
}

async function main() {
	const [engine, folder, ...rest] = process.argv.slice(2);
	const names = rest.filter((a) => /^\w+=/.test(a)).map((a) => [a.slice(0, a.indexOf('=')), a.slice(a.indexOf('=') + 1)]);
	const files = rest.filter((a) => !/^\w+=/.test(a)).map((f) => path.resolve(f));
	if (engine === 'duckdb') await duckdb(folder, names, files);
	else if (engine === 'clickhouse') clickhouse(path.resolve(folder), names, files);
	else if (engine === 'clickhouse-parquet') clickhouseParquet(path.resolve(folder));
	else await parquet(folder);
}

main().catch((e) => {
	console.error(String(e));
	process.exit(1);
});
