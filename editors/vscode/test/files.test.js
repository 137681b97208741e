// Tokenizes all .aion files of the repository. The grammar has no scopes for mistakes, which the
// language server reports, so text without a scope is a mistake of the file or of the grammar.
'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { test } = require('node:test');
const oniguruma = require('vscode-oniguruma');
const { Registry, INITIAL, parseRawGrammar } = require('vscode-textmate');

const root = path.join(__dirname, '..', '..', '..');

// Files with mistakes on purpose that leave texts, blocks or properties open or out of place.
const mistakes = /^aion\/testdata\/bad\/|^testdata\/golden\/(part_)?mistakes\//;

function findFiles(folder) {
	return fs.readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
		const name = path.join(folder, entry.name);
		if (entry.isDirectory()) return ['node_modules', '.git'].includes(entry.name) ? [] : findFiles(name);
		return name.endsWith('.aion') ? [name] : [];
	});
}

async function loadGrammar() {
	const wasm = fs.readFileSync(require.resolve('vscode-oniguruma/release/onig.wasm'));
	await oniguruma.loadWASM(wasm.buffer);
	const file = path.join(__dirname, '..', 'syntaxes', 'aion.tmLanguage.json');
	const registry = new Registry({
		onigLib: Promise.resolve({
			createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
			createOnigString: (text) => new oniguruma.OnigString(text),
		}),
		loadGrammar: async () => parseRawGrammar(fs.readFileSync(file, 'utf8'), file),
	});
	return registry.loadGrammar('source.aion');
}

// tokenize returns the places of text without a scope, and how many rules are open at the end.
function tokenize(grammar, text) {
	const unknown = [];
	let state = INITIAL;
	text.split(/\r?\n/).forEach((line, i) => {
		const result = grammar.tokenizeLine(line, state);
		state = result.ruleStack;
		for (const token of result.tokens) {
			const word = line.slice(token.startIndex, token.endIndex).trim();
			const scopes = token.scopes.filter((scope) => scope !== 'source.aion');
			assert.ok(!scopes.some((scope) => scope.startsWith('invalid')), `${i + 1}: ${word}`);
			if (word !== '' && scopes.every((scope) => /^meta\.block/.test(scope))) {
				unknown.push(`${i + 1}:${token.startIndex + 1}: ${word}`);
			}
		}
	});
	return { unknown, depth: state.depth };
}

test('all .aion files', async (t) => {
	const grammar = await loadGrammar();
	const files = findFiles(root).map((file) => path.relative(root, file).replaceAll(path.sep, '/'));
	assert.ok(files.length > 200, `only ${files.length} files`);
	for (const file of files) {
		await t.test(file, () => {
			const { unknown, depth } = tokenize(grammar, fs.readFileSync(path.join(root, file), 'utf8'));
			if (mistakes.test(file)) return;
			assert.deepEqual(unknown, []);
			assert.equal(depth, 1, 'the file ends inside of a text or block');
		});
	}
});
