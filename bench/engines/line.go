package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"
)

// engine is one of the compared ways to execute runs.
type engine struct {
	name       string
	startFirst bool // all runs are started before the workers, and starting them is not measured

	// isAvailable reports whether the engine can be measured with these settings.
	isAvailable func(settings) bool

	// create creates an empty place for runs, and returns a function that removes it.
	create func(context.Context, settings) (place string, remove func(), err error)

	// client returns a client that starts runs and waits for them; nil if workers start their own runs.
	client func(ctx context.Context, place string) (client, error)

	// work executes runs until ctx is done, or only the worker's own share, if workers start runs.
	work func(ctx context.Context, place string, own share) error

	// cost returns the total cost of a place so far.
	cost func(ctx context.Context, place string) (cost, error)
}

// allEngines returns the engines that can be measured.
func allEngines() []engine {
	return []engine{fileEngine, postgresEngine, postgresAhead, riverEngine, riverAhead, temporalEngine}
}

// share is the range of runs that a worker starts itself.
type share struct{ from, to int }

// client starts runs and waits for them.
type client interface {
	Start(ctx context.Context, i int) error
	Wait(ctx context.Context, runs int) error // for all of them
	Close()
}

const heading = `| engine | workers | runs/s | entries a run | bytes a run | written a run | transactions a run | syncs a run | ms of programs a run | ms of servers a run | idle % |
| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |`

// line is a line of the table: the measurement of one engine with a number of workers.
type line struct {
	name    string
	workers int
	runs    int
	took    time.Duration
	cost    cost
	spent   time.Duration // of this process and the workers
	idle    float64
}

func (l line) String() string {
	n := float64(l.runs)
	each := func(x float64) string {
		if x < 0 {
			return "?"
		}
		return fmt.Sprintf("%.1f", x/n)
	}
	return fmt.Sprintf("| %s | %d | %.0f | %s | %.0f | %.0f | %s | %s | %.2f | %.2f | %.0f |", l.name, l.workers, n/l.took.Seconds(),
		each(float64(l.cost.entries)), float64(l.cost.bytes)/n, float64(l.cost.written)/n, each(float64(l.cost.commits)), each(float64(l.cost.syncs)),
		l.spent.Seconds()*1000/n, l.cost.processor.Seconds()*1000/n, 100*l.idle)
}

// measureLine measures a line.
func measureLine(ctx context.Context, e engine, s settings, workers int) (l line, err error) {
	l = line{name: e.name, workers: workers, runs: s.runs}
	place, remove, err := e.create(ctx, s)
	if err != nil {
		return l, err
	}
	defer remove()
	var crew []*worker
	for i := range workers {
		w, err := startWorker(ctx, e, place, share{i * l.runs / workers, (i + 1) * l.runs / workers})
		if err != nil {
			return l, err
		}
		defer w.kill()
		crew = append(crew, w)
	}
	before, err := e.cost(ctx, place)
	if err != nil {
		return l, err
	}
	idle, own, began := idleTime(), processorTime(os.Getpid()), time.Now()
	if l.took, err = executeRuns(ctx, e, place, crew, l.runs); err != nil {
		return l, err
	}
	l.idle = (idleTime() - idle).Seconds() / time.Since(began).Seconds() / processors
	after, err := e.cost(ctx, place)
	if err != nil {
		return l, err
	}
	l.cost = after.subtract(before)
	l.spent = processorTime(os.Getpid()) - own // includes the workers, which are child processes
	for _, w := range crew {
		if err := w.stopWorker(); err != nil {
			return l, err
		}
	}
	return l, nil
}

// executeRuns starts the runs, lets the workers execute them, and returns how long that took.
func executeRuns(ctx context.Context, e engine, place string, crew []*worker, runs int) (took time.Duration, err error) {
	c, err := e.client(ctx, place)
	if err != nil {
		return 0, err
	}
	if c != nil {
		defer c.Close()
	}
	if e.startFirst {
		if err := startRuns(ctx, c, runs); err != nil {
			return 0, err
		}
	}
	began := time.Now()
	for _, w := range crew {
		if _, err := io.WriteString(w.in, "go\n"); err != nil {
			return 0, err
		}
	}
	switch {
	case c == nil:
		for _, w := range crew {
			if err := w.expectWord("done"); err != nil {
				return 0, err
			}
		}
	case !e.startFirst:
		if err := startRuns(ctx, c, runs); err != nil {
			return 0, err
		}
		fallthrough
	default:
		err = c.Wait(ctx, runs)
	}
	return time.Since(began), err
}

// starters is how many runs are started concurrently.
const starters = 8

func startRuns(ctx context.Context, c client, runs int) error {
	errs := make([]error, starters)
	var wg sync.WaitGroup
	for k := range starters {
		wg.Go(func() {
			for i := k; i < runs && errs[k] == nil; i += starters {
				errs[k] = c.Start(ctx, i)
			}
		})
	}
	wg.Wait()
	return errors.Join(errs...)
}

// worker is a worker process.
type worker struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
}

// startWorker starts a worker process and waits until it is ready.
func startWorker(ctx context.Context, e engine, place string, own share) (*worker, error) {
	w := &worker{cmd: exec.CommandContext(ctx, os.Args[0], "-only", e.name, "-work", place, "-share", fmt.Sprint(own.from, " ", own.to))}
	w.cmd.Stderr = os.Stderr
	in, err := w.cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := w.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	w.in, w.out = in, bufio.NewReader(out)
	if err := w.cmd.Start(); err != nil {
		return nil, err
	}
	return w, w.expectWord("ready")
}

func (w *worker) expectWord(word string) error {
	text, err := w.out.ReadString('\n')
	if err == nil && strings.TrimSpace(text) != word {
		err = fmt.Errorf("a worker says %q, want %q", text, word)
	}
	return err
}

// stopWorker ends a worker.
func (w *worker) stopWorker() error {
	if err := w.in.Close(); err != nil {
		return err
	}
	return w.cmd.Wait()
}

func (w *worker) kill() { _ = w.cmd.Process.Kill() }

// runWorker is the main function of a worker process: it reports that it is ready, waits for a line of
// input, works, and exits when its input ends.
func runWorker(ctx context.Context, name, place, text string) error {
	var own share
	if _, err := fmt.Sscan(text, &own.from, &own.to); err != nil {
		return err
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	for _, e := range allEngines() {
		if e.name != name {
			continue
		}
		fmt.Println("ready")
		in := bufio.NewReader(os.Stdin)
		if _, err := in.ReadString('\n'); err != nil {
			return err
		}
		go func() {
			_, _ = in.ReadString('\n') // blocks until the input ends
			stop()
		}()
		if err := e.work(ctx, place, own); err != nil && ctx.Err() == nil {
			return err
		}
		fmt.Println("done")
		<-ctx.Done()
		return nil
	}
	return fmt.Errorf("there is no engine %q", name)
}
