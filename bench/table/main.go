// Table compares aiongen with similar libraries and prints the tables of this module's README in Markdown: the
// time of a call, and start time, size and compile time of programs with 1 and with 1000 tools. Run it in the
// folder of the module, on an idle machine.
//
//	go run ./table
package main

import (
	"embed"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"text/template"
	"time"

	"github.com/aiongen/aiongen/bench/search"
)

//go:embed programs
var programs embed.FS

// peers is in the order of the tables. Sonic has no program, because it only replaces encoding/json.
var peers = []string{"encoding-json", "aiongen", "eino", "go-openai", "mcp-go", "go-sdk", "genkit"}

const (
	benchmarkRounds = 9    // the median of the ratios counts
	programRuns     = 20   // the fastest counts
	manyTools       = 1000 // in the larger programs
)

func main() {
	log.SetFlags(0)
	if err := printPrograms(); err != nil {
		log.Fatal(err)
	}
	if err := printCalls(); err != nil {
		log.Fatal(err)
	}
}

// printCalls runs the benchmarks of a call in rounds, so that the load of the machine affects all peers.
func printCalls() error {
	ratios, times, allocs := map[string][]float64{}, map[string][]float64{}, map[string]string{}
	var names []string
	for range benchmarkRounds {
		out, err := exec.Command("go", "test", "-run", "^$", "-bench", "^BenchmarkCall$", "-benchtime", "200ms", ".").CombinedOutput()
		if err != nil {
			return fmt.Errorf("%w\n%s", err, out)
		}
		base := 0.0
		names = nil
		for line := range strings.Lines(string(out)) {
			f := strings.Fields(line)
			if len(f) < 8 || !strings.HasPrefix(f[0], "BenchmarkCall/") {
				continue
			}
			name := strings.TrimPrefix(f[0][:strings.LastIndexByte(f[0], '-')], "BenchmarkCall/")
			ns, err := strconv.ParseFloat(f[2], 64)
			if err != nil {
				return err
			}
			if base == 0 {
				base = ns
			}
			names = append(names, name)
			ratios[name], times[name] = append(ratios[name], ns/base), append(times[name], ns)
			allocs[name] = f[6]
		}
	}
	fmt.Printf("| who | × encoding/json | ns | allocations |\n| --- | --- | --- | --- |\n")
	for _, name := range names {
		fmt.Printf("| %s | %.2f | %.0f | %s |\n", name, medianOf(ratios[name]), medianOf(times[name]), allocs[name])
	}
	return nil
}

func medianOf(x []float64) float64 {
	sorted := slices.Sorted(slices.Values(x))
	return sorted[len(sorted)/2]
}

// A program has the measurements of one program.
type program struct {
	size    int64
	start   time.Duration // from the start of the process to its end
	compile time.Duration // CPU time, including everything it imports
}

func printPrograms() error {
	dir, err := os.MkdirTemp("", "bench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	empty, err := measureProgram(dir, "empty", 1)
	if err != nil {
		return err
	}
	fmt.Printf("\n| who | start with %[1]d tools, ms | 1 tool, MB | %[1]d tools, MB | kB a tool | compile %[1]d tools, CPU s |\n| --- | --- | --- | --- | --- | --- |\n", manyTools)
	for _, peer := range peers {
		one, err := measureProgram(dir, peer, 1)
		if err != nil {
			return err
		}
		all, err := measureProgram(dir, peer, manyTools)
		if err != nil {
			return err
		}
		fmt.Printf("| %s | %.2f | %.2f | %.2f | %.2f | %.1f |\n", peer,
			float64(all.start-empty.start)/float64(time.Millisecond), float64(one.size)/1e6, float64(all.size)/1e6,
			float64(all.size-one.size)/1e3/(manyTools-1), all.compile.Seconds())
	}
	return nil
}

// measureProgram writes a program with n tools, builds it and runs it.
func measureProgram(dir, peer string, n int) (program, error) {
	at := filepath.Join(dir, fmt.Sprint(peer, "-", n))
	if err := writeSources(at, peer, n); err != nil {
		return program{}, err
	}
	if peer == "aiongen" {
		if _, err := runCommand("..", "go", "run", "./cmd/aiongen", "-C", at); err != nil {
			return program{}, err
		}
	}
	build, err := runCommand(at, "go", "build", "-ldflags=-s -w", "-o", "program", ".")
	if err != nil {
		return program{}, err
	}
	info, err := os.Stat(filepath.Join(at, "program"))
	if err != nil {
		return program{}, err
	}
	p := program{size: info.Size(), start: time.Hour, compile: build.ProcessState.UserTime() + build.ProcessState.SystemTime()}
	for range programRuns {
		began := time.Now()
		if _, err := runCommand(at, "./program"); err != nil {
			return program{}, err
		}
		p.start = min(p.start, time.Since(began))
	}
	return p, nil
}

func runCommand(dir, name string, args ...string) (*exec.Cmd, error) {
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%s in %s: %w\n%s", cmd, filepath.Base(dir), err, out)
	}
	return cmd, nil
}

// writeSources writes the sources of a program that uses this module's dependencies.
func writeSources(at, peer string, n int) error {
	if err := os.MkdirAll(at, 0o755); err != nil {
		return err
	}
	tools := make([]int, n)
	for i := range tools {
		tools[i] = i
	}
	files := map[string]string{"types.tmpl": "types.go", peer + ".tmpl": "main.go", peer + ".aion.tmpl": "tools.aion"}
	for source, target := range files {
		text, err := programs.ReadFile("programs/" + source)
		if err != nil {
			continue // only aiongen has a .aion file
		}
		var b strings.Builder
		if err := template.Must(template.New(source).Parse(string(text))).Execute(&b, tools); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(at, target), []byte(b.String()), 0o644); err != nil {
			return err
		}
	}
	payload := fmt.Sprintf("package main\n\nconst payload = %q\n\nvar _ = payload\n", search.Payload)
	if err := os.WriteFile(filepath.Join(at, "payload.go"), []byte(payload), 0o644); err != nil {
		return err
	}
	return writeModule(at)
}

// writeModule writes the go.mod of this module for a program, with another module path.
func writeModule(at string) error {
	mod, err := os.ReadFile("go.mod")
	if err != nil {
		return err
	}
	root, err := filepath.Abs("..")
	if err != nil {
		return err
	}
	text := strings.Replace(string(mod), "=> ../", "=> "+root, 1)
	text = strings.Replace(text, "module github.com/aiongen/aiongen/bench", "module example.com/program", 1)
	if err := os.WriteFile(filepath.Join(at, "go.mod"), []byte(text), 0o644); err != nil {
		return err
	}
	sum, err := os.ReadFile("go.sum")
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(at, "go.sum"), sum, 0o644)
}
