package desk

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"sync"

	"github.com/aiongen/aiongen/runtime/inspect"
	"github.com/aiongen/aiongen/runtime/orchestrator"
	"github.com/aiongen/aiongen/runtime/run"
)

// defaultPage is the address of the inspection page if the flag names none.
const defaultPage = "127.0.0.1:8089"

// A pageAddress is the value of the flag -inspect. The flag may be used without a value.
type pageAddress string

func (a *pageAddress) String() string { return string(*a) }

// IsBoolFlag makes the package flag accept the flag without a value.
func (a *pageAddress) IsBoolFlag() bool { return true }

// Set accepts an address. For a flag without a value, the package flag passes "true".
func (a *pageAddress) Set(value string) error {
	switch value {
	case "true":
		*a = defaultPage
	case "false":
		*a = ""
	default:
		if !strings.Contains(value, ":") {
			return errors.New("an address has a port, such as :8089")
		}
		*a = pageAddress(value)
	}
	return nil
}

// serveInspection serves a page about the tools and runs until ctx is done. Meanwhile it executes the runs of
// inspectedInputs.
func (s settings) serveInspection(ctx context.Context, request string, stderr io.Writer) error {
	st, err := s.openStorage(ctx, !s.isRemote())
	if err != nil {
		return err
	}
	defer func() { _ = st.close() }()
	model, deskClock, err := s.openModel()
	if err != nil {
		return err
	}
	log, closeLog := s.openCycleLog(stderr)
	defer func() { _ = closeLog() }()
	a, err := s.newAgent(ctx, model, deskClock, st, log)
	if err != nil {
		return err
	}
	if a.Orchestrator == nil {
		return errors.New("this engine does not store runs in a journal, which the page shows")
	}
	config := inspect.Config{Agent: a.Orchestrator, Log: slog.Default()}
	if a.engine != nil {
		config.Send = a.engine.Send
	}
	page, err := inspect.New(config)
	if err != nil {
		return err
	}
	ctx, stop := context.WithCancel(ctx)
	var executed sync.WaitGroup
	defer executed.Wait()
	defer stop()
	executed.Go(func() {
		for _, in := range s.inspectedInputs(request) {
			if err := s.executeUnattended(ctx, a, in); err != nil && ctx.Err() == nil {
				fmt.Fprintf(stderr, "%s: %s: %s\n", programName(s.program), safeLine(in.Request), safeLines(err.Error()))
			}
		}
	})
	return inspect.Listen(ctx, string(s.inspect), page)
}

// inspectedInputs returns the inputs of the runs that start together with the page: that of the request or, without a request, those of all recorded requests. It returns none if there is no request, but an endpoint or a place where runs are stored.
func (s settings) inspectedInputs(request string) (all []orchestrator.Input) {
	switch {
	case request != "":
		return []orchestrator.Input{{Kind: s.runKind(), Request: request}}
	case s.model != "" || s.runsFlag() != "":
		return nil
	}
	for _, r := range recordedRequests {
		in := orchestrator.Input{Kind: "plan", Request: r.request}
		if text, ok := strings.CutPrefix(r.request, "-talk "); ok {
			in = orchestrator.Input{Kind: "conversation", Request: text}
		}
		all = append(all, in)
	}
	return all
}

// executeUnattended executes a new run until it ends or waits for a person, who decides on the page. The recorded answers
// belong to an empty desk, so each run gets a desk of its own if runs are not stored.
func (s settings) executeUnattended(ctx context.Context, a *agent, in orchestrator.Input) error {
	in.Limits.Steps = s.ttl
	if a.engine != nil {
		_, err := a.engine.Start(ctx, in)
		return err
	}
	if s.runsFlag() == "" {
		model, deskClock, err := s.openModel()
		if err != nil {
			return err
		}
		if a, err = s.newAgent(ctx, model, deskClock, storage{journal: a.journal}); err != nil {
			return err
		}
	}
	r, err := a.Start(ctx, in)
	if err != nil {
		return err
	}
	result, err := r.Execute(ctx)
	if err == nil && result.Status == run.Interrupted {
		err = result.Error
	}
	return err
}
