// SPDX-License-Identifier: GPL-2.0-or-later
// The flame graph: callers above callees. Other views of the same chains: inverted, leaves above their callers; over
// time, the stack of each moment of a thread (chart.js); around, a function with its callers above and its callees
// below. A canvas has the picture; who cannot see it, or uses keys, has a tree of one item, the frame at the cursor.

const ROW = 20; // px
const MAX_ROWS = 600; // browsers refuse canvases that are much higher
const MAX_FUNCTIONS = 300; // in the list of functions
const flameViews = [['inverted', 'flame-invert', 'Inverted'], ['time', 'flame-time', 'Over time'],
	['around', 'flame-around', 'Callers and callees']];

class Flame {
	constructor(state, sums) {
		Object.assign(this, { state, sums, model: state.model, cursor: 0, boxes: [] });
		const p = panel('flame', 'Flame graph');
		this.section = p.section;
		this.controls = p.controls;
		this.canvas = el('canvas', { 'aria-hidden': 'true' });
		this.item = el('div', { role: 'treeitem', id: 'flame-item', 'aria-selected': 'true' });
		this.tree = el('div', { role: 'tree', tabIndex: 0, className: 'surface scroll', id: 'flame-tree',
			'aria-label': 'Call tree. Arrows move, Enter zooms, Backspace goes back.',
			'aria-activedescendant': 'flame-item' }, this.canvas, this.item);
		this.info = el('p', { className: 'info' });
		this.legend = el('div');
		p.body.append(this.tree, this.info, this.legend);
		this.listen();
		state.declare('flame.colour', state.model.baseline ? 'change' : this.model.tellingKey);
		state.declare('flame.view', 'summed');
		state.declare('flame.thread', '');
		state.declare('flame.widths', 'now');
	}

	listen() {
		this.canvas.addEventListener('click', (event) => {
			const box = this.hit(event);
			if (!box)
				return;
			this.cursor = box.i;
			this.zoom(box.i);
		});
		this.canvas.addEventListener('mousemove', (event) => {
			const box = this.hit(event);
			this.canvas.title = box ? `${shown(this.data.info[this.data.label[box.i]].name)}\n${this.describe(box.i, box)}` : '';
			this.info.textContent = this.describe(box ? box.i : this.cursor, box);
		});
		this.tree.addEventListener('keydown', (event) => this.key(event));
		this.tree.addEventListener('focus', () => this.paint());
		this.tree.addEventListener('blur', () => this.paint());
		followWidth(this.tree, () => this.paint());
	}

	get view() {
		return this.state.get('flame.view');
	}

	get inverted() {
		return this.view === 'inverted';
	}

	// Is it the part of the selection that a click in this view makes?
	isOwn(part) {
		return this.view === 'around' ? part.kind === 'function' : part.kind === 'frame' && part.inverted === this.inverted;
	}

	part() {
		return this.state.parts.find((part) => this.isOwn(part));
	}

	path(i) {
		const path = [];
		for (; i > 0; i = this.data.parent[i])
			path.unshift(this.data.label[i]);
		return path;
	}

	zoom(i) {
		const part = this.part();
		if (i > 0 && this.view === 'around')
			this.state.select({ kind: 'function', label: this.data.label[i] });
		else if (i > 0)
			this.state.select({ kind: 'frame', path: this.path(i), inverted: this.inverted });
		else if (part)
			this.state.drop(part);
	}

	// The function whose callers and callees are shown: the selected one, else the one with the most time of its own.
	center(now) {
		const { frames, groups } = this.model, own = new Float64Array(frames.info.length);
		for (let g = 0; g < groups.n; g++)
			own[frames.label[groups.frame[g]]] += now[g];
		own[0] = 0;
		return this.part()?.label ?? ranked(own)[0] ?? 0;
	}

	grow(now, before) {
		const { model } = this;
		if (this.view === 'around')
			return aroundTree(model, now, before, this.center(now));
		return this.inverted ? invertedTree(model, now, before) : callTree(model, now, before);
	}

	update() {
		const { state, sums, model } = this;
		const without = (part) => this.isOwn(part);
		const now = this.weights = sums.weights({ without });
		const before = model.baseline ? sums.weights({ without, before: true }) : null;
		const path = this.data ? this.path(this.cursor) : [];

		this.data = this.grow(now, before);
		this.whole = { now: sums.whole(), before: before ? sums.whole(true) : 0 };
		this.widths = before && state.get('flame.widths') === 'before' ? this.data.before : this.data.now;
		this.root = this.part()?.path ? findFrame(this.data, this.part().path) : 0;
		if (this.root >= this.data.n)
			this.root = 0;
		this.cursor = findFrame(this.data, path);
		if (this.cursor >= this.data.n || !this.isBelow(this.cursor, this.root))
			this.cursor = this.root;
		this.colour(now);
		this.drawControls();
		this.paint();
	}

	isBelow(i, above) {
		return i >= above && i < this.data.end[above];
	}

	// --- colours: fill[i], and in words what it stands for

	colour(now) {
		const by = this.state.get('flame.colour');
		const words = [], fillOf = [];
		this.entries = [];
		if (by === 'change' && this.model.baseline) {
			for (let i = 0; i < this.data.n; i++) {
				const points = this.change(i);
				words[i] = `${points >= 0 ? '+' : '\u2212'}${Math.abs(points).toFixed(1)} points`;
				fillOf[i] = changeFill(points);
			}
			this.entries = [{ fill: changes.more[1], text: 'more than before' },
				{ fill: changes.less[1], text: 'less than before' }, { fill: greyFill[theme()], text: 'the same' }];
		} else {
			this.colourByKey(by, now, words, fillOf);
		}
		this.words = words;
		this.fillOf = fillOf;
	}

	colourByKey(by, now, words, fillOf) {
		const k = this.model.keyIndex.get(by) ?? this.model.keyIndex.get('dso');
		const key = this.model.keys[k];
		const { top, fill } = palette(this.sums.byKey(key.name, this.sums.weights({ without: () => true })), key);
		const values = key.name === 'dso' ? this.ownDsos(key) : this.largest(k, now);
		for (let i = 0; i < this.data.n; i++) {
			words[i] = values[i] === NONE ? '' : this.state.valueName(key, values[i]);
			fillOf[i] = values[i] === NONE ? greyFill[theme()] : fill(values[i]);
		}
		this.entries = top.map((value) => ({
			fill: fill(value),
			text: this.state.valueName(key, value),
			pressed: this.state.value(key.name) === value,
			onclick: () => this.state.toggle(key.name, value),
		}));
	}

	ownDsos(key) {
		const ids = new Map(key.values.map((name, i) => [name, i]));
		return Array.from(this.data.label, (label) => ids.get(this.data.info[label].dso) ?? NONE);
	}

	// Of each frame, the value that most of what is below it has.
	largest(k, now) {
		const { groups, keys } = this.model;
		const sums = new Map(), best = new Float64Array(this.data.n), values = new Int32Array(this.data.n).fill(NONE);
		const nr = keys[k].values.length;
		for (let g = 0; g < groups.n; g++) {
			if (!now[g])
				continue;
			for (const ends of this.data.ends)
				for (let i = ends[g]; i >= 0; i = this.data.parent[i]) {
					const at = i * nr + groups.values[k][g];
					const sum = (sums.get(at) ?? 0) + now[g];
					sums.set(at, sum);
					if (sum > best[i]) {
						best[i] = sum;
						values[i] = groups.values[k][g];
					}
				}
		}
		return values;
	}

	// In points of percent.
	change(i) {
		return percent(this.data.now[i], this.whole.now) - percent(this.data.before[i], this.whole.before);
	}

	nameOf(i) {
		const label = this.data.label[i];
		return label ? shown(this.state.brief(this.data.info[label].name)) : 'all samples';
	}

	// The frame, and the time of its @box where boxes have times.
	describe(i, box) {
		const { dso, inlined } = this.data.info[this.data.label[i]];
		const now = this.data.now[i];
		const words = [this.nameOf(i), `${percentText(percent(now, this.whole.now))} of all` +
			(this.root ? ` (${percentText(percent(now, this.data.now[this.root]))} of what is zoomed)` : ''),
		amountText(this.state.get('event'), now)];
		if (dso)
			words.push(shown(dso));
		if (inlined)
			words.push('inlined');
		if (this.words[i] && this.words[i] !== dso)
			words.push(`most: ${shown(this.words[i])}`.replace('most: +', '+').replace('most: \u2212', '\u2212'));
		if (box?.from !== undefined)
			words.push(`${clock(this.model, box.from)} to ${clock(this.model, box.to)}`);
		if (this.data.before && this.model.baseline)
			words.push(`before ${percentText(percent(this.data.before[i], this.whole.before))}`);
		return words.join(' \u00b7 ');
	}

	// --- picture

	above() {
		const above = [];
		for (let i = this.root; i >= 0; i = this.data.parent[i])
			above.unshift(i);
		return above;
	}

	// Boxes of rows. Callers of the function in the middle (side -1) stand above it.
	layout(width) {
		const { data, widths, root } = this;
		const boxes = this.above().slice(-MAX_ROWS / 2).map((i, y) => ({ i, x: 0, w: width, y, above: i !== root }));
		const scale = widths[root] > 0 ? width / widths[root] : 0;
		const base = boxes.length - 1 - data.depth[root], edges = new Map();
		let top = 0;
		this.cut = false;
		for (let i = root + 1; i < data.end[root];) {
			const depth = data.depth[i], w = widths[i] * scale, side = data.side?.[i] ?? 1;
			if (!edges.has(side))
				edges.set(side, []);
			const edge = edges.get(side), x = edge[depth] ?? 0;
			if (w < 0.5 || base + depth >= MAX_ROWS / (this.view === 'around' ? 2 : 1)) {
				this.cut ||= w >= 0.5;
				i = data.end[i];
				continue;
			}
			edge[depth] = x + w;
			edge[depth + 1] = x;
			edge.length = depth + 2;
			boxes.push({ i, x, w, y: base + side * depth });
			top = Math.min(top, base + side * depth);
			i++;
		}
		for (const box of boxes)
			box.y -= top;
		return boxes;
	}

	// What the view over time shows: slices, and the thread.
	timeView() {
		const time = this.state.find('time');
		return time ? { from: time.from, to: time.to } : timeView(this.state);
	}

	threads() {
		const key = this.model.keyIndex.get('tid');
		return key === undefined ? [] : ranked(this.sums.byKey('tid', this.weights)).map((value) => [value, this.model.keys[key].values[value]]);
	}

	chart(width) {
		const { state, model, weights } = this, threads = this.threads();
		const thread = (threads.find(([, name]) => name === state.get('flame.thread')) ?? threads[0])?.[0];
		const values = model.groups.values[model.keyIndex.get('tid')];
		return chartBoxes(model, this.data, this.root, this.timeView(), width,
			(g) => weights[g] > 0 && (thread === undefined || values[g] === thread));
	}

	paint() {
		const width = Math.max(200, this.tree.clientWidth);
		const overTime = this.view === 'time';
		this.boxes = overTime ? this.chart(width) : this.layout(width);
		const rows = this.boxes.reduce((max, b) => Math.max(max, b.y), 0) + 1;
		const context = startDrawing(this.canvas, width, (overTime ? rows + 1 : rows) * ROW);
		const found = matcher(this.state.get('search')), hits = new Set();
		for (const box of this.boxes) {
			const hit = found && box.i > 0 && !box.above && found(this.data.info[this.data.label[box.i]].name);
			this.paintBox(context, box, found, hit);
			if (hit)
				hits.add(box.i);
		}
		if (overTime)
			drawAxis(context, this.model, this.timeView(), width, rows * ROW + ROW / 2);
		this.found = found ? this.foundText([...hits]) : '';
		this.section.dataset.hits = found ? hits.size : '';
		this.section.dataset.root = this.data.label[this.root] ? this.data.info[this.data.label[this.root]].name : 'all';
		this.section.dataset.boxes = this.boxes.length;
		this.tell();
		this.legend.replaceChildren(legend(this.entries));
	}

	// Frames below a found one have no time of their own to add.
	foundText(hits) {
		let sum = 0, until = 0;
		for (const i of hits.sort((a, b) => a - b)) {
			sum += i < until ? 0 : this.data.now[i];
			until = Math.max(until, this.data.end[i]);
		}
		const share = percent(sum, this.whole.now);
		return `${hits.length} ${hits.length === 1 ? 'frame' : 'frames'} found` +
			(this.view === 'around' ? '' : `, ${percentText(share)} of the samples`);
	}

	paintBox(context, box, found, hit) {
		const fill = this.fillOf[box.i];
		context.globalAlpha = box.above || (found && !hit) ? 0.45 : 1;
		context.fillStyle = fill;
		context.fillRect(box.x, box.y * ROW, Math.max(box.w - 1, 0.5), ROW - 1);
		context.globalAlpha = 1;
		if (hit || box.i === this.cursor)
			this.paintRing(context, box, hit);
		if (box.w < 24)
			return;
		const share = percent(this.data.now[box.i], this.whole.now);
		const change = this.state.get('flame.colour') === 'change' && box.i ? ` (${this.words[box.i]})` : '';
		const text = box.from === undefined ? `${this.nameOf(box.i)}  ${percentText(share)}${change}` : this.nameOf(box.i);
		context.fillStyle = box.above || (found && !hit) ? getComputedStyle(document.body).color : inkOn(fill);
		drawText(context, text, box.x + 4, box.y * ROW + ROW / 2, box.w - 8);
	}

	paintRing(context, box, hit) {
		const focused = document.activeElement === this.tree;
		if (!hit && !focused)
			return;
		context.strokeStyle = getComputedStyle(document.body).color;
		context.lineWidth = box.i === this.cursor && focused ? 3 : 2;
		context.setLineDash(hit && box.i !== this.cursor ? [4, 2] : []);
		context.strokeRect(box.x + 1, box.y * ROW + 1, Math.max(box.w - 3, 1), ROW - 3);
		context.setLineDash([]);
	}

	tell() {
		const { data, cursor } = this;
		const siblings = this.siblings();
		this.item.textContent = this.describe(cursor);
		this.item.setAttribute('aria-level', data.depth[cursor] + 1);
		this.item.setAttribute('aria-setsize', siblings.length);
		this.item.setAttribute('aria-posinset', siblings.indexOf(cursor) + 1);
		this.item.setAttribute('aria-expanded', String(data.end[cursor] > cursor + 1));
		const cut = this.cut ? `the first ${MAX_ROWS} levels are drawn: zoom in to see more` : '';
		this.info.textContent = [cut, this.found, this.describe(cursor)].filter(Boolean).join(' \u2014 ');
	}

	drawControls() {
		const keys = this.model.keys.map((key) => [key.name, key.title]);
		const colours = this.model.baseline ? [['change', 'change'], ...keys] : keys;
		const set = (name) => (value) => this.state.set(name, value);
		const focus = this.controls.contains(document.activeElement) ? document.activeElement.id : null;
		this.controls.replaceChildren(
			choice('flame-colour', 'Colour', colours, this.state.get('flame.colour'), set('flame.colour')),
			...flameViews.filter(([view]) => view !== 'time' || this.model.time.n > 1).map(([view, id, text]) =>
				el('button', { type: 'button', id, 'aria-pressed': String(this.view === view),
					onclick: () => this.look(view) }, text)),
			el('button', { type: 'button', id: 'flame-reset', disabled: !this.part(),
				onclick: () => this.zoom(0) }, 'Reset zoom'));
		this.drawChoices();
		if (this.model.baseline)
			this.controls.prepend(choice('flame-widths', 'Widths', [['now', 'now'], ['before', 'before']],
				this.state.get('flame.widths'), set('flame.widths')));
		if (focus)
			document.getElementById(focus)?.focus();
	}

	// What only one view has to choose.
	drawChoices() {
		const { model, state, data } = this;
		const names = (list) => list.map(([value, name]) => [String(value), shown(state.brief(name))]);
		if (this.view === 'time') {
			const threads = this.threads();
			this.controls.prepend(choice('flame-thread', 'Thread', threads.map(([, name]) => [name, shown(name)]),
				state.get('flame.thread') || threads[0]?.[1], (name) => state.set('flame.thread', name)));
		} else if (this.view === 'around') {
			const sums = new Float64Array(model.frames.info.length), center = data.label[0];
			for (let i = 1; i < model.frames.n; i++)
				sums[model.frames.label[i]] += model.frames.period[i];
			const labels = [...new Set([center, ...ranked(sums).slice(0, MAX_FUNCTIONS)])].filter((label) => label);
			this.controls.prepend(choice('flame-function', 'Function', names(labels.map((label) => [label, model.frames.info[label].name])),
				String(center), (label) => state.select({ kind: 'function', label: Number(label) })));
		}
	}

	// Shows a view, or the flame graph again where it is shown.
	look(view) {
		const { state } = this, label = this.data.label[this.cursor], next = this.view === view ? 'summed' : view;
		this.cursor = 0;
		state.set('flame.view', next);
		if (next !== 'around' || !label)
			return;
		// All callers, not only those that are zoomed.
		state.parts = state.parts.filter((part) => part.kind !== 'frame');
		state.select({ kind: 'function', label });
	}

	hit(event) {
		const x = event.offsetX, y = Math.floor(event.offsetY / ROW);
		return this.boxes.find((b) => b.y === y && x >= b.x && x < b.x + b.w);
	}

	// --- keys

	// On one side of the function in the middle; other nodes have children on their own side only.
	children(i, side = this.data.side?.[i] ?? 1) {
		const out = [];
		for (let child = i + 1; child < this.data.end[i]; child = this.data.end[child])
			if (this.data.now[child] > 0 && (this.data.side?.[child] ?? 1) === side)
				out.push(child);
		return out;
	}

	siblings() {
		const { data, cursor } = this;
		return cursor ? this.children(data.parent[cursor], data.side?.[cursor] ?? 1) : [0];
	}

	sibling(step) {
		const siblings = this.siblings();
		return siblings[siblings.indexOf(this.cursor) + step] ?? this.cursor;
	}

	// One row up or down in the picture.
	row(down) {
		const { data, cursor } = this, above = cursor ? data.side?.[cursor] === -1 : Boolean(data.side) && !down;
		return above === down ? Math.max(0, data.parent[cursor]) : this.children(cursor, above ? -1 : 1)[0] ?? cursor;
	}

	key(event) {
		const moves = {
			ArrowDown: () => this.row(true),
			ArrowUp: () => this.row(false),
			ArrowRight: () => this.sibling(1),
			ArrowLeft: () => this.sibling(-1),
			Home: () => this.root,
		};
		if (event.ctrlKey || event.altKey || event.metaKey)
			return;
		if (moves[event.key]) {
			this.cursor = moves[event.key]();
			if (!this.isBelow(this.cursor, this.root))
				this.zoom(this.cursor);
			this.paint();
			this.scroll();
		} else if (event.key === 'Enter' || event.key === ' ') {
			this.zoom(this.cursor);
		} else if (event.key === 'Backspace') {
			this.cursor = Math.max(0, this.data.parent[this.root]);
			this.zoom(this.cursor);
		} else if (event.key === 'i') {
			this.look('inverted');
		} else if (event.key === 'c') {
			this.look('around');
		} else if (event.key === 't' && this.model.time.n > 1) {
			this.look('time');
		} else {
			return;
		}
		event.preventDefault();
	}

	scroll() {
		const box = this.boxes.find((b) => b.i === this.cursor);
		if (!box)
			return;
		const top = box.y * ROW, { scrollTop, clientHeight } = this.tree;
		if (top < scrollTop)
			this.tree.scrollTop = top;
		else if (top + ROW > scrollTop + clientHeight)
			this.tree.scrollTop = top + ROW - clientHeight;
	}
}
