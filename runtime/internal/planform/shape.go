package planform

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/repair"
	"github.com/aiongen/aiongen/runtime/tool"
)

// Shape returns the plan in what a model wrote before anything in it is found right:
// in the one shape, with the members under their names. It knows the shapes that models
// write when no schema holds them:
//
//   - a plan in another object, or a list of steps alone
//   - steps in an object with their IDs as keys
//   - members under other names, and a tool as in functions.find or none
//   - arguments as a text, or as a list of names and values
//
// The goal is the request if there is no other, and steps without IDs are numbered.
// Members that it does not know stay as they are. Two plans are an error.
func Shape(reply, request string, definitions []tool.Definition) (json.RawMessage, error) {
	read, err := repair.JSON(reply, nil)
	if err == nil && read.Truncated {
		err = errors.New("the text was cut off")
	}
	if err != nil {
		return nil, err
	}
	n, err := jsontext.Parse(string(read.Value), jsontext.MaxDepth)
	if err != nil {
		return nil, err
	}
	r := shapes{request: request, definitions: definitions}
	if n, err = onlyPlan(n); err != nil {
		return nil, err
	}
	return r.plan(n).Append(nil), nil
}

// shapes brings plans into the one shape. It keeps what it does not know, for the reader
// of the plan to reject.
type shapes struct {
	request     string
	definitions []tool.Definition
}

// Names of members, in lower case.
var (
	planNames        = []string{"plan", "result", "output"}
	goalNames        = []string{"goal", "objective"}
	stepsNames       = []string{"steps", "tasks", "actions"}
	idNames          = []string{"step_id", "id", "step", "step_number", "number"}
	descriptionNames = []string{"description", "task", "title", "instruction"}
	toolNames        = []string{"tool", "tool_name", "function", "tool_call"}
	argumentNames    = []string{"arguments", "args", "parameters", "params", "input", "action_input", "tool_input"}
	kindNames        = []string{"type", "kind", "mode"}
	noTool           = []string{"", "none", "null", "n/a", "no tool"}

	// plainStatuses say nothing about whether a step is to run.
	plainStatuses = []string{"", "pending", "planned", "todo", "to do", "to_do", "not started", "not_started", "not-started", "new", "open", "ready", "queued", "waiting", "scheduled", "active",
		"running", "in progress", "in_progress", "in-progress", "started", "complete", "completed", "done", "finished", "success", "succeeded", "ok", "failed"}
)

// replanAgent is the agent of a step that continues planning.
const replanAgent = "replan"

// named returns the members that have one of the names.
func named(n *jsontext.Node, names []string) (all []*jsontext.Node) {
	for _, m := range n.Items {
		if n.Is(jsontext.Object) && m.Kind != jsontext.Null && slices.Contains(names, strings.ToLower(m.Name())) {
			all = append(all, m)
		}
	}
	return all
}

// others returns the members that have none of the names.
func others(n *jsontext.Node, names ...[]string) (all []*jsontext.Node) {
	known := slices.Concat(names...)
	for _, m := range n.Items {
		if n.Is(jsontext.Object) && !slices.Contains(known, strings.ToLower(m.Name())) {
			all = append(all, m)
		}
	}
	return all
}

// as returns a value as the member of a name.
func as(name string, n *jsontext.Node) *jsontext.Node {
	m := *n
	m.Key = jsontext.Quote(name)
	return &m
}

func textNode(text string) *jsontext.Node {
	return &jsontext.Node{Kind: jsontext.String, Text: jsontext.Quote(text)}
}

// isPlan reports whether a value is a plan, also within another object.
func isPlan(n *jsontext.Node, depth int) bool {
	is := func(m *jsontext.Node) bool {
		return m.Is(jsontext.Array) || m.Is(jsontext.Object) && len(m.Items) > 0 && m.Items[0].Is(jsontext.Object)
	}
	if slices.ContainsFunc(named(n, stepsNames), is) {
		return true
	}
	inner := named(n, planNames)
	return depth < 3 && len(inner) == 1 && (inner[0].Is(jsontext.Array) || isPlan(inner[0], depth+1))
}

// onlyPlan returns the plan of a list of plans that are all the same, and any other value
// as it is. Several plans are an error.
func onlyPlan(n *jsontext.Node) (*jsontext.Node, error) {
	list := n
	if inner := named(n, []string{"plan", "plans"}); len(inner) == 1 && inner[0].Is(jsontext.Array) {
		list = inner[0]
	}
	if list.Is(jsontext.Object) && len(named(list, stepsNames)) > 0 {
		return n, nil
	}
	count, plans := 0, []*jsontext.Node(nil)
	for _, m := range list.Items {
		if !isPlan(m, 0) || len(named(m, slices.Concat(toolNames, argumentNames, []string{"action", "step_id", "step"}))) > 0 {
			continue // or a step with steps in it
		}
		count++
		if !slices.ContainsFunc(plans, func(p *jsontext.Node) bool { return jsontext.Equal(p, m) }) {
			plans = append(plans, m)
		}
	}
	switch {
	case len(plans) > 1:
		return nil, fmt.Errorf("there are %d plans in the answer: write one", len(plans))
	case len(plans) == 1 && count == len(list.Items) && list.Is(jsontext.Array):
		return plans[0], nil
	}
	return n, nil
}

// plan returns a plan with its steps.
func (r shapes) plan(n *jsontext.Node) *jsontext.Node {
	var rest []*jsontext.Node
	for range 3 { // wrapped in each other
		inner := named(n, planNames)
		if len(inner) != 1 || len(named(n, stepsNames)) > 0 {
			break
		}
		if inner[0].Is(jsontext.Array) {
			made := &jsontext.Node{Kind: jsontext.Object, Items: []*jsontext.Node{as("steps", inner[0])}}
			for _, m := range others(n, planNames) {
				made.Add(m)
			}
			n = made
			break
		}
		if inner[0].Is(jsontext.Object) {
			rest = append(rest, others(n, planNames, goalNames)...)
		}
		n = inner[0]
	}
	steps := named(n, stepsNames)
	if n.Is(jsontext.Array) {
		steps = []*jsontext.Node{n}
	}
	if len(steps) == 0 {
		return n
	}
	made := &jsontext.Node{Kind: jsontext.Object}
	for _, goal := range named(n, goalNames) {
		made.Add(as("goal", goal))
	}
	if len(made.Items) == 0 {
		made.Add(as("goal", textNode(r.request)))
	}
	for _, list := range steps {
		made.Add(as("steps", r.steps(list)))
	}
	for _, m := range append(rest, others(n, goalNames, stepsNames)...) {
		made.Add(m)
	}
	return made
}

// listed returns the steps of an object whose keys are their IDs as a list.
func listed(steps *jsontext.Node) *jsontext.Node {
	if !steps.Is(jsontext.Object) || len(steps.Items) == 0 || slices.ContainsFunc(steps.Items, func(s *jsontext.Node) bool { return !s.Is(jsontext.Object) }) {
		return steps
	}
	list := &jsontext.Node{Kind: jsontext.Array}
	for _, s := range steps.Items {
		made := &jsontext.Node{Kind: jsontext.Object, Items: slices.Clone(s.Items)}
		known := named(s, idNames)
		same := func(id *jsontext.Node) bool { return id.Str() == s.Name() || id.String() == s.Name() }
		if !slices.ContainsFunc(known, same) {
			made.Add(as("step_id", textNode(s.Name()))) // if there is another one, both are shown
		}
		list.Add(made)
	}
	return list
}

// steps returns the steps of a list, with numbers if none of them has an ID.
func (r shapes) steps(list *jsontext.Node) *jsontext.Node {
	list = listed(list)
	if !list.Is(jsontext.Array) {
		return list
	}
	without := !slices.ContainsFunc(list.Items, func(s *jsontext.Node) bool { return len(named(s, idNames)) > 0 })
	made := &jsontext.Node{Kind: jsontext.Array}
	for i, s := range list.Items {
		if s.Is(jsontext.Object) {
			s = r.step(s)
			if without {
				s.Add(as("step_id", textNode(strconv.Itoa(i+1))))
			}
		}
		made.Add(s)
	}
	return made
}

// shapedStep is a step whose members get their names.
type shapedStep struct {
	*jsontext.Node
	descriptions []*jsontext.Node
	replans      bool
}

func (s *shapedStep) add(name string, all ...*jsontext.Node) {
	for _, m := range all {
		s.Add(as(name, m))
	}
}

// step returns a step with its members under their names.
func (r shapes) step(s *jsontext.Node) *jsontext.Node {
	made := &shapedStep{Node: &jsontext.Node{Kind: jsontext.Object}}
	made.add("step_id", named(s, idNames)...)
	made.add("agent", named(s, []string{"agent"})...)
	made.add("arguments", parsed(named(s, argumentNames))...)
	r.describe(made, s)
	for _, m := range named(s, toolNames) {
		if m.Is(jsontext.Object) { // a call
			made.add("arguments", parsed(named(m, argumentNames))...)
			for _, other := range others(m, argumentNames, []string{"name", "type", "id"}) {
				made.Add(other)
			}
			if name := m.Member("name"); name != nil {
				m = name
			}
		}
		r.addTool(made, m)
	}
	for _, m := range named(s, []string{"status"}) {
		if !m.Is(jsontext.String) || !slices.Contains(plainStatuses, strings.ToLower(strings.TrimSpace(m.Str()))) {
			made.Add(m) // such as skipped, which is a fault
		}
	}
	for _, m := range others(s, idNames, []string{"agent", "action", "status", "errors", replanAgent}, argumentNames, descriptionNames, toolNames) {
		switch name := strings.ToLower(m.Name()); {
		case name == "name" && made.Member("tool") == nil && r.isTool(m.Str()):
			made.add("tool", m)
		case slices.Contains(kindNames, name) && strings.EqualFold(m.Str(), replanAgent):
			made.replans = true
		default:
			made.Add(m)
		}
	}
	if name := made.Member("tool").Str(); len(made.descriptions) == 0 && name != "" {
		made.descriptions = []*jsontext.Node{textNode("Call " + name)}
	}
	if made.replans {
		if made.Member("agent") == nil {
			made.add("agent", textNode(replanAgent))
		}
		if len(made.descriptions) == 0 {
			made.descriptions = []*jsontext.Node{textNode("Plan the rest")}
		}
	}
	made.add("description", made.descriptions...)
	return made.Node
}

// describe reads what a step says that it does, which may be the name of a tool.
func (r shapes) describe(made *shapedStep, s *jsontext.Node) {
	isNamed := len(named(s, toolNames)) > 0
	for _, m := range named(s, descriptionNames) {
		if strings.EqualFold(m.Name(), "task") && !isNamed && r.isTool(m.Str()) {
			made.add("tool", m)
		} else {
			made.descriptions = append(made.descriptions, m)
		}
	}
	for _, m := range named(s, []string{"action"}) {
		name, ok := r.tool(m.Str())
		switch {
		case ok && name != "":
			made.add("tool", textNode(name))
		case !ok && strings.EqualFold(name, replanAgent):
			made.replans = true
		case !ok && len(made.descriptions) == 0:
			made.descriptions = append(made.descriptions, m)
		case !ok:
			made.add("tool", m)
		}
	}
	for _, m := range named(s, []string{replanAgent}) {
		switch {
		case m.Is(jsontext.String):
			made.replans = true
			if len(made.descriptions) == 0 && strings.TrimSpace(m.Str()) != "" {
				made.descriptions = append(made.descriptions, m)
			}
		case m.String() == "false":
		default:
			made.replans = true
		}
	}
}

// addTool adds the tool of a step; one named replan is an agent, unless there is such a tool.
func (r shapes) addTool(made *shapedStep, m *jsontext.Node) {
	name, ok := r.tool(m.Str())
	switch {
	case !ok && m.Is(jsontext.String) && strings.EqualFold(name, replanAgent):
		made.replans = true
	case !ok:
		made.add("tool", m)
	case name != "":
		made.add("tool", textNode(name))
	}
}

// isTool reports whether there is a tool of exactly this name.
func (r shapes) isTool(name string) bool {
	return slices.ContainsFunc(r.definitions, func(d tool.Definition) bool { return d.Name == name })
}

// tool returns the tool that a name means; "" if it says that there is none.
func (r shapes) tool(name string) (string, bool) {
	name = strings.TrimSuffix(strings.TrimSpace(name), "()")
	if r.isTool(name) {
		return name, true
	}
	if slices.Contains(noTool, strings.ToLower(name)) {
		return "", true
	}
	if i := strings.LastIndexByte(name, '.'); r.isTool(name[i+1:]) {
		return name[i+1:], true
	}
	return name, false
}

// parsed returns arguments that were written as a text, or as a list of names and values.
func parsed(all []*jsontext.Node) []*jsontext.Node {
	for i, m := range all {
		if said := strings.TrimSpace(m.Str()); strings.HasPrefix(said, "{") && json.Valid([]byte(said)) {
			if n, err := jsontext.Parse(said, jsontext.MaxDepth); err == nil {
				all[i] = n
			}
		}
		if object := fromPairs(m); object != nil {
			all[i] = object
		}
	}
	return all
}

// fromPairs returns the object that a list of names and values means; nil if it is none.
func fromPairs(list *jsontext.Node) *jsontext.Node {
	if !list.Is(jsontext.Array) || len(list.Items) == 0 {
		return nil
	}
	object := &jsontext.Node{Kind: jsontext.Object}
	for _, pair := range list.Items {
		name, value := named(pair, []string{"name", "key"}), pair.Member("value")
		if len(name) != 1 || name[0].Str() == "" || value == nil || len(others(pair, []string{"name", "key", "value", "type"})) > 0 {
			return nil
		}
		object.Add(as(name[0].Str(), value))
	}
	return object
}
