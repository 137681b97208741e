// Lists and calls tools with the official TypeScript SDK, for mcp_test.go:
//
//	node client.cjs NODE_MODULES URL|COMMAND ARGUMENTS... <calls.json
//
// The calls are a JSON array of {name, arguments}. On standard output come the
// tools and the results, as the SDK has them; it checks results by the output
// schemas itself.
const { createRequire } = require("node:module");
const { readFileSync } = require("node:fs");
const [modules, target, ...args] = process.argv.slice(2);
const sdk = createRequire(modules + "/");
const { Client } = sdk("@modelcontextprotocol/sdk/client/index.js");
const { StdioClientTransport } = sdk("@modelcontextprotocol/sdk/client/stdio.js");
const { StreamableHTTPClientTransport } = sdk("@modelcontextprotocol/sdk/client/streamableHttp.js");

async function main() {
  const client = new Client({ name: "test", version: "1.0.0" });
  const transport = target.startsWith("http://")
    ? new StreamableHTTPClientTransport(new URL(target))
    : new StdioClientTransport({ command: target, args });
  await client.connect(transport);
  const { tools } = await client.listTools();
  const { prompts } = await client.listPrompts();
  const results = [];
  for (const call of JSON.parse(readFileSync(0, "utf8"))) {
    try {
      results.push(await client.callTool(call));
    } catch (error) {
      results.push({ code: error.code, message: error.message });
    }
  }
  process.stdout.write(JSON.stringify({ tools, prompts, results }));
  await client.close();
}

main().catch((error) => {
  console.error(error);
  process.exitCode = 1;
});
