package temporal

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"net/url"
	"strings"
	"sync"
	"time"

	enums "go.temporal.io/api/enums/v1"
	"go.temporal.io/api/serviceerror"
	"go.temporal.io/api/workflow/v1"
	"go.temporal.io/api/workflowservice/v1"

	"github.com/aiongen/aiongen/runtime/journal"
	"github.com/aiongen/aiongen/runtime/run"
)

// Journal returns a view of the runs in the task queue, for programs that show them, such as package
// inspect. It is read-only: Append and Delete fail. Send signals with [Engine.Send].
//
// Read and Runs query workers, so at least one must be running. Temporal takes about ten seconds to
// report that there is none. For 15 seconds after that, Read fails at once, unless the engine has a
// [Version]. The histories of the runs do not grow. Runs returns the 1,000 runs that started last. If
// no worker answers the query about a run, Runs derives its status from that of its workflow.
func (e *Engine) Journal() journal.Journal { return readOnlyJournal{e} }

// readOnlyJournal reads runs through queries.
type readOnlyJournal struct{ engine *Engine }

var errReadOnly = errors.New("temporal: the journal of an engine can only be read")

// Append implements [journal.Journal]. Like Delete, it always fails.
func (readOnlyJournal) Append(_ context.Context, run string, _ int, _ ...journal.Entry) error {
	return &journal.Error{Kind: journal.Failed, Run: run, Err: errReadOnly}
}

func (readOnlyJournal) Delete(_ context.Context, run string) error {
	return &journal.Error{Kind: journal.Failed, Run: run, Err: errReadOnly}
}

// Read implements [journal.Journal].
func (j readOnlyJournal) Read(ctx context.Context, run string, from int) iter.Seq2[journal.Entry, error] {
	return func(yield func(journal.Entry, error) bool) {
		for {
			entries, err := j.queryEntries(ctx, run, max(from, 0))
			if err != nil {
				yield(journal.Entry{}, err)
				return
			}
			for _, e := range entries {
				if !yield(e, nil) {
					return
				}
				from = e.N + 1
			}
			if len(entries) == 0 {
				return
			}
		}
	}
}

// lastEntry, as the number of an entry in a query, asks only for the last entry.
const lastEntry = -1

// queryEntries returns the entries of a run from a number on that fit into one answer. It returns none
// if there are no more.
func (j readOnlyJournal) queryEntries(ctx context.Context, id string, from int) (entries []journal.Entry, err error) {
	if err := journal.Check(ctx, id); err != nil {
		return nil, err
	}
	if noted := j.engine.workerAbsent.Load(); noted != nil && time.Since(*noted) < absenceTime {
		return nil, &journal.Error{Kind: journal.Failed, Run: id, Err: errNoWorker}
	}
	value, err := j.engine.client.QueryWorkflow(ctx, workflowID(id), "", entryName, from)
	var p jsonPayload
	if err == nil {
		err = value.Get(&p)
	}
	if err == nil {
		err = decodePayload(p, &entries)
	}
	switch {
	case isNotFound(err):
		return nil, &journal.NotFoundError{Run: id}
	case lacksWorker(err):
		if j.engine.version.BuildID == "" { // with versions, other runs may still have workers
			j.engine.workerAbsent.Store(new(time.Now()))
		}
		return nil, &journal.Error{Kind: journal.Failed, Run: id, Err: errNoWorker}
	case err != nil:
		return nil, &journal.Error{Kind: journal.Failed, Run: id, Err: withContextError(ctx, fromTemporalError(err))}
	}
	return entries, nil
}

// errNoWorker reports that a run cannot be read now.
var errNoWorker = errors.New("no worker answers: start one to read the runs")

// lacksWorker reports whether a query failed because no worker has polled the task queue for a while. It returns false
// if only the workers of the run's version are missing: that error has another message.
func lacksWorker(err error) bool {
	refused, ok := errors.AsType[*serviceerror.FailedPrecondition](err)
	return ok && strings.Contains(refused.Message, "no poller seen")
}

// absenceTime is how long an engine assumes, after a query found no worker, that there is none. Without this assumption,
// each query would take ten seconds to find that out, and a list of runs would take minutes.
const absenceTime = 15 * time.Second

// queryEntries is the handler of the query for entries. It returns as many entries as fit into one payload.
func (d *driver) queryEntries(from int) (jsonPayload, error) {
	var entries []journal.Entry
	size := 0
	for e, err := range d.journal.Read(context.Background(), d.ID(), from) {
		if err != nil {
			return jsonPayload{}, toTemporalError(err)
		}
		if size += len(e.Data); from == lastEntry {
			entries = []journal.Entry{e}
		} else if len(entries) == 0 || size < temporalPayloadBytes/2 {
			entries = append(entries, e)
		} else {
			break
		}
	}
	return encodePayload(entries)
}

// Limits of a list of runs.
const (
	maxListedRuns = 1000
	listQueries   = 8 // at the same time
)

// Runs implements [journal.Journal].
func (j readOnlyJournal) Runs(ctx context.Context, filter journal.Filter) iter.Seq2[journal.Info, error] {
	return func(yield func(journal.Info, error) bool) {
		executions, err := j.listExecutions(ctx)
		if err != nil {
			yield(journal.Info{}, &journal.Error{Kind: journal.Failed, Err: err})
			return
		}
		infos := make([]journal.Info, len(executions))
		free := make(chan struct{}, listQueries)
		var wg sync.WaitGroup
		for i, x := range executions {
			free <- struct{}{}
			wg.Go(func() {
				defer func() { <-free }()
				infos[i] = j.describeExecution(ctx, x)
			})
		}
		wg.Wait()
		for _, info := range filter.Page(infos) {
			if !yield(info, nil) {
				return
			}
		}
	}
}

// listExecutions returns the workflows of the latest runs in the task queue.
func (j readOnlyJournal) listExecutions(ctx context.Context) (all []*workflow.WorkflowExecutionInfo, err error) {
	queue := strings.NewReplacer(`\`, `\\`, `'`, `\'`).Replace(j.engine.queue)
	request := &workflowservice.ListWorkflowExecutionsRequest{Query: fmt.Sprintf("WorkflowType = '%s' AND TaskQueue = '%s'", runName, queue)}
	for {
		page, err := j.engine.client.ListWorkflow(ctx, request)
		if err != nil {
			return nil, withContextError(ctx, err)
		}
		all = append(all, page.GetExecutions()...)
		if request.NextPageToken = page.GetNextPageToken(); len(request.NextPageToken) == 0 || len(all) >= maxListedRuns {
			return all[:min(len(all), maxListedRuns)], nil
		}
	}
}

// describeExecution returns the Info of a run. If no worker answers, it derives the Info from the workflow.
func (j readOnlyJournal) describeExecution(ctx context.Context, x *workflow.WorkflowExecutionInfo) journal.Info {
	id, err := url.PathUnescape(x.GetExecution().GetWorkflowId())
	if err != nil {
		id = x.GetExecution().GetWorkflowId()
	}
	if entries, err := j.queryEntries(ctx, id, lastEntry); err == nil && len(entries) == 1 {
		return entries[0].Info(id)
	}
	info := journal.Info{Run: id, Status: run.Running, Time: x.GetStartTime().AsTime()}
	if x.GetStatus() != enums.WORKFLOW_EXECUTION_STATUS_RUNNING {
		info.Status, info.Time = run.Failed, x.GetCloseTime().AsTime()
	}
	if x.GetStatus() == enums.WORKFLOW_EXECUTION_STATUS_COMPLETED {
		info.Status = run.Completed
	}
	return info
}
