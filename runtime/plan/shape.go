package plan

import (
	"cmp"
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

// Shape rewrites the plan in a model's answer, so that it has the structure and the names of members that [Parse]
// requires. It does not validate the plan. It accepts the shapes that models write without a schema:
//
//   - a plan inside another object, or only a list of steps
//   - an object of steps with their IDs as keys
//   - members with other names
//   - a tool with a prefix, such as functions.find, or "none" as a tool
//   - arguments as JSON in a string, or as a list of names and values
//
// If the plan has no goal, the request becomes the goal. Steps without IDs are numbered. Unknown members are
// not changed. If the answer contains two different plans, Shape returns an error.
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
	if n, err = findOnlyPlan(n); err != nil {
		return nil, err
	}
	return r.shapePlan(n).Append(nil), nil
}

// shapes rewrites plans. It keeps unknown members, so that Parse reports them.
type shapes struct {
	request     string
	definitions []tool.Definition
}

// These are the names that models write for members, in lower case.
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

	// plainStatuses are statuses that do not affect whether a step runs.
	plainStatuses = []string{"", "pending", "planned", "todo", "to do", "to_do", "not started", "not_started", "not-started", "new", "open", "ready", "queued", "waiting", "scheduled", "active",
		"running", "in progress", "in_progress", "in-progress", "started", "complete", "completed", "done", "finished", "success", "succeeded", "ok", "failed"}
)

// findMembers returns the members with one of the names.
func findMembers(n *jsontext.Node, names []string) (all []*jsontext.Node) {
	for _, m := range n.Items {
		if n.Is(jsontext.Object) && m.Kind != jsontext.Null && slices.Contains(names, strings.ToLower(m.Name())) {
			all = append(all, m)
		}
	}
	return all
}

// otherMembers returns the members with none of the names.
func otherMembers(n *jsontext.Node, names ...[]string) (all []*jsontext.Node) {
	excluded := slices.Concat(names...)
	for _, m := range n.Items {
		if n.Is(jsontext.Object) && !slices.Contains(excluded, strings.ToLower(m.Name())) {
			all = append(all, m)
		}
	}
	return all
}

// renameMember returns a copy of a value with the given name.
func renameMember(name string, n *jsontext.Node) *jsontext.Node {
	m := *n
	m.Key = jsontext.Quote(name)
	return &m
}

func textNode(text string) *jsontext.Node {
	return &jsontext.Node{Kind: jsontext.String, Text: jsontext.Quote(text)}
}

// isPlan reports whether a value is or contains a plan.
func isPlan(n *jsontext.Node, depth int) bool {
	is := func(m *jsontext.Node) bool {
		return m.Is(jsontext.Array) || m.Is(jsontext.Object) && len(m.Items) > 0 && m.Items[0].Is(jsontext.Object)
	}
	if slices.ContainsFunc(findMembers(n, stepsNames), is) {
		return true
	}
	inner := findMembers(n, planNames)
	return depth < 3 && len(inner) == 1 && (inner[0].Is(jsontext.Array) || isPlan(inner[0], depth+1))
}

// findOnlyPlan returns one of the plans in a list of identical plans. It returns an error for different plans,
// and any other value unchanged.
func findOnlyPlan(n *jsontext.Node) (*jsontext.Node, error) {
	list := n
	if inner := findMembers(n, []string{"plan", "plans"}); len(inner) == 1 && inner[0].Is(jsontext.Array) {
		list = inner[0]
	}
	if list.Is(jsontext.Object) && len(findMembers(list, stepsNames)) > 0 {
		return n, nil
	}
	count, plans := 0, []*jsontext.Node(nil)
	for _, m := range list.Items {
		if !isPlan(m, 0) || len(findMembers(m, slices.Concat(toolNames, argumentNames, []string{"action", "step_id", "step"}))) > 0 {
			continue // m may be a step that contains steps
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

// shapePlan rewrites a plan and its steps.
func (r shapes) shapePlan(n *jsontext.Node) *jsontext.Node {
	var rest []*jsontext.Node
	for range 3 { // plans may be wrapped several times
		inner := findMembers(n, planNames)
		if len(inner) != 1 || len(findMembers(n, stepsNames)) > 0 {
			break
		}
		if inner[0].Is(jsontext.Array) {
			plan := &jsontext.Node{Kind: jsontext.Object, Items: []*jsontext.Node{renameMember("steps", inner[0])}}
			for _, m := range otherMembers(n, planNames) {
				plan.Add(m)
			}
			n = plan
			break
		}
		if inner[0].Is(jsontext.Object) {
			rest = append(rest, otherMembers(n, planNames, goalNames)...)
		}
		n = inner[0]
	}
	steps := findMembers(n, stepsNames)
	if n.Is(jsontext.Array) {
		steps = []*jsontext.Node{n}
	}
	if len(steps) == 0 {
		return n
	}
	plan := &jsontext.Node{Kind: jsontext.Object}
	for _, goal := range findMembers(n, goalNames) {
		plan.Add(renameMember("goal", goal))
	}
	if len(plan.Items) == 0 {
		plan.Add(renameMember("goal", textNode(r.request)))
	}
	for _, list := range steps {
		plan.Add(renameMember("steps", r.shapeSteps(list)))
	}
	for _, m := range append(rest, otherMembers(n, goalNames, stepsNames)...) {
		plan.Add(m)
	}
	return plan
}

// listSteps converts an object whose members are steps, named by their IDs, to a list.
func listSteps(steps *jsontext.Node) *jsontext.Node {
	if !steps.Is(jsontext.Object) || len(steps.Items) == 0 || slices.ContainsFunc(steps.Items, func(s *jsontext.Node) bool { return !s.Is(jsontext.Object) }) {
		return steps
	}
	list := &jsontext.Node{Kind: jsontext.Array}
	for _, s := range steps.Items {
		step := &jsontext.Node{Kind: jsontext.Object, Items: slices.Clone(s.Items)}
		isKey := func(id *jsontext.Node) bool { return id.Str() == s.Name() || id.String() == s.Name() }
		if !slices.ContainsFunc(findMembers(s, idNames), isKey) {
			step.Add(renameMember("step_id", textNode(s.Name()))) // if the step has another ID, Parse reports both
		}
		list.Add(step)
	}
	return list
}

// shapeSteps rewrites a list of steps. If none has an ID, it numbers them.
func (r shapes) shapeSteps(list *jsontext.Node) *jsontext.Node {
	list = listSteps(list)
	if !list.Is(jsontext.Array) {
		return list
	}
	hasIDs := slices.ContainsFunc(list.Items, func(s *jsontext.Node) bool { return len(findMembers(s, idNames)) > 0 })
	steps := &jsontext.Node{Kind: jsontext.Array}
	for i, s := range list.Items {
		if s.Is(jsontext.Object) {
			s = r.shapeStep(s)
			if !hasIDs {
				s.Add(renameMember("step_id", textNode(strconv.Itoa(i+1))))
			}
		}
		steps.Add(s)
	}
	return steps
}

// shapedStep is a step whose members are being renamed.
type shapedStep struct {
	*jsontext.Node
	descriptions []*jsontext.Node
	replans      bool // the agent of the step is AgentReplan
}

func (s *shapedStep) addMembers(name string, all ...*jsontext.Node) {
	for _, m := range all {
		s.Add(renameMember(name, m))
	}
}

// shapeStep rewrites a step.
func (r shapes) shapeStep(s *jsontext.Node) *jsontext.Node {
	made := &shapedStep{Node: &jsontext.Node{Kind: jsontext.Object}}
	made.addMembers("step_id", findMembers(s, idNames)...)
	made.addMembers("agent", findMembers(s, []string{"agent"})...)
	made.addMembers("arguments", parseStrings(findMembers(s, argumentNames))...)
	r.addDescription(made, s)
	for _, m := range findMembers(s, toolNames) {
		if m.Is(jsontext.Object) {
			m = made.addCall(m)
		}
		r.addTool(made, m)
	}
	for _, m := range findMembers(s, []string{"status"}) {
		if !m.Is(jsontext.String) || !slices.Contains(plainStatuses, strings.ToLower(strings.TrimSpace(m.Str()))) {
			made.Add(m) // Parse reports a status such as "skipped"
		}
	}
	for _, m := range otherMembers(s, idNames, []string{"agent", "action", "status", "errors", AgentReplan}, argumentNames, descriptionNames, toolNames) {
		switch name := strings.ToLower(m.Name()); {
		case name == "name" && made.Member("tool") == nil && r.isTool(m.Str()):
			made.addMembers("tool", m)
		case slices.Contains(kindNames, name) && strings.EqualFold(m.Str(), AgentReplan):
			made.replans = true
		default:
			made.Add(m)
		}
	}
	if made.replans && made.Member("agent") == nil {
		made.addMembers("agent", textNode(AgentReplan))
	}
	made.setDefaultDescription()
	made.addMembers("description", made.descriptions...)
	return made.Node
}

// addCall adds the arguments and other members of a call that a step contains as an object. It returns the name of
// the tool, or the call itself if it has no name.
func (s *shapedStep) addCall(call *jsontext.Node) *jsontext.Node {
	s.addMembers("arguments", parseStrings(findMembers(call, argumentNames))...)
	for _, other := range otherMembers(call, argumentNames, []string{"name", "type", "id"}) {
		s.Add(other)
	}
	return cmp.Or(call.Member("name"), call)
}

// setDefaultDescription sets the description of a step without one to "Call" and its tool, or to "Plan the rest".
func (s *shapedStep) setDefaultDescription() {
	if len(s.descriptions) > 0 {
		return
	}
	if name := s.Member("tool").Str(); name != "" {
		s.descriptions = []*jsontext.Node{textNode("Call " + name)}
	} else if s.replans {
		s.descriptions = []*jsontext.Node{textNode("Plan the rest")}
	}
}

// addDescription sets the description of a step. If the member "task" or "action" contains the name of a tool,
// addDescription sets the tool instead.
func (r shapes) addDescription(made *shapedStep, s *jsontext.Node) {
	isNamed := len(findMembers(s, toolNames)) > 0
	for _, m := range findMembers(s, descriptionNames) {
		if strings.EqualFold(m.Name(), "task") && !isNamed && r.isTool(m.Str()) {
			made.addMembers("tool", m)
		} else {
			made.descriptions = append(made.descriptions, m)
		}
	}
	for _, m := range findMembers(s, []string{"action"}) {
		name, ok := r.findTool(m.Str())
		switch {
		case ok && name != "":
			made.addMembers("tool", textNode(name))
		case !ok && strings.EqualFold(name, AgentReplan):
			made.replans = true
		case !ok && len(made.descriptions) == 0:
			made.descriptions = append(made.descriptions, m)
		case !ok:
			made.addMembers("tool", m)
		}
	}
	made.addReplans(findMembers(s, []string{AgentReplan}))
}

// addReplans reads the members "replan". Their value is the description of a step that plans the rest, or it
// is a boolean: whether the step plans the rest.
func (s *shapedStep) addReplans(members []*jsontext.Node) {
	for _, m := range members {
		if m.String() == "false" {
			continue
		}
		s.replans = true
		if m.Is(jsontext.String) && len(s.descriptions) == 0 && strings.TrimSpace(m.Str()) != "" {
			s.descriptions = append(s.descriptions, m)
		}
	}
}

// addTool sets the tool of a step. A tool named replan is an agent, unless such a tool exists.
func (r shapes) addTool(made *shapedStep, m *jsontext.Node) {
	name, ok := r.findTool(m.Str())
	switch {
	case !ok && m.Is(jsontext.String) && strings.EqualFold(name, AgentReplan):
		made.replans = true
	case !ok:
		made.addMembers("tool", m)
	case name != "":
		made.addMembers("tool", textNode(name))
	}
}

// isTool reports whether a tool with exactly this name exists.
func (r shapes) isTool(name string) bool {
	return slices.ContainsFunc(r.definitions, func(d tool.Definition) bool { return d.Name == name })
}

// findTool returns the tool that a name means. For a name such as "none", it returns "" and true. It returns
// false if the tool is unknown.
func (r shapes) findTool(name string) (string, bool) {
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

// parseStrings converts arguments that were written as JSON in a string, or as a list of names and values, to objects.
func parseStrings(all []*jsontext.Node) []*jsontext.Node {
	for i, m := range all {
		if text := strings.TrimSpace(m.Str()); strings.HasPrefix(text, "{") && json.Valid([]byte(text)) {
			if n, err := jsontext.Parse(text, jsontext.MaxDepth); err == nil {
				all[i] = n
			}
		}
		if object := objectFromPairs(m); object != nil {
			all[i] = object
		}
	}
	return all
}

// objectFromPairs converts a list such as [{"name": "a", "value": 1}] to an object. It returns nil for other values.
func objectFromPairs(list *jsontext.Node) *jsontext.Node {
	if !list.Is(jsontext.Array) || len(list.Items) == 0 {
		return nil
	}
	object := &jsontext.Node{Kind: jsontext.Object}
	for _, pair := range list.Items {
		name, value := findMembers(pair, []string{"name", "key"}), pair.Member("value")
		if len(name) != 1 || name[0].Str() == "" || value == nil || len(otherMembers(pair, []string{"name", "key", "value", "type"})) > 0 {
			return nil
		}
		object.Add(renameMember(name[0].Str(), value))
	}
	return object
}
