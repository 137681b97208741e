package planner

import (
	"encoding/json"

	"github.com/aiongen/aiongen/runtime/run"
	"github.com/aiongen/aiongen/runtime/supervisor"
)

// newSupervisor returns a supervisor without a model: the model is asked through effects.
func (p *planning) newSupervisor() *supervisor.Supervisor {
	return supervisor.New(nil, append([]supervisor.Option{supervisor.Clock(p.fx.Now)}, p.Repairs...)...)
}

// runRepair continues a repair after the supervisor's local attempt. The error is a [*run.Stop],
// or means that the repair failed.
func runRepair[T any](p *planning, kind supervisor.Kind, r *supervisor.Repair[T], local json.RawMessage) (T, error) {
	for more := r.Take(local); more; {
		answer, err := p.fx.Model(run.Ask{For: run.PurposeRepair, Request: r.Request, Read: r.Read})
		switch {
		case isStop(err):
			var none T
			return none, err
		case err != nil:
			more = r.Take(r.Failed(err))
		default:
			more = r.Take(answer.Read)
		}
	}
	value, err := r.Result()
	p.fx.Emit("", run.RepairAttempted{Kind: kind, Actions: r.Actions(), Error: run.NewError(err)})
	return value, err
}
