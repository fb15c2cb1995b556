// SPDX-License-Identifier: GPL-2.0-or-later
// What the file holds (Documentation/formats/rows.md), as arrays of numbers that can be added up.

const NONE = -1;

async function unpack(text) {
	const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
	const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
	return JSON.parse(await new Response(stream).text());
}

// Rows and those below them, without recursion: trees may be deep. visit(row, parent, depth) returns
// what the rows below get as their parent; leave() is called behind the last of them.
function eachRow(rows, visit, leave = () => {}) {
	const open = [{ rows, at: 0, parent: null }];
	while (open.length) {
		const level = open[open.length - 1];
		if (level.at === level.rows.length) {
			open.pop();
			if (open.length)
				leave(level.parent);
			continue;
		}
		const row = level.rows[level.at++];
		const me = visit(row, level.parent, open.length - 1);
		open.push({ rows: row.rows ?? [], at: 0, parent: me });
	}
}

// Equal texts become equal numbers.
class Names {
	constructor() {
		this.list = [];
		this.ids = new Map();
	}

	id(text) {
		let id = this.ids.get(text);
		if (id === undefined) {
			id = this.list.length;
			this.list.push(text);
			this.ids.set(text, id);
		}
		return id;
	}
}

const column = (page, name) => page.columns.some((c) => c.name === name);
const numbers = (page, name, Type = Float64Array) => Type.from(page.rows, (row) => row.cells[name]);

// The call tree in preorder; what is below i ends before end[i]. Frame 0 is the root.
function readFrames(page) {
	const frames = { parent: [NONE], depth: [0], end: [0], label: [0], labels: new Names(), byId: [0], period: [0] };
	const info = [{ name: 'all', dso: '', inlined: false }];
	frames.labels.id('all');
	const heaviest = (a, b) => b.cells.period - a.cells.period;
	eachRow(page ? page.rows.sort(heaviest) : [], (row, parent, depth) => {
		const c = row.cells, i = frames.parent.length;
		row.rows?.sort(heaviest);
		// Of two builds, functions are the same if their names are.
		const label = frames.labels.id(JSON.stringify([...('identity' in c ? [c.identity] : [c.name, c.dso]), Boolean(c.inlined)]));
		info[label] ??= { name: c.name, dso: c.dso ?? '', inlined: Boolean(c.inlined) };
		frames.parent.push(parent ?? 0);
		frames.depth.push(depth + 1);
		frames.period.push(c.period);
		frames.label.push(label);
		frames.end.push(i + 1);
		frames.byId[c.id] = i;
		return i;
	}, (i) => {
		frames.end[i] = frames.parent.length;
	});
	frames.end[0] = frames.n = frames.parent.length;
	frames.info = info;
	return frames;
}

// Values that read the same are one to who reads them: same[id] is the first of them. In a comparison, a member is the same
// wherever it lies, and has the name that it has now.
function readKeys(pages) {
	return pages.map((page) => {
		const names = new Names(), first = [];
		const ids = page.rows.map((row) => names.id(row.cells.identity ?? row.cells.name));
		ids.forEach((id, i) => {
			if (page.rows[i].cells.samples > 0)
				first[id] ??= i;
		});
		const same = ids.map((id, i) => (first[id] ??= i));
		return {
			name: page.facts.key,
			title: page.title,
			same,
			values: page.rows.map((row) => row.cells.name),
			// As cells of other pages have them: numbers where the key has numbers.
			cells: page.rows.map((row) => ('value' in row.cells ? row.cells.value : row.cells.name)),
		};
	});
}

// Events stand in the order of the report's tables, which is that of the recording.
function readGroups(page, model) {
	const events = new Names(), used = new Set(page.rows.map((row) => row.cells.event));
	for (const event of model.tables.flatMap((table) => table.events ?? []).filter((name) => used.has(name)))
		events.id(event);
	const groups = {
		n: page.rows.length,
		event: Int32Array.from(page.rows, (row) => events.id(row.cells.event)),
		frame: Int32Array.from(page.rows, (row) => model.frames.byId[row.cells.frame]),
		site: numbers(page, 'site', Int32Array),
		values: model.keys.map((key) => Int32Array.from(page.rows, (row) => key.same[row.cells[key.name]])),
		period: numbers(page, 'period'),
		samples: numbers(page, 'samples'),
		before: column(page, 'period_before') ? numbers(page, 'period_before') : null,
	};
	model.events = events.list;
	return groups;
}

// "(none)", "(unknown)" and "-" are said of what has no value.
const isValue = (text) => text !== '' && text !== '-' && !String(text).startsWith('(');

const isSaid = (cell) => !['', '-', '(none)'].includes(cell);

// Number of values of a key.
function nrValues(model, name) {
	return (model.keys[model.keyIndex.get(name)]?.values ?? []).filter(isValue).length;
}

// The key whose values tell samples apart best, for colours: thread states, spans, else files.
function tellingKey(model) {
	return ['state', 'span'].find((name) => nrValues(model, name) > 1) ?? 'dso';
}

// Moments stand in the order of their groups: those of g are start[g] to start[g + 1] - 1.
function readMoments(page, nr) {
	const moments = {
		group: numbers(page, 'group', Int32Array),
		slice: numbers(page, 'slice', Int32Array),
		period: numbers(page, 'period'),
		samples: numbers(page, 'samples'),
		start: new Int32Array(nr + 1),
	};
	for (const group of moments.group)
		moments.start[group + 1]++;
	for (let i = 0; i < nr; i++)
		moments.start[i + 1] += moments.start[i];
	return moments;
}

// The members of a type that hold data, those of inner structures by their path, and the holes between.
function readType(page) {
	const facts = page.facts;
	const type = { name: page.title, dso: facts.dso ?? '', line: facts.cache_line_size || 64, size: 0, fields: [], holes: [],
		samples: facts.samples ?? 0 };
	// Of several events the first counts.
	const period = (cell) => (Array.isArray(cell) ? cell[0] : cell)?.number ?? 0;
	eachRow(page.rows, (row, parent) => {
		const c = row.cells;
		const path = parent === null ? '' : parent && c.member ? `${parent}.${c.member}` : parent || c.member;
		if (c.mark === 'hole' || c.mark === 'padding')
			type.holes.push({ kind: c.mark, offset: c.offset, size: c.size });
		else if (parent === null)
			Object.assign(type, { size: c.size, all: period(c.overhead), read: period(c.reads), write: period(c.writes) });
		else if (typeof c.offset === 'number' && !row.rows?.some((below) => below.cells.member))
			type.fields.push({ name: path || '(unnamed)', type: c.type, offset: c.offset, size: c.size,
				bits: c.bit_size ?? 0, all: period(c.overhead), read: period(c.reads), write: period(c.writes) });
		return path;
	});
	// A number has no members: all of it is one.
	if (!type.fields.length)
		type.fields.push({ ...type, type: '', offset: 0, bits: 0 });
	return type;
}

// The spans that lasted longest, with the values that they have in the pages of keys.
function readSpans(page, model) {
	const valueOf = (key) => {
		const values = model.keys[model.keyIndex.get(key)]?.values ?? [];
		const ids = new Map(values.map((name, id) => [name.trim(), id]));
		return (name) => ids.get(name?.trim()) ?? NONE;
	};
	const span = valueOf('span'), thread = valueOf('tid');
	return page.rows.map(({ cells: c }, nr) => ({ nr, name: c.span, activity: c.activity, value: span(c.span),
		thread: thread(c.tid), from: c.begin, to: c.begin + c.duration, stated: c.source === 'file', samples: c.samples }));
}

// The instances of report --critical, and their paths. A name is what a link calls an instance.
function readCritical(page, paths) {
	const points = page.rows.map(({ cells: c }) => ({ ...c, name: c.activity || `${c.begin}`, steps: [] }));
	for (const { cells } of paths?.rows ?? [])
		points[cells.instance].steps.push(cells);
	const begins = points.map((point) => point.begin), shownFirst = Math.max(0, points.findIndex((point) => point.steps.length));
	return { points, facts: page.facts, first: Math.min(...begins), last: Math.max(...begins),
		// The instance whose path is shown: the slowest that has one, unless another was chosen.
		chosen: (state) => {
			const at = points.findIndex((point) => point.name === state.get('why.one'));
			return at < 0 ? shownFirst : at;
		} };
}

function readModel(doc) {
	const kind = (page) => page.kind ?? doc.kind;
	const of = (name) => doc.pages.filter((page) => kind(page) === name);
	const model = { doc, headers: doc.headers ?? [], notes: doc.notes ?? [] };
	const own = ['advice', 'frames', 'sites', 'keys', 'samples', 'timeline', 'spans', 'type',
		'critical-instances', 'critical-paths'];

	const tables = doc.pages.filter((page) => !own.includes(kind(page)));
	const isCritical = (page) => kind(page).startsWith('critical');
	model.tables = tables.filter((page) => !isCritical(page) || kind(page) === doc.kind);
	model.criticalTables = tables.filter((page) => !model.tables.includes(page));
	model.types = of('type').filter((page) => !page.facts.baseline).map(readType);
	model.typesBefore = of('type').filter((page) => page.facts.baseline).map(readType);
	model.layouts = of('advice').filter((page) => page.facts.proposal).map(readProposal);
	const instances = of('critical-instances')[0];
	model.critical = instances?.rows.length ? readCritical(instances, of('critical-paths')[0]) : null;
	const samples = of('samples')[0];
	if (!samples)
		return model;
	model.frames = readFrames(of('frames')[0]);
	model.keys = readKeys(of('keys'));
	model.keyIndex = new Map(model.keys.map((key, i) => [key.name, i]));
	model.tellingKey = tellingKey(model);
	model.sites = of('sites')[0].rows.map((row) => row.cells);
	model.groups = readGroups(samples, model);
	model.baseline = samples.facts.baseline ?? null;
	const timelines = of('timeline');
	const now = timelines.find((page) => !page.facts.baseline), before = timelines.find((page) => page.facts.baseline);
	const side = (page) => page && { moments: readMoments(page, model.groups.n),
		time: { first: page.facts.first_ns, slice: page.facts.slice_ns, n: page.facts.slices } };
	Object.assign(model, side(now), { before: before?.facts.slices ? side(before) : null });
	// What is in view: both sides from their beginnings, to one scale.
	model.time.longest = Math.max(model.time.n, model.before?.time.n ?? 0);
	const spans = of('spans')[0];
	model.spans = spans ? readSpans(spans, model) : [];
	model.nrSpans = spans?.facts.spans ?? 0;
	return model;
}
