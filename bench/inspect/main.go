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
	"slices"
	"strings"
	"sync"
	"sync/atomic"
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

	liveAttempts = 41 // the median counts
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("inspect: ")
	folder, err := os.MkdirTemp("", "inspect")
	exitOnError(err)
	defer os.RemoveAll(folder)
	fmt.Println("| what | limit | in memory | in files |\n| --- | --- | --- | --- |")
	openFiles := func(name string) journal.Journal {
		j, err := file.Open(filepath.Join(folder, name))
		exitOnError(err)
		return j
	}
	inMemory, files := new(journal.Map), openFiles("runs")
	fillJournal(inMemory)
	fillJournal(files)
	inMemoryRatio := listRatio(func() journal.Journal { return inMemory }, func() { readRunsOf(inMemory) })
	filesRatio := listRatio(func() journal.Journal { return files }, func() { readRunsOf(files) })
	fmt.Printf("| first page of %d runs, times reading %d runs | 3 | %.2f | %.2f |\n", runs, readRuns, inMemoryRatio, filesRatio)
	openNew := func() journal.Journal { return openFiles("runs") }
	fmt.Printf("| the same, of a new process | | | %.2f |\n", listRatio(openNew, func() { readRunsOf(files) }))
	ends := listRatio(openNew, func() { readEnds(filepath.Join(folder, "runs")) })
	fmt.Printf("| the same, times reading the ends of %d files | 2 | | %.2f |\n", runs, ends)
	memory, memoryShown := liveRatios(func(int) journal.Journal { return new(journal.Map) })
	disk, diskShown := liveRatios(func(n int) journal.Journal { return openFiles(fmt.Sprint("live", n)) })
	fmt.Printf("| run of %d steps with its page open, times the run alone | 1.05 | %.3f | %.3f |\n", liveSteps, memory, disk)
	fmt.Printf("| the same, until the page shows the end | | %.3f | %.3f |\n", memoryShown, diskShown)
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

// startRun starts a run with a plan of steps.
func startRun(agent *orchestrator.Orchestrator, steps int) *orchestrator.Run {
	p := &plan.Plan{Goal: "pay"}
	for i := range steps {
		p.Steps = append(p.Steps, plan.Step{ID: fmt.Sprint(i + 1), Description: "pay", Tool: "pay", Arguments: json.RawMessage(fmt.Sprintf(`{"n":%d}`, i))})
	}
	r, err := agent.Start(context.Background(), orchestrator.Input{ID: "r", Request: "Pay.", Plan: p, Limits: run.Limits{Steps: steps + 1}})
	exitOnError(err)
	return r
}

func executeRun(r *orchestrator.Run) {
	result, err := r.Execute(context.Background())
	exitOnError(err)
	if result.Status != run.Completed {
		log.Fatalf("the run is %s: %v", result.Status, result.Error)
	}
}

// listRatio returns the time of the first page of the list, as a multiple of that of read. Open returns the filled
// journal, as the page of each attempt uses it.
func listRatio(open func() journal.Journal, read func()) float64 {
	list, direct := time.Hour, time.Hour
	for range attempts { // alternating, because the load of the machine varies
		page := newPage(open())
		list = min(list, measureTime(func() { getPage(page, "/runs") }))
		direct = min(direct, measureTime(read))
	}
	return float64(list) / float64(direct)
}

// fillJournal copies a run of 20 steps to all runs of the journal. The last entry is an append of its own, as it is
// when a run ends.
func fillJournal(j journal.Journal) {
	source := new(journal.Map)
	executeRun(startRun(newAgent(source, 0), 20))
	var entries []journal.Entry
	for e, err := range source.Read(context.Background(), "r", 0) {
		exitOnError(err)
		entries = append(entries, e)
	}
	for i := range runs {
		id, last := fmt.Sprint("r", i), len(entries)-1
		exitOnError(j.Append(context.Background(), id, 0, entries[:last]...))
		exitOnError(j.Append(context.Background(), id, last, entries[last]))
	}
}

func readRunsOf(j journal.Journal) {
	for i := range readRuns {
		for _, err := range run.Records(context.Background(), j, fmt.Sprint("r", i)) {
			exitOnError(err)
		}
	}
}

// readEnds reads the last bytes of all files of a folder, on all processors, and does nothing with them.
func readEnds(folder string) {
	names, err := os.ReadDir(folder)
	exitOnError(err)
	var next atomic.Int64
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			end := make([]byte, 2<<10)
			for i := next.Add(1) - 1; i < int64(len(names)); i = next.Add(1) - 1 {
				f, err := os.Open(filepath.Join(folder, names[i].Name()))
				exitOnError(err)
				info, err := f.Stat()
				exitOnError(err)
				_, err = f.ReadAt(end, max(0, info.Size()-int64(len(end))))
				exitOnError(err)
				exitOnError(f.Close())
			}
		})
	}
	workers.Wait()
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

// liveRatios returns the processor time of a run whose page is open, as a multiple of that of the run alone: until
// the run has ended, and until the page shows that. They are medians of the attempts.
func liveRatios(newJournal func(int) journal.Journal) (run, shown float64) {
	var alone, during, after []time.Duration
	for n := range liveAttempts { // alternating, because the load of the machine varies
		base, _ := measureRun(newJournal(2*n), false)
		d, a := measureRun(newJournal(2*n+1), true)
		alone, during, after = append(alone, base), append(during, d), append(after, a)
	}
	return medianOf(during) / medianOf(alone), medianOf(after) / medianOf(alone)
}

func medianOf(all []time.Duration) float64 {
	slices.Sort(all)
	return float64(all[len(all)/2])
}

// measureRun returns the processor time of this process from the start of the steps until the run has ended, and
// until a client that watches it has received the end. The page is open before the first step. The client is part
// of the process.
func measureRun(j journal.Journal, watch bool) (run, shown time.Duration) {
	agent := newAgent(j, stepPause)
	server := httptest.NewServer(newPage(j))
	defer server.Close()
	r := startRun(agent, liveSteps)
	watched := make(chan struct{})
	if watch {
		getPage(server.Config.Handler, "/run?id=r")
		lines := openEvents(server.URL + "/events?id=r&seen=1")
		go watchRun(lines, watched)
	} else {
		close(watched)
	}
	runtime.GC()
	before := processorTime()
	executeRun(r)
	run = processorTime() - before
	<-watched
	return run, processorTime() - before
}

// openEvents opens the stream of changes of a page.
func openEvents(url string) *bufio.Scanner {
	response, err := http.Get(url)
	exitOnError(err)
	lines := bufio.NewScanner(response.Body)
	lines.Buffer(nil, 16<<20)
	if !lines.Scan() || lines.Text() != ": watching" {
		log.Fatalf("the stream did not begin: %s %q", response.Status, lines.Text())
	}
	return lines
}

// watchRun reads the changes of the page until the run has ended.
func watchRun(lines *bufio.Scanner, done chan<- struct{}) {
	defer close(done)
	for lines.Scan() {
		if lines.Text() == "event: end" {
			return
		}
	}
	log.Fatalf("the stream has ended before the run: %v", lines.Err())
}

func exitOnError(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
