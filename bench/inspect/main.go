// Inspect prints a table of what the inspection page of runs costs: the first page of a list of 10,000 runs,
// compared with reading 50 runs from the journal, and a run of 1,000 steps whose page is open, compared with the
// same run alone.
//
//	go run ./inspect
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/aiongen/aiongen/runtime/inspect"
	"github.com/aiongen/aiongen/runtime/journal"
	"github.com/aiongen/aiongen/runtime/journal/file"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/orchestrator"
	"github.com/aiongen/aiongen/runtime/plan"
	"github.com/aiongen/aiongen/runtime/run"
	"github.com/aiongen/aiongen/runtime/schema"
	"github.com/aiongen/aiongen/runtime/tool"
)

const (
	runs      = 10_000
	readRuns  = 50
	liveSteps = 1000
	attempts  = 5 // the fastest counts
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("inspect: ")
	folder, err := os.MkdirTemp("", "inspect")
	exitOnError(err)
	defer os.RemoveAll(folder)
	fmt.Println("| what | limit | in memory | in files |\n| --- | --- | --- | --- |")
	files, err := file.Open(filepath.Join(folder, "runs"))
	exitOnError(err)
	fmt.Printf("| first page of %d runs, times reading %d runs | 3 | %.2f | %.2f |\n", runs, readRuns, listRatio(new(journal.Map)), listRatio(files))
	fmt.Printf("| run of %d steps with its page open, times the run alone | 1.05 | %.3f | %.3f |\n", liveSteps, liveRatio(func(int) journal.Journal { return new(journal.Map) }), liveRatio(func(n int) journal.Journal {
		j, err := file.Open(filepath.Join(folder, fmt.Sprint("live", n)))
		exitOnError(err)
		return j
	}))
}

// newAgent returns an agent whose one tool takes pause, as a call of a network would, and returns a text.
func newAgent(j journal.Journal, pause time.Duration) *orchestrator.Orchestrator {
	output := json.RawMessage(`"` + strings.Repeat("x", 1000) + `"`)
	t, err := schema.Dynamic(tool.Definition{
		Name: "pay", Description: "Pays.", Input: json.RawMessage(`{"type":"object","properties":{"n":{"type":"integer"}}}`),
	}, func(context.Context, json.RawMessage) (json.RawMessage, error) {
		time.Sleep(pause)
		return output, nil
	})
	exitOnError(err)
	r := tool.NewRegistry()
	exitOnError(r.Register(t))
	model := llm.Func(func(context.Context, llm.Request) (llm.Response, error) {
		return llm.Response{Text: "done", Usage: llm.Usage{Input: 1, Output: 1}}, nil
	})
	agent, err := orchestrator.New(model, r, orchestrator.Journal(j))
	exitOnError(err)
	return agent
}

// executeRun executes a plan of steps.
func executeRun(agent *orchestrator.Orchestrator, id string, steps int) {
	p := &plan.Plan{Goal: "pay"}
	for i := range steps {
		p.Steps = append(p.Steps, plan.Step{ID: fmt.Sprint(i + 1), Description: "pay", Tool: "pay", Arguments: json.RawMessage(fmt.Sprintf(`{"n":%d}`, i))})
	}
	r, err := agent.Start(context.Background(), orchestrator.Input{ID: id, Request: "Pay.", Plan: p, Limits: run.Limits{Steps: steps + 1}})
	exitOnError(err)
	result, err := r.Execute(context.Background())
	exitOnError(err)
	if result.Status != run.Completed {
		log.Fatalf("the run is %s: %v", result.Status, result.Error)
	}
}

// listRatio returns the time of the first page of the list, as a multiple of reading runs directly.
func listRatio(j journal.Journal) float64 {
	fillJournal(j)
	page := newPage(j)
	list, read := time.Hour, time.Hour
	for range attempts { // alternating, because the load of the machine varies
		list = min(list, measureTime(func() { getPage(page, "/runs") }))
		read = min(read, measureTime(func() { readDirectly(j) }))
	}
	return float64(list) / float64(read)
}

// fillJournal copies a run of 20 steps to all runs of the journal.
func fillJournal(j journal.Journal) {
	source := new(journal.Map)
	executeRun(newAgent(source, 0), "r", 20)
	var entries []journal.Entry
	for e, err := range source.Read(context.Background(), "r", 0) {
		exitOnError(err)
		entries = append(entries, e)
	}
	for i := range runs {
		exitOnError(j.Append(context.Background(), fmt.Sprint("r", i), 0, entries...))
	}
}

func readDirectly(j journal.Journal) {
	for i := range readRuns {
		for _, err := range run.Records(context.Background(), j, fmt.Sprint("r", i)) {
			exitOnError(err)
		}
	}
}

func newPage(j journal.Journal) *inspect.Handler {
	page, err := inspect.New(inspect.Config{Journal: j})
	exitOnError(err)
	return page
}

func getPage(h http.Handler, path string) {
	w := httptest.NewRecorder()
	r := httptest.NewRequest(http.MethodGet, "http://localhost"+path, nil)
	r.RemoteAddr = "127.0.0.1:1234"
	if h.ServeHTTP(w, r); w.Code != http.StatusOK {
		log.Fatalf("%s: %d %s", path, w.Code, w.Body)
	}
}

func measureTime(f func()) time.Duration {
	runtime.GC()
	began := time.Now()
	f()
	return time.Since(began)
}

// stepPause is how long a step of the watched run takes, apart from the kernel: a thousandth of what a call over
// a network and its model need, so that the page has the least time to add its changes up.
const stepPause = time.Millisecond

// liveRatio returns the processor time of a run whose page is open, as a multiple of that of the run alone.
func liveRatio(newJournal func(int) journal.Journal) float64 {
	alone, watched := time.Hour, time.Hour
	for n := range attempts {
		alone = min(alone, measureRun(newJournal(2*n), false))
		watched = min(watched, measureRun(newJournal(2*n+1), true))
	}
	return float64(watched) / float64(alone)
}

// measureRun returns the processor time of a run, with that of its page and of a client that reads it.
func measureRun(j journal.Journal, watch bool) time.Duration {
	agent := newAgent(j, stepPause)
	server := httptest.NewServer(newPage(j))
	defer server.Close()
	runtime.GC()
	before := processorTime()
	var watched chan struct{}
	if watch {
		watched = make(chan struct{})
		go watchRun(server.URL, watched)
	}
	executeRun(agent, "r", liveSteps)
	if watch {
		<-watched
	}
	return processorTime() - before
}

// watchRun reads the changes of the page until the run has ended.
func watchRun(url string, done chan<- struct{}) {
	defer close(done)
	for {
		response, err := http.Get(url + "/events?id=r")
		exitOnError(err)
		lines := bufio.NewScanner(response.Body)
		lines.Buffer(nil, 16<<20)
		for lines.Scan() {
			if lines.Text() == "event: end" {
				_ = response.Body.Close()
				return
			}
		}
		_ = response.Body.Close()
		if response.StatusCode == http.StatusOK {
			log.Fatal("the stream has ended before the run")
		}
		time.Sleep(time.Millisecond) // the run has not begun
	}
}

func exitOnError(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
