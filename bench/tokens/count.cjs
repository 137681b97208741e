// Counts the tokens of what main.go prints, as models of OpenAI read them (o200k_base).
const { encode } = require("gpt-tokenizer");

const ways = JSON.parse(require("fs").readFileSync(0, "utf8"));
const first = encode(ways[0].text).length;
console.log("| way | tokens | of the first | bytes |\n| --- | --- | --- | --- |");
for (const { name, text } of ways) {
  const tokens = encode(text).length;
  console.log(`| ${name} | ${tokens} | ${(tokens / first).toFixed(2)} | ${Buffer.byteLength(text)} |`);
}
