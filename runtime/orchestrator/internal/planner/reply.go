package planner

import (
	"slices"
	"strings"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/repair"
)

// reply is the content of an answer without steps.
type reply struct {
	giveUp string // why nothing can be done
	empty  bool   // there is nothing to do
	goal   string
}

// Names of members in answers without steps.
var (
	refusals  = []string{"give_up", "giveup", "cannot", "error", "refusal", "reason"}
	answers   = []string{"answer", "final_answer", "response", "reply", "message", "question", "clarification"}
	stepLists = []string{"steps", "tasks", "actions"}
)

// readReply reads an answer without steps. If the answer has steps, readReply returns a zero reply.
func readReply(text string) (r reply) {
	read, err := repair.JSON(text, nil)
	if err != nil {
		return r
	}
	n, err := jsontext.Parse(string(read.Value), jsontext.Depth)
	if err != nil || read.Truncated {
		return r
	}
	if inner := n.Member("plan"); inner != nil && n.Member("steps") == nil {
		if n = inner; n.Is(jsontext.Array) {
			return reply{empty: len(n.Items) == 0}
		}
	}
	if !n.Is(jsontext.Object) || slices.ContainsFunc(n.Items, hasSteps) {
		return reply{empty: n.Is(jsontext.Array) && len(n.Items) == 0}
	}
	steps := findMember(n, stepLists)
	r.goal = strings.TrimSpace(n.Member("goal").Str())
	why := findMember(n, refusals)
	isExplanation := why != nil && strings.EqualFold(why.Name(), "reason") && steps.Is(jsontext.Array) // why no steps are needed
	if !isExplanation {
		r.giveUp = strings.TrimSpace(why.Str())
	}
	r.empty = r.giveUp == "" && (steps.Is(jsontext.Array) || strings.TrimSpace(findMember(n, answers).Str()) != "")
	return r
}

// hasSteps reports whether a member is a list of steps that is not empty.
func hasSteps(m *jsontext.Node) bool {
	return slices.Contains(stepLists, strings.ToLower(m.Name())) && len(m.Items) > 0
}

// findMember returns the first member of an object that has one of the names.
func findMember(n *jsontext.Node, names []string) *jsontext.Node {
	for _, m := range n.Items {
		if n.Is(jsontext.Object) && slices.Contains(names, strings.ToLower(m.Name())) {
			return m
		}
	}
	return nil
}
