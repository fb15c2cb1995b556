// SPDX-License-Identifier: GPL-2.0-or-later
// Why slow (report --critical): a point for each instance, when it began and how long it lasted. A set of them is
// compared with the others, by their paths (path.js). A drag selects the set, a click an instance.

const POINTS_HEIGHT = 230, POINTS_LEFT = 62, POINTS_BOTTOM = 20; // px
const MAX_DIFFERENCES = 8;
const slowFill = '#e8793a', restFill = '#4a90d9';

// What a part of a path was: the wait through which the path came there, or what the thread did.
function stepLabel(step) {
	if (step.through)
		return `waiting for ${step.through}`;
	return step.state === 'running' ? 'running' : step.what;
}

// Who did what there.
function stepDoing(step) {
	const doing = step.state === 'running' ? [step.symbol || 'running, no sample', step.data].filter(Boolean).join(', ') : step.what;
	return step.through ? `${step.key.replace(/^\d+:/, '')}: ${doing}` : doing;
}

// The span's name and its id; the trace's is in the link.
function pointName(point) {
	const id = point.activity.replace(/^.*:/, '');
	return id === point.span || !id ? shown(point.span) : `${shown(point.span)} ${shown(id)}`;
}

class Instances {
	constructor(state) {
		const { critical } = Object.assign(this, { state, model: state.model }).model;
		Object.assign(this, { critical, points: critical.points, cursor: 0, drag: null });
		const p = panel('instances', `Why slow: ${shown(critical.facts.of)}`);
		this.section = p.section;
		this.canvas = el('canvas', { 'aria-hidden': 'true' });
		this.item = el('div', { role: 'option', id: 'instances-item', 'aria-selected': 'true', className: 'only-read' });
		this.surface = el('div', { className: 'surface', id: 'instances-surface', role: 'listbox', tabIndex: 0,
			'aria-label': 'Instances, by their begin. Left and right move, up and down by duration, Enter shows the path.',
			'aria-activedescendant': 'instances-item' }, this.canvas, this.item);
		this.info = el('p', { className: 'info' });
		this.summary = el('p', { role: 'status' });
		this.body = el('tbody');
		const head = ['Set', 'Others', 'Differs', 'Each', 'What', 'Mostly'];
		this.table = el('div', { className: 'scroll sideways' }, el('table', {}, el('caption', {}, 'What the set did, beside the others'),
			el('thead', {}, el('tr', {}, ...head.map((text, i) => el('th', { className: i < 4 ? 'right' : '', scope: 'col' }, text)))), this.body));
		this.byBegin = this.points.map((_, i) => i).sort((a, b) => this.points[a].begin - this.points[b].begin);
		p.controls.append(...this.buttons());
		p.body.append(el('p', { className: 'answer' }, shown(critical.facts.answer ?? '')),
			...(critical.facts.lost ? [el('p', { className: 'answer' }, shown(critical.facts.lost))] : []), this.surface, this.legend(), this.info,
			this.summary, this.table);
		state.declare('why.set', '');
		state.declare('why.one', '');
		this.listen();
	}

	buttons() {
		const { facts } = this.critical, end = Number.MAX_SAFE_INTEGER;
		const button = (id, text, least) => el('button', { type: 'button', id,
			onclick: () => this.select({ from: 0, to: end, least, most: end }) }, text);
		if (this.points.length < 2)
			return [];
		return [button('instances-slow', `Slowest ${countText(facts.slow)}`, facts.least_slow),
			button('instances-p90', 'From p90 on', facts.p90), button('instances-p50', 'From p50 on', facts.p50)];
	}

	legend() {
		const swatch = (text, className) => el('li', {}, el('span', { className: `swatch ${className}` }), text);
		return el('ul', { className: 'legend' }, swatch('slow class', 'point-slow'), swatch('the rest', 'point-rest'),
			swatch('hollow: the page has no path of it', 'point-hollow'));
	}

	// Times are from the first begin on.
	get set() {
		const [from, to, least, most] = this.state.get('why.set').split(';').map(Number);
		return this.state.get('why.set') && most >= least ? { from, to, least, most } : null;
	}

	select({ from, to, least, most }) {
		this.state.set('why.set', [from, to, least, most].map((n) => Math.round(n)).join(';'));
	}

	isIn(point) {
		const { set, critical } = this;
		if (!set)
			return point.class === 'slow';
		return point.begin - critical.first >= set.from && point.begin - critical.first <= set.to &&
			point.duration >= set.least && point.duration <= set.most;
	}

	choose(i) {
		this.state.set('why.one', this.points[i].name);
	}

	// --- the picture

	scale() {
		const { points, critical } = this, width = Math.max(160, this.surface.clientWidth);
		const durations = points.map((point) => Math.max(1, point.duration));
		const least = Math.log(Math.min(...durations) / 1.3), most = Math.log(Math.max(...durations) * 1.3);
		const span = Math.max(1, critical.last - critical.first), inner = width - POINTS_LEFT - 8;
		const high = POINTS_HEIGHT - POINTS_BOTTOM - 8;
		return { width, x: (begin) => POINTS_LEFT + (begin - critical.first) / span * inner,
			y: (duration) => 8 + (1 - (Math.log(Math.max(1, duration)) - least) / (most - least)) * high,
			begin: (x) => Math.max(0, (x - POINTS_LEFT) / inner * span),
			duration: (y) => Math.exp(least + (1 - (y - 8) / high) * (most - least)) };
	}

	paint() {
		const scale = this.at = this.scale(), context = startDrawing(this.canvas, scale.width, POINTS_HEIGHT);
		const ink = getComputedStyle(document.body).color;
		this.paintQuantiles(context, scale, ink);
		for (const i of [...this.byBegin].sort((a, b) => (this.points[a].class === 'slow') - (this.points[b].class === 'slow')))
			this.paintPoint(context, scale, this.points[i], ink);
		this.paintRange(context, scale, ink);
		const one = this.points[document.activeElement === this.surface ? this.cursor : this.critical.chosen(this.state)];
		if (one) {
			context.strokeStyle = ink;
			context.lineWidth = 2;
			context.beginPath();
			context.arc(scale.x(one.begin), scale.y(one.duration), 8, 0, 7);
			context.stroke();
		}
		this.tell(this.cursor);
	}

	paintQuantiles(context, scale, ink) {
		let last = -99;
		context.fillStyle = ink;
		for (const name of ['max', 'p99', 'p90', 'p50']) {
			const y = Math.round(scale.y(this.critical.facts[name]));
			if (this.points.length < 2 || y - last < 14)
				continue;
			last = y;
			context.globalAlpha = 0.35;
			context.fillRect(POINTS_LEFT, y, scale.width - POINTS_LEFT, 1);
			context.globalAlpha = 1;
			context.fillText(`${name}`, 2, y - (y > 14 ? 6 : -6));
			context.fillText(durationText(this.critical.facts[name]), 2, y + (y > 14 ? 6 : 18), POINTS_LEFT - 4);
			last = y + 14;
		}
		const marks = Math.max(1, Math.floor((scale.width - POINTS_LEFT) / 130));
		for (let i = 0; i <= marks; i++) {
			const x = POINTS_LEFT + i * (scale.width - POINTS_LEFT - 8) / marks;
			context.textAlign = i === 0 ? 'left' : i === marks ? 'right' : 'center';
			context.fillText(durationText(i * (this.critical.last - this.critical.first) / marks), x, POINTS_HEIGHT - 9);
		}
		context.textAlign = 'left';
	}

	// Slow ones are squares, the others discs, so that colour is not the only difference.
	paintPoint(context, scale, point, ink) {
		const x = scale.x(point.begin), y = scale.y(point.duration), slow = point.class === 'slow', size = slow ? 4.5 : 3.5;
		context.globalAlpha = this.isIn(point) ? 1 : 0.45;
		context.fillStyle = context.strokeStyle = slow ? slowFill : restFill;
		context.lineWidth = 1.5;
		context.beginPath();
		if (slow)
			context.rect(x - size, y - size, 2 * size, 2 * size);
		else
			context.arc(x, y, size, 0, 7);
		if (point.steps.length)
			context.fill();
		else
			context.stroke();
		if (slow) {
			context.strokeStyle = ink;
			context.lineWidth = 1;
			context.stroke();
		}
		context.globalAlpha = 1;
	}

	paintRange(context, scale, ink) {
		const { set, critical } = this;
		const box = this.drag?.moved ? this.drag : set && { x: scale.x(critical.first + Math.min(set.from, critical.last - critical.first)),
			toX: scale.x(critical.first + Math.min(set.to, critical.last - critical.first)) + 1,
			y: Math.max(1, scale.y(Math.max(1, set.most))), toY: Math.min(POINTS_HEIGHT - POINTS_BOTTOM, scale.y(Math.max(1, set.least)) + 1) };
		if (!box)
			return;
		context.strokeStyle = ink;
		context.lineWidth = 1;
		context.setLineDash([4, 3]);
		context.strokeRect(Math.min(box.x, box.toX) - 5, Math.min(box.y, box.toY) - 5, Math.abs(box.toX - box.x) + 10, Math.abs(box.toY - box.y) + 10);
		context.setLineDash([]);
	}

	// --- mouse and keys

	nearest(x, y) {
		let best = NONE, near = 15 ** 2;
		this.points.forEach((point, i) => {
			const far = (this.at.x(point.begin) - x) ** 2 + (this.at.y(point.duration) - y) ** 2;
			if (far < near)
				[best, near] = [i, far];
		});
		return best;
	}

	listen() {
		const { canvas } = this;
		canvas.addEventListener('pointerdown', (event) => {
			this.drag = { x: event.offsetX, y: event.offsetY, toX: event.offsetX, toY: event.offsetY };
			canvas.setPointerCapture(event.pointerId);
		});
		canvas.addEventListener('pointermove', (event) => {
			const i = this.nearest(event.offsetX, event.offsetY);
			if (this.drag) {
				Object.assign(this.drag, { toX: event.offsetX, toY: event.offsetY });
				this.drag.moved ||= Math.abs(event.offsetX - this.drag.x) + Math.abs(event.offsetY - this.drag.y) > 4;
				this.paint();
			} else {
				this.tell(i === NONE ? this.cursor : i);
			}
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

	drop() {
		const { drag, at } = this;
		this.drag = null;
		if (drag?.moved) {
			this.select({ from: at.begin(Math.min(drag.x, drag.toX)), to: at.begin(Math.max(drag.x, drag.toX)),
				least: at.duration(Math.max(drag.y, drag.toY)), most: at.duration(Math.min(drag.y, drag.toY)) });
			return;
		}
		const i = drag ? this.nearest(drag.x, drag.y) : NONE;
		if (i !== NONE) {
			this.cursor = i;
			this.choose(i);
		} else if (this.set) {
			this.state.set('why.set', '');
		}
	}

	key(event) {
		const { byBegin, points } = this, at = byBegin.indexOf(this.cursor), n = points.length;
		const moves = { ArrowLeft: () => byBegin[Math.max(0, at - 1)], ArrowRight: () => byBegin[Math.min(n - 1, at + 1)],
			ArrowUp: () => Math.max(0, this.cursor - 1), ArrowDown: () => Math.min(n - 1, this.cursor + 1),
			Home: () => byBegin[0], End: () => byBegin[n - 1] };
		if (event.ctrlKey || event.altKey || event.metaKey)
			return;
		if (event.key in moves) {
			this.cursor = moves[event.key]();
			this.paint();
		} else if (event.key === 'Enter' || event.key === ' ') {
			this.choose(this.cursor);
		} else {
			return;
		}
		event.preventDefault();
	}

	tell(i) {
		const point = this.points[i];
		const words = [pointName(point), durationText(point.duration),
			`begins at ${durationText(point.begin - this.critical.first)}`, `${point.class === 'slow' ? 'slow class' : 'the rest'}`,
			point.steps.length ? `${countText(point.steps.length)} segments` : `no path: ${point.path}`];
		this.item.textContent = this.info.textContent = words.join(' \u00b7 ');
		this.item.setAttribute('aria-posinset', this.byBegin.indexOf(i) + 1);
		this.item.setAttribute('aria-setsize', this.points.length);
	}

	// --- the set beside the others

	update() {
		this.paint();
		const inSet = this.points.filter((point) => this.isIn(point)), others = this.points.filter((point) => !this.isIn(point));
		this.summary.textContent = this.aboutSet(inSet);
		this.drawTable(this.sums(inSet), this.sums(others));
	}

	aboutSet(list) {
		const { facts } = this.critical, sorted = list.map((point) => point.duration).sort((a, b) => a - b);
		const quantile = (share) => sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)];
		const paths = list.filter((point) => point.steps.length).length;
		const words = [`${this.set ? 'Set' : 'Set: the slow class'}: ${countText(list.length)} of ${countText(this.points.length)} instances` +
			`${facts.instances > this.points.length ? ` shown, of ${countText(facts.instances)}` : ''}`];
		if (list.length > 1)
			words.push(...[['p50', 0.5], ['p90', 0.9], ['p99', 0.99], ['max', 1]].map(([name, share]) => `${name} ${durationText(quantile(share))}`));
		else if (list.length)
			words.push(durationText(sorted[0]));
		if (paths < list.length)
			words.push(`the page has the paths of ${countText(paths)}`);
		return words.join(' \u00b7 ');
	}

	sums(list) {
		const by = new Map();
		let ns = 0, nr = 0;
		for (const { steps } of list) {
			nr += steps.length > 0;
			for (const step of steps) {
				const label = stepLabel(step);
				if (!by.has(label))
					by.set(label, { ns: 0, doing: new Map() });
				const sum = by.get(label), doing = stepDoing(step);
				sum.ns += step.duration;
				sum.doing.set(doing, (sum.doing.get(doing) ?? 0) + step.duration);
				ns += step.duration;
			}
		}
		return { by, ns, nr };
	}

	drawTable(set, others) {
		const rows = [...new Set([...set.by.keys(), ...others.by.keys()])].map((label) => {
			const ours = set.by.get(label)?.ns ?? 0, theirs = others.by.get(label)?.ns ?? 0;
			return { label, ours, share: percent(ours, set.ns), rest: percent(theirs, others.ns) };
		}).sort((a, b) => (b.share - b.rest) - (a.share - a.rest) || b.share - a.share);
		const most = (label, of) => [...of.by.get(label)?.doing ?? []].sort((a, b) => b[1] - a[1])[0];
		this.table.hidden = !set.nr;
		this.body.replaceChildren(...rows.slice(0, MAX_DIFFERENCES).map(({ label, ours, share, rest }) => {
			const [doing, ns] = most(label, set) ?? most(label, others) ?? ['', 0];
			const whole = set.by.get(label)?.ns ?? others.by.get(label)?.ns;
			return el('tr', {}, el('td', { className: 'right' }, percentText(share)),
				el('td', { className: 'right' }, others.nr ? percentText(rest) : '\u2013'),
				el('td', { className: 'right' }, others.nr ? `${share < rest ? '\u2212' : '+'}${Math.abs(share - rest).toFixed(1)}` : '\u2013'),
				el('td', { className: 'right' }, durationText(set.nr ? ours / set.nr : 0)), el('td', {}, shown(label)),
				el('td', {}, doing && doing !== label ? `${shown(doing)} ${percentText(percent(ns, whole))}` : ''));
		}));
	}
}
