// SPDX-License-Identifier: GPL-2.0-or-later
// Elements, numbers as words, colours, and canvases that are sharp on every screen.

// An element with properties ("on..." are listeners, "aria-..." and the like attributes) and children.
// Text is text: nothing here takes markup.
function el(tag, props = {}, ...children) {
	const e = document.createElement(tag);
	for (const [name, value] of Object.entries(props)) {
		if (value === null || value === undefined || value === false)
			continue;
		if (name.startsWith('on'))
			e.addEventListener(name.slice(2), value);
		else if (name in e && !name.includes('-'))
			e[name] = value;
		else
			e.setAttribute(name, value);
	}
	e.append(...children.filter((child) => child !== null && child !== undefined));
	return e;
}

const percent = (part, whole) => (whole > 0 ? 100 * part / whole : 0);

function percentText(share) {
	return `${share >= 99.95 || share === 0 ? share.toFixed(0) : share >= 0.095 ? share.toFixed(1) : share.toFixed(2)}%`;
}

function countText(number) {
	return Math.round(number).toLocaleString('en');
}

// Events whose periods are times in ns; those of all others are counted.
const timed = /^(cpu-clock|task-clock|wall|offcpu-time|offcpu-waker|syscall-latency|block-io-latency)(:\w*)?$/;

function durationText(number) {
	const units = [['s', 1e9], ['ms', 1e6], ['\u00b5s', 1e3]];
	const [unit, ns] = units.find(([, size]) => number >= size) ?? ['ns', 1];
	return `${ns === 1 || number >= 1e3 * ns ? countText(number / ns) : (number / ns).toPrecision(3)} ${unit}`;
}

// A sum of periods of @event with its unit.
function amountText(event, number) {
	return timed.test(event) ? durationText(number) : `${countText(number)} events`;
}

// Characters that change the order of others, or cannot be seen, are shown as what they are.
const hidden = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;

function shown(text) {
	if (text === '')
		return '(empty)';
	return String(text ?? '').replace(hidden, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

// "name" finds parts of names in either case, "/re/" what the expression does. null: nothing is looked for.
function matcher(text) {
	if (!text)
		return null;
	const re = /^\/(.+)\/$/.exec(text);
	if (re) {
		try {
			const expression = new RegExp(re[1], 'i');
			return (name) => expression.test(name);
		} catch {
			return () => false;
		}
	}
	const part = text.toLowerCase();
	return (name) => name.toLowerCase().includes(part);
}

// --- colours

// Seven that people with any colour vision tell apart (Okabe and Ito), for the largest; the rest is grey.
const fills = ['#e69f00', '#56b4e9', '#2bb48b', '#f0e442', '#4a90d9', '#e8793a', '#d98cb9'];
const greyFill = { light: '#d0d0d0', dark: '#5c5c5c' };
const heats = {
	light: ['#fdf7d0', '#ead3a4', '#daae7c', '#ca895c', '#b76345', '#a03c39', '#840e35'],
	dark: ['#2a1a40', '#553055', '#834862', '#af6566', '#d38a66', '#edb66c', '#f7e785'],
};
const changes = { more: ['#f6d5d0', '#ec9a8c', '#d6604d'], less: ['#d3e3f0', '#92c0de', '#4393c3'] };

const isDark = () => matchMedia('(prefers-color-scheme: dark)').matches;
const theme = () => (isDark() ? 'dark' : 'light');

// Black or white, whichever reads better on it.
function inkOn(fill) {
	const part = (at) => {
		const v = parseInt(fill.slice(at, at + 2), 16) / 255;
		return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
	};
	const light = 0.2126 * part(1) + 0.7152 * part(3) + 0.0722 * part(5);
	return light > 0.179 ? '#000000' : '#ffffff';
}

// From 0 to 1; what is hardly anything is as cold as nothing.
function heatFill(share) {
	const scale = heats[theme()];
	return scale[share < 0.005 ? 0 : Math.min(scale.length - 1, 1 + Math.floor(Math.sqrt(share) * (scale.length - 1)))];
}

// Thread states look the same on every page.
const stateFills = new Map([['R (on CPU)', '#2bb48b'], ['R (run queue)', '#e69f00'], ['S (sleep)', '#56b4e9'],
	['D (disk)', '#d98cb9'], ['T (stopped)', '#4a90d9'], ['t (traced)', '#e8793a'], ['Z (zombie)', '#f0e442']]);

// value -> fill, by what the values weigh in all of the recording, so that colours stay when the
// selection changes. What has no value is grey.
function palette(weights, key) {
	const top = ranked(weights).filter((value) => isSaid(key.values[value])).slice(0, fills.length);
	const fillOf = (value, i) => (key.name === 'state' ? stateFills.get(key.values[value]) : fills[i]);
	const map = new Map(top.map((value, i) => [value, fillOf(value, i)]));
	return { top, fill: (value) => map.get(value) ?? greyFill[theme()] };
}

function changeFill(points) {
	const scale = changes[points > 0 ? 'more' : 'less'], size = Math.abs(points);
	return size < 0.05 ? greyFill[theme()] : scale[size < 0.5 ? 0 : size < 3 ? 1 : 2];
}

// --- canvases

function startDrawing(canvas, width, height) {
	const ratio = devicePixelRatio || 1;
	canvas.width = Math.round(width * ratio);
	canvas.height = Math.round(height * ratio);
	canvas.style.width = `${width}px`;
	canvas.style.height = `${height}px`;
	const context = canvas.getContext('2d', { alpha: false });
	const style = getComputedStyle(document.body);
	context.setTransform(ratio, 0, 0, ratio, 0, 0);
	context.fillStyle = style.backgroundColor;
	context.fillRect(0, 0, width, height);
	context.font = `12px ${style.fontFamily}`;
	context.textBaseline = 'middle';
	return context;
}

// A canvas is as wide as the element around it: calls paint() when that gets another width (letters of another
// size, a scroll bar), not when it gets its first.
function followWidth(around, paint) {
	let width = null;
	new ResizeObserver(() => requestAnimationFrame(() => {
		const before = width;
		width = around.clientWidth;
		if (before !== null && before !== width)
			paint();
	})).observe(around);
}

// Times below a picture of the slices in @view.
function drawAxis(context, model, view, width, y) {
	const marks = Math.max(1, Math.floor(width / 110));
	context.fillStyle = getComputedStyle(document.body).color;
	for (let i = 0; i <= marks; i++) {
		context.textAlign = i === 0 ? 'left' : i === marks ? 'right' : 'center';
		context.fillText(clock(model, view.from + i * (view.to - view.from) / marks), i * width / marks, y);
	}
	context.textAlign = 'left';
}

// Draws what fits of a text, with room for the ellipsis.
function drawText(context, text, x, y, width) {
	drawText.character ??= context.measureText('handle_request()').width / 16;
	const room = Math.floor(width / drawText.character);
	const fits = text.length <= room ? text : room < 3 ? '' : `${text.slice(0, room - 1)}\u2026`;
	if (fits)
		context.fillText(fits, x, y, width);
}

function choice(id, label, options, value, onchange) {
	const select = el('select', { id, onchange: () => onchange(select.value) },
		...options.map(([name, title]) => el('option', { value: name, selected: name === value }, title)));
	return el('label', {}, `${label} `, select);
}

// A legend whose entries select.
function legend(entries) {
	return el('ul', { className: 'legend' }, ...entries.map(({ fill, text, onclick, pressed }) => {
		const swatch = el('span', { className: 'swatch' });
		swatch.style.backgroundColor = fill;
		return el('li', {}, onclick
			? el('button', { type: 'button', onclick, 'aria-pressed': String(Boolean(pressed)) }, swatch, shown(text))
			: el('span', {}, swatch, shown(text)));
	}));
}

// A panel: heading, place for controls, place for contents.
function panel(id, title) {
	const controls = el('div', { className: 'controls' });
	const body = el('div', { className: 'body' });
	const section = el('section', { id, className: 'panel', 'aria-labelledby': `${id}-title` },
		el('div', { className: 'head' }, el('h2', { id: `${id}-title` }, title), controls), body);
	return { section, controls, body };
}
