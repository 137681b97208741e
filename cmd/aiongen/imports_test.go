package main

import (
	"os/exec"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/aiongen/aiongen/"

// allowedImports lists the packages of this module that each package may import. Every package needs an
// entry.
var allowedImports = map[string][]string{
	"aion":                                       {"aion/diag", "aion/internal/notes", "aion/internal/syntax", "internal/values", "internal/words"},
	"aion/diag":                                  {"internal/words"},
	"aion/internal/notes":                        {"aion/diag", "internal/jsontext", "internal/lazyregexp", "internal/values", "internal/words"},
	"aion/internal/syntax":                       {"aion/diag", "internal/lazyregexp", "internal/words"},
	"cmd/aiongen":                                {"aion/diag", "cmd/aiongen/internal/doctor", "gen", "gen/lsp", "internal/jsontext", "internal/regularfile", "internal/words", "runtime/schema"},
	"cmd/aiongen/internal/doctor":                {"aion/diag", "gen", "gen/lsp", "internal/regularfile", "internal/words"},
	"example":                                    {"example/desk"},
	"example/desk":                               {"example/gen", "example/tools", "runtime/inspect", "runtime/journal", "runtime/journal/file", "runtime/llm", "runtime/llm/openai", "runtime/llm/replay", "runtime/mcp", "runtime/memory", "runtime/memory/bolt", "runtime/middleware", "runtime/orchestrator", "runtime/orchestrator/agenttest", "runtime/plan", "runtime/run", "runtime/supervisor", "runtime/tool"},
	"example/gen":                                {"example/tools", "runtime/tool", "runtime/wire"},
	"example/tools":                              {"runtime/memory", "runtime/tool"},
	"gen":                                        {"aion", "aion/diag", "gen/internal/bind", "gen/internal/budget", "gen/internal/contract", "gen/internal/emit", "gen/internal/explain", "gen/internal/goname", "gen/internal/load", "gen/internal/model", "gen/internal/output", "gen/internal/resolve", "gen/internal/scaffold", "gen/internal/shape", "gen/internal/source", "internal/regularfile", "internal/toolpage", "internal/words", "runtime/schema"},
	"gen/gentest":                                {"aion/diag", "gen", "internal/regularfile"},
	"gen/internal/bind":                          {"aion", "aion/diag", "gen/internal/budget", "gen/internal/goname", "gen/internal/load", "gen/internal/model", "gen/internal/resolve", "gen/internal/schemagen", "gen/internal/shape", "gen/internal/source", "internal/jsontext", "internal/values", "internal/words"},
	"gen/internal/budget":                        {"aion/diag"},
	"gen/internal/contract":                      {"aion", "aion/diag", "gen/internal/model", "internal/jsonschema/compare", "internal/jsontext", "internal/regularfile", "internal/words", "runtime/schema"},
	"gen/internal/emit":                          {"gen/internal/budget", "gen/internal/model", "internal/jsontext", "internal/words"},
	"gen/internal/explain":                       {"aion/diag"},
	"gen/internal/goname":                        {"internal/words"},
	"gen/internal/lambda":                        {"aion/diag", "gen/internal/goname", "gen/internal/lambda/ir", "gen/internal/lambda/lower", "gen/internal/lambda/pysyntax", "internal/values", "internal/words", "runtime/py"},
	"gen/internal/lambda/ir":                     {"aion/diag", "gen/internal/goname"},
	"gen/internal/lambda/lower":                  {"gen/internal/lambda/ir"},
	"gen/internal/lambda/pysyntax":               {"aion/diag"},
	"gen/internal/load":                          {"aion/diag", "gen/internal/budget", "gen/internal/model", "internal/regularfile"},
	"gen/internal/model":                         {"internal/jsonschema"},
	"gen/internal/output":                        {"aion/diag", "gen/internal/load", "internal/lazyregexp", "internal/regularfile"},
	"gen/internal/protodesc":                     nil,
	"gen/internal/resolve":                       {"aion", "aion/diag", "gen/internal/budget", "gen/internal/goname", "gen/internal/lambda", "gen/internal/lambda/pysyntax", "gen/internal/load", "gen/internal/model", "gen/internal/shape", "gen/internal/source", "internal/lazyregexp", "internal/values", "internal/words"},
	"gen/internal/scaffold":                      {"aion", "aion/diag", "gen/internal/bind", "gen/internal/budget", "gen/internal/goname", "gen/internal/load", "gen/internal/model", "gen/internal/resolve", "gen/internal/shape", "gen/internal/source", "internal/lazyregexp", "internal/regularfile", "internal/words"},
	"gen/internal/schemagen":                     {"gen/internal/model", "internal/jsonschema", "internal/jsontext"},
	"gen/internal/shape":                         {"aion/diag", "gen/internal/budget", "gen/internal/goname", "gen/internal/load", "gen/internal/model", "gen/internal/protodesc", "gen/internal/source", "internal/jsonschema", "internal/jsontext", "internal/lazyregexp", "internal/values", "internal/words"},
	"gen/internal/source":                        {"aion", "aion/diag", "gen/internal/goname", "gen/internal/load", "gen/internal/model", "gen/internal/protodesc", "internal/jsontext", "internal/lazyregexp", "internal/words"},
	"gen/lsp":                                    {"aion", "aion/diag", "gen", "gen/internal/goname", "gen/internal/lambda/pysyntax", "gen/lsp/internal/protocol", "internal/regularfile", "internal/values", "internal/words", "runtime/schema"},
	"gen/lsp/internal/protocol":                  nil,
	"internal/jsonschema":                        {"internal/jsontext", "internal/lazyregexp", "internal/words"},
	"internal/jsonschema/compare":                {"internal/jsonschema", "internal/jsontext", "internal/words"},
	"internal/jsonschema/dialect":                {"internal/jsonschema", "internal/jsontext", "internal/words"},
	"internal/jsontext":                          {"internal/words"},
	"internal/lazyregexp":                        nil,
	"internal/inspecttest":                       {"runtime/inspect", "runtime/llm", "runtime/middleware", "runtime/orchestrator", "runtime/plan", "runtime/schema", "runtime/tool"},
	"internal/pagetest":                          nil,
	"internal/regularfile":                       nil,
	"internal/toolpage":                          {"internal/jsonschema", "internal/jsontext", "internal/words"},
	"internal/values":                            {"internal/jsontext", "internal/words"},
	"internal/words":                             nil,
	"runtime/content":                            {"internal/words"},
	"runtime/inspect":                            {"internal/jsontext", "internal/toolpage", "internal/words", "runtime/content", "runtime/inspect/internal/callbook", "runtime/inspect/internal/callform", "runtime/inspect/internal/guard", "runtime/inspect/internal/history", "runtime/internal/secret", "runtime/journal", "runtime/llm", "runtime/orchestrator", "runtime/plan", "runtime/redact", "runtime/run", "runtime/schema", "runtime/tool"},
	"runtime/inspect/internal/callbook":          {"internal/regularfile", "internal/words", "runtime/tool"},
	"runtime/inspect/internal/callform":          {"internal/jsonschema", "internal/jsontext"},
	"runtime/inspect/internal/guard":             {"runtime/internal/secret"},
	"runtime/inspect/internal/history":           {"internal/jsontext", "internal/words", "runtime/journal", "runtime/llm", "runtime/plan", "runtime/redact", "runtime/run", "runtime/tool"},
	"runtime/internal/errtype":                   nil,
	"runtime/internal/instructions":              {"internal/words", "runtime/tool"},
	"runtime/internal/jsontape":                  {"internal/jsontext", "internal/words", "runtime/internal/reference"},
	"runtime/internal/reference":                 {"internal/words"},
	"runtime/internal/result":                    {"internal/jsontext", "runtime/internal/errtype", "runtime/internal/jsontape"},
	"runtime/internal/secret":                    nil,
	"runtime/journal":                            {"internal/words"},
	"runtime/journal/file":                       {"internal/jsontext", "runtime/journal"},
	"runtime/journal/journaltest":                {"runtime/journal"},
	"runtime/llm":                                {"internal/jsontext", "runtime/content", "runtime/internal/errtype", "runtime/llm/internal/reasoning", "runtime/repair", "runtime/schema", "runtime/tool"},
	"runtime/llm/endpoint":                       {"internal/jsontext", "internal/words", "runtime/content", "runtime/internal/secret", "runtime/llm", "runtime/schema", "runtime/tool"},
	"runtime/llm/internal/reasoning":             nil,
	"runtime/llm/llmtest":                        {"runtime/content", "runtime/journal/file", "runtime/llm", "runtime/orchestrator", "runtime/run", "runtime/schema", "runtime/tool"},
	"runtime/llm/openai":                         {"internal/jsontext", "internal/words", "runtime/content", "runtime/internal/secret", "runtime/llm", "runtime/llm/endpoint", "runtime/llm/internal/reasoning", "runtime/repair", "runtime/schema", "runtime/tool"},
	"runtime/llm/replay":                         {"internal/jsontext", "internal/words", "runtime/content", "runtime/llm", "runtime/run", "runtime/tool"},
	"runtime/llm/scripted":                       {"internal/words", "runtime/llm", "runtime/tool"},
	"runtime/mcp":                                {"internal/jsontext", "internal/words", "runtime/content", "runtime/internal/secret", "runtime/mcp/internal/httpserver", "runtime/mcp/internal/peer", "runtime/mcp/internal/rpc", "runtime/mcp/internal/stdio", "runtime/mcp/observe", "runtime/schema", "runtime/tool"},
	"runtime/mcp/internal/httpserver":            {"internal/jsontext", "runtime/internal/errtype", "runtime/internal/secret", "runtime/mcp/internal/peer", "runtime/mcp/internal/rpc", "runtime/mcp/observe", "runtime/tool", "runtime/wire"},
	"runtime/mcp/internal/peer":                  {"internal/words", "runtime/content", "runtime/internal/secret", "runtime/mcp/internal/rpc", "runtime/mcp/observe", "runtime/tool", "runtime/wire"},
	"runtime/mcp/internal/rpc":                   {"internal/jsontext", "runtime/mcp/observe"},
	"runtime/mcp/internal/stdio":                 {"internal/jsontext", "runtime/mcp/internal/rpc"},
	"runtime/mcp/observe":                        nil,
	"runtime/mcp/remote":                         {"internal/jsonschema", "internal/jsonschema/dialect", "internal/jsontext", "internal/words", "runtime/content", "runtime/mcp/internal/rpc", "runtime/mcp/observe", "runtime/mcp/remote/internal/sanitize", "runtime/mcp/remote/internal/transport", "runtime/schema", "runtime/tool"},
	"runtime/mcp/remote/internal/sanitize":       {"internal/words"},
	"runtime/mcp/remote/internal/transport":      {"internal/jsontext", "internal/words", "runtime/internal/errtype", "runtime/mcp/internal/rpc", "runtime/mcp/observe", "runtime/mcp/remote/internal/sanitize", "runtime/tool"},
	"runtime/memory":                             {"internal/jsontext", "internal/words"},
	"runtime/memory/bolt":                        {"runtime/memory"},
	"runtime/memory/memorytest":                  {"runtime/memory"},
	"runtime/middleware":                         {"internal/jsonschema", "internal/words", "runtime/internal/result", "runtime/tool"},
	"runtime/orchestrator":                       {"internal/jsontext", "runtime/content", "runtime/journal", "runtime/llm", "runtime/memory", "runtime/orchestrator/internal/conversation", "runtime/orchestrator/internal/planner", "runtime/orchestrator/internal/task", "runtime/plan", "runtime/redact", "runtime/run", "runtime/schema", "runtime/supervisor", "runtime/tool"},
	"runtime/orchestrator/agenttest":             {"internal/jsontext", "internal/words", "runtime/journal", "runtime/llm", "runtime/llm/replay", "runtime/llm/scripted", "runtime/orchestrator", "runtime/orchestrator/internal/task", "runtime/plan", "runtime/run", "runtime/tool"},
	"runtime/orchestrator/enginetest":            {"internal/jsontext", "runtime/journal", "runtime/llm", "runtime/middleware", "runtime/orchestrator", "runtime/plan", "runtime/run", "runtime/schema", "runtime/tool"},
	"runtime/orchestrator/internal/conversation": {"internal/jsonschema", "internal/jsontext", "internal/words", "runtime/content", "runtime/internal/errtype", "runtime/llm", "runtime/orchestrator/internal/task", "runtime/repair", "runtime/run", "runtime/schema", "runtime/supervisor", "runtime/tool"},
	"runtime/orchestrator/internal/planner":      {"internal/jsontext", "internal/words", "runtime/internal/errtype", "runtime/internal/instructions", "runtime/llm", "runtime/orchestrator/internal/task", "runtime/plan", "runtime/repair", "runtime/run", "runtime/schema", "runtime/supervisor", "runtime/tool"},
	"runtime/orchestrator/internal/task":         {"runtime/llm", "runtime/plan"},
	"runtime/plan":                               {"internal/jsonschema", "internal/jsonschema/compare", "internal/jsontext", "internal/words", "runtime/internal/reference", "runtime/repair", "runtime/tool"},
	"runtime/py":                                 {"runtime/internal/errtype"},
	"runtime/py/dyn":                             {"runtime/py"},
	"runtime/redact":                             {"internal/jsontext", "internal/words", "runtime/content", "runtime/llm", "runtime/plan", "runtime/repair", "runtime/run", "runtime/supervisor", "runtime/tool"},
	"runtime/repair":                             {"internal/jsonschema", "internal/jsontext", "runtime/repair/internal/calls", "runtime/repair/internal/fit", "runtime/repair/internal/reader", "runtime/repair/internal/scan", "runtime/tool"},
	"runtime/repair/internal/calls":              {"internal/jsonschema", "internal/jsontext", "internal/words", "runtime/repair/internal/fit", "runtime/repair/internal/reader", "runtime/repair/internal/scan", "runtime/tool"},
	"runtime/repair/internal/fit":                {"internal/jsonschema", "internal/jsontext", "internal/words", "runtime/repair/internal/reader", "runtime/repair/internal/scan", "runtime/tool"},
	"runtime/repair/internal/reader":             {"internal/jsonschema", "internal/jsontext", "internal/words", "runtime/repair/internal/scan", "runtime/tool"},
	"runtime/repair/internal/scan":               {"internal/jsontext"},
	"runtime/run":                                {"internal/jsontext", "internal/words", "runtime/internal/errtype", "runtime/internal/result", "runtime/journal", "runtime/llm", "runtime/plan", "runtime/supervisor", "runtime/tool"},
	"runtime/schema":                             {"internal/jsonschema", "internal/jsonschema/dialect", "internal/jsontext", "internal/lazyregexp", "runtime/internal/reference", "runtime/schema/internal/outline", "runtime/tool"},
	"runtime/schema/internal/outline":            {"internal/jsonschema", "internal/jsontext"},
	"runtime/sequence":                           nil,
	"runtime/supervisor":                         {"internal/jsontext", "internal/words", "runtime/internal/instructions", "runtime/llm", "runtime/plan", "runtime/repair", "runtime/schema", "runtime/tool"},
	"runtime/tool":                               {"internal/jsonschema", "internal/jsontext", "internal/words", "runtime/content", "runtime/internal/errtype", "runtime/internal/reference", "runtime/internal/result", "runtime/wire"},
	"runtime/wire":                               {"internal/jsonschema", "internal/jsontext", "internal/lazyregexp", "internal/words", "runtime/internal/jsontape", "runtime/internal/reference", "runtime/internal/result"},
}

// standardLibraryOnly are packages that import nothing but the standard library and each other.
var standardLibraryOnly = []string{
	"internal/jsontext", "internal/jsonschema", "internal/jsonschema/compare", "internal/jsonschema/dialect", "internal/lazyregexp", "internal/words",
	"runtime/content", "runtime/wire",
	"runtime/internal/errtype", "runtime/internal/instructions", "runtime/internal/jsontape",
	"runtime/internal/reference", "runtime/internal/result", "runtime/internal/secret",
	"runtime/tool",
	"runtime/py", "runtime/py/dyn", "runtime/sequence",
	"runtime/middleware",
	"runtime/schema", "runtime/schema/internal/outline",
	"runtime/repair", "runtime/repair/internal/calls", "runtime/repair/internal/fit", "runtime/repair/internal/reader", "runtime/repair/internal/scan",
	"runtime/journal", "runtime/journal/file", "runtime/journal/journaltest",
	"runtime/memory", "runtime/memory/memorytest",
	"runtime/llm", "runtime/llm/endpoint", "runtime/llm/internal/reasoning", "runtime/llm/replay", "runtime/llm/scripted",
	"runtime/plan", "runtime/supervisor", "runtime/run",
}

// restrictedImports maps a module to the only package that may import it, together with its
// subpackages, so that no other program links the module.
var restrictedImports = map[string]string{
	"github.com/sashabaranov/go-openai": "runtime/llm/openai",
	"github.com/modelcontextprotocol":   "runtime/mcp",
	"go.etcd.io/bbolt":                  "runtime/memory/bolt",
}

// TestImportGraph checks the architecture: of the runtime, the compiler imports only package schema, and package py for
// lambdas; the runtime does not import the compiler; and programs of users link only the standard library.
func TestImportGraph(t *testing.T) {
	out, err := exec.CommandContext(t.Context(), "go", "list", "-f", `{{.ImportPath}} {{join .Imports " "}}`, module+"...").Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range standardLibraryOnly {
		if _, known := allowedImports[name]; !known {
			t.Errorf("package %s, which must link the standard library alone, does not exist", name)
		}
	}
	for line := range strings.Lines(string(out)) {
		fields := strings.Fields(line)
		name := strings.TrimPrefix(fields[0], module)
		allowed, known := allowedImports[name]
		standard := slices.Contains(standardLibraryOnly, name)
		if !known {
			t.Errorf("package %s is not in the import graph", name)
		}
		for _, path := range fields[1:] {
			imported, ours := strings.CutPrefix(path, module)
			if ours && !slices.Contains(allowed, imported) {
				t.Errorf("package %s must not import %s", name, imported)
			}
			compiler := strings.HasPrefix(name, "gen") || strings.HasPrefix(name, "cmd")
			shared := imported == "runtime/schema" || imported == "runtime/py" && name == "gen/internal/lambda"
			if ours && compiler && strings.HasPrefix(imported, "runtime/") && !shared {
				t.Errorf("package %s must not import %s: the compiler imports only package schema of the runtime, and package py for lambdas", name, imported)
			}
			if standard && (ours && !slices.Contains(standardLibraryOnly, imported) || !ours && strings.Contains(path, ".")) {
				t.Errorf("package %s must link the standard library alone, not %s", name, path)
			}
			for module, owner := range restrictedImports {
				if strings.HasPrefix(path, module) && name != owner && !strings.HasPrefix(name, owner+"/") {
					t.Errorf("package %s must not import %s, which is for %s", name, path, owner)
				}
			}
		}
	}
}

// TestToolUsesStandardLibrary checks that a module which only needs the imports of generated code does
// not download other modules, not even by go mod tidy, which also looks at the tests of imported packages.
func TestToolUsesStandardLibrary(t *testing.T) {
	const tests = `{{join .TestImports "\n"}}{{"\n"}}{{join .XTestImports "\n"}}`
	out, err := exec.CommandContext(t.Context(), "go", "list", "-f", tests, module+"runtime/tool", module+"runtime/wire", module+"runtime/py", module+"runtime/sequence").Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range strings.Fields(string(out)) {
		if strings.Contains(path, ".") && !strings.HasPrefix(path, module) {
			t.Errorf("the tests of what generated code imports must not import %s", path)
		}
	}
}

// TestModuleGraph checks that the frameworks for which there are adapters, and the tools we are compared
// with, are requirements of separate modules only.
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
