// Checks that the grammar knows all text in the .aion files of the repository. It has no scopes for
// mistakes, which the language server reports: text without a scope is a mistake.
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

// findMistakes returns the places of text without a scope, or with one for mistakes, in a file.
function findMistakes(grammar, text) {
	const found = [];
	let state = INITIAL;
	text.split(/\r?\n/).forEach((line, i) => {
		const { tokens, ruleStack } = grammar.tokenizeLine(line, state);
		state = ruleStack;
		for (const { startIndex, endIndex, scopes } of tokens) {
			const word = line.slice(startIndex, endIndex).trim();
			const known = scopes.some((scope) => !/^(source\.aion$|meta\.block\.)/.test(scope));
			if (word !== '' && (!known || scopes.some((scope) => scope.startsWith('invalid')))) {
				found.push(`${i + 1}:${startIndex + 1}: ${word}`);
			}
		}
	});
	if (state.depth > 1) found.push('the file ends inside of a text or block');
	return found;
}

test('all .aion files', async () => {
	const grammar = await loadGrammar();
	const files = findFiles(root).map((file) => path.relative(root, file).replaceAll(path.sep, '/'));
	assert.ok(files.length > 200, `only ${files.length} files`);
	for (const file of files) {
		const found = findMistakes(grammar, fs.readFileSync(path.join(root, file), 'utf8'));
		if (!mistakes.test(file)) assert.deepEqual(found, [], file);
	}
});

test('a mistake is found', async () => {
	const grammar = await loadGrammar();
	assert.deepEqual(findMistakes(grammar, '[\n{ nam --> "x" }, {'), [
		'2:2: nam --> "x"', 'the file ends inside of a text or block',
	]);
});
