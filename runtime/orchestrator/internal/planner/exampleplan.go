package planner

import (
	"encoding/json"
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
	from, to  int // tools
	pointer   string
	parameter string
	score     int
}

// examplePlan returns an example of a plan. It uses two of the tools if the result of one fits an argument of the
// other.
func examplePlan(definitions []tool.Definition) string {
	best := link{}
	definitions = definitions[:min(len(definitions), maxLinked)]
	places := make([][]place, len(definitions))
	for i, d := range definitions {
		places[i] = placesOf(d)
	}
	for to, d := range definitions {
		for _, p := range requiredTexts(d) {
			for from := range definitions {
				if from == to {
					continue
				}
				for _, at := range places[from] {
					l := link{from, to, at.pointer, p.name, scoreLink(definitions[from], at, d, p)}
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

// place is a scalar in a result, or a required argument.
type place struct {
	pointer, name, kind string
}

// maxLinked limits the tools that are considered for an example, maxPlaces the values of each tool.
const (
	maxLinked = 64
	maxPlaces = 64
)

// placesOf returns the scalars in the result of a tool, or in the elements of its result if that is a list.
func placesOf(d tool.Definition) (all []place) {
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

// requiredTexts returns the required arguments of a tool that take a scalar.
func requiredTexts(d tool.Definition) (all []place) {
	root, err := jsontext.Parse(string(d.Input), jsontext.Depth)
	if err != nil {
		return nil
	}
	required := map[string]bool{}
	if list := root.Member("required"); list.Is(jsontext.Array) {
		for _, n := range list.Items {
			required[n.Str()] = true
		}
	}
	for _, p := range listScalars(root, root, "") {
		if required[p.name] {
			all = append(all, p)
		}
	}
	return all
}

// listScalars returns the members of an object that are strings or integers without a fixed set of values.
func listScalars(root, n *jsontext.Node, at string) (all []place) {
	properties := n.Member("properties")
	if !properties.Is(jsontext.Object) {
		return nil
	}
	for _, m := range properties.Items {
		s := resolveReference(root, m)
		kind := s.Member("type").Str()
		if len(all) == maxPlaces || kind != "string" && kind != "integer" || s.Member("enum") != nil || s.Member("const") != nil || strings.ContainsAny(m.Name(), "<>") {
			continue
		}
		all = append(all, place{jsontext.Join(at, m.Name()), m.Name(), kind + " " + s.Member("format").Str()})
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

// scoreLink returns how well a value of one tool fits an argument of another; 0 if it does not.
func scoreLink(from tool.Definition, at place, to tool.Definition, argument place) (score int) {
	if at.kind != argument.kind {
		return 0
	}
	given, wanted := words.FoldName(at.name), words.FoldName(argument.name)
	stem, isPart := strings.CutSuffix(wanted, given)
	switch {
	case isPart && stem != "" && strings.Contains(words.FoldName(from.Name), stem): // ticket_id, of find_tickets
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
