package planner

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/internal/words"
	"github.com/aiongen/aiongen/runtime/internal/planform"
	"github.com/aiongen/aiongen/runtime/internal/quote"
	"github.com/aiongen/aiongen/runtime/orchestrator/event"
	"github.com/aiongen/aiongen/runtime/plan"
	"github.com/aiongen/aiongen/runtime/repair"
	"github.com/aiongen/aiongen/runtime/run/record"
)

// lacking is what a model knows of the arguments that a step lacks.
type lacking struct {
	Arguments json.RawMessage `json:"arguments,omitempty"` // all that the step has then
	Cannot    string          `json:"cannot,omitempty"`
}

// complete asks for arguments that a step lacks, or for others than those that the tool
// refused.
func (p *planning) complete(s *plan.Step, missing []string, refused error) error {
	written, err := jsontext.Parse(cmp.Or(string(s.Arguments), "{}"), jsontext.Depth)
	if err != nil {
		return err
	}
	before := *s
	before.Arguments = without(written, missing)
	known, err := before.Fill(p.result)
	if err != nil {
		return err
	}
	d := p.byName[s.Tool]
	var suspect []string
	for _, x := range p.suspects[s.ID] {
		suspect = append(suspect, x.Text)
	}
	said, err := ask(p, question{purpose: event.ForArguments, step: s.ID, tool: s.Tool, file: "arguments.txt",
		schema: func() json.RawMessage { return planform.Arguments(d, missing) },
		fill: func(x *shown) {
			x.Step, x.Tool, x.Missing = quote.Text(s.Description, planform.MaxText), quote.Text(s.Tool, longestDescription), inJSON(missing)
			if len(suspect) > 0 {
				x.Suspect = quote.Value(s.Arguments, longestArguments)
			}
			if x.Known = quote.Value(known, longestFailure); len(known) > longestFailure {
				x.Known = quote.Value(before.Arguments, longestFailure) // long results as references
			}
		},
		before: string(s.Arguments), wrong: refused,
	}, func(text, said string) (lacking, error) {
		return p.readLacking(text, before, known, append(textsIn(said), suspect...))
	})
	switch {
	case err != nil:
		return err
	case said.Cannot != "":
		return cannot(missing, said.Cannot)
	}
	s.Arguments = said.Arguments
	delete(p.suspects, s.ID)
	return nil
}

// textsIn returns the texts in the JSON of an answer.
func textsIn(answer string) (all []string) {
	read, err := repair.JSON(answer, nil)
	if err != nil {
		return nil
	}
	n, err := jsontext.Parse(string(read.Value), jsontext.Depth)
	if err != nil {
		return nil
	}
	var add func(n *jsontext.Node)
	add = func(n *jsontext.Node) {
		if n.Is(jsontext.String) {
			all = append(all, n.Str())
		}
		for _, item := range n.Items {
			add(item)
		}
	}
	add(n)
	return all
}

// without returns an object without members.
func without(n *jsontext.Node, names []string) json.RawMessage {
	rest := &jsontext.Node{Kind: jsontext.Object}
	for _, m := range n.Items {
		if n.Is(jsontext.Object) && !slices.Contains(names, m.Name()) {
			rest.Add(m)
		}
	}
	return rest.Append(nil)
}

// readLacking reads what a model knows of missing arguments. What is known already
// stays; values may refer to results. A suspect text is an error, unless it is one of the
// confirmed ones, which the model wrote before and now writes again.
func (p *planning) readLacking(text string, s plan.Step, known json.RawMessage, confirmed []string) (lacking, error) {
	read, err := repair.JSON(text, nil)
	if err == nil && read.Truncated {
		err = errCutOff
	}
	if err != nil {
		return lacking{}, err
	}
	n, err := jsontext.Parse(string(read.Value), jsontext.Depth)
	if err != nil {
		return lacking{}, err
	}
	given, why := unwrap(n)
	switch {
	case why != "" && given != nil && len(given.Items) > 0:
		return lacking{}, fmt.Errorf("there are both arguments and a reason why there are none")
	case why != "":
		return lacking{Cannot: words.Cut(why, longestFailure)}, nil
	case !given.Is(jsontext.Object):
		return lacking{}, fmt.Errorf(`expected an object with the member "arguments"`)
	}
	merged, err := merge(given, s.Arguments, known)
	if err != nil {
		return lacking{}, err
	}
	arguments, suspects, err := p.compileArguments(s, merged)
	if err == nil {
		for _, x := range suspects {
			if x.Text != "" && !slices.Contains(confirmed, x.Text) { // the model sees that a text is empty
				return lacking{}, fmt.Errorf("%s looks like a placeholder in %s: write the value or a reference; if exactly this text is meant, write it again", quote.Text(x.Text, longestDescription), x.Pointer)
			}
		}
		if still := (plan.Step{Arguments: arguments}).Missing(p.byName[s.Tool]); len(still) > 0 {
			err = fmt.Errorf("still missing: %s", strings.Join(still, ", "))
		}
	}
	return lacking{Arguments: arguments}, err
}

// unwrap returns the arguments in an answer, and why there are none.
func unwrap(n *jsontext.Node) (given *jsontext.Node, why string) {
	inner, cannot := n.Member("arguments"), n.Member("cannot")
	others := slices.ContainsFunc(n.Items, func(m *jsontext.Node) bool { return m.Name() != "arguments" && m.Name() != "cannot" })
	if !n.Is(jsontext.Object) || others || inner == nil && cannot == nil {
		return n, ""
	}
	if cannot.Is(jsontext.String) {
		why = strings.TrimSpace(cannot.Str())
	}
	return inner, why
}

// merge returns the arguments of a step with those that were missing. What was known
// may be said again as it is, or as it is with results in it.
func merge(given *jsontext.Node, written, filled json.RawMessage) (*jsontext.Node, error) {
	merged, err := jsontext.Parse(string(written), jsontext.Depth)
	if err != nil {
		return nil, err
	}
	values, err := jsontext.Parse(string(filled), jsontext.Depth)
	if err != nil {
		return nil, err
	}
	before, value := byName(merged), byName(values)
	for _, m := range given.Items {
		name := m.Name()
		switch known, filled := before[name], value[name]; {
		case known == nil:
			merged.Add(m)
			before[name] = m
		case jsontext.Equal(m, known):
		case filled == nil:
			return nil, fmt.Errorf("%s is there twice, with other values", jsontext.Join("", name))
		case !jsontext.Equal(m, filled):
			return nil, fmt.Errorf("%s is known, and stays as it is", jsontext.Join("", name))
		}
	}
	return merged, nil
}

// byName returns the members of an object, of which a model may write many.
func byName(object *jsontext.Node) map[string]*jsontext.Node {
	members := make(map[string]*jsontext.Node, len(object.Items))
	for _, m := range object.Items {
		members[m.Name()] = m
	}
	return members
}

// compileArguments compiles a step with other arguments. It returns them, and the suspect
// texts in them.
func (p *planning) compileArguments(s plan.Step, arguments *jsontext.Node) (json.RawMessage, []plan.Suspect, error) {
	alone := plan.Plan{Goal: p.plan.Goal, Steps: append(p.ran(), s)}
	last := &alone.Steps[len(alone.Steps)-1]
	last.Arguments = arguments.Append(nil)
	compiled, _, err := p.compiled(alone, plan.MaxSteps)
	if err != nil {
		return nil, nil, err
	}
	return compiled.Steps[len(compiled.Steps)-1].Arguments, p.suspectsIn(compiled), nil
}

// cannot says that the model does not know what a step needs.
func cannot(names []string, why string) error {
	return &record.Error{Kind: "cannot", Text: fmt.Sprintf("nobody knows %s: %s", strings.Join(names, ", "), why)}
}
