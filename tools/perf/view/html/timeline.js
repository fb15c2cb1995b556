// SPDX-License-Identifier: GPL-2.0-or-later
// When: a row for each thread (or value of another key), time from left to right, coloured by span (or
// another key). Height is how much of a slice was sampled there. A comparison has two of them, one below the other, with the
// same rows, colours, scale and view.

const LANE = 26; // px
const MAX_LANES = 16;

// The slices that are in view.
function timeView(state) {
	const [from, to] = state.get('timeline.view').split(';').map(Number);
	const n = state.model.time.longest;
	return from >= 0 && from < to && to <= n ? { from, to } : { from: 0, to: n };
}

class Timeline {
	// @before: of the baseline, beside the timeline @beside.
	constructor(state, sums, { before = false, beside = null } = {}) {
		const { moments, time } = before ? state.model.before : state.model;
		Object.assign(this, { state, sums, model: state.model, moments, time, before, beside, cursor: 0, anchor: null, drag: null });
		this.part = before ? 'time_before' : 'time';
		const id = before ? 'before' : 'timeline';
		const p = panel(id, before ? 'Timeline before' : 'Timeline');
		if (beside)
			beside.beside = this;
		this.section = p.section;
		this.controls = p.controls;
		this.canvas = el('canvas', { 'aria-hidden': 'true' });
		this.labels = el('div', { className: 'lanes' });
		this.surface = el('div', { className: 'surface', id: `${id}-surface`, role: 'slider', tabIndex: 0,
			'aria-label': `Time${before ? ' before' : ''}. Arrows move, with Shift they select a range, plus and minus zoom.` }, this.canvas);
		this.info = el('p', { className: 'info' });
		this.legend = el('div');
		p.body.append(el('div', { className: 'timeline' }, this.labels, this.surface), this.info, this.legend);
		// Threads of two recordings are always different.
		state.declare('timeline.rows', this.firstKey('tid', 'comm'));
		state.declare('timeline.colour', this.firstKey(this.model.tellingKey));
		state.declare('timeline.view', `0;${this.model.time.longest}`);
		this.listen();
	}

	firstKey(...names) {
		return names.find((name) => this.model.keyIndex.has(name)) ?? this.model.keys[0].name;
	}

	get view() {
		return timeView(this.state);
	}

	setView(from, to) {
		const n = this.model.time.longest, size = Math.min(n, Math.max(2, Math.round(to - from)));
		const start = Math.min(Math.max(0, Math.round(from)), n - size);
		this.state.set('timeline.view', `${start};${start + size}`);
	}

	// Keeps the slice at @at where it is.
	zoom(factor, at) {
		const { from, to } = this.view;
		this.setView(at - (at - from) * factor, at + (to - at) * factor);
	}

	slice(event) {
		const { from, to } = this.view;
		const share = Math.min(1, Math.max(0, event.offsetX / this.canvas.clientWidth));
		return Math.min(to - 1, this.time.n - 1, Math.floor(from + share * (to - from)));
	}

	listen() {
		const canvas = this.canvas;
		this.surface.addEventListener('wheel', (event) => {
			event.preventDefault();
			this.zoom(event.deltaY < 0 ? 0.8 : 1.25, this.slice(event));
		}, { passive: false });
		canvas.addEventListener('pointerdown', (event) => {
			this.drag = { from: this.slice(event), to: this.slice(event), x: event.offsetX, y: event.offsetY };
			canvas.setPointerCapture(event.pointerId);
		});
		canvas.addEventListener('pointermove', (event) => {
			if (this.drag) {
				this.drag.to = this.slice(event);
				this.drag.moved ||= Math.abs(event.offsetX - this.drag.x) > 3;
				this.paint();
			}
			this.tell(this.slice(event), Math.floor(event.offsetY / LANE));
		});
		canvas.addEventListener('pointerup', () => this.drop());
		canvas.addEventListener('pointercancel', () => {
			this.drag = null;
			this.paint();
		});
		this.surface.addEventListener('keydown', (event) => this.key(event));
		this.surface.addEventListener('focus', () => this.paint());
		this.surface.addEventListener('blur', () => this.paint());
		followWidth(this.surface, () => this.paint());
	}

	// A drag selects its range, a click the value that is there.
	drop() {
		const drag = this.drag;
		this.drag = null;
		if (!drag)
			return;
		this.cursor = drag.to;
		if (drag.moved) {
			this.selectTime(drag.from, drag.to);
			return;
		}
		const lane = this.lanes[Math.floor(drag.y / LANE)];
		const part = this.state.find(this.part);
		const largest = lane ? this.largestAt(lane, drag.from) : NONE;
		if (largest !== NONE)
			this.state.toggle(this.state.get('timeline.colour'), largest);
		else if (part)
			this.state.drop(part);
		else
			this.paint();
	}

	selectTime(a, b) {
		this.state.select({ kind: this.part, from: Math.min(a, b), to: Math.max(a, b) + 1 });
	}

	update() {
		const { state, sums, model } = this;
		const rows = model.keyIndex.get(state.get('timeline.rows')) ?? 0;
		const colour = model.keyIndex.get(state.get('timeline.colour')) ?? 0;
		const { before } = this;
		const all = this.both();
		const weights = sums.weights({ without: (part) => part.kind === this.part, before });
		const sizes = sums.byKey(model.keys[rows].name, all);
		const top = ranked(sizes);

		this.weights = weights;
		this.rows = rows;
		this.colourKey = colour;
		this.lanes = top.slice(0, MAX_LANES).map((value) => ({ values: [value], name: state.valueName(model.keys[rows], value) }));
		if (top.length > MAX_LANES)
			this.lanes.push({ values: top.slice(MAX_LANES), name: `${top.length - MAX_LANES} more` });
		this.laneOf = new Map(this.lanes.flatMap((lane, i) => lane.values.map((value) => [value, i])));
		this.palette = palette(sums.byKey(model.keys[colour].name, all), model.keys[colour]);
		this.cursor = Math.min(this.cursor, this.time.n - 1);
		if (!before)
			this.drawControls();
		this.drawLabels(sums.byKey(model.keys[rows].name, weights), sums.whole(before));
		this.paint();
	}

	// What rows and colours go by: what each group weighs, of both sides.
	both() {
		const without = () => true, out = this.sums.weights({ without });
		if (this.model.before)
			this.sums.weights({ without, before: true }).forEach((weight, g) => {
				out[g] += weight;
			});
		return out;
	}

	// Of each lane and bin of pixels, value -> weight.
	bins(nr) {
		const { groups } = this.model, { moments } = this, { from, to } = this.view;
		const lanes = this.lanes.map(() => Array.from({ length: nr }, () => null));
		for (let i = 0; i < moments.slice.length; i++) {
			const g = moments.group[i], slice = moments.slice[i];
			if (!this.weights[g] || slice < from || slice >= to)
				continue;
			const lane = lanes[this.laneOf.get(groups.values[this.rows][g])];
			const bin = Math.floor((slice - from) / this.slicesPerBin);
			const value = groups.values[this.colourKey][g];
			if (!lane)
				continue;
			lane[bin] ??= new Map();
			lane[bin].set(value, (lane[bin].get(value) ?? 0) + moments.period[i]);
		}
		return lanes;
	}

	largestAt(lane, slice) {
		const { groups } = this.model, { moments } = this, sums = new Map();
		const width = Math.max(1, this.slicesPerBin);
		for (let i = 0; i < moments.slice.length; i++) {
			const g = moments.group[i];
			if (this.weights[g] && Math.abs(moments.slice[i] - slice) < width &&
				lane.values.includes(groups.values[this.rows][g])) {
				const value = groups.values[this.colourKey][g];
				sums.set(value, (sums.get(value) ?? 0) + moments.period[i]);
			}
		}
		return [...sums].sort((a, b) => b[1] - a[1])[0]?.[0] ?? NONE;
	}

	paint() {
		const width = Math.max(120, this.surface.clientWidth), height = this.lanes.length * LANE + 18;
		const context = startDrawing(this.canvas, width, height);
		const { from, to } = this.view, size = to - from;
		// Each has as many slices as the others, so that what lasts is even.
		this.slicesPerBin = Math.ceil(size / Math.floor(width / 3));
		const lanes = this.bins(Math.ceil(size / this.slicesPerBin));
		const bin = width * this.slicesPerBin / size;
		const highest = Math.max(this.highest(lanes), this.beside?.lanes ? this.beside.highestNow(this.slicesPerBin) : 0);
		const ink = getComputedStyle(document.body).color;
		lanes.forEach((lane, l) => {
			context.globalAlpha = 0.25;
			context.fillStyle = ink;
			context.fillRect(0, (l + 1) * LANE - 1, width, 1);
			context.globalAlpha = 1;
			// On whole pixels: between parts of pixels there would be lines.
			lane.forEach((sums, b) => this.paintBin(context, sums, Math.round(b * bin), (l + 1) * LANE - 1,
				Math.round((b + 1) * bin) - Math.round(b * bin), highest));
		});
		drawAxis(context, this.model, this.view, width, height - 8);
		this.paintRange(context, width, height, ink);
		this.legend.replaceChildren(legend(this.palette.top.map((value) => this.legendEntry(value))));
		this.tell(this.cursor);
		if (document.activeElement !== this.surface && !this.drag && !this.state.find(this.part))
			this.info.textContent = this.before ? 'The recording that this one is compared with, from its beginning, to the same scale.'
				: 'Drag over a range to select it; the wheel zooms. Percentages are of all samples.';
	}

	highest(lanes) {
		return lanes.reduce((max, lane) => lane.reduce((most, sums) => (sums ? Math.max(most, total([...sums.values()])) : most), max), 0);
	}

	// The highest bin in view, with as many slices in each as the other timeline has.
	highestNow(slicesPerBin) {
		const { from, to } = this.view;
		this.slicesPerBin = slicesPerBin;
		return this.highest(this.bins(Math.ceil((to - from) / slicesPerBin)));
	}

	paintBin(context, sums, x, bottom, width, highest) {
		if (!sums)
			return;
		const gap = width > 4 && this.model.tellingKey !== 'state' ? 1 : 0; // states go on
		for (const [value, sum] of [...sums].sort((a, b) => b[1] - a[1])) {
			const height = Math.max(1, sum / highest * (LANE - 3));
			bottom -= height;
			context.fillStyle = this.palette.fill(value);
			context.fillRect(x, bottom, Math.max(1, width - gap), height);
		}
	}

	legendEntry(value) {
		const key = this.model.keys[this.colourKey];
		return {
			fill: this.palette.fill(value),
			text: this.state.valueName(key, value),
			pressed: this.state.value(key.name) === value,
			onclick: () => this.state.toggle(key.name, value),
		};
	}

	paintRange(context, width, height, ink) {
		const { from, to } = this.view, part = this.state.find(this.part);
		const range = this.drag?.moved
			? { from: Math.min(this.drag.from, this.drag.to), to: Math.max(this.drag.from, this.drag.to) + 1 } : part;
		const at = (slice) => (slice - from) / (to - from) * width;
		if (range) {
			context.fillStyle = ink;
			context.globalAlpha = 0.3;
			context.fillRect(0, 0, Math.max(0, at(range.from)), height - 18);
			context.fillRect(at(range.to), 0, Math.max(0, width - at(range.to)), height - 18);
			context.globalAlpha = 1;
			context.strokeStyle = ink;
			context.lineWidth = 2;
			context.strokeRect(at(range.from), 1, at(range.to) - at(range.from), height - 20);
		}
		if (document.activeElement === this.surface) {
			context.fillStyle = ink;
			context.fillRect(at(this.cursor + 0.5) - 1, 0, 2, height - 18);
		}
	}

	tell(slice, lane = NONE) {
		const { model, state } = this, part = state.find(this.part);
		const words = [`at ${clock(model, slice)}`];
		if (this.lanes[lane]) {
			const largest = this.largestAt(this.lanes[lane], slice);
			words.push(shown(this.lanes[lane].name),
				largest === NONE ? 'no samples' : `most: ${shown(state.valueName(model.keys[this.colourKey], largest))}`);
		}
		const range = this.drag?.moved ? { from: Math.min(this.drag.from, this.drag.to), to: Math.max(this.drag.from, this.drag.to) + 1 } : part;
		if (range)
			words.push(`selected ${clock(model, range.from)} to ${clock(model, range.to)}, ` +
				`${((range.to - range.from) * model.time.slice / 1e6).toFixed(1)} ms`);
		this.info.textContent = words.join(' \u00b7 ');
		this.surface.setAttribute('aria-valuemin', 0);
		this.surface.setAttribute('aria-valuemax', this.time.n - 1);
		this.surface.setAttribute('aria-valuenow', slice);
		this.surface.setAttribute('aria-valuetext', words.join(', '));
	}

	drawLabels(sizes, whole) {
		const key = this.model.keys[this.rows];
		this.labels.replaceChildren(...this.lanes.map((lane) => {
			const share = percent(lane.values.reduce((sum, value) => sum + sizes[value], 0), whole);
			const text = `${percentText(share)} ${shown(lane.name)}`;
			if (lane.values.length > 1)
				return el('span', {}, text);
			return el('button', { type: 'button', title: text,
				'aria-pressed': String(this.state.value(key.name) === lane.values[0]),
				onclick: () => this.state.toggle(key.name, lane.values[0]) }, text);
		}));
	}

	drawControls() {
		const keys = this.model.keys.map((key) => [key.name, key.title]);
		const { from, to } = this.view, n = this.model.time.longest, middle = (from + to) / 2;
		const focus = this.controls.contains(document.activeElement) ? document.activeElement.id : null;
		const button = (id, text, label, onclick, disabled) => el('button',
			{ type: 'button', id, onclick, disabled, 'aria-label': label }, text);
		this.controls.replaceChildren(
			choice('timeline-rows', 'Rows', keys, this.state.get('timeline.rows'), (v) => this.state.set('timeline.rows', v)),
			choice('timeline-colour', 'Colour', keys, this.state.get('timeline.colour'), (v) => this.state.set('timeline.colour', v)),
			button('timeline-in', '+', 'Zoom in', () => this.zoom(0.5, middle), to - from <= 2),
			button('timeline-out', '\u2212', 'Zoom out', () => this.zoom(2, middle), to - from >= n),
			button('timeline-all', 'All time', null, () => this.setView(0, n), to - from >= n));
		if (focus)
			document.getElementById(focus)?.focus();
	}

	key(event) {
		const { from, to } = this.view, step = Math.max(1, Math.round((to - from) / 100));
		const moves = { ArrowLeft: -step, ArrowRight: step, PageUp: -10 * step, PageDown: 10 * step,
			Home: -this.cursor, End: this.time.n };
		if (event.ctrlKey || event.altKey || event.metaKey)
			return;
		if (event.key in moves) {
			const old = this.cursor;
			this.cursor = Math.min(this.time.n - 1, Math.max(0, old + moves[event.key]));
			if (this.cursor < from || this.cursor >= to)
				this.setView(this.cursor - (to - from) / 2, this.cursor + (to - from) / 2);
			if (event.shiftKey) {
				this.anchor ??= old;
				this.selectTime(this.anchor, this.cursor);
			} else {
				this.anchor = null;
				this.paint();
			}
		} else if (event.key === '+' || event.key === '=') {
			this.zoom(0.5, this.cursor);
		} else if (event.key === '-') {
			this.zoom(2, this.cursor);
		} else {
			return;
		}
		event.preventDefault();
	}
}
