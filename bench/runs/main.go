// Runs prints what runs of agents cost, as a table: bytes that are written, how time
// grows with the number of steps, what a sink costs, what a long result allocates, and
// how long a log is. Beside it stands what was measured of commit 6f5530a, which kept
// the state of a run after each step.
//
//	go run ./runs
package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"log"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/aiongen/aiongen/runtime/journal"
	"github.com/aiongen/aiongen/runtime/journal/file"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/orchestrator"
	"github.com/aiongen/aiongen/runtime/orchestrator/cyclelog"
	"github.com/aiongen/aiongen/runtime/plan"
	"github.com/aiongen/aiongen/runtime/run/record"
	"github.com/aiongen/aiongen/runtime/schema"
	"github.com/aiongen/aiongen/runtime/tool"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("runs: ")
	place, err := os.MkdirTemp("", "runs")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(place)
	fmt.Println("| what | before | limit | a plan | a conversation |\n| --- | --- | --- | --- | --- |")
	row("800 steps × 10 KB: bytes written, times the results", "800", "3", func(kind string) string {
		return fmt.Sprintf("%.2f", written(kind, filepath.Join(place, kind)))
	})
	row("the same, CPU ms: 200, 400, 800 steps", "4.5 minutes", "linear", func(kind string) string {
		var all []string
		for _, steps := range []int{200, 400, 800} {
			all = append(all, fmt.Sprint(fastest(kind, steps).Milliseconds()))
		}
		return strings.Join(all, ", ")
	})
	row("800 steps: a sink that does nothing, times none", "26", "1.1", func(kind string) string { return fmt.Sprintf("%.2f", sink(kind)) })
	row("one text of 8 MiB: allocated beyond the call, times its size", "54", "4", func(kind string) string {
		return fmt.Sprintf("%.2f", long(kind, filepath.Join(place, "long"+kind)))
	})
	row("log of 1,000 steps with results of 100 bytes, MB", "297", "2", func(kind string) string { return fmt.Sprintf("%.2f", logged(kind)) })
}

func row(what, before, limit string, measure func(kind string) string) {
	fmt.Printf("| %s | %s | %s | %s | %s |\n", what, before, limit, measure("plan"), measure("conversation"))
}

// bench is what a run is measured with: its one tool returns a text of so many bytes.
type bench struct {
	kind    string
	steps   int
	size    int
	journal journal.Journal // nil is one in memory
	sinks   []func(context.Context, record.Event)
}

// run carries out a run.
func (b bench) run() {
	ctx := context.Background()
	r := tool.NewRegistry(tool.MaxOutput(16 << 20))
	output := json.RawMessage(`"` + strings.Repeat("x", b.size-2) + `"`)
	t, err := schema.Dynamic(tool.Definition{
		Name: "pay", Description: "Pays.",
		Input: json.RawMessage(`{"type":"object","properties":{"n":{"type":"integer"}},"additionalProperties":false}`), Output: json.RawMessage(`{"type":"string"}`),
	}, func(context.Context, json.RawMessage) (json.RawMessage, error) { return output, nil })
	must(err)
	must(r.Register(t))
	options := []orchestrator.Option{orchestrator.Journal(cmp.Or[journal.Journal](b.journal, new(journal.Map))), orchestrator.Conversation{Turns: b.steps + 1, Inline: -1}}
	for _, sink := range b.sinks {
		options = append(options, orchestrator.Events(sink))
	}
	o, err := orchestrator.New(llm.Func(b.model), r, options...)
	must(err)
	in := orchestrator.Input{ID: "r", Kind: b.kind, Request: "Pay.", Limits: record.Limits{Steps: b.steps + 1}}
	if b.kind == "plan" {
		in.Plan = &plan.Plan{Goal: "pay"}
		for i := range b.steps {
			in.Plan.Steps = append(in.Plan.Steps, plan.Step{ID: fmt.Sprint(i + 1), Description: "pay", Tool: "pay", Arguments: arguments(i)})
		}
	}
	started, err := o.Start(ctx, in)
	must(err)
	result, err := started.Execute(ctx)
	must(err)
	if result.Error != nil || string(result.Answer) != `"done"` || result.Usage.ToolCalls != b.steps {
		log.Fatalf("the run is %+v, %v", result, result.Error)
	}
}

func arguments(i int) json.RawMessage { return json.RawMessage(fmt.Sprintf(`{"n":%d}`, i)) }

// model asks for one call after the other, and then is done.
func (b bench) model(_ context.Context, r llm.Request) (llm.Response, error) {
	turns := len(r.Messages) / 2
	if b.kind == "plan" || turns >= b.steps {
		return llm.Response{Text: "done", Usage: llm.Usage{Input: 1, Output: 1}}, nil
	}
	return llm.Response{Calls: []tool.Request{{ID: "c", Name: "pay", Arguments: arguments(turns)}}, Usage: llm.Usage{Input: 1, Output: 1}}, nil
}

func must(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

const resultSize = 10 << 10

// written returns what 800 steps write to disk, as a multiple of their results.
func written(kind, folder string) float64 {
	j, err := file.Open(folder)
	must(err)
	b := bench{kind: kind, steps: 800, size: resultSize, journal: j}
	b.run()
	return float64(size(folder)) / float64(b.steps*b.size)
}

// size returns the bytes of the files in a folder, which are only ever added to.
func size(folder string) (sum int64) {
	must(filepath.WalkDir(folder, func(_ string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		info, err := e.Info()
		if err == nil {
			sum += info.Size()
		}
		return err
	}))
	return sum
}

const attempts = 5 // of which the fastest counts

// fastest returns the processor time that a run takes.
func fastest(kind string, steps int, sinks ...func(context.Context, record.Event)) time.Duration {
	best := time.Hour
	for range attempts {
		runtime.GC()
		before := processorTime()
		bench{kind: kind, steps: steps, size: resultSize, sinks: sinks}.run()
		best = min(best, processorTime()-before)
	}
	return best
}

// sink returns how long a run takes with a sink that does nothing, as a multiple of
// what it takes without one.
func sink(kind string) float64 {
	without, with := time.Hour, time.Hour
	for range attempts { // in turn, for the machine is not always the same
		without = min(without, fastest(kind, 800))
		with = min(with, fastest(kind, 800, func(context.Context, record.Event) {}))
	}
	return float64(with) / float64(without)
}

// long returns what a run with a result of 8 MiB allocates beyond the call, as a
// multiple of its size. A conversation has it in its messages as a whole.
func long(kind, folder string) float64 {
	const size = 8 << 20
	j, err := file.Open(folder)
	must(err)
	allocated := func(f func()) uint64 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		f()
		runtime.ReadMemStats(&after)
		return after.TotalAlloc - before.TotalAlloc
	}
	short := allocated(func() { bench{kind: kind, steps: 1, size: 2}.run() })
	whole := allocated(func() { bench{kind: kind, steps: 1, size: size, journal: j}.run() })
	alone := allocated(func() { callAlone(size) })
	return (float64(whole) - float64(short) - float64(alone)) / size
}

// callAlone makes the call of such a run without one, its tool included.
func callAlone(size int) {
	output := json.RawMessage(`"` + strings.Repeat("x", size-2) + `"`)
	t, err := schema.Dynamic(tool.Definition{
		Name: "pay", Description: "Pays.", Input: json.RawMessage(`{"type":"object"}`), Output: json.RawMessage(`{"type":"string"}`),
	}, func(context.Context, json.RawMessage) (json.RawMessage, error) { return output, nil })
	must(err)
	r := tool.NewRegistry(tool.MaxOutput(16 << 20))
	must(r.Register(t))
	if c := r.Call(context.Background(), tool.Request{Name: "pay"}); c.Err != nil {
		log.Fatal(c.Err)
	}
}

// logged returns how long the log of 1,000 steps is, in MB.
func logged(kind string) float64 {
	var b bytes.Buffer
	bench{kind: kind, steps: 1000, size: 100, sinks: []func(context.Context, record.Event){cyclelog.New(&b, nil, nil)}}.run()
	return float64(b.Len()) / 1e6
}
