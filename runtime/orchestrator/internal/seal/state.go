package seal

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/aiongen/aiongen/runtime/orchestrator/record"
	"github.com/aiongen/aiongen/runtime/plan"
	"github.com/aiongen/aiongen/runtime/schema"
)

const longestID = 256

// ID returns an error if results cannot be stored under the ID of a run.
func ID(id string) error {
	if id == "" || len(id) > longestID || strings.Contains(id, "/") || !utf8.ValidString(id) {
		return fmt.Errorf("the ID of a run is 1 to %d bytes of UTF-8 without a slash, not %q", longestID, id[:min(len(id), longestID)])
	}
	return nil
}

// State returns a deep copy of a state that a run can go on from. A state may have
// been kept anywhere, so nothing in it is believed that a run relies on.
func State(s record.State) (record.State, error) {
	s, err := Clone(s)
	if err != nil {
		return s, err
	}
	if err := ID(s.ID); err != nil {
		return s, err
	}
	for _, r := range s.ToolHistory {
		if r.Call == nil {
			return s, errors.New("there is no call in a part of the history")
		}
	}
	current, err := progress(s)
	switch waits := s.Waiting != nil; {
	case err != nil:
		return s, err
	case s.CurrentStep != current:
		return s, fmt.Errorf("the current step is %q, but %q is running", s.CurrentStep, current)
	case s.Denied && !waits:
		return s, errors.New("a call was denied that does not wait")
	case waits && (current == "" || schema.Validate(nil, s.Waiting.Arguments) != nil):
		return s, errors.New("a call waits that is not that of a step")
	}
	switch s.Status {
	case record.Running, record.Completed, record.Failed, record.TTLExpired:
		return s, nil
	case record.Waiting:
		if s.Waiting == nil {
			return s, errors.New("the run waits, but for nothing")
		}
		return s, nil
	}
	return s, fmt.Errorf("there is no status %q", s.Status)
}

// progress returns the ID of the step that is running. Before it are those that
// have a result, behind it those that are pending.
func progress(s record.State) (running string, err error) {
	if s.Plan == nil {
		if len(s.Results) > 0 {
			return "", errors.New("there are results, but no plan")
		}
		return "", nil
	}
	if err := plan.Validate(*s.Plan); err != nil {
		return "", err
	}
	done := len(s.Results)
	if done > len(s.Plan.Steps) {
		return "", errors.New("there are more results than steps")
	}
	for i, step := range s.Plan.Steps {
		switch {
		case i < done && step.Status.Final() && s.Results[i].StepID == step.ID && (s.Results[i].Success || s.Results[i].Error != nil):
		case i == done && step.Status == plan.Running:
			running = step.ID
		case i >= done && step.Status == plan.Pending:
		default:
			return "", fmt.Errorf("step %q is %s, which is not what the results say", step.ID, step.Status)
		}
	}
	return running, nil
}
