// Example is an agent at a help desk: it makes a plan for a request and carries
// it out with the tools of the desk.
//
//	go run ./example "Open a ticket for Ada: the printer on floor 2 prints blank pages."
//
// By itself it answers from a recorded dialogue, without a network, and so only to
// the requests that were recorded. With -model-url and -model it asks an endpoint
// that speaks the protocol of OpenAI, with the key in OPENAI_API_KEY. Without a
// request it shows the tools, and runs a handful of calls, good and bad.
//
// With -mcp it is an MCP server at standard input and output, with -mcp-http one
// over HTTP, for agents that others wrote.
//
// The exit status is 0 if all steps are complete, 1 if not, and 2 if it was not
// called correctly.
package main

import (
	"bytes"
	"context"
	_ "embed"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"time"

	"github.com/aiongen/aiongen/example/gen"
	"github.com/aiongen/aiongen/example/tools"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/llm/openai"
	"github.com/aiongen/aiongen/runtime/llm/replay"
	"github.com/aiongen/aiongen/runtime/mcp"
	"github.com/aiongen/aiongen/runtime/memory"
	"github.com/aiongen/aiongen/runtime/memory/bolt"
	"github.com/aiongen/aiongen/runtime/orchestrator"
	"github.com/aiongen/aiongen/runtime/orchestrator/cyclelog"
	"github.com/aiongen/aiongen/runtime/tool"
	"golang.org/x/term"
)

//go:embed dialogue.json
var dialogue []byte

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// settings are what the flags say.
type settings struct {
	url, model, memory, log string
	json, mcp               bool
	mcpHTTP                 string
	ttl                     int
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	var s settings
	flags := flag.NewFlagSet("example", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.StringVar(&s.url, "model-url", "", "base `URL` of an endpoint, as http://127.0.0.1:8000/v1")
	flags.StringVar(&s.model, "model", "", "`name` of a model there")
	flags.StringVar(&s.memory, "memory", "", "keep results and the state of the run in a `file`")
	flags.StringVar(&s.log, "log", "", "append a line of JSON for each cycle to a `file`")
	flags.BoolVar(&s.json, "json", false, "write events and the result as lines of JSON")
	flags.IntVar(&s.ttl, "ttl", orchestrator.DefaultTTL, "execute at most so many `steps`")
	flags.BoolVar(&s.mcp, "mcp", false, "serve the tools over MCP at standard input and output")
	flags.StringVar(&s.mcpHTTP, "mcp-http", "", "serve the tools over MCP at an `address`, as :8080, which is on 127.0.0.1")
	switch err := flags.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		return 0
	case err != nil:
		return 2
	case (s.url == "") != (s.model == ""):
		fmt.Fprintln(stderr, "example: -model-url and -model need each other")
		return 2
	case s.mcp && s.mcpHTTP != "" || (s.mcp || s.mcpHTTP != "") && flags.NArg() > 0:
		fmt.Fprintln(stderr, "example: -mcp, -mcp-http and a request exclude each other")
		return 2
	}
	ok, err := s.run(ctx, strings.TrimSpace(strings.Join(flags.Args(), " ")), stdout, stderr)
	if err != nil {
		fmt.Fprintln(stderr, "example:", err)
	}
	if err != nil || !ok {
		return 1
	}
	return 0
}

// run carries out a request, and tells whether all steps are complete.
func (s settings) run(ctx context.Context, request string, stdout, stderr io.Writer) (bool, error) {
	model, clock, err := s.endpoint()
	if err != nil {
		return false, err
	}
	registry := tool.NewRegistry()
	if err := gen.Register(registry, gen.Deps{Desk: tools.NewDesk(clock)}); err != nil {
		return false, err
	}
	if s.mcp || s.mcpHTTP != "" {
		return true, s.serve(ctx, registry)
	}
	if request == "" {
		showCalls(stdout, registry)
		return true, nil
	}
	store, closeStore, err := s.store()
	if err != nil {
		return false, err
	}
	defer closeStore()
	var log io.Writer = io.Discard
	if s.log != "" {
		file, err := os.OpenFile(s.log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
		if err != nil {
			fmt.Fprintln(stderr, "example: there will be no log:", err)
		} else {
			defer file.Close()
			log = file
		}
	}
	cycles := cyclelog.New(log)
	screen := &screen{w: stdout, json: s.json}
	if f, ok := stderr.(*os.File); ok && term.IsTerminal(int(f.Fd())) && !s.json {
		screen.progress = stderr
	}
	o := orchestrator.New(model, store, orchestrator.Tools(registry), orchestrator.TTL(s.ttl), orchestrator.Clock(clock),
		orchestrator.Events(func(e orchestrator.Event) {
			cycles.Event(e)
			screen.event(e)
		}))
	ok, err := execute(ctx, o, store, request, clock().Format("20060102-150405.000"))
	screen.clear()
	if err := cycles.Err(); err != nil {
		fmt.Fprintln(stderr, "example: the log lacks cycles:", err)
	}
	var unlike *llm.Error
	if errors.As(err, &unlike) && unlike.Kind == replay.Unrecorded {
		err = fmt.Errorf("this request was not recorded; name an endpoint by -model-url and -model, or ask one of these:\n  %s", strings.Join(recorded, "\n  "))
	}
	return ok, err
}

// serve serves the tools over MCP, until the client or the user ends it.
func (s settings) serve(ctx context.Context, registry *tool.Registry) error {
	server, err := mcp.New(registry, mcp.Name("aiongen-example", "v0.0.0"), mcp.Prompts(gen.SystemPrompt, gen.Rules(), gen.WrapQuery))
	if err != nil {
		return err
	}
	if s.mcp {
		return server.ServeStdio(ctx)
	}
	return server.ListenAndServe(ctx, s.mcpHTTP)
}

// execute runs to the end, and stores the state after each step.
func execute(ctx context.Context, o *orchestrator.Orchestrator, store memory.Store, request, id string) (bool, error) {
	run, err := o.Start(ctx, orchestrator.Input{ID: id, Request: request})
	if err != nil {
		return false, err
	}
	for more := true; more; {
		more, err = run.Step(ctx)
		state := run.State()
		if failed := store.Write(context.WithoutCancel(ctx), "state/"+id, state); failed != nil {
			return false, errors.Join(err, failed)
		}
		if err != nil {
			return false, errors.Join(err, done(state))
		}
	}
	return run.State().Status == orchestrator.Completed, nil
}

// done says what of an interrupted run was done.
func done(s orchestrator.State) error {
	if s.Plan == nil {
		return nil
	}
	return fmt.Errorf("%d of %d steps were executed before", len(s.Results), len(s.Plan.Steps))
}

// endpoint returns the model, and the clock that goes with it: a recording needs
// the time at which it was made.
func (s settings) endpoint() (llm.Model, func() time.Time, error) {
	if s.url != "" {
		return openai.New(s.model, openai.BaseURL(s.url), openai.Key(os.Getenv("OPENAI_API_KEY"))), time.Now, nil
	}
	model, err := replay.Read(bytes.NewReader(dialogue))
	return model, standing, err
}

// standing is the clock of recordings.
func standing() time.Time { return time.Date(2026, time.March, 2, 9, 0, 0, 0, time.UTC) }

// store returns where results go, and how to close it.
func (s settings) store() (memory.Store, func() error, error) {
	if s.memory == "" {
		return &memory.Map{}, func() error { return nil }, nil
	}
	store, err := bolt.Open(s.memory)
	if err != nil {
		return nil, nil, err
	}
	return store, store.Close, nil
}
