package plan_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/aiongen/aiongen/runtime/plan"
	"github.com/aiongen/aiongen/runtime/schema"
	"github.com/aiongen/aiongen/runtime/tool"
)

// A world creates random tools, values and plans. In a definite world, each schema describes its
// values completely: every member is required, no other is allowed, and lists have one length. Two
// schemas are therefore equal or have no common value.
type world struct {
	*rand.Rand
	definite bool
}

type object = map[string]any

func (w world) one(of ...string) string { return of[w.IntN(len(of))] }

func (w world) often(percent int) bool { return w.IntN(100) < percent }

var memberNames = []string{"id", "name", "customer", "a/b", "result"}

func (w world) schema(depth int) object {
	if !w.definite && w.often(15) {
		return w.indefinite(depth)
	}
	switch kind := w.IntN(5); {
	case kind == 0:
		return object{"type": "integer"}
	case kind == 1:
		return object{"type": "boolean"}
	case kind == 2 || depth == 0:
		return object{"type": "string"}
	case kind == 3:
		n := 1 + w.IntN(2)
		list := object{"type": "array", "items": w.schema(depth - 1), "minItems": n, "maxItems": n}
		if !w.definite && w.often(50) {
			delete(list, w.one("minItems", "maxItems", "items"))
		}
		return list
	}
	return w.object(depth-1, 1+w.IntN(3))
}

// indefinite is a schema that may or may not have common values with others.
func (w world) indefinite(depth int) object {
	switch w.IntN(6) {
	case 0:
		return object{}
	case 1:
		return object{"type": []string{w.one("string", "integer"), "null"}}
	case 2:
		return object{"anyOf": []any{w.schema(max(0, depth-1)), w.schema(0)}}
	case 3:
		return object{"enum": []any{w.one("a", "b"), w.one("b", "c"), w.IntN(3)}}
	case 4:
		return object{"type": "number", "minimum": w.IntN(6), "maximum": 5 + w.IntN(10)}
	}
	return object{"type": "string", "minLength": w.IntN(4), "maxLength": 3 + w.IntN(3)}
}

func (w world) object(depth, members int) object {
	properties, required := object{}, []string{}
	for range members {
		name := memberNames[w.IntN(len(memberNames))]
		if properties[name] == nil && (w.definite || w.often(70)) {
			required = append(required, name)
		}
		properties[name] = w.schema(depth)
	}
	s := object{"type": "object", "properties": properties, "required": required}
	if w.definite || w.often(60) {
		s["additionalProperties"] = false
	}
	return s
}

// value returns a value that is valid by the schema, if it finds one.
func (w world) value(s object) any {
	if list, ok := s["enum"].([]any); ok {
		return list[w.IntN(len(list))]
	}
	if list, ok := s["anyOf"].([]any); ok {
		return w.value(list[w.IntN(len(list))].(object))
	}
	if types, ok := s["type"].([]string); ok {
		return w.value(object{"type": types[w.IntN(len(types))]})
	}
	limit := func(name string, other int) int {
		if n, ok := s[name].(int); ok {
			return n
		}
		return other
	}
	switch s["type"] {
	case "integer":
		return w.IntN(20)
	case "number":
		return min(float64(limit("minimum", 0))+float64(w.IntN(4))/2, float64(limit("maximum", 20)))
	case "boolean":
		return w.often(50)
	case "null":
		return nil
	case "string":
		return "abcdef"[:min(limit("maxLength", 6), limit("minLength", 0)+w.IntN(3))]
	case "array":
		list := make([]any, limit("minItems", min(limit("maxItems", 2), w.IntN(3))))
		items, _ := s["items"].(object)
		for i := range list {
			list[i] = w.value(items)
		}
		return list
	case "object":
		made := object{}
		for name, p := range s["properties"].(object) {
			if slices.Contains(s["required"].([]string), name) || w.often(50) {
				made[name] = w.value(p.(object))
			}
		}
		return made
	}
	return w.value(w.schema(1))
}

// A gadget is a tool with the schemas that it was created from.
type gadget struct {
	input, output object
	definition    tool.Definition
}

func (w world) gadget(name string) gadget {
	g := gadget{input: w.object(1, 1+w.IntN(3)), output: w.schema(3)}
	g.definition = tool.Definition{Name: name, Description: "d", Input: encoded(g.input), Output: encoded(g.output)}
	return g
}

func encoded(v any) json.RawMessage {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return text
}

// reference returns a reference to a random place in the result of a random step, usually to an
// existing place in an earlier step.
func (w world) reference(gadgets []gadget, tools []int, step int) (written string, s object) {
	to := 0
	if step > 0 {
		to = w.IntN(step)
	}
	if w.often(5) {
		to = w.IntN(len(tools) + 1)
	}
	r := plan.Reference{Step: fmt.Sprint(to + 1)}
	s = object{}
	if to < len(tools) {
		s = gadgets[tools[to]].output
	}
	for w.often(80) {
		name := ""
		switch s["type"] {
		case "array":
			name = fmt.Sprint(w.IntN(2))
			s, _ = s["items"].(object)
		case "object":
			properties := s["properties"].(object)
			name = slices.Sorted(maps.Keys(properties))[w.IntN(len(properties))]
			s, _ = properties[name].(object)
		}
		if name == "" && w.often(95) {
			break
		}
		if name == "" || w.often(3) {
			name, s = w.one(memberNames...), object{}
		}
		r.Pointer += "/" + (plan.Reference{Step: name}).String()[len("<<step:"):]
		r.Pointer = r.Pointer[:len(r.Pointer)-len(">>")]
	}
	return r.String(), s
}

// plan returns a plan with the gadgets.
func (w world) plan(gadgets []gadget) plan.Plan {
	p := plan.Plan{Goal: "g"}
	tools := make([]int, 2+w.IntN(3))
	for i := range tools {
		tools[i] = w.IntN(len(gadgets))
	}
	for i, t := range tools {
		g := gadgets[t]
		arguments := object{}
		for name, s := range g.input["properties"].(object) {
			switch {
			case w.often(10):
			case w.often(3):
				arguments[name] = w.value(w.schema(1))
			case i == 0 || w.often(40):
				arguments[name] = w.value(s.(object))
			default:
				arguments[name] = w.argument(gadgets, tools, i, s.(object))
			}
		}
		step := plan.Step{ID: fmt.Sprint(i + 1), Description: "d", Tool: g.definition.Name, Arguments: encoded(arguments)}
		if w.often(2) {
			step.Tool += "x"
		}
		p.Steps = append(p.Steps, step)
	}
	return p
}

// argument returns a reference to a step, usually to a value that fits unchanged.
func (w world) argument(gadgets []gadget, tools []int, step int, s object) any {
	if s["type"] == "array" && w.often(50) {
		if list, ok := w.value(s).([]any); ok && len(list) > 0 && s["items"] != nil {
			list[0] = w.argument(gadgets, tools, step, s["items"].(object))
			return list
		}
	}
	for range 30 {
		written, found := w.reference(gadgets, tools, step)
		if s["type"] == "string" && w.often(20) {
			return "x " + written
		}
		if w.often(3) || string(encoded(found)) == string(encoded(s)) {
			return written
		}
	}
	return w.value(s)
}

// run executes the plan with checking tools as far as possible. It returns the first step that fails,
// with the reason. Missing arguments are supplied.
func (w world) run(p plan.Plan, gadgets []gadget) (failed int, err error) {
	r := tool.NewRegistry()
	byName := map[string]gadget{}
	for _, g := range gadgets {
		byName[g.definition.Name] = g
		made, err := schema.Dynamic(g.definition, func(context.Context, json.RawMessage) (json.RawMessage, error) {
			return encoded(w.value(g.output)), nil
		})
		if err == nil {
			err = r.Register(made)
		}
		if err != nil {
			panic(err)
		}
	}
	results := map[string]plan.Result{}
	for i, s := range p.Steps {
		g := byName[s.Tool]
		var arguments object
		if err := json.Unmarshal(s.Arguments, &arguments); err != nil {
			return i, err
		}
		for _, name := range s.Missing(g.definition) {
			arguments[name] = w.value(g.input["properties"].(object)[name].(object))
		}
		s.Arguments = encoded(arguments)
		filled, err := s.Fill(func(id string) (plan.Result, bool) { result, ok := results[id]; return result, ok })
		if err != nil {
			return i, err
		}
		call := r.Call(context.Background(), tool.Request{Name: s.Tool, Arguments: filled})
		if call.Err != nil {
			return i, call.Err
		}
		results[s.ID] = plan.Result{Value: call.Output, Output: g.definition.Output}
	}
	return -1, nil
}

// fits reports whether the results of gadgets are valid by their own schemas, which is impossible for
// contradictory ones.
func (w world) fits(g gadget) bool {
	for range 2 {
		if schema.Validate(g.definition.Output, encoded(w.value(g.output))) != nil {
			return false
		}
	}
	return true
}

// TestOracle runs random plans with checking tools. In a definite world, plans that Compile accepts
// never fail, and those that it rejects always do. In any world, plans that it rejects fail, whatever
// the tools return, and plans that it accepts fail only where the value of a reference had to be
// known.
func TestOracle(t *testing.T) {
	for _, definite := range []bool{true, false} {
		t.Run(fmt.Sprint("definite ", definite), func(t *testing.T) {
			t.Parallel()
			passed, refused, late := 0, 0, 0
			for seed := range uint64(map[bool]int{true: 3000, false: 2000}[definite]) {
				w := world{rand.New(rand.NewPCG(seed, 1)), definite}
				var gadgets []gadget
				for i := 0; len(gadgets) < 3; i++ {
					if g := w.gadget(fmt.Sprint("tool", i)); w.fits(g) {
						gadgets = append(gadgets, g)
					}
				}
				definitions := []tool.Definition{}
				for _, g := range gadgets {
					definitions = append(definitions, g.definition)
				}
				p := w.plan(gadgets)
				compiled, _, wrong := plan.Compile(p, definitions, 10)
				if wrong != nil {
					refused++
					for range map[bool]int{true: 1, false: 2}[definite] {
						if step, err := w.run(p, gadgets); err == nil {
							t.Fatalf("seed %d: refused, and works: %v\n%s\n%s, %d", seed, wrong, encoded(p), encoded(definitions), step)
						}
					}
					continue
				}
				passed++
				step, err := w.run(compiled, gadgets)
				var reference *plan.ReferenceError
				var argument *tool.ArgumentError
				switch {
				case err == nil:
				case !definite && len(p.Steps[step].References()) > 0 && (errors.As(err, &reference) || errors.As(err, &argument)):
					late++
				default:
					t.Fatalf("seed %d: passed, and step %d fails: %v\n%s\n%s", seed, step, err, encoded(compiled), encoded(definitions))
				}
			}
			t.Logf("%d passed, %d of them failed late, %d were refused", passed, late, refused)
			if passed < 500 || refused < 500 {
				t.Error("too few of one kind")
			}
		})
	}
}
