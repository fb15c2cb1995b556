// SPDX-License-Identifier: GPL-2.0-or-later
// Puts the page together: reads what is in it, makes a panel of each kind that there is, and has all follow
// one state.

const $ = (id) => document.getElementById(id);

const keysHelp = [
	['/', 'search; Enter in it goes to the flame graph'],
	['ESC', 'clear the selection (in a field: leave it)'],
	['Alt+Left', 'the selection before this one, as the browser has it'],
	['Tab', 'next control; Enter or Space presses it'],
	['Flame graph', 'arrows move, Enter zooms and selects, Backspace one up; i inverts, t over time, c callers and callees'],
	['Timeline', 'arrows move, with Shift select a range; + and - or the wheel zoom; drag selects'],
	['Instances', 'left and right move, up and down by duration, Enter shows the path; drag selects a set'],
	['Path', 'left and right move, Enter selects; + and - or the wheel zoom'],
	['1 to 9', 'timeline, flame graph, table, lists, structure, code, spans, instances, path'],
	['?', 'this list'],
];

const MAX_TABLES = 4; // beside each other; of more one is shown

class Page {
	constructor(model) {
		const state = this.state = new State(model), sums = new Sums(state);
		this.model = model;
		this.panels = [];
		state.declare('search', '');
		state.declare('names', 'short');
		state.declare('event', model.events?.[0] ?? '');
		const wide = el('div', { className: 'wide' }), left = el('div', { className: 'left' });
		const right = el('div', { className: 'right-side' });
		if (model.critical && model.groups) {
			this.add(wide, new Instances(state));
			this.add(wide, new Path(state, sums));
		}
		if (model.groups) {
			if (model.time.n)
				this.addTimelines(wide);
			if (model.time.n && hasRequests(model))
				this.add(wide, new Spans(state, sums));
			this.add(left, new Flame(state, sums));
		}
		const tables = model.tables.length > MAX_TABLES ? [model.tables] : model.tables.map((page) => [page]);
		tables.forEach((pages, nr) => this.add(left, new Table(state, sums, pages, nr)));
		if (model.criticalTables.length)
			this.add(left, new Table(state, sums, model.criticalTables, tables.length));
		if (model.groups)
			this.add(right, new Lists(state, sums));
		if (model.types.length)
			this.add(right, new Structure(state, sums));
		if (model.layouts.length)
			this.add(right, new Layouts(state));
		if (model.groups)
			this.add(model.types.length ? left : right, new Code(state, sums));
		const sides = [left, right].filter((side) => side.children.length);
		$('main-content').append(wide, el('div', { className: sides.length > 1 ? 'sides two' : 'sides' }, ...sides));
		this.drawAbout();
		this.listen();
		state.addEventListener('change', () => this.update());
		state.read(location.hash);
	}

	addTimelines(to) {
		const now = new Timeline(this.state, new Sums(this.state));
		this.add(to, now);
		if (this.model.before)
			this.add(to, new Timeline(this.state, new Sums(this.state), { before: true, beside: now }));
	}

	add(to, one) {
		to.append(one.section);
		this.panels.push(one);
	}

	update() {
		for (const one of this.panels)
			one.update();
		this.drawCrumbs();
		if ($('search').value !== this.state.get('search'))
			$('search').value = this.state.get('search');
		$('names').setAttribute('aria-pressed', String(this.state.get('names') === 'full'));
		$('clear').disabled = !this.state.parts.length;
		document.documentElement.dataset.updates = Number(document.documentElement.dataset.updates ?? 0) + 1;
	}

	drawAbout() {
		const { model } = this, header = model.headers[0] ?? {};
		const name = header.file ? header.file.replace(/.*\//, '') : '';
		const words = [header.command_line?.replace(/^\S*\//, ''), header.hostname, header.captured_on ?? header.date, header.file]
			.filter((word) => typeof word === 'string' && word);
		document.title = `${name ? `${shown(name)} \u2013 ` : ''}perf ${model.doc.command}`;
		$('title').textContent = `perf ${model.doc.command}${model.baseline ? ' compared' : ''}`;
		$('about').textContent = [...words.map(shown), model.baseline && `compared with ${shown(model.baseline)}`]
			.filter(Boolean).join(' \u00b7 ');
		for (const note of model.notes)
			$('notes').append(el('li', {}, shown(note.text)));
		$('notes-title').hidden = !model.notes.length;
		const short = [...(model.frames?.info ?? []), ...model.types].some(({ name }) => this.state.brief(name) !== name);
		$('names').hidden = !short;
		if (model.events?.length > 1) {
			$('event-label').hidden = false;
			$('event').append(...model.events.map((event) => el('option', { value: event }, shown(event))));
			$('event').addEventListener('change', () => this.state.set('event', $('event').value));
		}
	}

	drawCrumbs() {
		const { state, model } = this;
		if (!model.groups) {
			$('clear').hidden = true;
			return;
		}
		const sums = new Sums(state), now = total(sums.weights()), whole = sums.whole();
		const samples = total(sums.weights({ samples: true }));
		$('event').value = state.get('event');
		$('crumbs').replaceChildren(
			el('li', {}, el('button', { type: 'button', onclick: () => state.clear(), disabled: !state.parts.length }, 'all samples')),
			...state.parts.map((part) => el('li', {}, el('button', { type: 'button', onclick: () => state.drop(part),
				'aria-label': `${shown(state.name(part))}: no longer select it` }, shown(state.name(part)), ' \u00d7'))));
		const event = state.get('event');
		$('status').replaceChildren(`${countText(samples)} ${samples === 1 ? 'sample' : 'samples'}, ` +
			`${percentText(percent(now, whole))} of ${amountText(event, whole)}: all samples of ${shown(event)}`,
		...(samples ? [] : this.elsewhere(sums)));
	}

	// Nothing is selected of this event: the other events that have samples there.
	elsewhere(sums) {
		const { state, model } = this;
		const others = model.events.filter((of) => total(sums.weights({ of, samples: true })) > 0);
		return others.flatMap((of) => ['. ', el('button', { type: 'button', className: 'elsewhere',
			onclick: () => state.set('event', of) }, `Show ${shown(of)}, which has samples there`)]);
	}

	listen() {
		const { state } = this;
		$('search').addEventListener('input', () => state.set('search', $('search').value));
		$('search').addEventListener('keydown', (event) => {
			if (event.key === 'Enter')
				$('flame-tree')?.focus();
		});
		$('names').addEventListener('click', () => state.set('names', state.get('names') === 'full' ? 'short' : 'full'));
		$('clear').addEventListener('click', () => state.clear());
		$('help-open').addEventListener('click', () => $('help').showModal());
		$('help-list').append(...keysHelp.flatMap(([key, what]) => [el('dt', {}, el('kbd', {}, key)), el('dd', {}, what)]));
		document.addEventListener('keydown', (event) => this.key(event));
		window.addEventListener('popstate', () => state.read(location.hash));
		window.addEventListener('hashchange', () => state.read(location.hash));
		matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.update());
	}

	key(event) {
		const typing = /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName);
		if (event.key === 'Escape' && !$('help').open) {
			if (typing)
				event.target.blur();
			else
				this.state.clear();
			return;
		}
		if (typing || event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented)
			return;
		const panels = ['timeline-surface', 'flame-tree', 'table-filter', 'list1', 'structure', 'code', 'spans', 'instances-surface',
			'path-surface'];
		if (event.key === '/') {
			$('search').focus();
		} else if (event.key === '?') {
			$('help').showModal();
		} else if (/^[1-9]$/.test(event.key)) {
			const to = $(panels[event.key - 1]);
			const target = to?.matches('[tabindex], input') ? to : to?.querySelector('button, select, input');
			target?.focus();
			to?.scrollIntoView({ block: 'nearest' });
		} else {
			return;
		}
		event.preventDefault();
	}
}

async function start() {
	const began = performance.now();
	try {
		new Page(readModel(await unpack($('data').textContent)));
		$('data').remove();
		document.documentElement.dataset.ready = Math.round(performance.now() - began);
		requestAnimationFrame(() => setTimeout(() => {
			document.documentElement.dataset.painted = Math.round(performance.now());
		}));
	} catch (error) {
		$('status').textContent = `This page cannot be shown: ${error.message}`;
		throw error;
	}
}

start();
