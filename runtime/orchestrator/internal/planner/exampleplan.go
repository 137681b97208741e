package planner

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/internal/words"
	"github.com/aiongen/aiongen/runtime/schema"
	"github.com/aiongen/aiongen/runtime/tool"
)

// generalExample is a plan for programs without two tools that fit together.
const generalExample = `{"goal": "what the request wants", "steps": [{"step_id": "1", "description": "what to do", "tool": "name of a tool", "arguments": {"name": "value"}}, {"step_id": "2", "description": "what to say", "agent": "llm"}]}`

// link connects a value in the result of one tool to an argument of another.
type link struct {
	from, to  int    // indexes of the tools
	pointer   string // of the value in the result
	parameter string // name of the argument
	score     int    // see scoreLink
}

// examplePlan returns an example of a plan. It uses two of the tools if the result of one fits an argument of the
// other.
func examplePlan(definitions []tool.Definition) string {
	best := link{}
	definitions = definitions[:min(len(definitions), maxLinked)]
	results := make([][]scalar, len(definitions))
	for i, d := range definitions {
		results[i] = resultScalars(d)
	}
	for to, d := range definitions {
		for _, p := range requiredScalars(d) {
			for from := range definitions {
				if from == to {
					continue
				}
				for _, value := range results[from] {
					l := link{from, to, value.pointer, p.name, scoreLink(definitions[from], value, d, p)}
					if l.score > best.score {
						best = l
					}
				}
			}
		}
	}
	if best.score == 0 {
		return generalExample
	}
	from, to := definitions[best.from], definitions[best.to]
	first := schema.SampleArguments(from)
	if first == nil {
		first = json.RawMessage("{}")
	}
	reference := jsontext.Quote(best.parameter) + `: "<<step:1` + best.pointer + `>>"`
	return `{"goal": "what the request wants", "steps": [` +
		`{"step_id": "1", "description": "what to do", "tool": ` + jsontext.Quote(from.Name) + `, "arguments": ` + string(first) + `}, ` +
		`{"step_id": "2", "description": "what to do with it", "tool": ` + jsontext.Quote(to.Name) + `, "arguments": {` + reference + `}}, ` +
		`{"step_id": "3", "description": "what to say", "agent": "llm"}]}`
}

// scalar is a string or an integer in the result of a tool, or an argument that is one.
type scalar struct {
	pointer, name, kind string
}

// maxLinked limits the tools that are considered for an example, maxScalars the values of each tool.
const (
	maxLinked  = 64
	maxScalars = 64
)

// resultScalars returns the scalars in the result of a tool, or in the first element of a result that
// is a list.
func resultScalars(d tool.Definition) (all []scalar) {
	root, err := jsontext.Parse(string(d.Output), jsontext.Depth)
	if err != nil {
		return nil
	}
	n, at := resolveReference(root, root), ""
	if n.Member("type").Str() == "array" {
		n, at = resolveReference(root, n.Member("items")), "/0"
	}
	return listScalars(root, n, at)
}

// requiredScalars returns the required arguments of a tool that are scalars.
func requiredScalars(d tool.Definition) []scalar {
	root, err := jsontext.Parse(string(d.Input), jsontext.Depth)
	if err != nil {
		return nil
	}
	required := root.Member("required")
	return slices.DeleteFunc(listScalars(root, root, ""), func(p scalar) bool {
		return !required.Is(jsontext.Array) || !slices.ContainsFunc(required.Items, func(n *jsontext.Node) bool { return n.Str() == p.name })
	})
}

// listScalars returns the members of an object that are strings or integers without a fixed set of values.
func listScalars(root, n *jsontext.Node, at string) (all []scalar) {
	properties := n.Member("properties")
	if !properties.Is(jsontext.Object) {
		return nil
	}
	for _, m := range properties.Items {
		s := resolveReference(root, m)
		kind := s.Member("type").Str()
		if len(all) == maxScalars || kind != "string" && kind != "integer" || s.Member("enum") != nil || s.Member("const") != nil || strings.ContainsAny(m.Name(), "<>") {
			continue
		}
		all = append(all, scalar{jsontext.Join(at, m.Name()), m.Name(), kind + " " + s.Member("format").Str()})
	}
	return all
}

// resolveReference returns the schema that n refers to, or n itself.
func resolveReference(root, n *jsontext.Node) *jsontext.Node {
	if ref, ok := strings.CutPrefix(n.Member("$ref").Str(), "#"); ok {
		if to := root.At(ref); to != nil {
			return to
		}
	}
	return n
}

// scoreLink returns how well a value in the result of one tool fits an argument of another; 0 if it
// does not.
func scoreLink(from tool.Definition, value scalar, to tool.Definition, argument scalar) (score int) {
	if value.kind != argument.kind {
		return 0
	}
	given, wanted := words.FoldName(value.name), words.FoldName(argument.name)
	stem, isPart := strings.CutSuffix(wanted, given)
	switch {
	case isPart && stem != "" && strings.Contains(words.FoldName(from.Name), stem): // id in the result of find_tickets fits ticket_id
		score = 8
	case given == wanted && given != "name" && given != "title" && given != "text" && given != "description":
		score = 6
	case isPart && stem != "" && given == "id", given == wanted:
		score = 4
	default:
		return 0
	}
	if from.Annotations.Is(tool.ReadOnly) {
		score += 2
	}
	if !to.Annotations.Is(tool.ReadOnly) {
		score++
	}
	return score
}
