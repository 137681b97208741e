package orchestrator

import (
	"github.com/aiongen/aiongen/runtime/orchestrator/record"
	"github.com/aiongen/aiongen/runtime/plan"
	"github.com/aiongen/aiongen/runtime/tool"
)

// What a run keeps and tells is in package record.
type (
	State  = record.State
	Status = record.Status
	Result = record.Result
	Event  = record.Event
	Usage  = record.Usage
	Error  = record.Error
)

// Where a run stands.
const (
	Running    = record.Running
	Waiting    = record.Waiting
	Completed  = record.Completed
	Failed     = record.Failed
	TTLExpired = record.TTLExpired
)

// next returns the index of the step that is running or the first that is
// pending; -1 if there is none.
func next(s *State) int {
	for i, step := range s.Plan.Steps {
		if !step.Status.Final() {
			return i
		}
	}
	return -1
}

// failed returns the IDs of the steps that failed.
func failed(s *State) (ids []string) {
	for _, step := range s.Plan.Steps {
		if step.Status == plan.Failed {
			ids = append(ids, step.ID)
		}
	}
	return ids
}

// definition returns the definition of a tool that was there at the start.
func definition(s *State, name string) (d tool.Definition) {
	for _, d := range s.Tools {
		if d.Name == name {
			return d
		}
	}
	return d
}

// finish ends the step that is running.
func finish(s *State, result record.StepResult) {
	step := &s.Plan.Steps[next(s)]
	status := plan.Failed
	if result.Success {
		status = plan.Complete
	}
	if err := step.Advance(status); err != nil {
		panic(err) // only a step that runs is finished
	}
	step.Errors = nil
	s.Results = append(s.Results, result)
	s.CurrentStep, s.Waiting, s.Denied = "", nil, false
	s.TTL--
}

// keep adds a call to the history.
func keep(s *State, step string, call *tool.Call) {
	if call != nil {
		s.ToolHistory = append(s.ToolHistory, record.ToolRecord{StepID: step, Call: call})
		s.Usage.ToolCalls++
	}
}
