package planner_test

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/runtime/journal"
	"github.com/aiongen/aiongen/runtime/orchestrator/internal/planner"
	"github.com/aiongen/aiongen/runtime/orchestrator/internal/task"
	"github.com/aiongen/aiongen/runtime/plan"
	"github.com/aiongen/aiongen/runtime/run"
	"github.com/aiongen/aiongen/runtime/schema"
	"github.com/aiongen/aiongen/runtime/tool"
)

var randomPlans = flag.Int("plans", 400, "how many random plans are run on tools that check")

// shape is a schema that describes its values completely, so that two shapes are equal or have no
// common value. A loose one may also be null.
type shape struct {
	kind    string
	members map[string]shape // of an object
	items   *shape           // items of a list, which has two
	loose   bool
}

func randomShape(r *rand.Rand, depth int, loose bool) shape {
	s := shape{kind: pickText(r, "integer", "boolean", "string", "object", "array"), loose: loose && r.IntN(4) == 0}
	if depth == 0 {
		s.kind = pickText(r, "integer", "string")
	}
	switch s.kind {
	case "object":
		s.members = map[string]shape{}
		for range 1 + r.IntN(3) {
			s.members[pickText(r, "id", "name", "a/b", "step")] = randomShape(r, depth-1, loose)
		}
	case "array":
		items := randomShape(r, depth-1, loose)
		s.items = &items
	}
	return s
}

func (s shape) schema() map[string]any {
	m := map[string]any{"type": s.kind}
	switch s.kind {
	case "object":
		properties, required := map[string]any{}, []string{}
		for _, name := range names(s.members) {
			properties[name] = s.members[name].schema()
			required = append(required, name)
		}
		m["properties"], m["required"], m["additionalProperties"] = properties, required, false
	case "array":
		m["items"], m["minItems"], m["maxItems"] = s.items.schema(), 2, 2
	}
	if s.loose {
		m["type"] = []string{s.kind, "null"}
	}
	return m
}

func (s shape) value(r *rand.Rand) any {
	switch {
	case s.loose && r.IntN(2) == 0:
		return nil
	case s.kind == "integer":
		return r.IntN(100)
	case s.kind == "boolean":
		return r.IntN(2) == 0
	case s.kind == "string":
		return pickText(r, "", "a", "<<step:1>>", "<<var:x>>", "é\u2028\"")
	case s.kind == "array":
		return []any{s.items.value(r), s.items.value(r)}
	}
	m := map[string]any{}
	for _, name := range names(s.members) {
		m[name] = s.members[name].value(r)
	}
	return m
}

// places adds the places in values of a shape, as a plan refers to them.
func (s shape) places(step, pointer string, into map[string]shape) {
	into["<<step:"+step+pointer+">>"] = s
	for name, m := range s.members {
		m.places(step, pointer+"/"+strings.ReplaceAll(name, "/", "~1"), into)
	}
	if s.items != nil {
		s.items.places(step, pointer+"/1", into)
	}
}

func names(m map[string]shape) []string {
	var all []string
	for _, name := range []string{"a/b", "id", "name", "step"} {
		for _, prefix := range []string{"", "tool0_", "tool1_", "tool2_"} {
			if _, ok := m[prefix+name]; ok {
				all = append(all, prefix+name)
			}
		}
	}
	return all
}

func text(x any) json.RawMessage {
	b, err := json.Marshal(x)
	if err != nil {
		panic(err)
	}
	return b
}

// maker creates random tools, and plans with them.
type maker struct {
	*rand.Rand
	inputs, outputs [3]shape
	calls           int
}

func newMaker(seed uint64, loose bool) *maker {
	m := &maker{Rand: chance(seed, loose, "oracle")}
	for i := range m.inputs {
		m.inputs[i] = shape{kind: "object", members: map[string]shape{}}
		for range 1 + m.IntN(3) {
			m.inputs[i].members[fmt.Sprintf("tool%d_%s", i, pickText(m.Rand, "id", "name", "step"))] = randomShape(m.Rand, 1, loose)
		}
		m.outputs[i] = randomShape(m.Rand, 3, loose)
	}
	return m
}

// registry returns tools that check their arguments and results.
func (m *maker) registry(t *testing.T) *tool.Registry {
	r := tool.NewRegistry()
	for i := range m.inputs {
		does := tool.Annotations{ReadOnly: m.IntN(2) == 0}
		d := tool.Definition{Name: fmt.Sprint("tool", i), Description: "d", Annotations: does, Input: text(m.inputs[i].schema()), Output: text(m.outputs[i].schema())}
		outputs := chance(i, m.Uint64())
		made, err := schema.Dynamic(d, func(context.Context, json.RawMessage) (json.RawMessage, error) {
			m.calls++
			return text(m.outputs[i].value(outputs)), nil
		})
		if err == nil {
			err = r.Register(made)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return r
}

// plan returns a plan whose arguments are values, valid references, and some invalid ones or nothing.
func (m *maker) plan() *plan.Plan {
	p := &plan.Plan{Goal: "g"}
	there, fit := map[string]shape{}, []string{}
	for id := range 2 + m.IntN(4) {
		i := m.IntN(len(m.inputs))
		arguments := map[string]any{}
		for _, name := range names(m.inputs[i].members) {
			s := m.inputs[i].members[name]
			var same []string
			for _, place := range fit {
				if string(text(there[place].schema())) == string(text(s.schema())) || m.IntN(60) == 0 {
					same = append(same, place)
				}
			}
			switch {
			case m.IntN(8) == 0:
			case m.IntN(40) == 0:
				arguments[name] = pickText(m.Rand, "<<step:9>>", "<<step:1/nothing>>", "<the id of step 1>")
			case s.kind == "string" && len(fit) > 0 && m.IntN(4) == 0:
				arguments[name] = "It is " + pickText(m.Rand, fit...) + "."
			case len(same) > 0:
				arguments[name] = pickText(m.Rand, same...)
			case s.kind == "string":
				arguments[name] = "x"
			default:
				arguments[name] = s.value(m.Rand)
			}
		}
		step := fmt.Sprint(id + 1)
		p.Steps = append(p.Steps, plan.Step{ID: step, Description: "d", Tool: fmt.Sprint("tool", i), Arguments: text(arguments)})
		m.outputs[i].places(step, "", there)
		fit = fit[:0]
		for place := range there {
			fit = append(fit, place)
		}
		slices.Sort(fit)
	}
	return p
}

var missing = regexp.MustCompile(`What is missing: (\[[^\]]*\])`)

// supplies answers requests for arguments with valid values.
func (m *maker) supplies(_, prompt string) string {
	found := missing.FindStringSubmatch(prompt)
	if found == nil {
		return "done"
	}
	var all []string
	if err := json.Unmarshal([]byte(found[1]), &all); err != nil {
		panic(err)
	}
	arguments := map[string]any{}
	for _, name := range all {
		arguments[name] = m.inputs[name[len("tool")]-'0'].members[name].value(m.Rand)
	}
	return strings.ReplaceAll(string(text(map[string]any{"arguments": arguments})), `\u003c`, "") // otherwise it may also refer to steps
}

// TestOracle runs random plans with checking tools. A plan that compiles must not fail because of a
// name, a reference or a type if schemas are definite; otherwise it may fail only in a step with a
// reference. A plan that does not compile must have no effect. Package plan checks that such plans
// could not have worked.
func TestOracle(t *testing.T) {
	ended := map[string]int{}
	for seed := range uint64(*randomPlans) {
		loose := seed%3 == 0
		m := newMaker(seed, loose)
		w := &world{tools: m.registry(t), task: task.Task{Request: "Do it."}, says: m.supplies, Settings: planner.Settings{AfterFailure: planner.Stop, Parallel: 1}}
		w.task.Plan = m.plan()
		_, _, wrong := plan.Compile(*w.task.Plan, w.tools.All(), len(w.task.Plan.Steps))
		j := new(journal.Map)
		w.begin(t, j)
		var failed *run.StepEnd
		env := w.env(t, j)
		env.Repeats = -1
		result, err := env.Execute(t.Context(), "r", w.Run, func(e run.Event) {
			if end, ok := e.What.(run.StepEnd); ok && !end.Result.Success {
				failed = &end
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		name := fmt.Sprintf("loose %t, refused %t: %s", loose, wrong != nil, result.Status)
		ended[name]++
		switch {
		case wrong != nil && (result.Status != run.Failed || m.calls > 0 || result.Error.Kind != run.NewError(wrong).Kind):
			t.Fatalf("seed %d: refused (%v), and it is %+v after %d calls", seed, wrong, result, m.calls)
		case wrong != nil:
		case result.Status == run.Completed && m.calls == len(w.task.Plan.Steps):
		case !loose || failed == nil || len(failed.Step.References()) == 0 && !refers(w.task.Plan, failed.Result.StepID):
			t.Fatalf("seed %d: it can be compiled, and is %+v, %v:\n%s\n%s", seed, result, result.Error, text(w.task.Plan), text(w.tools.All()))
		}
	}
	t.Log(ended)
	for _, name := range []string{"loose false, refused true: failed", "loose false, refused false: completed", "loose true, refused false: completed", "loose true, refused true: failed"} {
		if ended[name] < *randomPlans/20 {
			t.Errorf("%s: %d", name, ended[name])
		}
	}
}

// refers reports whether a step refers to other steps.
func refers(p *plan.Plan, id string) bool {
	for _, s := range p.Steps {
		if s.ID == id {
			return len(s.References()) > 0
		}
	}
	return false
}
