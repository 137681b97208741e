package desk

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/aiongen/aiongen/example/tools"
	"github.com/aiongen/aiongen/runtime/journal"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/memory"
	"github.com/aiongen/aiongen/runtime/orchestrator"
	"github.com/aiongen/aiongen/runtime/run"
	"github.com/aiongen/aiongen/runtime/tool"
)

// testPlace is a place in this process: waiting for a run executes it. Other processes see its journal.
type testPlace struct {
	journal.Map
	tickets memory.Map
	turn    sync.Mutex
	hidden  bool // other processes do not see its journal
	bare    bool // it cannot store tickets
}

func (s *testPlace) place() []Place {
	return []Place{{Flag: "shop", Usage: "have runs driven in a `shop`", Open: func(context.Context, string) (*Opened, error) {
		opened := &Opened{
			Tickets: func(context.Context) (memory.Store, func(), error) {
				s.turn.Lock()
				return &s.tickets, s.turn.Unlock, nil
			},
			Engine: func(model llm.Model, tools *tool.Registry, events ...func(context.Context, run.Event)) (Engine, error) {
				o, err := orchestrator.New(model, tools, orchestrator.Journal(&s.Map), orchestrator.Events(events[0]))
				return testEngine{o}, err
			},
			Close: func() {},
		}
		if s.bare {
			opened.Tickets = nil
		}
		if !s.hidden {
			opened.Journal = &s.Map
		}
		return opened, nil
	}}}
}

func (s *testPlace) runExample(t *testing.T, p *person, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	status = runCommand(t.Context(), "example", append(args, "-shop", "here"), Backends{Places: s.place()}, p, &out, &errs)
	return status, out.String(), errs.String()
}

// testEngine is the engine of a testPlace.
type testEngine struct{ *orchestrator.Orchestrator }

func (c testEngine) Start(ctx context.Context, in orchestrator.Input) (string, error) {
	r, err := c.Orchestrator.Start(ctx, in)
	if err != nil {
		return "", err
	}
	return r.ID(), nil
}

func (c testEngine) Send(ctx context.Context, id string, s run.Signal) error {
	r, err := c.Open(ctx, id)
	if err == nil {
		err = r.Send(ctx, s)
	}
	return err
}

func (c testEngine) Result(ctx context.Context, id string) (*run.Result, error) {
	r, err := c.Open(ctx, id)
	if err != nil {
		return nil, err
	}
	return r.Execute(ctx)
}

func (c testEngine) Work(ctx context.Context) error { <-ctx.Done(); return ctx.Err() }

var runLine = regexp.MustCompile(`run +(\S+)\n`)

// TestEngine checks runs that are executed elsewhere, with decisions in the terminal and from another one.
func TestEngine(t *testing.T) {
	for _, hidden := range []bool{false, true} {
		s := &testPlace{hidden: hidden}
		status, stdout, stderr := s.runExample(t, &person{}, vpn)
		found := runLine.FindStringSubmatch(stdout)
		if status != 1 || found == nil || !strings.Contains(stdout, "waits    notify needs the approval of a person") || !strings.Contains(stderr, "decide: example approve -shop … "+found[1]+", or example deny") {
			t.Fatalf("exit status %d: %s%s", status, stdout, stderr)
		}
		status, stdout, stderr = s.runExample(t, &person{}, "runs")
		if hidden != (status == 1 && strings.Contains(stderr, "does not list its runs")) || hidden == strings.Contains(stdout, "waiting for approval") {
			t.Errorf("hidden %t: exit status %d: %s%s", hidden, status, stdout, stderr)
		}
		if status, _, stderr = s.runExample(t, &person{}, "answer", found[1], "yes"); status != 1 || !strings.Contains(stderr, "to answer") && !strings.Contains(stderr, "not") {
			t.Errorf("answered: exit status %d: %s", status, stderr)
		}
		if status, stdout, stderr = s.runExample(t, &person{}, "approve", found[1]); status != 0 || stdout != found[1]+": approve notify\n" {
			t.Errorf("exit status %d: %s%s", status, stdout, stderr)
		}
		if status, _, stderr = s.runExample(t, &person{}, "approve", found[1]); hidden && (status != 1 || !strings.Contains(stderr, "there are 0 runs to approve")) {
			t.Errorf("approved twice: exit status %d: %s", status, stderr)
		}
		if hidden {
			continue
		}
		if status, stdout, stderr = s.runExample(t, &person{}, vpn); status != 0 || !strings.Contains(stdout, "continuing: ") || !strings.Contains(stdout, "completed (") {
			t.Errorf("exit status %d: %s%s", status, stdout, stderr)
		}
	}
}

// TestEngineDecides checks decisions and a conversation at the client's terminal.
func TestEngineDecides(t *testing.T) {
	for _, hidden := range []bool{false, true} {
		s := &testPlace{hidden: hidden}
		p := &person{screen: io.Discard, in: bufio.NewReader(strings.NewReader("y\n"))}
		if status, stdout, stderr := s.runExample(t, p, vpn); status != 0 || !strings.Contains(stdout, "Linus knows that the VPN is down.") {
			t.Errorf("exit status %d: %s%s", status, stdout, stderr)
		}
		request, _ := strings.CutPrefix(recordedRequests[len(recordedRequests)-1].request, "-talk ")
		if status, stdout, stderr := s.runExample(t, &person{}, "-talk", request); status != 0 || !strings.Contains(stdout, "ticket 1, for Grace") {
			t.Errorf("exit status %d: %s%s", status, stdout, stderr)
		}
	}
}

// TestWork checks that an interrupted worker exits cleanly.
func TestWork(t *testing.T) {
	s := new(testPlace)
	ctx, stop := context.WithCancel(t.Context())
	stop()
	var out, errs bytes.Buffer
	if status := runCommand(ctx, "example", []string{"work", "-shop", "here"}, Backends{Places: s.place()}, &person{}, &out, &errs); status != 0 || out.Len()+errs.Len() > 0 {
		t.Errorf("exit status %d: %s%s", status, out.String(), errs.String())
	}
	if status, _, stderr := (&testPlace{hidden: true, bare: true}).runExample(t, &person{}, "work"); status != 1 || !strings.Contains(stderr, "which this place cannot store; add the flag of a place that can, or -memory") {
		t.Errorf("without a place for tickets: exit status %d: %s", status, stderr)
	}
	for _, args := range [][]string{{"work", "now"}, {"work", "-yes"}, {"-memory", "x", vpn}, {}} {
		if status, _, stderr := s.runExample(t, &person{}, args...); status != 2 {
			t.Errorf("%q: exit status %d: %s", args, status, stderr)
		}
	}
}

// TestFolderTickets checks that desks in several processes take turns at a folder.
func TestFolderTickets(t *testing.T) {
	folder := t.TempDir()
	desks := []*tools.Desk{tools.ShareDesk(recordedTime, folderTickets(folder)), tools.ShareDesk(recordedTime, folderTickets(folder))}
	var wg sync.WaitGroup
	for i := range 6 {
		wg.Go(func() {
			if _, err := desks[i%2].Open(t.Context(), tools.NewTicket{Title: strings.Repeat("x", i+1), Priority: tools.Low}); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if counts, _, err := desks[0].Statistics(t.Context()); err != nil || counts[tools.StatusOpen] != 6 {
		t.Errorf("%v, %v", counts, err)
	}
	nowhere := tools.ShareDesk(recordedTime, folderTickets(filepath.Join(folder, "nowhere")))
	if _, err := nowhere.Get(t.Context(), 1); err == nil || !strings.Contains(err.Error(), "the tickets in ") {
		t.Errorf("where there is no folder: %v", err)
	}
}
