// Tries a server with an official TypeScript SDK, for clients_test.go:
//
//	node client.cjs NODE_MODULES v1|v2 URL|COMMAND ARGUMENTS...
//
// On standard output comes what was seen, as the experience of clients_test.go.
const { createRequire } = require("node:module");
const [modules, version, target, ...args] = process.argv.slice(2);
const load = createRequire(modules + "/");
const overHTTP = target.startsWith("http://");

// asked is what the person at this client was asked last.
let asked;
const answer = (request) => {
  asked = request.params.message;
  return { action: "accept", content: { username: "ada", email: "ada@example.com" } };
};

// connect returns a client of either SDK. They differ in names, and the second one
// speaks the newest revision only if it is told to.
async function connect(changed) {
  const options = {
    capabilities: { elicitation: {} },
    listChanged: { tools: { autoRefresh: false, debounceMs: 0, onChanged: changed } },
    versionNegotiation: { mode: "auto" },
  };
  const info = { name: "test", version: "1.0.0" };
  if (version === "v1") {
    const { Client } = load("@modelcontextprotocol/sdk/client/index.js");
    const { StdioClientTransport } = load("@modelcontextprotocol/sdk/client/stdio.js");
    const { StreamableHTTPClientTransport } = load("@modelcontextprotocol/sdk/client/streamableHttp.js");
    const { ElicitRequestSchema } = load("@modelcontextprotocol/sdk/types.js");
    const client = new Client(info, options);
    client.setRequestHandler(ElicitRequestSchema, answer);
    await client.connect(transport(StreamableHTTPClientTransport, StdioClientTransport));
    return { client, call: (params, options) => client.callTool(params, undefined, options) };
  }
  const { Client, StreamableHTTPClientTransport } = load("@modelcontextprotocol/client");
  const { StdioClientTransport } = load("@modelcontextprotocol/client/stdio");
  const client = new Client(info, options);
  client.setRequestHandler("elicitation/create", answer);
  await client.connect(transport(StreamableHTTPClientTransport, StdioClientTransport));
  return { client, call: (params, options) => client.callTool(params, options) };
}

function transport(HTTP, Stdio) {
  return overHTTP ? new HTTP(new URL(target)) : new Stdio({ command: target, args, env: process.env });
}

async function main() {
  let changes = 0;
  let waiting;
  const { client, call } = await connect(() => {
    changes++;
    waiting?.();
  });
  const text = async (name, args, options) => (await call({ name, arguments: args }, options)).content[0].text;
  const running = async (n) => {
    while ((await text("running", {})) !== String(n)) await new Promise((later) => setTimeout(later, 5));
  };

  const seen = { tools: (await client.listTools()).tools.map((tool) => tool.name) };
  seen.revision = client.getNegotiatedProtocolVersion?.() ?? client.transport.protocolVersion ?? "";
  seen.text = await text("test_simple_text", {});
  const failed = await call({ name: "test_error_handling", arguments: {} });
  seen.error = failed.isError ? failed.content[0].text : "";
  seen.unknown = await call({ name: "no_such_tool", arguments: {} }).then(() => 0, (error) => error.code);

  const cancel = new AbortController();
  const cancelled = call({ name: "wait", arguments: { milliseconds: 60000 } }, { signal: cancel.signal }).then(() => false, () => true);
  await running(1);
  cancel.abort("enough");
  seen.cancelled = await cancelled;
  await running(0);

  seen.progress = [];
  await text("test_tool_with_progress", {}, { onprogress: (p) => seen.progress.push(p.progress) });

  seen.answered = await text("test_elicitation", { message: "Who are you?" });
  seen.asked = asked;

  for (let i = 0; i < 100 && changes === 0; i++) { // the stream of a session may not be open yet
    const told = new Promise((done) => (waiting = done));
    await text("test_trigger_tool_change", {});
    await Promise.race([told, new Promise((done) => setTimeout(done, 200))]);
  }
  seen.changed = changes > 0;
  await client.close();
  process.stdout.write(JSON.stringify(seen));
}

main().catch((error) => {
  console.error(error);
  process.exitCode = 1;
});
