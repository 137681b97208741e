package run

import (
	"cmp"
	"slices"

	"github.com/aiongen/aiongen/runtime/internal/note"
	"github.com/aiongen/aiongen/runtime/journal"
	"github.com/aiongen/aiongen/runtime/llm"
	"github.com/aiongen/aiongen/runtime/run/internal/carry"
	"github.com/aiongen/aiongen/runtime/run/internal/policy"
	"github.com/aiongen/aiongen/runtime/run/record"
	"github.com/aiongen/aiongen/runtime/tool"
)

// Call is [Effects.Call].
func (d *driver) Call(requests ...Request) ([]*tool.Call, error) {
	if err := d.stopping(); err != nil {
		return nil, err
	}
	seen := d.Count
	batch, err := d.batch(requests)
	for err == nil {
		asks, group, waits := policy.Turn(batch, d.About)
		switch {
		case asks == nil && len(group)+len(waits) == 0:
			return d.results(batch, seen)
		case d.Next() != nil:
			err = d.drift("call of " + batch[0].Request.Name + " " + batch[0].Request.ID)
		case asks != nil:
			err = d.consult(asks)
		case len(group) > 0:
			err = d.run(group, seen)
		default:
			err = d.wait(waits)
		}
	}
	return nil, err
}

// batch returns calls with their IDs, and goes past what the journal has of them.
func (d *driver) batch(requests []Request) ([]*policy.Call, error) {
	batch := make([]*policy.Call, len(requests))
	byID := map[string]*policy.Call{}
	for i, r := range requests {
		c, err := d.book.Enter(r.Step, r.Request)
		if err != nil {
			return nil, d.fail(err)
		}
		batch[i], byID[c.Request.ID] = c, c
	}
	for n := d.Next(); n != nil && byID[n.Call()] != nil; n = d.Next() {
		switch c := byID[n.Call()]; {
		case n.Answer != nil:
			if err := d.consult(c); err != nil {
				return nil, err
			}
		case n.Tool() != c.Request.Name:
			return nil, d.drift("call of " + c.Request.Name + " " + c.Request.ID)
		default:
			d.hand(n)
			d.step(c.Step)
			d.came(c, n)
		}
	}
	return batch, nil
}

// came tells of the end of a call, if an entry is that.
func (d *driver) came(c *policy.Call, n *note.Note) {
	if n.Came != nil && policy.Settles(n.Came.Call) {
		c.Told = true
		d.tell(c.Step, record.CallEnd{Call: n.Came.Call, Attempt: max(n.Came.Attempt, 1)})
	}
}

// wait waits for a person.
func (d *driver) wait(calls []*policy.Call) error {
	s := &record.Stop{Status: record.Waiting, WaitsFor: calls[0].Waits}
	for _, c := range calls {
		s.Calls = append(s.Calls, record.Wait{Call: c.Request.ID, For: c.Waits, Request: &c.Request, Questions: note.Questions(c.Asks)})
	}
	_, err := d.halt(s)
	return err
}

// consult has the model answer what the function of a call asks it.
func (d *driver) consult(c *policy.Call) error {
	answer, err := d.Model(Ask{For: record.ForQuestion, Step: c.Step, Tool: c.Request.Name, call: c.Request.ID, Shrinks: true, Request: func() llm.Request {
		c.Judge(d.About(c.Request.ID))
		return llm.Request{Prompt: c.Question().Text, MaxTokens: c.Question().MaxTokens}
	}})
	if answer.Error != nil { // which the function is told
		return nil
	}
	return err
}

// run runs calls, all of them read-only or a single one. If there is news, it may not
// do so.
func (d *driver) run(group []*policy.Call, seen int) error {
	all := make([]carry.Call, len(group))
	for i, c := range group {
		if begun, err := d.start(c, seen); !begun {
			return err
		}
		all[i] = carry.Call{Request: c.Request, Event: d.whole(record.Event{Step: c.Step, Time: d.time(), What: record.CallStart{Request: c.Request, Attempt: max(c.Attempt, 1)}})}
	}
	if c := group[0]; c.Refused != nil {
		return d.outcome(c, carry.Settle(&tool.Call{Status: tool.StatusFailed, Err: c.Refused}, c.Request), seen)
	}
	calls := d.carrier.All(d.ctx, all, group[0].Again())
	for i, c := range group {
		if calls[i] == nil {
			continue
		}
		if err := d.outcome(c, calls[i], seen); err != nil {
			return err
		}
	}
	if slices.Contains(calls, nil) {
		return d.interrupt(cmp.Or[error](d.ctx.Err(), new(tool.UnknownOutcomeError)))
	}
	return nil
}

// start sees to it that a call may begin.
func (d *driver) start(c *policy.Call, seen int) (begun bool, err error) {
	var request []journal.Entry
	asked := note.Asked{Request: c.Request}
	if !c.ReadOnly() && c.Refused == nil {
		asked.Attempt = c.Attempt + 1
		e, err := d.Entry(note.KindRequest, c.Request.ID, seen, asked)
		if err != nil {
			return false, d.fail(err)
		}
		request = append(request, e)
	}
	if news, err := d.begin(c.Step, request...); news || err != nil {
		return false, err
	}
	d.step(c.Step)
	if c.Attempt = asked.Attempt; c.Attempt > 0 {
		d.Add(c.Request.ID, &note.Note{Asked: &asked})
	}
	if c.Refused == nil {
		d.deliver(record.Event{Step: c.Step, Time: d.time(), What: record.CallStart{Request: c.Request, Attempt: max(c.Attempt, 1)}})
	}
	return true, nil
}

// outcome keeps what came of a call.
func (d *driver) outcome(c *policy.Call, result *tool.Call, seen int) error {
	data, err := note.EncodeOutcome(c.Attempt, result)
	if err != nil {
		return d.fail(err)
	}
	n, err := d.keep(note.KindOutcome, c.Request.ID, seen, data)
	if err == nil {
		d.came(c, n)
	}
	return err
}

// results returns what came of calls that are all final.
func (d *driver) results(batch []*policy.Call, seen int) ([]*tool.Call, error) {
	results := make([]*tool.Call, len(batch))
	for i, c := range batch {
		if c.Decided && !d.dry && d.Next() == nil {
			d.live = true
			if err := d.outcome(c, c.Result, seen); err != nil {
				return nil, err
			}
			c.Judge(d.About(c.Request.ID))
		}
		if i == 0 || c.At.After(d.now) {
			d.now = c.At
		}
		if results[i] = c.Result; !c.Told {
			d.tell(c.Step, record.CallEnd{Call: c.Result, Attempt: c.Attempt})
		}
		if policy.Ran(c.Result) {
			d.usage.ToolCalls++
		}
	}
	return results, nil
}
