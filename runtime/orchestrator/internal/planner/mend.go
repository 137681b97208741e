package planner

import (
	"encoding/json"

	"github.com/aiongen/aiongen/runtime/orchestrator/event"
	"github.com/aiongen/aiongen/runtime/run"
	"github.com/aiongen/aiongen/runtime/run/record"
	"github.com/aiongen/aiongen/runtime/supervisor"
)

// supervisor returns a supervisor, which has the model of the run: it is asked through
// the effects.
func (p *planning) supervisor() *supervisor.Supervisor {
	return supervisor.New(nil, append([]supervisor.Option{supervisor.Clock(p.fx.Now)}, p.Repairs...)...)
}

// mend goes on with a repair from what the supervisor made of it by itself. The error
// is a [*record.Stop], or tells that there is no repair.
func mend[T any](p *planning, kind supervisor.Kind, r *supervisor.Repair[T], local json.RawMessage) (T, error) {
	for more := r.Take(local); more; {
		answer, err := p.fx.Model(run.Ask{For: event.ForRepair, Request: r.Request, Read: r.Read})
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
	p.fx.Emit("", event.Repaired{Kind: kind, Actions: r.Actions(), Error: record.NewError(err)})
	return value, err
}
