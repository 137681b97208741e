package main

import (
	"encoding/json"
	"fmt"
	"go/token"
	"go/types"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/tools/go/packages"
)

// measuredFigures are figures for which the checkout is built and run. Sizes of programs have limits; times
// have none, because they depend on the load of the machine.
var measuredFigures = []figure{
	{name: "tests of JSON Schema that are right", limit: 1_060, measure: countSuiteTests, atLeast: true},
	{name: "a call, % of encoding/json by hand", limit: unlimited, measure: callTime},
	// Definition.FunctionPlace reads the build information of the program. With it, programs are 20 to 33 kB larger.
	{name: "program with runtime/tool, kB", limit: 3_270, measure: sizeOf("runtime/tool")},
	{name: "program with runtime/tool that asks nobody, kB", limit: 2_725, measure: sizeOf("runtime/tool", "(*tool.Exchange).Ask", "(*tool.Question).Check", "(*tool.Question).Validate", "(*tool.Question).Fields")},
	// Replacing the keywords that local servers misread takes 8 kB.
	{name: "program with runtime/schema, kB", limit: 3_440, measure: sizeOf("runtime/schema")},
	// AsTool links the translation of JSON Schemas of older drafts, 110 kB. Redacting prompts takes 16 kB.
	{name: "program with runtime/orchestrator, kB", limit: 7_220, measure: sizeOf("runtime/orchestrator")},
	// It links runtime/llm/endpoint, which also handles what only other providers send.
	{name: "program with runtime/llm/openai, kB", limit: 5_330, measure: sizeOf("runtime/llm/openai")},
	{name: "program with runtime/mcp, kB", limit: 10_150, measure: sizeOf("runtime/mcp")},
	{name: "start of the command, µs", limit: unlimited, measure: startTime},
	{name: "check of what is generated for example, ms", limit: unlimited, measure: checkTime},
}

// runProgram runs a program in the checkout and returns its output.
func (h *checkout) runProgram(name string, arguments ...string) (*exec.Cmd, string, error) {
	cmd := exec.Command(name, arguments...)
	cmd.Dir = h.dir
	cmd.Env = append(os.Environ(), "GOMAXPROCS=1")
	out, err := cmd.CombinedOutput()
	if err != nil {
		err = fmt.Errorf("%s: %w\n%s", filepath.Base(name), err, out)
	}
	return cmd, string(out), err
}

// withTempFolder calls do with a temporary folder.
func withTempFolder(do func(dir string) (int, error)) (int, string) {
	dir, err := os.MkdirTemp("", "house")
	if err != nil {
		return 0, err.Error()
	}
	defer os.RemoveAll(dir)
	value, err := do(dir)
	if err != nil {
		return 0, strings.ReplaceAll(err.Error(), "\n", " ")
	}
	return value, ""
}

var rightTests = regexp.MustCompile(`(\d+) right, and (\d+) with`)

// countSuiteTests counts the tests of draft 2020-12 that the checker of schemas passes.
func countSuiteTests(h *checkout) (int, string) {
	_, out, err := h.runProgram("go", "test", "-count=1", "-v", "-run", "^TestSuite$", "./internal/jsonschema")
	m := rightTests.FindStringSubmatch(out)
	if err != nil || m == nil {
		return 0, "there is no such test"
	}
	alone, _ := strconv.Atoi(m[1])
	bundled, _ := strconv.Atoi(m[2])
	return alone + bundled, ""
}

// callTime compares the CPU time of tool calls with that of encoding/json. It alternates between them, so
// that the load of the machine affects both.
func callTime(h *checkout) (int, string) {
	const rounds, calls = 5, "400000x" // so many that starting the process does not matter
	return withTempFolder(func(dir string) (int, error) {
		program := filepath.Join(dir, "test")
		if _, _, err := h.runProgram("go", "test", "-c", "-o", program, "./runtime/tool"); err != nil {
			return 0, err
		}
		var spent [2]time.Duration
		for range rounds {
			for i, benchmark := range []string{"^BenchmarkCall$", "^BenchmarkEncodingJSON$"} {
				cmd, _, err := h.runProgram(program, "-test.run", "^$", "-test.bench", benchmark, "-test.benchtime", calls)
				if err != nil {
					return 0, err
				}
				spent[i] += cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
			}
		}
		return int(100 * spent[0] / spent[1]), nil
	})
}

// sizeOf measures a stripped program that refers to all exported functions and methods of a package,
// except some.
func sizeOf(room string, without ...string) func(*checkout) (int, string) {
	return func(h *checkout) (int, string) {
		p := h.findPackage(room)
		if p == nil {
			return 0, "there is no such package"
		}
		all := slices.DeleteFunc(exportedFunctions(p.Types), func(name string) bool { return slices.Contains(without, name) })
		return h.programSize([]*packages.Package{p}, all)
	}
}

// qualifiedName returns the name of a function as another package refers to it.
func qualifiedName(p *types.Package, name string) string {
	if method, ok := strings.CutPrefix(name, "(*"); ok {
		return "(*" + p.Name() + "." + method
	}
	return p.Name() + "." + name
}

func (h *checkout) findPackage(path string) *packages.Package {
	for _, p := range h.packages {
		if packageName(p) == path {
			return p
		}
	}
	return nil
}

// programSize returns the size in kB of a stripped program that refers to functions.
func (h *checkout) programSize(rooms []*packages.Package, functions []string) (int, string) {
	var imports strings.Builder
	for _, p := range rooms {
		fmt.Fprintf(&imports, "import %q\n", p.PkgPath)
	}
	text := fmt.Sprintf("package main\n\n%s\nvar all = []any{%s}\n\nfunc main() { println(len(all)) }\n", imports.String(), strings.Join(functions, ", "))
	return withTempFolder(func(dir string) (int, error) {
		source, program := filepath.Join(dir, "main.go"), filepath.Join(dir, "program")
		if err := os.WriteFile(source, []byte(text), 0o666); err != nil {
			return 0, err
		}
		// An overlay makes the program a package of the checkout, so that it may import internal packages.
		overlay, err := json.Marshal(map[string]any{"Replace": map[string]string{filepath.Join(h.dir, "internal", "sized", "main.go"): source}})
		if err != nil {
			return 0, err
		}
		if err := os.WriteFile(filepath.Join(dir, "overlay.json"), overlay, 0o666); err != nil {
			return 0, err
		}
		if _, _, err := h.runProgram("go", "build", "-overlay", filepath.Join(dir, "overlay.json"), "-trimpath", "-ldflags=-s -w", "-o", program, "./internal/sized"); err != nil {
			return 0, err
		}
		info, err := os.Stat(program)
		if err != nil {
			return 0, err
		}
		return int(info.Size() / 1000), nil
	})
}

// exportedFunctions returns the exported functions and methods without type parameters, as another package
// refers to them.
func exportedFunctions(p *types.Package) (all []string) {
	for _, n := range p.Scope().Names() {
		switch o := p.Scope().Lookup(n).(type) {
		case *types.Func:
			if o.Exported() && o.Signature().TypeParams() == nil {
				all = append(all, qualifiedName(p, n))
			}
		case *types.TypeName:
			named, ok := o.Type().(*types.Named)
			if !ok || !o.Exported() || o.IsAlias() || named.TypeParams() != nil {
				continue
			}
			for m := range named.Methods() {
				if token.IsExported(m.Name()) {
					all = append(all, qualifiedName(p, "(*"+n+")."+m.Name()))
				}
			}
		}
	}
	return all
}

// startTime measures the shortest of many runs of the command that only prints its version.
func startTime(h *checkout) (int, string) {
	return h.timeCommand(50, time.Microsecond, "version")
}

// checkTime measures the shortest of several runs of aiongen check on the example.
func checkTime(h *checkout) (int, string) {
	return h.timeCommand(10, time.Millisecond, "check", "-C", "example/tools", "-o", "../gen")
}

func (h *checkout) timeCommand(runs int, unit time.Duration, arguments ...string) (int, string) {
	return withTempFolder(func(dir string) (int, error) {
		program := filepath.Join(dir, "aiongen")
		if _, _, err := h.runProgram("go", "build", "-o", program, "./cmd/aiongen"); err != nil {
			return 0, err
		}
		least := time.Hour
		for range runs {
			began := time.Now()
			if _, _, err := h.runProgram(program, arguments...); err != nil {
				return 0, err
			}
			least = min(least, time.Since(began))
		}
		return int(least / unit), nil
	})
}
