package temporal_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"go.temporal.io/sdk/client"

	"github.com/aiongen/aiongen/adapters/temporal"
	"github.com/aiongen/aiongen/runtime/journal"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/orchestrator"
	"github.com/aiongen/aiongen/runtime/run"
	"github.com/aiongen/aiongen/runtime/tool"
)

// TestJournal lists and reads a run.
func TestJournal(t *testing.T) {
	t.Parallel()
	model := llm.Func(func(context.Context, llm.Request) (llm.Response, error) { return llm.Response{Text: "Hello."}, nil })
	e, err := temporal.New(dialServer(t, sharedServer.Address()), t.Name(), model, tool.NewRegistry(), temporal.RunOptions(orchestrator.Conversation{}))
	if err != nil {
		t.Fatal(err)
	}
	startWorker(t, e)
	id, err := e.Start(t.Context(), orchestrator.Input{ID: "it's ü", Request: "Good morning."})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := e.Result(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	j := e.Journal()
	var kinds []string
	for r, err := range run.Records(t.Context(), j, id) {
		if err != nil {
			t.Fatal(err)
		}
		kinds = append(kinds, r.Kind)
	}
	if len(kinds) < 4 || kinds[0] != "begin" || kinds[len(kinds)-1] != "stop" {
		t.Errorf("the run has the entries %v", kinds)
	}
	var found []journal.Info
	for len(found) == 0 && t.Context().Err() == nil { // the list lags behind
		for info, err := range j.Runs(t.Context(), journal.Filter{}) {
			if err != nil {
				t.Fatal(err)
			}
			found = append(found, info)
		}
	}
	if len(found) != 1 || found[0].Run != id || found[0].Status != run.Waiting || found[0].WaitsFor != run.ForMessage || found[0].Entries != len(kinds) {
		t.Errorf("listed %+v", found)
	}
	for _, err := range j.Read(t.Context(), "none", 0) {
		if _, missing := errors.AsType[*journal.NotFoundError](err); !missing {
			t.Errorf("a run that does not exist: %v", err)
		}
	}
	if err := j.Delete(t.Context(), id); err == nil {
		t.Error("a run was deleted")
	}
}

// TestReadVersions reads a run whose version has workers, after one whose version has none.
func TestReadVersions(t *testing.T) {
	if testing.Short() {
		t.Skip("Temporal takes ten seconds to miss a worker")
	}
	t.Parallel()
	c := dialServer(t, sharedServer.Address())
	var pages *temporal.Engine
	ids := []string{"read-1", "read-2"}
	for _, id := range ids {
		e, err := temporal.New(c, t.Name(), finalAnswer, tool.NewRegistry(), temporal.RunOptions(orchestrator.Conversation{}), temporal.Version("read", id))
		if err != nil {
			t.Fatal(err)
		}
		stop := startWorker(t, e)
		makeCurrent := func() error {
			_, err := c.WorkerDeploymentClient().GetHandle("read").SetCurrentVersion(t.Context(), client.WorkerDeploymentSetCurrentVersionOptions{BuildID: id})
			return err
		}
		for makeCurrent() != nil { // until Temporal has seen the worker
		}
		if _, err := e.Start(t.Context(), orchestrator.Input{ID: id, Request: "Hello."}); err != nil {
			t.Fatal(err)
		}
		if _, err := e.Result(t.Context(), id); err != nil {
			t.Fatal(err)
		}
		if id == ids[0] {
			stop()
		}
		pages = e
	}
	read := func(id string) (failed error) {
		for _, err := range pages.Journal().Read(t.Context(), id, 0) {
			failed = errors.Join(failed, err)
		}
		return failed
	}
	for missed := false; !missed; { // at first, queries of the worker that Temporal has seen time out
		err := read(ids[0])
		missed = err != nil && strings.Contains(err.Error(), "no worker answers")
	}
	if err := read(ids[1]); err != nil {
		t.Errorf("the run of the version with a worker cannot be read: %v", err)
	}
}
