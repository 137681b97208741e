// A server with OpenAI's protocol for chat completions whose model is random. The model decides at random whether it
// answers with text, with JSON that matches the schema of the answer, or with calls, whose arguments llama.cpp
// constrains by a grammar. It prints its URL, and ends when standard input ends.
//
// Usage: node server.mjs MODULES MODEL SEED
import http from "node:http";
import path from "node:path";
import { pathToFileURL } from "node:url";

const [modules, model, seed] = process.argv.slice(2);
const { getLlama, LlamaCompletion, LlamaLogLevel } = await import(pathToFileURL(path.join(modules, "node-llama-cpp", "dist", "index.js")));
const llama = await getLlama({ gpu: false, build: "never", progressLogs: false, logLevel: LlamaLogLevel.error, maxThreads: 1 });
const context = await (await llama.loadModel({ modelPath: model })).createContext({ contextSize: 2048 });
const sequence = context.getSequence();
const completion = new LlamaCompletion({ contextSequence: sequence });

let state = Number(seed);
function random(n) {
	state = (state + 0x6d2b79f5) | 0;
	let x = Math.imul(state ^ (state >>> 15), 1 | state);
	x = (x + Math.imul(x ^ (x >>> 7), 61 | x)) ^ x;
	return ((x ^ (x >>> 14)) >>> 0) % n;
}

// write returns what the model writes, and whether it was cut off.
async function write(schema) {
	const grammar = schema && (await llama.createGrammarForJsonSchema(schema));
	const { response, metadata } = await completion.generateCompletionWithMeta(String.fromCharCode(97 + random(26)), {
		grammar, maxTokens: schema ? 40 + random(400) : 1 + random(30), temperature: 0.5 + random(4), seed: random(1 << 30),
	});
	await sequence.clearHistory();
	return { text: response, cut: metadata.stopReason === "maxTokens" };
}

let calls = 0;
async function answer(request) {
	const tools = request.tools ?? [];
	const message = { role: "assistant", content: null };
	let cut = false;
	if (tools.length > 0 && request.tool_choice !== "none" && random(4) > 0) {
		message.tool_calls = [];
		for (let i = random(3); i >= 0 && !cut; i--) {
			const { name, parameters } = tools[random(tools.length)].function;
			const written = await write(parameters);
			cut = written.cut;
			message.tool_calls.push({ id: `call_${calls++}`, type: "function", function: { name, arguments: written.text } });
		}
	} else {
		const written = await write(request.response_format?.json_schema?.schema);
		message.content = written.text;
		cut = written.cut && request.response_format !== undefined;
	}
	const reason = cut ? "length" : message.tool_calls ? "tool_calls" : "stop";
	return {
		id: "x", object: "chat.completion", created: 0, model: "random", choices: [{ index: 0, message, finish_reason: reason }],
		usage: { prompt_tokens: 10, completion_tokens: 10, total_tokens: 20 },
	};
}

let queue = Promise.resolve(); // one completion after the other
const server = http.createServer(async (request, response) => {
	let text = "";
	for await (const chunk of request) text += chunk;
	queue = queue.then(async () => {
		try {
			const body = JSON.stringify(await answer(JSON.parse(text)));
			response.writeHead(200, { "Content-Type": "application/json" }).end(body);
		} catch (error) {
			response.writeHead(400, { "Content-Type": "application/json" }).end(JSON.stringify({ error: { message: String(error.stack) } }));
		}
	});
});
server.listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${server.address().port}/v1`));
process.stdin.resume().on("end", () => process.exit());
