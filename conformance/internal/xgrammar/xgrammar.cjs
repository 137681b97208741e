// Answers questions about grammars that XGrammar makes of JSON Schemas. Each line of standard input is a
// question: {"schema", "texts", "samples", "seed"}. The answer is one line: {"error"} if XGrammar refuses the
// schema, otherwise {"accepted"}, a boolean for each text, and {"samples"}, texts that XGrammar accepts.
//
// Usage: node xgrammar.cjs LIBRARY, where LIBRARY is a copy of lib/index.js of @mlc-ai/web-xgrammar whose
// name ends in .cjs, because Node does not load the original.
"use strict";

let library, compiler;

// The library prints warnings, and why it fails, and then fails without a reason.
let printed = "";
console.log = console.error = (text) => (printed += text + "\n");

// load makes a new instance of the library, because an error ends the one that it occurs in.
async function load() {
	delete require.cache[require.resolve(process.argv[2])];
	library = require(process.argv[2]);
	const info = await library.TokenizerInfo.createTokenizerInfo(tokens, "byte_fallback", false, undefined, [0]);
	compiler = await library.GrammarCompiler.createGrammarCompiler(info, false);
}

// A model proposes these pieces of text at random. The first ones end values.
const closers = ['"', "}", "]", "0", "1", "e", "a", "l", ":", ",", "-"];
const pieces = [
	...closers, '"', '"', "{", "[", ",", ":", ".", "+", "E", "/", "@", "_", " ", "0", "2", "9", "00", "5", "-", "T", "Z", "P", "null", "true", "false",
	"b", "c", "d", "i", "n", "o", "r", "s", "t", "u", "x", "A", "F", "é", "😀", "\t", "\u0001", "\\n", '\\"', "\\\\", "\\u0041", "\\ud83d", "\\ud83d\\ude00", "\u2028", "\u007f",
];
const tokens = ["</s>", ...Array.from({ length: 256 }, (_, i) => `<0x${i.toString(16).toUpperCase().padStart(2, "0")}>`)];

// randomizer returns a function that returns a random integer below n (mulberry32).
function randomizer(seed) {
	return (n) => {
		seed = (seed + 0x6d2b79f5) | 0;
		let x = Math.imul(seed ^ (seed >>> 15), 1 | seed);
		x = (x + Math.imul(x ^ (x >>> 7), 61 | x)) ^ x;
		return ((x ^ (x >>> 14)) >>> 0) % n;
	};
}

function accepts(matcher, text) {
	matcher.reset();
	return matcher._acceptString(text) && matcher.isTerminated();
}

// propose extends a sample by a random piece that the matcher accepts, and returns the piece.
function propose(matcher, random, list) {
	for (let tries = 0; tries < 40; tries++) {
		const piece = list[random(list.length)];
		if (matcher._acceptString(piece)) return piece;
	}
	for (let code = 32; code < 127; code++) {
		const piece = String.fromCharCode(code);
		if (matcher._acceptString(piece)) return piece;
	}
	return "";
}

// sample returns a random text that the matcher accepts, or undefined if the text became too long.
function sample(matcher, random) {
	matcher.reset();
	const end = 10 + random(60);
	let text = "";
	for (let n = 0; n < end + 200 && !matcher.isTerminated(); n++) {
		const forced = matcher.findJumpForwardString();
		if (forced !== "" && matcher._acceptString(forced)) {
			text += forced;
			continue;
		}
		const piece = propose(matcher, random, n < end ? pieces : closers);
		if (piece === "") return undefined;
		text += piece;
	}
	return matcher.isTerminated() ? text : undefined;
}

async function answer(question) {
	const owned = [];
	const matcherFor = async (anyWhitespace, ...form) => {
		const compiled = await compiler.compileJSONSchema(question.schema, anyWhitespace, ...form);
		const matcher = await library.GrammarMatcher.createGrammarMatcher(compiled, undefined, true);
		owned.push(matcher, compiled);
		return matcher;
	};
	const matcher = await matcherFor(true);
	const accepted = (question.texts ?? []).map((text) => accepts(matcher, text));
	const random = randomizer(question.seed);
	const samples = [];
	if (question.samples) {
		const compact = await matcherFor(false, -1, [",", ":"]); // without space, most text is determined
		for (let i = 0; i < question.samples; i++) {
			const text = sample(compact, random);
			if (text !== undefined && accepts(matcher, text)) samples.push(text);
		}
	}
	for (const x of owned) x.dispose();
	return { accepted, samples };
}

async function main() {
	await load();
	for await (const line of require("node:readline").createInterface({ input: process.stdin })) {
		let reply;
		printed = "";
		try {
			reply = await answer(JSON.parse(line));
		} catch (error) {
			reply = { error: printed || String(error) };
			await load();
		}
		process.stdout.write(JSON.stringify(reply) + "\n");
	}
}

main();
