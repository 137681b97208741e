package main

import (
	_ "embed"
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

// measured are the figures for which a checkout is built and run. Programs may not be
// larger than they are; what is timed varies with what else the machine does, and has
// no limits.
var measured = []figure{
	{name: "tests of JSON Schema that are right", limit: 1_060, of: suite, atLeast: true},
	{name: "a call, % of encoding/json by hand", limit: unlimited, of: callTime},
	{name: "program with runtime/tool, kB", limit: 3_215, of: sizeOf("runtime/tool")},
	{name: "program with runtime/tool that asks nobody, kB", limit: 2_670, of: sizeOf("runtime/tool", "(*tool.Exchange).Ask")},
	{name: "program with what runtime/tool had then, kB", limit: 3_180, of: sizeOfSame},
	{name: "program with runtime/schema, kB", limit: 3_385, of: sizeOf("runtime/schema")},
	{name: "program with runtime/orchestrator, kB", limit: 6_350, of: sizeOf("runtime/orchestrator")},
	{name: "program with runtime/llm/openai, kB", limit: 5_190, of: sizeOf("runtime/llm/openai")},
	{name: "program with runtime/mcp, kB", limit: 9_980, of: sizeOf("runtime/mcp")},
	{name: "start of the command, µs", limit: unlimited, of: startTime},
	{name: "check of what is generated for example, ms", limit: unlimited, of: checkTime},
}

// run runs a program in a checkout and returns what it writes.
func (h *house) run(name string, arguments ...string) (*exec.Cmd, string, error) {
	cmd := exec.Command(name, arguments...)
	cmd.Dir = h.dir
	cmd.Env = append(os.Environ(), "GOMAXPROCS=1")
	out, err := cmd.CombinedOutput()
	if err != nil {
		err = fmt.Errorf("%s: %w\n%s", filepath.Base(name), err, out)
	}
	return cmd, string(out), err
}

// scratch calls do with a folder for what is built.
func scratch(do func(dir string) (int, error)) (int, string) {
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

// suite counts the tests of draft 2020-12 that the checker of schemas agrees with.
func suite(h *house) (int, string) {
	_, out, err := h.run("go", "test", "-count=1", "-v", "-run", "^TestSuite$", "./internal/jsonschema")
	m := rightTests.FindStringSubmatch(out)
	if err != nil || m == nil {
		return 0, "there is no such test"
	}
	alone, _ := strconv.Atoi(m[1])
	bundled, _ := strconv.Atoi(m[2])
	return alone + bundled, ""
}

// callTime compares the CPU time of calls of a tool with that of encoding/json, in
// turn, so that whatever else the machine does meets both.
func callTime(h *house) (int, string) {
	const rounds, calls = 5, "400000x" // so many that the start of the process does not count
	return scratch(func(dir string) (int, error) {
		program := filepath.Join(dir, "test")
		if _, _, err := h.run("go", "test", "-c", "-o", program, "./runtime/tool"); err != nil {
			return 0, err
		}
		var spent [2]time.Duration
		for range rounds {
			for i, benchmark := range []string{"^BenchmarkCall$", "^BenchmarkEncodingJSON$"} {
				cmd, _, err := h.run(program, "-test.run", "^$", "-test.bench", benchmark, "-test.benchtime", calls)
				if err != nil {
					return 0, err
				}
				spent[i] += cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
			}
		}
		return int(100 * spent[0] / spent[1]), nil
	})
}

// sizeOf measures a program, stripped, that refers to all functions and methods that
// a package exports, without some.
func sizeOf(room string, without ...string) func(*house) (int, string) {
	return func(h *house) (int, string) {
		p := h.room(room)
		if p == nil {
			return 0, "there is no such package"
		}
		all := slices.DeleteFunc(functions(p.Types), func(name string) bool { return slices.Contains(without, name) })
		return h.size([]*packages.Package{p}, all)
	}
}

// had are the functions and methods that runtime/tool exported at the commit of which
// figures are recorded.
//
//go:embed functions.txt
var had string

// sizeOfSame measures a program that refers to those, wherever they are now.
func sizeOfSame(h *house) (int, string) {
	var rooms []*packages.Package
	for _, name := range []string{"runtime/tool", "runtime/wire", "runtime/guard", "runtime/prompt"} {
		if p := h.room(name); p != nil {
			rooms = append(rooms, p)
		}
	}
	names := strings.Fields(had)
	var all []string
	for _, name := range names {
		for _, p := range rooms {
			if has(p.Types, name) {
				all = append(all, qualified(p.Types, name))
				break
			}
		}
	}
	value, where := h.size(rooms, all)
	if where == "" {
		where = fmt.Sprintf("%d of %d functions", len(all), len(names))
	}
	return value, where
}

// has reports whether a package exports a function or a method of that name, which may
// be promoted, that is one: without type parameters.
func has(p *types.Package, name string) bool {
	of, method, isMethod := strings.Cut(strings.TrimPrefix(name, "(*"), ").")
	o := p.Scope().Lookup(of)
	if o == nil || !isMethod {
		f, ok := o.(*types.Func)
		return ok && f.Signature().TypeParams() == nil
	}
	named, ok := o.Type().(*types.Named)
	if !ok || named.TypeParams() != nil {
		return false
	}
	f, _, _ := types.LookupFieldOrMethod(types.NewPointer(named), true, p, method)
	_, ok = f.(*types.Func)
	return ok
}

// qualified is the name of a function as another package refers to it.
func qualified(p *types.Package, name string) string {
	if method, ok := strings.CutPrefix(name, "(*"); ok {
		return "(*" + p.Name() + "." + method
	}
	return p.Name() + "." + name
}

func (h *house) room(path string) *packages.Package {
	for _, p := range h.rooms {
		if name(p) == path {
			return p
		}
	}
	return nil
}

// size returns the size of a stripped program that refers to functions, in kB.
func (h *house) size(rooms []*packages.Package, functions []string) (int, string) {
	var imports strings.Builder
	for _, p := range rooms {
		fmt.Fprintf(&imports, "import %q\n", p.PkgPath)
	}
	text := fmt.Sprintf("package main\n\n%s\nvar all = []any{%s}\n\nfunc main() { println(len(all)) }\n", imports.String(), strings.Join(functions, ", "))
	return scratch(func(dir string) (int, error) {
		source, program := filepath.Join(dir, "main.go"), filepath.Join(dir, "program")
		if err := os.WriteFile(source, []byte(text), 0o666); err != nil {
			return 0, err
		}
		// The program is a package of the checkout without being in it.
		overlay, err := json.Marshal(map[string]any{"Replace": map[string]string{filepath.Join(h.dir, "internal", "sized", "main.go"): source}})
		if err != nil {
			return 0, err
		}
		if err := os.WriteFile(filepath.Join(dir, "overlay.json"), overlay, 0o666); err != nil {
			return 0, err
		}
		if _, _, err := h.run("go", "build", "-overlay", filepath.Join(dir, "overlay.json"), "-trimpath", "-ldflags=-s -w", "-o", program, "./internal/sized"); err != nil {
			return 0, err
		}
		info, err := os.Stat(program)
		if err != nil {
			return 0, err
		}
		return int(info.Size() / 1000), nil
	})
}

// functions returns what a package exports that is one function, as another package
// refers to it.
func functions(p *types.Package) (all []string) {
	for _, n := range p.Scope().Names() {
		switch o := p.Scope().Lookup(n).(type) {
		case *types.Func:
			if o.Exported() && o.Signature().TypeParams() == nil {
				all = append(all, qualified(p, n))
			}
		case *types.TypeName:
			named, ok := o.Type().(*types.Named)
			if !ok || !o.Exported() || o.IsAlias() || named.TypeParams() != nil {
				continue
			}
			for m := range named.Methods() {
				if token.IsExported(m.Name()) {
					all = append(all, qualified(p, "(*"+n+")."+m.Name()))
				}
			}
		}
	}
	return all
}

// startTime is the time of the command that does nothing, the shortest of many.
func startTime(h *house) (int, string) {
	return h.command(50, time.Microsecond, "version")
}

// checkTime is the time in which the generated files of the example are compared
// with what would be generated, the shortest of some.
func checkTime(h *house) (int, string) {
	return h.command(10, time.Millisecond, "check", "-C", "example/tools", "-o", "../gen")
}

func (h *house) command(runs int, unit time.Duration, arguments ...string) (int, string) {
	return scratch(func(dir string) (int, error) {
		program := filepath.Join(dir, "aiongen")
		if _, _, err := h.run("go", "build", "-o", program, "./cmd/aiongen"); err != nil {
			return 0, err
		}
		least := time.Hour
		for range runs {
			began := time.Now()
			if _, _, err := h.run(program, arguments...); err != nil {
				return 0, err
			}
			least = min(least, time.Since(began))
		}
		return int(least / unit), nil
	})
}
