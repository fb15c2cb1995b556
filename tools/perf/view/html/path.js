// SPDX-License-Identifier: GPL-2.0-or-later
// The path of one instance over threads: a row for each thread, in it the parts of the path, arrows where the path goes on
// at another thread. A click selects the part's thread, its time, and the function that ran.

const PATH_ROW = 26, MAX_PATH_ROWS = 12; // px, threads
const pathFills = new Map([['running', '#2bb48b'], ['run queue', '#e69f00'], ['timer', '#56b4e9'], ['disk', '#d98cb9'],
	['network', '#4a90d9'], ['interrupt', '#8a9bd6'], ['deadlock', '#d6604d']]);

class Path {
	constructor(state, sums) {
		const { critical } = Object.assign(this, { state, sums, model: state.model }).model;
		Object.assign(this, { critical, cursor: 0, one: NONE });
		const p = panel('path', 'Path of one instance');
		this.section = p.section;
		this.controls = p.controls;
		this.canvas = el('canvas', { 'aria-hidden': 'true' });
		this.labels = el('div', { className: 'lanes' });
		this.item = el('div', { role: 'option', id: 'path-item', 'aria-selected': 'true', className: 'only-read' });
		this.surface = el('div', { className: 'surface', id: 'path-surface', role: 'listbox', tabIndex: 0,
			'aria-label': 'Segments of the path. Left and right move, Enter selects, plus and minus zoom.',
			'aria-activedescendant': 'path-item' }, this.canvas, this.item);
		this.about = el('p', { role: 'status' });
		this.info = el('p', { className: 'info' });
		this.links = el('div', { className: 'bar' });
		this.legend = el('div');
		p.body.append(this.about, el('div', { className: 'timeline' }, this.labels, this.surface), this.info, this.links, this.legend);
		this.listen();
	}

	get steps() {
		return this.critical.points[this.one]?.steps ?? [];
	}

	update() {
		const { critical } = this, one = critical.chosen(this.state);
		if (one !== this.one) {
			this.one = one;
			this.cursor = this.longest();
			this.view = { from: 0, to: critical.points[one]?.duration ?? 1 };
			this.layOut();
		}
		this.drawAbout();
		this.drawControls();
		this.drawLabels();
		this.paint();
	}

	longest() {
		return this.steps.reduce((best, step, i, all) => (step.duration > all[best].duration ? i : best), 0);
	}

	// Rows of threads in the order in which the path comes to them, and for each segment the threads that wait for it.
	layOut() {
		const rows = this.rows = [], rowOf = new Map(), way = [];
		this.waiting = this.steps.map((step) => {
			if (!rowOf.has(step.key)) {
				rowOf.set(step.key, Math.min(rows.length, MAX_PATH_ROWS - 1));
				if (rows.length < MAX_PATH_ROWS)
					rows.push([]);
				rows[rowOf.get(step.key)].push(step.key);
			}
			way.length = Math.min(way.length, step.depth);
			const waiting = way.filter((key) => key && key !== step.key);
			way[step.depth] = step.key;
			return waiting.map((key) => rowOf.get(key));
		});
		this.rowOf = rowOf;
	}

	drawAbout() {
		const point = this.critical.points[this.one];
		this.section.hidden = !point;
		if (!point)
			return;
		const threads = new Set(this.steps.map((step) => step.key)).size;
		this.about.textContent = `${pointName(point)} \u00b7 ${durationText(point.duration)} \u00b7 ` + (this.steps.length
			? `${countText(this.steps.length)} ${this.steps.length === 1 ? 'segment' : 'segments'} on ${countText(threads)} ` +
				`${threads === 1 ? 'thread' : 'threads'}`
			: `the page has no path of it (${point.path}): perf report --critical=${shown(point.activity.replace(/^.*:/, ''))} shows it`);
	}

	drawControls() {
		const { from, to } = this.view, all = this.critical.points[this.one]?.duration ?? 1, middle = (from + to) / 2;
		const focus = this.controls.contains(document.activeElement) ? document.activeElement.id : null;
		const button = (id, text, label, onclick, disabled) => el('button', { type: 'button', id, onclick, disabled, 'aria-label': label }, text);
		this.controls.replaceChildren(
			button('path-in', '+', 'Zoom in', () => this.zoom(0.5, middle), to - from <= 1000),
			button('path-out', '\u2212', 'Zoom out', () => this.zoom(2, middle), to - from >= all),
			button('path-all', 'All of it', null, () => this.zoom(Infinity, middle), to - from >= all));
		if (focus)
			document.getElementById(focus)?.focus();
	}

	drawLabels() {
		const keys = this.model.keys?.[this.model.keyIndex.get('tid')];
		this.labels.replaceChildren(...this.rows.map((names) => {
			const value = this.threadValue(names[0]);
			const text = names.length > 1 ? `${countText(names.length)} more threads` : shown(names[0]);
			if (names.length > 1 || value === NONE || !keys)
				return el('span', {}, text);
			return el('button', { type: 'button', title: text, 'aria-pressed': String(this.state.value('tid') === value),
				onclick: () => this.state.toggle('tid', value) }, text);
		}));
		const used = [...new Set(this.steps.map((step) => step.state))];
		const entries = used.map((name) => ({ fill: this.fill(name), text: name === 'running' || name === 'run queue' ? name : `blocked: ${name}` }));
		this.legend.replaceChildren(legend(entries), el('p', { className: 'info' },
			'A thin line: the thread waits for the one on which the path goes on. Arrows: the path goes on at the other thread.'));
	}

	fill(name) {
		return pathFills.get(name) ?? greyFill[theme()];
	}

	// --- the picture

	zoom(factor, at) {
		const all = this.critical.points[this.one].duration, { from, to } = this.view;
		const size = Math.min(all, Math.max(1000, (to - from) * factor));
		const start = Math.min(Math.max(0, at - (at - from) / (to - from) * size), all - size);
		this.view = { from: start, to: start + size };
		this.drawControls();
		this.paint();
	}

	// The view begins at @from, as far as there is time.
	show(from) {
		const size = this.view.to - this.view.from, start = Math.min(Math.max(0, from), this.critical.points[this.one].duration - size);
		this.view = { from: start, to: start + size };
	}

	paint() {
		const width = Math.max(120, this.surface.clientWidth), height = this.rows.length * PATH_ROW + 20;
		const context = startDrawing(this.canvas, width, height), { from, to } = this.view;
		const ink = getComputedStyle(document.body).color, x = (ns) => (ns - from) / (to - from) * width;
		this.rows.forEach((_, row) => {
			context.globalAlpha = 0.25;
			context.fillStyle = ink;
			context.fillRect(0, (row + 1) * PATH_ROW - 1, width, 1);
			context.globalAlpha = 1;
		});
		this.steps.forEach((step, i) => {
			if (step.begin + step.duration > from && step.begin < to)
				this.paintStep(context, step, this.waiting[i], x, ink);
		});
		this.paintArrows(context, x, width, ink);
		this.paintCursor(context, x, ink);
		context.fillStyle = ink;
		for (let i = 0, marks = Math.max(1, Math.floor(width / 110)); i <= marks; i++) {
			context.textAlign = i === 0 ? 'left' : i === marks ? 'right' : 'center';
			context.fillText(durationText(from + i * (to - from) / marks), i * width / marks, height - 9);
		}
		context.textAlign = 'left';
		this.tell(this.cursor);
	}

	paintStep(context, step, waiting, x, ink) {
		const left = x(step.begin), wide = Math.max(1, x(step.begin + step.duration) - left), top = this.rowOf.get(step.key) * PATH_ROW;
		context.fillStyle = ink;
		context.globalAlpha = 0.45;
		for (const row of waiting)
			context.fillRect(left, row * PATH_ROW + 14, wide, 2);
		context.globalAlpha = 1;
		context.fillStyle = this.fill(step.state);
		context.fillRect(left, top + 5, wide, PATH_ROW - 9);
		if (wide > 60) {
			context.fillStyle = inkOn(this.fill(step.state));
			drawText(context, shown(step.symbol || step.object || step.state), left + 3, top + PATH_ROW / 2, wide - 6);
		}
	}

	// Where the path goes on at another thread; of those on one pixel, the first.
	paintArrows(context, x, width, ink) {
		let last = -9;
		context.strokeStyle = context.fillStyle = ink;
		context.lineWidth = 1;
		this.steps.forEach((step, i) => {
			const before = this.rowOf.get(this.steps[i - 1]?.key ?? step.key), now = this.rowOf.get(step.key), at = x(step.begin);
			if (before === now || at < 0 || at > width || at - last < 5)
				return;
			last = at;
			const down = now > before, end = now * PATH_ROW + (down ? 5 : PATH_ROW - 4), sign = down ? -1 : 1;
			context.beginPath();
			context.moveTo(at, before * PATH_ROW + 15);
			context.lineTo(at, end);
			context.stroke();
			context.beginPath();
			context.moveTo(at, end);
			context.lineTo(at - 3.5, end + sign * 6);
			context.lineTo(at + 3.5, end + sign * 6);
			context.fill();
		});
	}

	paintCursor(context, x, ink) {
		const step = this.steps[this.cursor];
		if (!step)
			return;
		context.strokeStyle = ink;
		context.lineWidth = 2;
		const left = x(step.begin);
		context.strokeRect(left - 1, this.rowOf.get(step.key) * PATH_ROW + 3, Math.max(1, x(step.begin + step.duration) - left) + 2, PATH_ROW - 5);
	}

	// --- what a segment is, and what it selects

	threadValue(name) {
		return this.valueOf('tid', (value) => value.trim() === name.trim());
	}

	valueOf(key, is) {
		const index = this.model.keyIndex?.get(key);
		const at = index === undefined ? NONE : this.model.keys[index].values.findIndex(is);
		return at < 0 ? NONE : this.model.keys[index].same[at];
	}

	functionValue(symbol) {
		const plain = symbol.replace(/ \[k\]$/, ''), level = plain === symbol ? '[.]' : '[k]';
		return symbol ? this.valueOf('symbol', (value) => value === `${level} ${plain}`) : NONE;
	}

	parts(step) {
		const { time, keyIndex } = this.model, parts = [];
		const thread = this.threadValue(step.key), code = this.functionValue(step.symbol);
		for (const [key, value] of [['tid', thread], ['symbol', code]])
			if (value !== NONE && keyIndex.has(key))
				parts.push({ kind: 'key', key, value });
		if (time?.n) {
			const slice = (ns) => (this.critical.points[this.one].begin + ns - time.first) / time.slice;
			const from = Math.min(time.n - 1, Math.max(0, Math.floor(slice(step.begin))));
			parts.push({ kind: 'time', from, to: Math.min(time.n, Math.max(from + 1, Math.ceil(slice(step.begin + step.duration)))) });
		}
		return parts;
	}

	// An event that has samples there is shown.
	select(step) {
		const { state, sums, model } = this;
		state.parts = state.parts.filter((part) => part.kind !== 'key' || !['tid', 'symbol', 'typeoff'].includes(part.key));
		state.select(...this.parts(step));
		const has = (of) => total(sums.weights({ of, samples: true })) > 0;
		if (!has(state.get('event'))) {
			const other = model.events.find(has);
			if (other)
				state.set('event', other);
		}
	}

	drawLinks(step) {
		const { state } = this, list = [];
		const add = (id, text, key, value) => value !== NONE && list.push(el('button', { type: 'button', id,
			'aria-pressed': String(state.value(key) === value), onclick: () => state.toggle(key, value) }, text));
		add('path-code', `Code: ${shown(state.brief(step.symbol))}`, 'symbol', this.functionValue(step.symbol));
		add('path-data', `Data: ${shown(state.brief(step.data))}`, 'typeoff', step.data ? this.valueOf('typeoff', (value) => value === step.data) : NONE);
		add('path-thread', `Thread: ${shown(step.key)}`, 'tid', this.threadValue(step.key));
		this.links.replaceChildren(...list);
	}

	tell(i) {
		const step = this.steps[i];
		if (!step) {
			this.info.textContent = '';
			this.links.replaceChildren();
			return;
		}
		const words = [`${durationText(step.begin)} to ${durationText(step.begin + step.duration)}`, durationText(step.duration),
			shown(step.key), ...(step.span ? [`for ${shown(step.span)}`] : []), shown(step.what),
			...(step.through ? [`reached through ${shown(step.through)}`] : [])];
		this.item.textContent = this.info.textContent = words.join(' \u00b7 ');
		this.item.setAttribute('aria-posinset', i + 1);
		this.item.setAttribute('aria-setsize', this.steps.length);
		if (i === this.cursor)
			this.drawLinks(step);
	}

	hit(event) {
		const { from, to } = this.view, at = from + event.offsetX / this.canvas.clientWidth * (to - from);
		const near = (to - from) * 3 / this.canvas.clientWidth, row = Math.floor(event.offsetY / PATH_ROW);
		const on = (step, more) => at >= step.begin - more && at <= step.begin + step.duration + more;
		const exact = this.steps.findIndex((step) => on(step, 0));
		const found = this.steps.findIndex((step) => on(step, near) && this.rowOf.get(step.key) === row);
		return found < 0 ? exact : found;
	}

	listen() {
		this.canvas.addEventListener('click', (event) => {
			const i = this.hit(event);
			if (i < 0)
				return;
			this.cursor = i;
			this.select(this.steps[i]);
		});
		this.canvas.addEventListener('mousemove', (event) => {
			const i = this.hit(event);
			this.tell(i < 0 ? this.cursor : i);
		});
		this.surface.addEventListener('wheel', (event) => {
			event.preventDefault();
			const { from, to } = this.view;
			this.zoom(event.deltaY < 0 ? 0.8 : 1.25, from + event.offsetX / this.canvas.clientWidth * (to - from));
		}, { passive: false });
		this.surface.addEventListener('keydown', (event) => this.key(event));
		this.surface.addEventListener('focus', () => this.paint());
		this.surface.addEventListener('blur', () => this.paint());
		followWidth(this.surface, () => this.paint());
	}

	key(event) {
		const moves = { ArrowLeft: this.cursor - 1, ArrowRight: this.cursor + 1, Home: 0, End: this.steps.length - 1 };
		if (event.ctrlKey || event.altKey || event.metaKey || !this.steps.length)
			return;
		if (event.key in moves) {
			this.cursor = Math.min(this.steps.length - 1, Math.max(0, moves[event.key]));
			const { begin, duration } = this.steps[this.cursor], { from, to } = this.view;
			if (begin + duration < from || begin > to)
				this.show(begin - (to - from) / 2);
			this.paint();
		} else if (event.key === '+' || event.key === '=') {
			this.zoom(0.5, this.steps[this.cursor].begin);
		} else if (event.key === '-') {
			this.zoom(2, this.steps[this.cursor].begin);
		} else if (event.key === 'Enter' || event.key === ' ') {
			this.select(this.steps[this.cursor]);
		} else {
			return;
		}
		event.preventDefault();
	}
}
