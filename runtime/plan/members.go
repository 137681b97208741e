package plan

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/internal/words"
)

// planMembers and stepMembers map the names that models write for the members of plans and steps to the correct
// names. The names that models write are folded; see [words.FoldName].
var (
	planMembers = map[string]string{"goal": "goal", "steps": "steps"}
	stepMembers = map[string]string{
		"stepid": "step_id", "description": "description", "status": "status", "tool": "tool", "agent": "agent", "errors": "errors",
		"arguments": "arguments", "args": "arguments", "parameters": "arguments", "input": "arguments",
		"dependson": needsMember, "dependencies": needsMember, "depends": needsMember, "deps": needsMember, "dep": needsMember,
	}
)

// needsMember is the name of the member with the IDs of the steps that a step depends on. These IDs are only
// checked: steps run in the order of the plan.
const needsMember = "depends_on"

// harmless lists folded names of unknown members that models add to plans and steps. These members do not change
// whether, when, or how often a step runs, or what it does. All other unknown members are faults.
var harmless = nameSet(`thought thoughts thinking reasoning reason rationale why purpose justification explanation intent
	note notes comment comments remark summary title name label heading
	expected expectedoutput expectedresult expectedoutcome expectations outcome produces provides outputvariable
	id ids index number order stepnumber stepindex planid taskid version
	confidence priority estimatedtime duration complexity createdat author
	analysis assumptions request query userrequest problem context metadata errors status answer finalanswer`)

// kinds are the values of a member such as "type" that add no information to the other members.
var kinds = nameSet(`tool function toolcall functioncall call action step task llm agent reasoning plan`)

// misplaced lists members that would change whether, when, or how often a step runs. It maps their folded names
// to explanations of what to write instead.
var misplaced = func() map[string]string {
	all := map[string]string{}
	for text, list := range map[string]string{
		"no condition, because every step runs: look up the values first, then `replan`": `condition conditions conditional if ifelse else elseif elif then otherwise when whenever unless
			onlyif onlywhen guard precondition preconditions postcondition case cases switch branch branches runif skipif executeif prerequisite prerequisites
			until while constraint constraints`,
		"nothing about approvals: the program knows which calls a person must approve": `requiresapproval needsapproval approval approve approved confirm confirmation humanapproval`,
		"no loop, because a step runs once: write a step for each value; if the values are not known yet, look them up first, then `replan`": `foreach for loop loops repeat times count iterate iterateover iterator iterations each map mapover items over forall batch
			retry retries maxretries attempts every schedule interval`,
		"one tool, because a step makes one call: write a step for each call": `toolcalls tools calls functions functioncalls actions steps substeps subtasks tasks task children nested parallel parallelsteps concurrent
			sequence workflow plan subplan subgoals followup next nextstep nextsteps thendo`,
		"no fallback: if a step fails, you are asked what to do": `fallback onerror onfailure onfail onsuccess catch except finally alternative alternatives rollback undo compensate errorhandling ignoreerrors continueonerror`,
		"either steps or `give_up`":                              `giveup cannot error refuse refusal`,
	} {
		for name := range nameSet(list) {
			all[name] = text
		}
	}
	return all
}()

func nameSet(list string) map[string]bool {
	all := map[string]bool{}
	for _, name := range strings.Fields(list) {
		all[name] = true
	}
	return all
}

// addUnknownMember adds a fault for an unknown member of a plan or a step, unless the member is empty or
// harmless.
func (f *faults) addUnknownMember(at, name string, value json.RawMessage, known map[string]string) {
	folded := words.FoldName(name)
	if isNothing(value) {
		return
	}
	if harmless[folded] {
		// A value that describes a result may have members of any name.
		if !strings.HasPrefix(folded, "expect") && folded != "outcome" && folded != "produces" && folded != "provides" {
			f.addNestedMembers(at, value)
		}
		return
	}
	var text string
	if (folded == "type" || folded == "kind" || folded == "mode") && json.Unmarshal(value, &text) == nil && kinds[words.FoldName(text)] {
		return
	}
	expected := misplaced[folded]
	if expected == "" {
		expected = "only the members " + words.List(listMembers(known), ", ")
	}
	f.addFault(at, expected, fmt.Sprintf("the member %s with %s", quoteText(name), describeJSON(value)))
}

// listMembers returns the correct names of the members in planMembers or stepMembers, in alphabetical order.
func listMembers(spellings map[string]string) []string {
	names := slices.Compact(slices.Sorted(maps.Values(spellings)))
	return slices.DeleteFunc(names, func(name string) bool { return name == needsMember })
}

// addNestedMembers examines the value of a harmless member, such as "metadata". It adds faults for members in it
// that would change whether or how often the step runs, or that contain a call.
func (f *faults) addNestedMembers(at string, value json.RawMessage) {
	n, err := jsontext.Parse(string(value), jsontext.Depth)
	if err != nil {
		f.addFault(at, "a text", describeJSON(value))
		return
	}
	f.addNestedIn(at, n)
}

func (f *faults) addNestedIn(at string, n *jsontext.Node) {
	for i, m := range n.Items {
		inner := childPointer(n, i, at)
		if n.Is(jsontext.Object) {
			folded := words.FoldName(m.Name())
			expected := misplaced[folded]
			if name := stepMembers[folded]; name == "tool" || name == "arguments" {
				expected = "this member in the step itself, or a separate step"
			}
			if expected != "" && !isNothing(json.RawMessage(m.String())) {
				f.addFault(inner, expected, fmt.Sprintf("the member %s with %s", quoteText(m.Name()), describeJSON(json.RawMessage(m.String()))))
				continue
			}
		}
		f.addNestedIn(inner, m)
	}
}

// isNothing reports whether a value is null or empty, which means the same as no member.
func isNothing(value json.RawMessage) bool {
	var b bytes.Buffer
	if json.Compact(&b, value) != nil {
		return false
	}
	switch b.String() {
	case "null", `""`, "[]", "{}":
		return true
	}
	return false
}

// checkOrder adds faults for steps whose member "depends_on" contains an unknown step, or a later step that
// their arguments do not refer to. If they refer to the later step, Compile sorts the steps.
func (f *faults) checkOrder(steps []Step, needed [][]string) {
	first := map[string]int{}
	for i, s := range steps {
		if _, taken := first[s.ID]; !taken {
			first[s.ID] = i
		}
	}
	for i, ids := range needed {
		for _, id := range ids {
			later, exists := first[id]
			if !exists {
				later, exists = first[stepPrefix.ReplaceAllString(id, "")]
			}
			refers := slices.ContainsFunc(steps[i].References(), func(r Reference) bool { return r.Step == id })
			if !exists && !noSteps[strings.ToLower(id)] || exists && later >= i && !refers {
				f.addFault(fmt.Sprintf("/steps/%d/%s", i, needsMember), "IDs of steps that come before this one", quoteText(id))
			}
		}
	}
}

// stepPrefix matches the text that models write before the ID of a step. noSteps are texts with which models say
// that a step depends on no other.
var (
	stepPrefix = regexp.MustCompile(`^(?i:step)[ _:#-]*`)
	noSteps    = map[string]bool{"": true, "-1": true, "none": true, "null": true, "false": true}
)

// neededSteps returns the IDs in the member "depends_on" of a step, which may be a text, a number, or a list.
func neededSteps(raw json.RawMessage) (ids []string) {
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) != nil {
		list = []json.RawMessage{raw}
	}
	for _, item := range list {
		var text string
		if json.Unmarshal(item, &text) != nil {
			text = strings.TrimSuffix(string(item), ".0")
		}
		ids = append(ids, strings.TrimSpace(text))
	}
	return ids
}
