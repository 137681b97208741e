package main

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/aiongen/aiongen/"

// mayImport says what each package may import of the project. A package that is
// not listed is one that nobody thought about.
var mayImport = map[string][]string{
	"internal/jsontext":           {"internal/words"},
	"internal/jsonschema":         {"internal/jsonschema/parts", "internal/jsonschema/text", "internal/jsontext", "internal/words"},
	"internal/jsonschema/text":    {"internal/jsontext", "internal/lazyregexp", "internal/words"},
	"internal/jsonschema/compare": {"internal/jsonschema", "internal/jsontext", "internal/words"},
	"internal/jsonschema/form":    {"internal/jsonschema/parts", "internal/jsontext"},
	"internal/jsonschema/parts":   {"internal/jsontext"},
	"internal/jsonschema/trim":    {"internal/jsonschema", "internal/jsontext"},

	"internal/regular": nil,

	"internal/toolname": {"internal/words"},

	"internal/values": {"internal/jsontext", "internal/words"},

	"aion/diag": {"internal/words"},
	"aion":      {"aion/diag", "aion/internal/layout", "aion/internal/notes", "aion/internal/patch", "aion/internal/property", "aion/internal/syntax", "internal/jsontext", "internal/toolname", "internal/values", "internal/words"},

	"aion/internal/layout":   {"aion/diag", "aion/internal/syntax"},
	"aion/internal/notes":    {"aion/diag", "internal/jsontext", "internal/lazyregexp", "internal/values", "internal/words"},
	"aion/internal/patch":    {"aion/diag"},
	"aion/internal/property": {"internal/lazyregexp", "internal/words"},
	"aion/internal/syntax":   {"aion/diag", "aion/internal/property", "internal/lazyregexp", "internal/words"},

	"cmd/aiongen":        {"aion/diag", "gen", "internal/jsontext", "internal/regular", "internal/words", "runtime/schema"},
	"gen/internal/goenv": nil,

	"gen/internal/load/judge":            {"gen/internal/load"},
	"gen/internal/load/internal/bodies":  nil,
	"gen/internal/load/internal/exports": {"gen/internal/load/internal/bodies", "gen/internal/load/internal/modules", "internal/regular"},
	"gen/internal/load/internal/modules": {"gen/internal/goenv", "gen/internal/overlay"},

	"gen": {"aion", "aion/diag", "gen/internal/bind", "gen/internal/contract", "gen/internal/emit", "gen/internal/explain", "gen/internal/find", "gen/internal/folder", "gen/internal/goenv", "gen/internal/gotype", "gen/internal/load", "gen/internal/model", "gen/internal/nesting", "gen/internal/output", "gen/internal/overlay", "gen/internal/promise", "gen/internal/scaffold", "gen/internal/unchanged", "gen/internal/watch", "internal/regular", "runtime/schema"},

	"gen/internal/annotate":   {"aion", "aion/diag", "gen/internal/load", "gen/internal/model", "internal/jsontext", "internal/words"},
	"gen/internal/bind":       {"aion", "aion/diag", "gen/internal/annotate", "gen/internal/custom", "gen/internal/failure", "gen/internal/godoc", "gen/internal/goname", "gen/internal/gotype", "gen/internal/literal", "gen/internal/load", "gen/internal/model", "gen/internal/naming", "gen/internal/note", "gen/internal/prompts", "gen/internal/resolve", "gen/internal/schema", "gen/internal/shape", "gen/internal/slim", "gen/internal/supply", "internal/budget", "internal/jsontext", "internal/values", "internal/words"},
	"gen/internal/broken":     {"aion/diag", "gen/internal/godoc", "gen/internal/load"},
	"gen/internal/contract":   {"aion/diag", "internal/jsonschema/compare", "internal/jsontext", "runtime/schema", "runtime/tool"},
	"gen/internal/custom":     {"gen/internal/goname", "gen/internal/model", "internal/jsontext"},
	"gen/internal/directive":  nil,
	"gen/internal/emit":       {"gen/internal/emit/code", "gen/internal/emit/codec", "gen/internal/failure", "gen/internal/model", "internal/budget", "internal/jsontext"},
	"gen/internal/emit/code":  {"gen/internal/model", "internal/jsontext", "internal/words"},
	"gen/internal/emit/codec": {"gen/internal/emit/code", "gen/internal/model", "internal/jsontext"},
	"gen/internal/explain":    {"aion/diag"},
	"gen/internal/find":       {"aion", "aion/diag", "gen/internal/bind", "gen/internal/directive", "gen/internal/failure", "gen/internal/folder", "gen/internal/godoc", "gen/internal/goenv", "gen/internal/gotype", "gen/internal/load", "gen/internal/model", "gen/internal/overlay", "gen/internal/resolve", "internal/budget", "internal/regular"},
	"gen/internal/folder":     {"aion/diag", "gen/internal/emit", "gen/internal/load", "gen/internal/overlay", "internal/regular"},
	"gen/internal/godoc":      {"gen/internal/goname", "gen/internal/load", "internal/lazyregexp", "internal/words"},
	"gen/internal/goname":     {"internal/words"},
	"gen/internal/gotype":     {"gen/internal/goname", "gen/internal/load", "gen/internal/model", "internal/budget"},
	"gen/internal/jsonfield":  {"internal/budget"},
	"gen/internal/literal":    {"gen/internal/gotype", "gen/internal/model", "gen/internal/resolve"},
	"gen/internal/load":       {"aion/diag", "gen/internal/failure", "gen/internal/goenv", "gen/internal/load/internal/bodies", "gen/internal/load/internal/exports", "gen/internal/load/internal/modules", "gen/internal/nesting", "gen/internal/overlay", "internal/budget", "internal/regular"},
	"gen/internal/model":      {"internal/jsonschema/text"},
	"gen/internal/naming":     {"gen/internal/goname", "gen/internal/gotype", "gen/internal/literal", "gen/internal/model", "gen/internal/schema", "gen/internal/supply"},
	"gen/internal/narrow":     {"aion", "aion/diag", "gen/internal/goname", "gen/internal/model", "internal/words"},
	"gen/internal/note":       {"aion", "aion/diag", "gen/internal/model", "gen/internal/narrow", "gen/internal/resolve", "gen/internal/shape", "internal/values"},
	"gen/internal/overlay":    {"internal/regular"},
	"gen/internal/output":     {"gen/internal/folder", "internal/lazyregexp", "internal/regular"},
	"gen/internal/promise": {"aion", "aion/diag", "gen/internal/bind", "gen/internal/contract", "gen/internal/find", "gen/internal/folder", "gen/internal/gotype",
		"gen/internal/load", "gen/internal/model", "gen/internal/revision", "internal/jsontext", "internal/regular"},
	"gen/internal/prompts":        {"aion", "aion/diag", "gen/internal/model", "internal/words"},
	"gen/internal/python":         {"aion/diag", "gen/internal/python/check", "gen/internal/python/lower", "gen/internal/python/scope", "gen/internal/python/syntax"},
	"gen/internal/python/args":    {"aion/diag", "gen/internal/goname", "gen/internal/python/code", "gen/internal/python/kind", "gen/internal/python/ops", "gen/internal/python/scope", "gen/internal/python/syntax", "internal/words"},
	"gen/internal/python/check":   {"aion/diag", "gen/internal/goname", "gen/internal/python/args", "gen/internal/python/code", "gen/internal/python/instead", "gen/internal/python/kind", "gen/internal/python/ops", "gen/internal/python/scope", "gen/internal/python/size", "gen/internal/python/syntax", "internal/words"},
	"gen/internal/python/code":    {"aion/diag", "gen/internal/python/kind"},
	"gen/internal/python/instead": {"aion/diag", "gen/internal/python/kind"},
	"gen/internal/python/kind":    {"gen/internal/goname"},
	"gen/internal/python/lower":   {"gen/internal/python/code", "gen/internal/python/kind"},
	"gen/internal/python/ops":     {"gen/internal/goname", "gen/internal/python/code", "gen/internal/python/kind", "gen/internal/python/scope", "gen/internal/python/syntax"},
	"gen/internal/python/scope":   {"aion/diag", "gen/internal/goname", "gen/internal/python/code", "gen/internal/python/instead", "gen/internal/python/kind", "gen/internal/python/syntax", "internal/words"},
	"gen/internal/python/size":    {"gen/internal/python/ops", "gen/internal/python/scope", "gen/internal/python/syntax"},
	"gen/internal/python/syntax":  {"aion/diag"},
	"gen/internal/resolve":        {"aion", "aion/diag", "gen/internal/broken", "gen/internal/godoc", "gen/internal/goname", "gen/internal/gotype", "gen/internal/jsonfield", "gen/internal/load", "gen/internal/model", "gen/internal/nesting", "gen/internal/python", "gen/internal/python/syntax", "gen/internal/supply", "internal/lazyregexp", "internal/values", "internal/words"},
	"gen/internal/revision":       {"aion/diag", "internal/regular", "internal/words"},
	"gen/internal/scaffold":       {"aion", "aion/diag", "gen/internal/bind", "gen/internal/failure", "gen/internal/find", "gen/internal/folder", "gen/internal/godoc", "gen/internal/goname", "gen/internal/gotype", "gen/internal/load", "gen/internal/model", "gen/internal/shape", "gen/internal/slim", "gen/internal/supply", "internal/budget", "internal/regular", "internal/toolname", "internal/words"},
	"gen/internal/schema":         {"gen/internal/model", "internal/jsonschema/text", "internal/jsontext"},
	"gen/internal/shape": {"aion", "aion/diag", "gen/internal/custom", "gen/internal/godoc", "gen/internal/goname", "gen/internal/gotype", "gen/internal/jsonfield",
		"gen/internal/model", "internal/jsonschema/text", "internal/jsontext", "internal/values", "internal/words"},

	"gen/internal/slim":   {"aion", "gen/internal/model", "gen/internal/schema", "gen/internal/shape"},
	"gen/internal/supply": {"aion/diag", "gen/internal/annotate", "gen/internal/goname", "gen/internal/gotype", "gen/internal/model"},

	"gen/internal/unchanged": {"aion/diag", "gen/internal/directive", "gen/internal/folder", "gen/internal/goenv", "gen/internal/output", "internal/regular"},
	"gen/internal/watch":     nil,

	"internal/lazyregexp": nil,
	"internal/words":      nil,

	"runtime/ask":     {"internal/jsonschema", "internal/jsontext", "internal/words"},
	"runtime/content": {"internal/words"},

	"runtime/wire":   {"internal/jsonschema/text", "internal/jsontext", "internal/lazyregexp", "internal/words", "runtime/internal/reference", "runtime/internal/result", "runtime/internal/tape", "runtime/wire/internal/assign", "runtime/wire/internal/bounded", "runtime/wire/internal/faults", "runtime/wire/internal/format", "runtime/wire/internal/number", "runtime/wire/internal/slab", "runtime/wire/internal/stdjson", "runtime/wire/internal/write"},
	"runtime/tool":   {"internal/words", "runtime/ask", "runtime/content", "runtime/internal/result", "runtime/tool/internal/clock", "runtime/tool/internal/failure", "runtime/tool/internal/kept", "runtime/tool/internal/refer", "runtime/tool/internal/talk", "runtime/tool/internal/show", "runtime/tool/internal/sight", "runtime/tool/internal/sound", "runtime/tool/internal/stock", "runtime/tool/internal/store", "runtime/wire"},
	"runtime/prompt": {"internal/jsonschema/parts", "internal/jsontext", "runtime/internal/reference", "runtime/tool"},

	"runtime/internal/brief":     {"internal/jsontext", "internal/words", "runtime/internal/quote", "runtime/prompt", "runtime/tool"},
	"runtime/internal/dying":     {"runtime/journal"},
	"runtime/internal/note":      {"internal/jsontext", "internal/words", "runtime/ask", "runtime/journal", "runtime/llm", "runtime/run/record", "runtime/tool"},
	"runtime/internal/peer":      {"runtime/ask", "runtime/tool"},
	"runtime/internal/planform":  {"internal/jsontext", "runtime/internal/reference", "runtime/repair", "runtime/tool"},
	"runtime/internal/quote":     {"internal/jsontext", "runtime/tool"},
	"runtime/internal/reference": nil,
	"runtime/internal/result":    {"internal/jsontext", "runtime/internal/tape"},
	"runtime/internal/search":    {"runtime/wire"},
	"runtime/internal/tape":      {"internal/jsontext", "internal/words", "runtime/internal/reference"},

	"runtime/tool/internal/clock":   nil,
	"runtime/tool/internal/failure": {"internal/words", "runtime/ask", "runtime/internal/result", "runtime/wire"},
	"runtime/tool/internal/kept":    {"runtime/content", "runtime/internal/result", "runtime/tool/internal/failure"},
	"runtime/tool/internal/refer":   {"internal/jsontext", "runtime/internal/reference"},
	"runtime/tool/internal/talk":    {"runtime/ask", "runtime/content", "runtime/internal/result"},
	"runtime/tool/internal/show":    {"internal/jsontext", "internal/words"},
	"runtime/tool/internal/sight":   {"internal/jsonschema/parts", "internal/jsontext"},
	"runtime/tool/internal/sound":   {"internal/jsonschema/form", "internal/jsontext", "runtime/tool/internal/show"},
	"runtime/tool/internal/stock":   {"internal/words"},
	"runtime/tool/internal/store":   {"runtime/internal/reference"},

	"runtime/wire/internal/assign":  nil,
	"runtime/wire/internal/bounded": {"internal/jsontext", "internal/words", "runtime/internal/result", "runtime/internal/tape", "runtime/wire/internal/slab", "runtime/wire/internal/stdjson"},
	"runtime/wire/internal/faults":  nil,
	"runtime/wire/internal/format":  {"internal/jsontext", "internal/words"},
	"runtime/wire/internal/number":  {"internal/jsontext", "internal/words"},
	"runtime/wire/internal/slab":    nil,
	"runtime/wire/internal/stdjson": {"internal/jsontext", "internal/words"},
	"runtime/wire/internal/write":   {"internal/jsontext", "internal/words"},

	"example":       {"example/desk"},
	"example/desk":  {"example/gen", "example/tools", "runtime/ask", "runtime/guard", "runtime/journal", "runtime/journal/file", "runtime/llm", "runtime/llm/openai", "runtime/llm/replay", "runtime/mcp", "runtime/memory", "runtime/memory/bolt", "runtime/orchestrator", "runtime/orchestrator/cyclelog", "runtime/orchestrator/event", "runtime/plan", "runtime/run/record", "runtime/supervisor", "runtime/tool"},
	"example/gen":   {"example/tools", "runtime/tool", "runtime/wire"},
	"example/tools": {"runtime/ask", "runtime/memory", "runtime/tool"},

	"runtime/py":     nil,
	"runtime/py/dyn": {"runtime/py"},

	"runtime/memory":            {"internal/jsontext", "internal/words"},
	"runtime/memory/bolt":       {"runtime/memory"},
	"runtime/memory/memorytest": {"runtime/memory"},

	"runtime/journal":             {"internal/words"},
	"runtime/journal/file":        {"internal/jsontext", "runtime/journal"},
	"runtime/journal/journaltest": {"runtime/journal"},

	"runtime/run":                  {"runtime/internal/note", "runtime/journal", "runtime/llm", "runtime/run/internal/ask", "runtime/run/internal/carry", "runtime/run/internal/history", "runtime/run/internal/policy", "runtime/run/internal/worker", "runtime/run/record", "runtime/tool"},
	"runtime/run/internal/ask":     {"runtime/internal/result", "runtime/llm", "runtime/run/record", "runtime/tool"},
	"runtime/run/internal/carry":   {"internal/jsontext", "runtime/internal/note", "runtime/internal/peer", "runtime/journal", "runtime/run/record", "runtime/tool"},
	"runtime/run/internal/history": {"runtime/internal/note", "runtime/journal", "runtime/llm", "runtime/run/record"},
	"runtime/run/internal/policy":  {"internal/jsontext", "internal/words", "runtime/ask", "runtime/internal/note", "runtime/llm", "runtime/run/internal/carry", "runtime/run/record", "runtime/tool"},
	"runtime/run/internal/worker":  {"internal/jsontext", "runtime/internal/note", "runtime/journal", "runtime/run/record"},
	"runtime/run/record":           {"internal/jsontext", "internal/words", "runtime/ask", "runtime/llm", "runtime/tool"},

	"runtime/repair":                  {"internal/jsonschema", "internal/jsontext", "runtime/repair/internal/calls", "runtime/repair/internal/find", "runtime/repair/internal/fit", "runtime/repair/internal/leaves", "runtime/repair/internal/report", "runtime/repair/internal/scan", "runtime/repair/internal/tree", "runtime/tool"},
	"runtime/repair/internal/leaves":  {"internal/jsonschema", "internal/jsontext", "internal/words", "runtime/repair/internal/fit", "runtime/repair/internal/reader", "runtime/tool"},
	"runtime/repair/internal/calls":   {"internal/jsonschema", "internal/jsontext", "internal/words", "runtime/repair/internal/find", "runtime/repair/internal/literal", "runtime/repair/internal/reader", "runtime/repair/internal/report", "runtime/repair/internal/scan", "runtime/repair/internal/tree", "runtime/tool"},
	"runtime/repair/internal/find":    {"internal/jsonschema", "internal/jsontext", "runtime/repair/internal/fit", "runtime/repair/internal/literal", "runtime/repair/internal/reader", "runtime/repair/internal/report", "runtime/repair/internal/scan", "runtime/repair/internal/tree"},
	"runtime/repair/internal/fit":     {"internal/jsonschema", "internal/jsontext", "internal/words", "runtime/repair/internal/literal", "runtime/repair/internal/reader", "runtime/repair/internal/report", "runtime/repair/internal/scan", "runtime/repair/internal/tree", "runtime/tool"},
	"runtime/repair/internal/literal": {"internal/jsontext"},
	"runtime/repair/internal/reader":  {"internal/jsonschema", "internal/jsontext", "runtime/repair/internal/literal", "runtime/repair/internal/report", "runtime/repair/internal/scan", "runtime/repair/internal/tree"},
	"runtime/repair/internal/report":  {"internal/words", "runtime/tool"},
	"runtime/repair/internal/scan":    {"runtime/repair/internal/literal"},
	"runtime/repair/internal/tree":    {"internal/jsonschema", "internal/jsontext", "runtime/repair/internal/report", "runtime/repair/internal/scan"},
	"runtime/toollog":                 {"internal/words", "runtime/tool"},

	"runtime/redact": {"internal/jsontext", "internal/words", "runtime/ask", "runtime/content", "runtime/llm", "runtime/orchestrator/event", "runtime/plan", "runtime/redact/internal/forms", "runtime/repair", "runtime/run/record", "runtime/supervisor", "runtime/tool"},

	"runtime/orchestrator":                  {"internal/jsontext", "runtime/content", "runtime/internal/note", "runtime/internal/peer", "runtime/internal/quote", "runtime/journal", "runtime/llm", "runtime/memory", "runtime/orchestrator/event", "runtime/orchestrator/internal/planner", "runtime/orchestrator/internal/talk", "runtime/orchestrator/internal/task", "runtime/plan", "runtime/run", "runtime/run/record", "runtime/schema", "runtime/supervisor", "runtime/tool"},
	"runtime/orchestrator/cyclelog":         {"internal/jsontext", "runtime/llm", "runtime/orchestrator/event", "runtime/plan", "runtime/redact", "runtime/run/record", "runtime/supervisor", "runtime/tool"},
	"runtime/orchestrator/enginetest":       {"internal/jsontext", "runtime/ask", "runtime/guard", "runtime/llm", "runtime/orchestrator", "runtime/plan", "runtime/run/record", "runtime/schema", "runtime/tool"},
	"runtime/orchestrator/event":            {"runtime/llm", "runtime/plan", "runtime/run/record", "runtime/supervisor"},
	"runtime/orchestrator/internal/planner": {"internal/jsontext", "internal/words", "runtime/internal/brief", "runtime/internal/planform", "runtime/internal/quote", "runtime/llm", "runtime/orchestrator/event", "runtime/orchestrator/internal/task", "runtime/plan", "runtime/prompt", "runtime/repair", "runtime/run", "runtime/run/record", "runtime/schema", "runtime/supervisor", "runtime/tool"},
	"runtime/orchestrator/internal/talk":    {"internal/jsonschema", "internal/jsonschema/trim", "internal/jsontext", "internal/words", "runtime/content", "runtime/internal/callid", "runtime/internal/quote", "runtime/llm", "runtime/orchestrator/event", "runtime/orchestrator/internal/task", "runtime/repair", "runtime/run", "runtime/run/record", "runtime/schema", "runtime/supervisor", "runtime/tool"},
	"runtime/orchestrator/internal/task":    {"runtime/llm", "runtime/plan"},

	"runtime/plan":                       {"internal/jsonschema", "internal/jsonschema/compare", "internal/jsontext", "internal/words", "runtime/internal/planform", "runtime/internal/reference", "runtime/repair", "runtime/schema", "runtime/tool"},
	"runtime/schema":                     {"internal/jsonschema", "internal/jsonschema/dialect", "internal/jsonschema/parts", "internal/jsontext", "internal/lazyregexp", "runtime/schema/internal/form", "runtime/schema/internal/keep", "runtime/schema/internal/outline", "runtime/schema/internal/rewrite", "runtime/schema/internal/rules", "runtime/schema/internal/tree", "runtime/tool"},
	"runtime/supervisor":                 {"internal/jsontext", "internal/words", "runtime/internal/brief", "runtime/internal/planform", "runtime/internal/quote", "runtime/llm", "runtime/plan", "runtime/repair", "runtime/schema", "runtime/tool"},
	"runtime/llm":                        {"internal/jsontext", "runtime/content", "runtime/internal/quote", "runtime/llm/internal/thought", "runtime/prompt", "runtime/repair", "runtime/tool"},
	"runtime/llm/internal/thought":       {},
	"runtime/llm/openai":                 {"internal/jsontext", "internal/toolname", "internal/words", "runtime/content", "runtime/internal/callid", "runtime/internal/secret", "runtime/llm", "runtime/llm/internal/thought", "runtime/llm/openai/internal/growth", "runtime/repair", "runtime/schema", "runtime/tool"},
	"runtime/llm/openai/internal/growth": {},
	"runtime/llm/replay":                 {"internal/jsontext", "internal/words", "runtime/content", "runtime/llm", "runtime/tool"},

	"runtime/schema/internal/form":    {"internal/jsontext", "runtime/schema/internal/outline", "runtime/schema/internal/tree"},
	"runtime/schema/internal/keep":    {"internal/jsonschema/parts", "internal/jsontext", "runtime/schema/internal/form", "runtime/schema/internal/outline", "runtime/schema/internal/rules", "runtime/schema/internal/tree"},
	"runtime/schema/internal/outline": {"internal/jsonschema/parts", "internal/jsonschema/text", "internal/jsontext", "runtime/schema/internal/tree"},
	"runtime/schema/internal/rewrite": {"internal/jsonschema", "internal/jsonschema/parts", "internal/jsontext", "runtime/schema/internal/form", "runtime/schema/internal/outline", "runtime/schema/internal/rules", "runtime/schema/internal/tree"},
	"runtime/schema/internal/rules":   {"internal/jsontext", "runtime/schema/internal/tree"},
	"runtime/schema/internal/tree":    {"internal/jsontext"},

	"runtime/guard":     {"internal/jsonschema", "internal/jsonschema/trim", "runtime/internal/result", "runtime/tool"},
	"runtime/langchain": {"internal/jsontext", "runtime/internal/quote", "runtime/tool"},
	"runtime/mcp":       {"runtime/content", "runtime/internal/secret", "runtime/mcp/internal/contain", "runtime/mcp/internal/direct", "runtime/mcp/internal/drain", "runtime/mcp/internal/offer", "runtime/mcp/internal/parts", "runtime/mcp/internal/peer", "runtime/mcp/internal/pipe", "runtime/mcp/internal/sealed", "runtime/mcp/internal/web", "runtime/tool"},

	"runtime/mcp/internal/contain": nil,
	"runtime/mcp/internal/direct":  {"internal/jsontext", "runtime/mcp/internal/contain", "runtime/mcp/internal/drain", "runtime/mcp/internal/peer", "runtime/wire"},
	"runtime/mcp/internal/drain":   nil,
	"runtime/mcp/internal/offer":   {"runtime/mcp/internal/parts", "runtime/mcp/internal/peer", "runtime/mcp/internal/sealed", "runtime/schema", "runtime/tool"},
	"runtime/mcp/internal/origin":  nil,
	"runtime/mcp/internal/parts":   {"runtime/content"},
	"runtime/mcp/internal/peer":    {"internal/words", "runtime/ask", "runtime/content", "runtime/mcp/internal/origin", "runtime/mcp/internal/sealed", "runtime/tool", "runtime/wire"},
	"runtime/mcp/internal/pipe":    {"runtime/mcp/internal/drain"},
	"runtime/mcp/internal/sealed":  {"runtime/ask", "runtime/internal/secret"},
	"runtime/mcp/internal/web":     {"runtime/internal/secret", "runtime/mcp/internal/drain", "runtime/mcp/internal/origin"},
	"runtime/mcp/remote":           {"internal/jsonschema", "internal/jsonschema/dialect", "internal/jsontext", "internal/toolname", "internal/words", "runtime/ask", "runtime/content", "runtime/mcp/internal/contain", "runtime/mcp/internal/parts", "runtime/mcp/remote/internal/link", "runtime/mcp/remote/internal/sanitize", "runtime/mcp/remote/internal/transport", "runtime/schema", "runtime/tool"},

	"runtime/mcp/remote/internal/link":      {"runtime/mcp/remote/internal/sanitize", "runtime/mcp/remote/internal/transport", "runtime/tool"},
	"runtime/mcp/remote/internal/sanitize":  {"internal/words"},
	"runtime/mcp/remote/internal/transport": {"internal/words", "runtime/tool"},
	"gen/internal/failure":                  {"aion/diag", "internal/budget"},
	"gen/internal/nesting":                  {"internal/budget"},
	"runtime/orchestrator/killtest":         {"runtime/ask", "runtime/guard", "runtime/journal", "runtime/llm", "runtime/orchestrator", "runtime/orchestrator/event", "runtime/run/record", "runtime/schema", "runtime/tool"},
	"runtime/redact/internal/forms":         {"internal/jsontext"},
	"internal/budget":                       nil,
	"runtime/internal/callid":               nil,
	"runtime/internal/secret":               nil,
	"internal/jsonschema/dialect":           {"internal/jsonschema", "internal/jsonschema/parts", "internal/jsonschema/text", "internal/jsontext", "internal/words"},
}

// standardAlone are the packages that link nothing but the standard library and
// each other.
var standardAlone = []string{
	"internal/jsontext",
	"internal/jsonschema", "internal/jsonschema/form", "internal/jsonschema/parts", "internal/jsonschema/trim",
	"internal/words",
	"runtime/ask", "runtime/content",
	"runtime/wire", "runtime/wire/internal/format", "runtime/wire/internal/number", "runtime/wire/internal/bounded", "runtime/wire/internal/slab", "runtime/wire/internal/stdjson", "runtime/wire/internal/write",
	"runtime/internal/reference", "runtime/internal/result", "runtime/internal/tape",
	"runtime/prompt",
	"runtime/tool", "runtime/tool/internal/clock", "runtime/tool/internal/failure", "runtime/tool/internal/kept", "runtime/tool/internal/refer", "runtime/tool/internal/talk", "runtime/tool/internal/show", "runtime/tool/internal/sight", "runtime/tool/internal/sound", "runtime/tool/internal/stock", "runtime/tool/internal/store",
	"runtime/py", "runtime/py/dyn",
	"runtime/guard", "runtime/toollog",
	"runtime/repair", "runtime/repair/internal/calls", "runtime/repair/internal/find", "runtime/repair/internal/fit", "runtime/repair/internal/leaves", "runtime/repair/internal/literal", "runtime/repair/internal/reader", "runtime/repair/internal/report", "runtime/repair/internal/scan", "runtime/repair/internal/tree",
	"runtime/langchain",
	"runtime/journal", "runtime/journal/file", "runtime/journal/journaltest",
	"runtime/memory", "runtime/memory/memorytest",
	"runtime/llm", "runtime/llm/internal/thought", "runtime/llm/replay",
	"runtime/run", "runtime/run/record",
}

// onlyIn says which package alone, with those inside it, may import a module, so that
// nobody else links it.
var onlyIn = map[string]string{
	"github.com/sashabaranov/go-openai": "runtime/llm/openai",
	"github.com/modelcontextprotocol":   "runtime/mcp",
	"go.etcd.io/bbolt":                  "runtime/memory/bolt",
}

// TestImportGraph holds the architecture: data goes one way, the compiler does
// not know the runtime nor the runtime the compiler, and what users link is the
// standard library.
func TestImportGraph(t *testing.T) {
	out, err := exec.CommandContext(t.Context(), "go", "list", "-f", `{{.ImportPath}} {{join .Imports " "}}`, module+"...").Output()
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(out)) {
		fields := strings.Fields(line)
		name := strings.TrimPrefix(fields[0], module)
		allowed, known := mayImport[name]
		if !known {
			t.Errorf("package %s is not in the import graph", name)
		}
		for _, path := range fields[1:] {
			imported, ours := strings.CutPrefix(path, module)
			if ours && !slices.Contains(allowed, imported) {
				t.Errorf("package %s must not import %s", name, imported)
			}
			if !ours && slices.Contains(standardAlone, name) && strings.Contains(path, ".") {
				t.Errorf("package %s must link the standard library alone, not %s", name, path)
			}
			for module, owner := range onlyIn {
				if strings.HasPrefix(path, module) && name != owner && !strings.HasPrefix(name, owner+"/") {
					t.Errorf("package %s must not import %s, which is for %s", name, path, owner)
				}
			}
		}
	}
}

// TestToolAlone: whoever needs what generated code imports alone downloads no other
// module, not even by go mod tidy, which looks at the tests of what is imported,
// too.
func TestToolAlone(t *testing.T) {
	const tests = `{{join .TestImports "\n"}}{{"\n"}}{{join .XTestImports "\n"}}`
	out, err := exec.CommandContext(t.Context(), "go", "list", "-f", tests, module+"runtime/tool", module+"runtime/wire", module+"runtime/py").Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range strings.Fields(string(out)) {
		if strings.Contains(path, ".") && !strings.HasPrefix(path, module) {
			t.Errorf("the tests of what generated code imports must not import %s", path)
		}
	}
}

// TestModuleGraph: the frameworks that have adapters are for those who import
// these, which are modules of their own, and so is what we are compared with.
func TestModuleGraph(t *testing.T) {
	out, err := exec.CommandContext(t.Context(), "go", "list", "-m", "all").Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, other := range []string{
		"github.com/cloudwego/eino", "github.com/tmc/langchaingo", "github.com/firebase/genkit", "github.com/jackc/pgx",
		"github.com/go-json-experiment/json", "github.com/owenrumney/go-sarif",
	} {
		if strings.Contains(string(out), other) {
			t.Errorf("the module must not depend on %s", other)
		}
	}
}
