// SPDX-License-Identifier: GPL-2.0-or-later
// The flame graph: callers above callees, or inverted, leaves above their callers. A canvas has the
// picture; who cannot see it, or uses keys, has a tree of one item, the frame at the cursor.

const ROW = 20; // px
const MAX_ROWS = 600; // browsers refuse canvases that are much higher

// Sums of each frame with all below it, of the model's own tree.
function callTree(model, now, before) {
	const { frames, groups } = model;
	const sum = (weights) => {
		const out = new Float64Array(frames.n);
		for (let g = 0; g < groups.n; g++)
			out[groups.frame[g]] += weights[g];
		for (let i = frames.n - 1; i > 0; i--)
			out[frames.parent[i]] += out[i];
		return out;
	};
	return { ...frames, now: sum(now), before: before && sum(before), leaves: groups.frame };
}

// The same samples by their leaves: below a function are those that called it.
function invertedTree(model, now, before) {
	const { frames, groups } = model;
	const nodes = [{ label: 0, below: new Map(), now: 0, before: 0 }];
	const ends = new Int32Array(groups.n); // node at the outermost caller
	for (let g = 0; g < groups.n; g++) {
		let at = 0;
		if (!now[g] && !before?.[g])
			continue;
		nodes[0].now += now[g];
		nodes[0].before += before?.[g] ?? 0;
		for (let f = groups.frame[g]; f > 0; f = frames.parent[f]) {
			let next = nodes[at].below.get(frames.label[f]);
			if (next === undefined) {
				next = nodes.length;
				nodes.push({ label: frames.label[f], below: new Map(), now: 0, before: 0 });
				nodes[at].below.set(frames.label[f], next);
			}
			at = next;
			nodes[at].now += now[g];
			nodes[at].before += before?.[g] ?? 0;
		}
		ends[g] = at;
	}
	return inPreorder(nodes, ends, frames);
}

function inPreorder(nodes, ends, frames) {
	const tree = { parent: [], depth: [], end: [], label: [], now: [], before: [], info: frames.info };
	const place = new Int32Array(nodes.length);
	const open = [{ node: 0, parent: NONE, depth: 0 }];
	while (open.length) {
		const { node, parent, depth, closes } = open.pop();
		if (closes !== undefined) {
			tree.end[closes] = tree.parent.length;
			continue;
		}
		const i = place[node] = tree.parent.length;
		tree.parent.push(parent);
		tree.depth.push(depth);
		tree.label.push(nodes[node].label);
		tree.now.push(nodes[node].now);
		tree.before.push(nodes[node].before);
		open.push({ closes: i });
		const below = [...nodes[node].below.values()].sort((a, b) => nodes[a].now - nodes[b].now);
		for (const child of below)
			open.push({ node: child, parent: i, depth: depth + 1 });
	}
	tree.n = tree.parent.length;
	tree.leaves = ends.map((node) => place[node]);
	return tree;
}

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
		state.declare('flame.colour', state.model.baseline ? 'change' : this.hasSpans() ? 'span' : 'dso');
		state.declare('flame.inverted', 'no');
		state.declare('flame.widths', 'now');
	}

	listen() {
		this.canvas.addEventListener('click', (event) => {
			const i = this.hit(event);
			if (i === NONE)
				return;
			this.cursor = i;
			this.zoom(i);
		});
		this.canvas.addEventListener('mousemove', (event) => {
			const i = this.hit(event);
			this.canvas.title = i === NONE ? '' : this.describe(i);
			this.info.textContent = this.describe(i === NONE ? this.cursor : i);
		});
		this.tree.addEventListener('keydown', (event) => this.key(event));
		this.tree.addEventListener('focus', () => this.paint());
		this.tree.addEventListener('blur', () => this.paint());
		followWidth(this.tree, () => this.paint());
	}

	// Whether spans tell samples apart: the timeline has their colours, too.
	hasSpans() {
		const values = this.model.keys[this.model.keyIndex.get('span')]?.values ?? [];
		return values.filter((name) => !name.startsWith('(')).length > 1;
	}

	get inverted() {
		return this.state.get('flame.inverted') === 'yes';
	}

	part() {
		return this.state.parts.find((p) => p.kind === 'frame' && p.inverted === this.inverted);
	}

	path(i) {
		const path = [];
		for (; i > 0; i = this.data.parent[i])
			path.unshift(this.data.label[i]);
		return path;
	}

	zoom(i) {
		const part = this.part();
		if (i > 0)
			this.state.select({ kind: 'frame', path: this.path(i), inverted: this.inverted });
		else if (part)
			this.state.drop(part);
	}

	update() {
		const { state, sums, model } = this;
		const without = (part) => part.kind === 'frame' && part.inverted === this.inverted;
		const now = sums.weights({ without });
		const before = model.baseline ? sums.weights({ without, before: true }) : null;
		const path = this.data ? this.path(this.cursor) : [];

		this.data = this.inverted ? invertedTree(model, now, before) : callTree(model, now, before);
		this.whole = { now: sums.whole(), before: before ? sums.whole(true) : 0 };
		this.widths = before && state.get('flame.widths') === 'before' ? this.data.before : this.data.now;
		this.root = this.part() ? findFrame(this.data, this.part().path) : 0;
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
		const { top, fill } = palette(this.sums.byKey(key.name, this.sums.weights({ without: () => true })));
		const values = key.name === 'dso' ? this.ownDsos(key) : this.largest(k, now);
		for (let i = 0; i < this.data.n; i++) {
			words[i] = values[i] === NONE ? '' : key.values[values[i]];
			fillOf[i] = values[i] === NONE ? greyFill[theme()] : fill(values[i]);
		}
		this.entries = top.map((value) => ({
			fill: fill(value),
			text: key.values[value],
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
			for (let i = this.data.leaves[g]; i >= 0; i = this.data.parent[i]) {
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

	describe(i) {
		const { name, dso, inlined } = this.data.info[this.data.label[i]];
		const now = this.data.now[i];
		const words = [i ? shown(name) : 'all samples', percentText(percent(now, this.whole.now)) +
			(this.root ? ` (${percentText(percent(now, this.data.now[this.root]))} of what is zoomed)` : ''),
		`${countText(now)} events`];
		if (dso)
			words.push(shown(dso));
		if (inlined)
			words.push('inlined');
		if (this.words[i] && this.words[i] !== dso)
			words.push(`most: ${shown(this.words[i])}`.replace('most: +', '+').replace('most: \u2212', '\u2212'));
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

	layout(width) {
		const { data, widths, root } = this;
		const boxes = this.above().slice(-MAX_ROWS / 2).map((i, y) => ({ i, x: 0, w: width, y, above: i !== root }));
		const scale = widths[root] > 0 ? width / widths[root] : 0;
		const edge = [], base = boxes.length - 1 - data.depth[root];
		edge[data.depth[root]] = 0;
		this.cut = false;
		for (let i = root + 1; i < data.end[root];) {
			const depth = data.depth[i], w = widths[i] * scale;
			const x = edge[depth] ?? edge[depth - 1];
			if (w < 0.5 || base + depth >= MAX_ROWS) {
				this.cut ||= w >= 0.5;
				i = data.end[i];
				continue;
			}
			edge[depth] = x + w;
			edge[depth + 1] = x;
			edge.length = depth + 2;
			boxes.push({ i, x, w, y: base + depth });
			i++;
		}
		return boxes;
	}

	paint() {
		const width = Math.max(200, this.tree.clientWidth);
		this.boxes = this.layout(width);
		const rows = this.boxes.reduce((max, b) => Math.max(max, b.y), 0) + 1;
		const context = startDrawing(this.canvas, width, rows * ROW);
		const found = matcher(this.state.get('search'));
		let hits = 0;
		const covered = [];
		for (const box of this.boxes) {
			const name = this.data.info[this.data.label[box.i]].name;
			const hit = found && box.i > 0 && !box.above && found(name);
			this.paintBox(context, box, name, found, hit);
			if (hit) {
				hits++;
				if (!covered.some((i) => this.isBelow(box.i, i)))
					covered.push(box.i);
			}
		}
		const share = percent(covered.reduce((sum, i) => sum + this.data.now[i], 0), this.whole.now);
		this.found = found ? `${hits} ${hits === 1 ? 'frame' : 'frames'} found, ${percentText(share)} of the samples` : '';
		this.section.dataset.hits = found ? hits : '';
		this.section.dataset.root = this.root ? this.data.info[this.data.label[this.root]].name : 'all';
		this.tell();
		this.legend.replaceChildren(legend(this.entries));
	}

	paintBox(context, box, name, found, hit) {
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
		const text = `${box.i ? shown(name) : 'all samples'}  ${percentText(share)}${change}`;
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
		const siblings = cursor ? this.children(data.parent[cursor]) : [0];
		this.item.textContent = this.describe(cursor);
		this.item.setAttribute('aria-level', data.depth[cursor] + 1);
		this.item.setAttribute('aria-setsize', siblings.length);
		this.item.setAttribute('aria-posinset', siblings.indexOf(cursor) + 1);
		this.item.setAttribute('aria-expanded', String(this.children(cursor).length > 0));
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
			el('button', { type: 'button', id: 'flame-invert', 'aria-pressed': String(this.inverted),
				onclick: () => this.invert() }, 'Inverted'),
			el('button', { type: 'button', id: 'flame-reset', disabled: !this.root,
				onclick: () => this.zoom(0) }, 'Reset zoom'));
		if (this.model.baseline)
			this.controls.prepend(choice('flame-widths', 'Widths', [['now', 'now'], ['before', 'before']],
				this.state.get('flame.widths'), set('flame.widths')));
		if (focus)
			document.getElementById(focus)?.focus();
	}

	invert() {
		this.cursor = 0;
		this.state.set('flame.inverted', this.inverted ? 'no' : 'yes');
	}

	hit(event) {
		const x = event.offsetX, y = Math.floor(event.offsetY / ROW);
		return this.boxes.find((b) => b.y === y && x >= b.x && x < b.x + b.w)?.i ?? NONE;
	}

	// --- keys

	children(i) {
		const out = [];
		for (let child = i + 1; child < this.data.end[i]; child = this.data.end[child])
			if (this.data.now[child] > 0)
				out.push(child);
		return out;
	}

	sibling(step) {
		if (!this.cursor)
			return 0;
		const siblings = this.children(this.data.parent[this.cursor]);
		return siblings[siblings.indexOf(this.cursor) + step] ?? this.cursor;
	}

	key(event) {
		const moves = {
			ArrowDown: () => this.children(this.cursor)[0] ?? this.cursor,
			ArrowUp: () => Math.max(0, this.data.parent[this.cursor]),
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
			this.invert();
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
