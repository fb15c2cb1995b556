// SPDX-License-Identifier: GPL-2.0-or-later
// Other layouts of types that perf advise proposes: for each proposal both pictures by cache line, what it may save, its risks,
// and the new declaration.

const proposalWords = {
	reorder: 'members that are used together lie side by side',
	close: 'no holes: fewer bytes for each object',
	align: 'members that threads write have cache lines of their own',
	split: 'members that are not used here move behind a pointer',
	arrays: 'an array for each member that loops use, instead of one of structures',
};

// "uint32_t flags[4];" -> "flags"; bit-fields of one part: "a, b".
const memberName = (declaration) => declaration.split(';').filter((text) => text.trim())
	.map((text) => /([\w$]+)(\[\d*\])*( : \d+)?$/.exec(text.trim())?.[1] ?? text.trim()).join(', ');

// A proposal as the two types that Layout draws. Holes of the layout as it is lie between its members.
function readProposal(page) {
	const { facts } = page, cells = page.rows.map((row) => row.cells);
	const members = cells.filter((c) => c.declaration);
	const type = (offset, size) => ({ name: facts.type, size, line: facts.line_size, holes: [], fields: members
		.filter((c) => c[offset] !== null).map((c) => ({ name: memberName(c.declaration), type: c.declaration.replace(/;$/, ''),
			offset: c[offset], size: c.size, bits: 0, all: c.overhead?.number ?? 0 })) });
	const before = type('was', facts.size), after = type('offset', facts.size_then);
	let end = 0;
	for (const field of [...before.fields].sort((a, b) => a.offset - b.offset)) {
		if (field.offset > end)
			before.holes.push({ kind: 'hole', offset: end, size: field.offset - end });
		end = Math.max(end, field.offset + field.size);
	}
	if (facts.size > end)
		before.holes.push({ kind: 'padding', offset: end, size: facts.size - end });
	for (const c of cells.filter((cell) => !cell.declaration && cell.offset !== null))
		after.holes.push({ kind: c.mark, offset: c.offset, size: c.size });
	return { facts, members, before, after };
}

class Layouts {
	constructor(state) {
		Object.assign(this, { state, model: state.model });
		const p = panel('layouts', 'Other layouts');
		Object.assign(this, { section: p.section, controls: p.controls, body: p.body });
		state.declare('layouts', '');
	}

	// The type that is selected, else the one chosen here, else that of the first proposal.
	choose() {
		const { model, state } = this, names = new Set(model.layouts.map(({ facts }) => facts.type));
		const key = model.keys?.[model.keyIndex.get('type')];
		const wanted = [state.find('field')?.type, key && key.values[state.value('type')], state.get('layouts')];
		return { names: [...names], now: wanted.find((name) => names.has(name)) ?? [...names][0] };
	}

	update() {
		const { state } = this, { names, now } = this.choose();
		if (this.drawn === `${now}\n${state.get('names')}`)
			return;
		const focus = this.controls.contains(document.activeElement);
		this.drawn = `${now}\n${state.get('names')}`;
		this.section.dataset.type = now;
		this.controls.replaceChildren(choice('layouts-type', 'Type', names.map((name) => [name, shown(state.brief(name))]), now,
			(name) => state.set('layouts', name)));
		if (focus)
			this.controls.querySelector('select').focus();
		this.body.replaceChildren(...this.model.layouts.filter(({ facts }) => facts.type === now).map((one) => this.draw(one)));
	}

	draw(one) {
		const { facts } = one, several = facts.proposal !== 'arrays';
		return el('article', { className: 'proposal', 'data-kind': facts.proposal },
			el('h3', {}, `${facts.proposal}: ${proposalWords[facts.proposal] ?? ''}`),
			el('ul', { className: 'effects' }, ...this.effects(facts).map((text) => el('li', {}, shown(text)))),
			...this.picture('Now', one.before, 'before'), ...(several ? this.picture('Then', one.after, 'after') : []),
			el('details', {}, el('summary', {}, 'Declaration'), el('pre', {}, this.declaration(one))),
			el('h4', {}, 'Risks'), el('ul', { className: 'risks' }, ...(facts.risks ?? '').split('\n').filter(Boolean)
				.map((risk) => el('li', {}, shown(risk)))));
	}

	// The texts of perf annotate --advise, from its numbers.
	effects(facts) {
		const one = (number) => `${number.toFixed(1)} %`, { saved, saved_low: low, saved_high: high } = facts;
		const what = facts.counts === 'time' ? `the time of ${facts.event}` : `all ${facts.event}`;
		const saving = low > 0 ? [`May save ${one(saved)} of ${what} (${low.toFixed(1)} to ${high.toFixed(1)}, by the number of samples)` +
			(facts.counts === 'time' ? `, or ${one(facts.saved_most)} if each line took as long as the first` : '')] : ['Saves memory'];
		const lines = facts.uses ? [`Cache lines that a loop or function touches of an object: ${facts.lines_per_use.toFixed(2)}, then ` +
			facts.lines_per_use_then.toFixed(2)] : [];
		return [...saving, ...lines, `Bytes: ${countText(facts.size)}, then ${countText(facts.size_then)}`,
			...(facts.file ? [`Declared at ${facts.file}:${facts.line}`] : [])];
	}

	picture(title, type, className) {
		const bytes = type.fields.map((field) => ({ offset: field.offset, sum: field.all, access: '' }));
		const layout = new Layout(type, bytes, (text) => this.state.brief(text));
		return [el('p', { className: 'info' }, `${title}: ${layout.words()}`),
			el('div', { className: `lines ${className}` }, ...layout.lines(() => el('div', { className: 'member', role: 'img' })))];
	}

	declaration({ facts, members }) {
		const here = members.filter((c) => c.offset !== null), apart = members.filter((c) => c.offset === null);
		const text = (c) => `\t${shown(c.declaration)}${c.mark === 'moved' ? ' // moved' : ''}`;
		return [`${shown(facts.type)} {`, ...here.map(text), ...(apart.length ? ['\t// behind a pointer:', ...apart.map(text)] : []), '};']
			.join('\n');
	}
}
