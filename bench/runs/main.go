// Runs prints a table of what runs of agents cost: bytes written, how time grows with the number of steps, the
// cost of an event sink, allocations for a long result, and the size of the log. It also shows the measurements
// of commit 6f5530a, which stored the state of a run after each step.
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
	"github.com/aiongen/aiongen/runtime/plan"
	"github.com/aiongen/aiongen/runtime/run"
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
	printRow("800 steps × 10 KB: bytes written, times the results", "800", "3", func(kind string) string {
		return fmt.Sprintf("%.2f", writtenRatio(kind, filepath.Join(place, kind)))
	})
	printRow("the same, CPU ms: 200, 400, 800 steps", "4.5 minutes", "linear", func(kind string) string {
		var all []string
		for _, steps := range []int{200, 400, 800} {
			all = append(all, fmt.Sprint(fastestRun(kind, steps).Milliseconds()))
		}
		return strings.Join(all, ", ")
	})
	printRow("800 steps: a sink that does nothing, times none", "26", "1.1", func(kind string) string { return fmt.Sprintf("%.2f", sinkRatio(kind)) })
	printRow("one text of 8 MiB: allocated beyond the call, times its size", "54", "4", func(kind string) string {
		return fmt.Sprintf("%.2f", longResultRatio(kind, filepath.Join(place, "long"+kind)))
	})
	printRow("log of 1,000 steps with results of 100 bytes, MB", "297", "2", func(kind string) string { return fmt.Sprintf("%.2f", logSize(kind)) })
}

func printRow(what, before, limit string, measure func(kind string) string) {
	fmt.Printf("| %s | %s | %s | %s | %s |\n", what, before, limit, measure("plan"), measure("conversation"))
}

// bench describes the run to measure. Its one tool returns a text of size bytes.
type bench struct {
	kind    string
	steps   int
	size    int
	journal journal.Journal // nil means a journal in memory
	sinks   []func(context.Context, run.Event)
}

// executeRun executes a run.
func (b bench) executeRun() {
	ctx := context.Background()
	r := tool.NewRegistry(tool.MaxOutput(16 << 20))
	output := json.RawMessage(`"` + strings.Repeat("x", b.size-2) + `"`)
	t, err := schema.Dynamic(tool.Definition{
		Name: "pay", Description: "Pays.",
		Input: json.RawMessage(`{"type":"object","properties":{"n":{"type":"integer"}},"additionalProperties":false}`), Output: json.RawMessage(`{"type":"string"}`),
	}, func(context.Context, json.RawMessage) (json.RawMessage, error) { return output, nil })
	exitOnError(err)
	exitOnError(r.Register(t))
	options := []orchestrator.Option{orchestrator.Journal(cmp.Or[journal.Journal](b.journal, new(journal.Map))), orchestrator.Conversation{Turns: b.steps + 1, Inline: -1}}
	for _, sink := range b.sinks {
		options = append(options, orchestrator.Events(sink))
	}
	o, err := orchestrator.New(llm.Func(b.nextCall), r, options...)
	exitOnError(err)
	in := orchestrator.Input{ID: "r", Kind: b.kind, Request: "Pay.", Limits: run.Limits{Steps: b.steps + 1}}
	if b.kind == "plan" {
		in.Plan = &plan.Plan{Goal: "pay"}
		for i := range b.steps {
			in.Plan.Steps = append(in.Plan.Steps, plan.Step{ID: fmt.Sprint(i + 1), Description: "pay", Tool: "pay", Arguments: callArguments(i)})
		}
	}
	started, err := o.Start(ctx, in)
	exitOnError(err)
	result, err := started.Execute(ctx)
	exitOnError(err)
	if result.Error != nil || string(result.Answer) != `"done"` || result.Usage.ToolCalls != b.steps {
		log.Fatalf("unexpected result %+v, %v", result, result.Error)
	}
}

func callArguments(i int) json.RawMessage { return json.RawMessage(fmt.Sprintf(`{"n":%d}`, i)) }

// nextCall is a model that requests one call after another and then finishes.
func (b bench) nextCall(_ context.Context, r llm.Request) (llm.Response, error) {
	turns := len(r.Messages) / 2
	if b.kind == "plan" || turns >= b.steps {
		return llm.Response{Text: "done", Usage: llm.Usage{Input: 1, Output: 1}}, nil
	}
	return llm.Response{Calls: []tool.Request{{ID: "c", Name: "pay", Arguments: callArguments(turns)}}, Usage: llm.Usage{Input: 1, Output: 1}}, nil
}

func exitOnError(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

const resultSize = 10 << 10

// writtenRatio returns how much 800 steps write to disk, as a multiple of their results.
func writtenRatio(kind, folder string) float64 {
	j, err := file.Open(folder)
	exitOnError(err)
	b := bench{kind: kind, steps: 800, size: resultSize, journal: j}
	b.executeRun()
	return float64(folderSize(folder)) / float64(b.steps*b.size)
}

// folderSize returns the total size of the files in a folder, which only grow.
func folderSize(folder string) (sum int64) {
	exitOnError(filepath.WalkDir(folder, func(_ string, e fs.DirEntry, err error) error {
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

const attempts = 5 // the fastest counts

// fastestRun returns the CPU time of a run.
func fastestRun(kind string, steps int, sinks ...func(context.Context, run.Event)) time.Duration {
	best := time.Hour
	for range attempts {
		runtime.GC()
		before := processorTime()
		bench{kind: kind, steps: steps, size: resultSize, sinks: sinks}.executeRun()
		best = min(best, processorTime()-before)
	}
	return best
}

// sinkRatio returns the time of a run with a sink that does nothing, as a multiple of the time without one.
func sinkRatio(kind string) float64 {
	without, with := time.Hour, time.Hour
	for range attempts { // alternating, because the load of the machine varies
		without = min(without, fastestRun(kind, 800))
		with = min(with, fastestRun(kind, 800, func(context.Context, run.Event) {}))
	}
	return float64(with) / float64(without)
}

// longResultRatio returns how much a run with a result of 8 MiB allocates in addition to the call, as a multiple
// of that size. The messages of a conversation contain the whole result.
func longResultRatio(kind, folder string) float64 {
	const size = 8 << 20
	j, err := file.Open(folder)
	exitOnError(err)
	allocated := func(f func()) uint64 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		f()
		runtime.ReadMemStats(&after)
		return after.TotalAlloc - before.TotalAlloc
	}
	short := allocated(func() { bench{kind: kind, steps: 1, size: 2}.executeRun() })
	whole := allocated(func() { bench{kind: kind, steps: 1, size: size, journal: j}.executeRun() })
	alone := allocated(func() { callDirectly(size) })
	return (float64(whole) - float64(short) - float64(alone)) / size
}

// callDirectly makes the call of such a run outside a run, including the tool.
func callDirectly(size int) {
	output := json.RawMessage(`"` + strings.Repeat("x", size-2) + `"`)
	t, err := schema.Dynamic(tool.Definition{
		Name: "pay", Description: "Pays.", Input: json.RawMessage(`{"type":"object"}`), Output: json.RawMessage(`{"type":"string"}`),
	}, func(context.Context, json.RawMessage) (json.RawMessage, error) { return output, nil })
	exitOnError(err)
	r := tool.NewRegistry(tool.MaxOutput(16 << 20))
	exitOnError(r.Register(t))
	if c := r.Call(context.Background(), tool.Request{Name: "pay"}); c.Err != nil {
		log.Fatal(c.Err)
	}
}

// logSize returns the size of the log of 1,000 steps, in MB.
func logSize(kind string) float64 {
	var b bytes.Buffer
	bench{kind: kind, steps: 1000, size: 100, sinks: []func(context.Context, run.Event){orchestrator.CycleLog(&b, nil, nil)}}.executeRun()
	return float64(b.Len()) / 1e6
}
