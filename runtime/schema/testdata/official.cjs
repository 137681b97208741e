// Holds lowered definitions against the rules of those they are for, as their own
// packages know them. It reads a list of {target, tool, generated, definition} and writes the
// list of what is wrong. The packages are in the folder that is the argument.
"use strict";
const fs = require("fs");
const path = require("path");
const { isDeepStrictEqual } = require("util");

const folder = process.argv[2];
const load = (name) => require(path.join(folder, name));
const { toStrictJsonSchema } = load("openai/lib/transform.js");
const { transformJSONSchema } = load("@anthropic-ai/sdk/lib/transform-json-schema.js");
const { GoogleGenAI } = load("@google/genai");
const Ajv = load("ajv/dist/2020.js").default;
const addFormats = load("ajv-formats").default;

const clone = (x) => JSON.parse(JSON.stringify(x));
const show = (x) => JSON.stringify(x);

// OpenAI's helper makes a schema strict, and throws where it cannot be. One that
// is strict is left as it is.
function openaiStrict(tool) {
  const schema = tool.function.parameters;
  const strict = toStrictJsonSchema(clone(schema));
  if (!isDeepStrictEqual(strict, schema)) throw new Error("changed to " + show(strict));
}

// Anthropic's helper takes away what is not taken, or throws. Beside an enum it
// takes the type away, and patterns, which the service takes.
function anthropicStrict(tool) {
  const schema = each(clone(tool.input_schema), (s) => {
    if (s.enum) delete s.type;
    delete s.pattern;
  });
  const strict = transformJSONSchema(clone(schema));
  if (!isDeepStrictEqual(strict, schema)) throw new Error("changed to " + show(strict));
  const names = Object.keys(tool.input_schema.properties);
  const bad = names.filter((name) => !/^[a-zA-Z0-9_.-]{1,64}$/.test(name));
  if (bad.length > 0) throw new Error("names " + bad);
}

// each calls f on every schema in a schema.
function each(s, f) {
  f(s);
  Object.values(s.properties || {}).forEach((p) => each(p, f));
  Object.values(s.$defs || {}).forEach((d) => each(d, f));
  (s.anyOf || []).forEach((b) => each(b, f));
  if (s.items) each(s.items, f);
  return s;
}

// Google's package declares what a schema has, and sends what it is given after
// it checked some of it. The service is not asked: what would be sent is looked at.
const declared = fs
  .readFileSync(path.join(folder, "@google/genai/dist/genai.d.ts"), "utf8")
  .match(/\nexport declare interface Schema \{([\s\S]*?)\n\}/)[1];
const fields = new Set([...declared.matchAll(/^ {4}(\w+)\?:/gm)].map((m) => m[1]));
if (!fields.has("propertyOrdering")) throw new Error("Google's package declares schemas in another way");

async function gemini(declaration) {
  let sent;
  const real = globalThis.fetch;
  globalThis.fetch = async (_, init) => {
    sent = JSON.parse(init.body);
    return new Response('{"candidates":[]}', { headers: { "content-type": "application/json" } });
  };
  try {
    const ai = new GoogleGenAI({ apiKey: "none" });
    const tools = [{ functionDeclarations: [clone(declaration)] }];
    await ai.models.generateContent({ model: "gemini", contents: "hi", config: { tools } });
  } finally {
    globalThis.fetch = real;
  }
  const got = sent.tools[0].functionDeclarations[0];
  if (declaration.parameters === undefined) {
    if (!isDeepStrictEqual(got, declaration)) throw new Error("changed to " + show(got));
    return;
  }
  const want = clone(declaration);
  each(want.parameters, (s) => {
    const unknown = Object.keys(s).filter((key) => !fields.has(key));
    if (unknown.length > 0) throw new Error("fields " + unknown);
    if (s.type) s.type = s.type.toUpperCase();
    else if (!isDeepStrictEqual(Object.keys(s), ["anyOf"])) throw new Error("no type: " + show(s));
    if (s.type === "OBJECT" && Object.keys(s.properties).length === 0) throw new Error("no properties: " + show(s));
    if (s.type === "ARRAY" && !s.items) throw new Error("no items: " + show(s));
    if (s.enum && (s.type !== "STRING" || s.enum.some((v) => typeof v !== "string" || v === ""))) throw new Error("enum " + show(s));
    for (const name of Object.keys(s.properties || {})) {
      if (!/^[a-zA-Z_][a-zA-Z0-9_]{0,63}$/.test(name)) throw new Error("name " + name);
    }
  });
  if (!isDeepStrictEqual(got, want)) throw new Error("changed to " + show(got));
}

// Schemas of the others are of draft 2020-12. Generated ones leave no doubt: they
// have nothing that is unknown or without effect.
const drafts = [false, true].map((strict) => {
  const ajv = new Ajv({ strict, strictRequired: strict, allowUnionTypes: true, logger: false });
  ajv.addKeyword("x-fastmcp-wrap-result"); // a mark, which says nothing of values
  addFormats(ajv);
  return ajv;
});
function draft({ $id, ...schema }, generated) {
  const ajv = drafts[Number(generated)];
  if (schema.type !== "object") throw new Error("the root is no object");
  if (!ajv.validateSchema(schema)) throw new Error(ajv.errorsText());
  ajv.compile(schema);
}

const rules = {
  openai: (t, generated) => draft(t.function.parameters, generated),
  "openai-strict": openaiStrict,
  anthropic: (t, generated) => draft(t.input_schema, generated),
  "anthropic-strict": anthropicStrict,
  gemini,
  mcp: (t, generated) => {
    draft(t.inputSchema, generated);
    if (t.outputSchema) draft(t.outputSchema, generated);
  },
  ollama: (t, generated) => draft(t.function.parameters, generated),
};

(async () => {
  const wrong = [];
  for (const { target, tool, generated, definition } of JSON.parse(fs.readFileSync(0, "utf8"))) {
    try {
      await rules[target](definition, generated);
    } catch (e) {
      wrong.push(`${tool}, ${target}: ${e.message} in ${show(definition)}`);
    }
  }
  console.log(JSON.stringify(wrong));
})();
