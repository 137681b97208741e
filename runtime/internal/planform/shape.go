package planform

import (
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/repair"
	"github.com/aiongen/aiongen/runtime/tool"
)

// Shape returns the plan in what a model wrote before anything in it is found right:
// in the one shape, with the members under their names. It knows the shapes that models
// write when no schema holds them: a plan in another object, a list of steps alone,
// members under other names, a tool as in functions.find or none. The goal is the
// request where there is no other, and steps without IDs are numbered.
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
	return r.plan(n).Append(nil), nil
}

// shapes brings plans into the one shape. What it does not know stays as it is, for
// who reads the plan to refuse.
type shapes struct {
	request     string
	definitions []tool.Definition
}

// What members are called, in lower case.
var (
	planNames        = []string{"plan", "result", "output"}
	goalNames        = []string{"goal", "objective"}
	stepsNames       = []string{"steps", "tasks", "actions"}
	idNames          = []string{"step_id", "id", "step", "step_number", "number"}
	descriptionNames = []string{"description", "task", "title", "instruction"}
	toolNames        = []string{"tool", "tool_name", "function", "tool_call"}
	argumentNames    = []string{"arguments", "args", "parameters", "params", "input", "action_input", "tool_input"}
	noTool           = []string{"", "none", "null", "n/a", "no tool"}
)

// named returns the members that have one of the names.
func named(n *jsontext.Node, names []string) (all []*jsontext.Node) {
	for _, m := range n.Items {
		if n.Is(jsontext.Object) && m.Kind != jsontext.Null && slices.Contains(names, strings.ToLower(m.Name())) {
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

// plan returns a plan with its steps.
func (r shapes) plan(n *jsontext.Node) *jsontext.Node {
	for range 3 { // wrapped in each other
		inner := named(n, planNames)
		if len(inner) != 1 || len(named(n, stepsNames)) > 0 {
			break
		}
		if inner[0].Is(jsontext.Array) {
			made := &jsontext.Node{Kind: jsontext.Object, Items: []*jsontext.Node{as("steps", inner[0])}}
			for _, goal := range named(n, goalNames) {
				made.Add(goal)
			}
			n = made
			break
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
	return made
}

// steps returns the steps of a list, with numbers if none of them has an ID.
func (r shapes) steps(list *jsontext.Node) *jsontext.Node {
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

// step returns a step with its members under their names.
func (r shapes) step(s *jsontext.Node) *jsontext.Node {
	made := &jsontext.Node{Kind: jsontext.Object}
	add := func(name string, all []*jsontext.Node) {
		for _, m := range all {
			made.Add(as(name, m))
		}
	}
	add("step_id", named(s, idNames))
	add("agent", named(s, []string{"agent"}))
	add("arguments", parsed(named(s, argumentNames)))
	description := named(s, descriptionNames)
	for _, m := range named(s, []string{"action"}) {
		if name, ok := r.tool(m.Str()); ok && name != "" {
			made.Add(as("tool", textNode(name)))
		} else if !ok && len(description) == 0 {
			description = append(description, m)
		} else if !ok {
			made.Add(as("tool", m))
		}
	}
	for _, m := range named(s, toolNames) {
		if m.Is(jsontext.Object) { // a call
			add("arguments", parsed(named(m, argumentNames)))
			if name := m.Member("name"); name != nil {
				m = name
			}
		}
		if name, ok := r.tool(m.Str()); !ok {
			made.Add(as("tool", m))
		} else if name != "" {
			made.Add(as("tool", textNode(name)))
		}
	}
	if name := made.Member("tool").Str(); len(description) == 0 && name != "" {
		description = []*jsontext.Node{textNode("Call " + name)}
	}
	add("description", description)
	return made
}

// tool returns the tool that a name means; "" if it says that there is none.
func (r shapes) tool(name string) (string, bool) {
	name = strings.TrimSuffix(strings.TrimSpace(name), "()")
	is := func(name string) bool {
		return slices.ContainsFunc(r.definitions, func(d tool.Definition) bool { return d.Name == name })
	}
	if is(name) {
		return name, true
	}
	if slices.Contains(noTool, strings.ToLower(name)) {
		return "", true
	}
	if i := strings.LastIndexByte(name, '.'); is(name[i+1:]) {
		return name[i+1:], true
	}
	return name, false
}

// parsed returns arguments that were written as a text.
func parsed(all []*jsontext.Node) []*jsontext.Node {
	for i, m := range all {
		if said := strings.TrimSpace(m.Str()); strings.HasPrefix(said, "{") && json.Valid([]byte(said)) {
			if n, err := jsontext.Parse(said, jsontext.MaxDepth); err == nil {
				all[i] = n
			}
		}
	}
	return all
}
