package planner

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/internal/words"
	"github.com/aiongen/aiongen/runtime/plan"
	"github.com/aiongen/aiongen/runtime/repair"
	"github.com/aiongen/aiongen/runtime/run"
)

// missingArguments is the answer of a model that was asked for missing arguments.
type missingArguments struct {
	Arguments json.RawMessage `json:"arguments,omitempty"` // all arguments of the step
	Cannot    string          `json:"cannot,omitempty"`
}

// askArguments asks the model for missing arguments of a step, or for new values of arguments that the
// tool refused.
func (p *planning) askArguments(s *plan.Step, missing []string, refused error) error {
	written, err := jsontext.Parse(cmp.Or(string(s.Arguments), "{}"), jsontext.Depth)
	if err != nil {
		return err
	}
	partial := *s // the step without the missing arguments
	partial.Arguments = withoutMembers(written, missing)
	known, err := partial.Fill(p.successfulResult)
	if err != nil {
		return err
	}
	d := p.byName[s.Tool]
	var suspect []string
	for _, x := range p.suspects[s.ID] {
		suspect = append(suspect, x.Text)
	}
	answer, err := askUntilValid(p, question{purpose: run.PurposeArguments, step: s.ID, tool: s.Tool, file: "arguments.txt",
		schema: func() json.RawMessage { return plan.ArgumentsSchema(d, missing) },
		fillPrompt: func(x *promptData) {
			x.Step, x.Tool, x.Missing = jsontext.QuoteLine(s.Description, plan.MaxText), jsontext.QuoteLine(s.Tool, maxDescription), quoteList(missing)
			if len(suspect) > 0 {
				x.Suspect = jsontext.CompactLine(s.Arguments, maxArguments)
			}
			if x.Known = jsontext.CompactLine(known, maxFailure); len(known) > maxFailure {
				x.Known = jsontext.CompactLine(partial.Arguments, maxFailure) // with references instead of long results
			}
		},
		lastAnswer: string(s.Arguments), lastError: refused,
	}, func(text, previous string) (missingArguments, error) {
		return p.readMissingArguments(text, partial, known, append(stringsInAnswer(previous), suspect...))
	})
	switch {
	case err != nil:
		return err
	case answer.Cannot != "":
		return cannotError(missing, answer.Cannot)
	}
	s.Arguments = answer.Arguments
	delete(p.suspects, s.ID)
	return nil
}

// checkSuspects returns an error for the first text that looks like a placeholder, unless the model
// has confirmed it by writing it again.
func checkSuspects(suspects []plan.Suspect, confirmed []string) error {
	for _, x := range suspects {
		if x.Text != "" && !slices.Contains(confirmed, x.Text) { // an empty text needs no confirmation
			return fmt.Errorf("%s looks like a placeholder in %s: write the value or a reference; if exactly this text is meant, write it again", jsontext.QuoteLine(x.Text, maxDescription), x.Pointer)
		}
	}
	return nil
}

// stringsInAnswer returns the strings in the JSON of an answer.
func stringsInAnswer(answer string) (all []string) {
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

// withoutMembers returns an object without some members.
func withoutMembers(n *jsontext.Node, names []string) json.RawMessage {
	rest := &jsontext.Node{Kind: jsontext.Object}
	for _, m := range n.Items {
		if n.Is(jsontext.Object) && !slices.Contains(names, m.Name()) {
			rest.Add(m)
		}
	}
	return rest.Append(nil)
}

// readMissingArguments reads the missing arguments of a step from an answer. Known arguments do not
// change. New values may refer to results. A text that looks like a placeholder is an error, unless
// it is in confirmed: the texts that the model has written before.
func (p *planning) readMissingArguments(text string, s plan.Step, known json.RawMessage, confirmed []string) (missingArguments, error) {
	read, err := repair.JSON(text, nil)
	if err == nil && read.Truncated {
		err = errCutOff
	}
	if err != nil {
		return missingArguments{}, err
	}
	n, err := jsontext.Parse(string(read.Value), jsontext.Depth)
	if err != nil {
		return missingArguments{}, err
	}
	given, why := unwrapArguments(n)
	switch {
	case why != "" && given != nil && len(given.Items) > 0:
		return missingArguments{}, fmt.Errorf("the answer has both arguments and a reason why there are none")
	case why != "":
		return missingArguments{Cannot: words.Cut(why, maxFailure)}, nil
	case !given.Is(jsontext.Object):
		return missingArguments{}, fmt.Errorf(`expected an object with the member "arguments"`)
	}
	merged, err := mergeArguments(given, s.Arguments, known)
	if err != nil {
		return missingArguments{}, err
	}
	arguments, suspects, err := p.compileArguments(s, merged)
	if err == nil {
		if err := checkSuspects(suspects, confirmed); err != nil {
			return missingArguments{}, err
		}
		if still := (plan.Step{Arguments: arguments}).Missing(p.byName[s.Tool]); len(still) > 0 {
			err = fmt.Errorf("still missing: %s", strings.Join(still, ", "))
		}
	}
	return missingArguments{Arguments: arguments}, err
}

// unwrapArguments returns the arguments in an answer, or the reason why there are none. An answer may
// be {"arguments": {…}}, {"cannot": "why"} or the arguments alone.
func unwrapArguments(n *jsontext.Node) (given *jsontext.Node, why string) {
	inner, cannot := n.Member("arguments"), n.Member("cannot")
	hasOthers := slices.ContainsFunc(n.Items, func(m *jsontext.Node) bool { return m.Name() != "arguments" && m.Name() != "cannot" })
	if !n.Is(jsontext.Object) || hasOthers || inner == nil && cannot == nil {
		return n, ""
	}
	if cannot.Is(jsontext.String) {
		why = strings.TrimSpace(cannot.Str())
	}
	return inner, why
}

// mergeArguments adds the arguments that the model gave to the known ones. The model may repeat a
// known argument, either as written in the plan or with the results filled in.
func mergeArguments(given *jsontext.Node, written, filled json.RawMessage) (*jsontext.Node, error) {
	merged, err := jsontext.Parse(string(written), jsontext.Depth)
	if err != nil {
		return nil, err
	}
	values, err := jsontext.Parse(string(filled), jsontext.Depth)
	if err != nil {
		return nil, err
	}
	writtenByName, filledByName := membersByName(merged), membersByName(values)
	for _, m := range given.Items {
		name := m.Name()
		switch written, filled := writtenByName[name], filledByName[name]; {
		case written == nil:
			merged.Add(m)
			writtenByName[name] = m
		case jsontext.Equal(m, written):
		case filled == nil:
			return nil, fmt.Errorf("%s occurs twice with different values", jsontext.Join("", name))
		case !jsontext.Equal(m, filled):
			return nil, fmt.Errorf("%s is already known and cannot be changed", jsontext.Join("", name))
		}
	}
	return merged, nil
}

// membersByName returns the members of an object by name.
func membersByName(object *jsontext.Node) map[string]*jsontext.Node {
	members := make(map[string]*jsontext.Node, len(object.Items))
	for _, m := range object.Items {
		members[m.Name()] = m
	}
	return members
}

// compileArguments compiles a step with other arguments. It returns the compiled arguments and
// the texts in the plan that may be placeholders.
func (p *planning) compileArguments(s plan.Step, arguments *jsontext.Node) (json.RawMessage, []plan.Suspect, error) {
	alone := plan.Plan{Goal: p.plan.Goal, Steps: append(p.finishedSteps(), s)}
	last := &alone.Steps[len(alone.Steps)-1]
	last.Arguments = arguments.Append(nil)
	compiled, _, err := p.compilePlan(alone, plan.MaxSteps)
	if err != nil {
		return nil, nil, err
	}
	return compiled.Steps[len(compiled.Steps)-1].Arguments, p.findSuspects(compiled), nil
}

// cannotError reports that the model does not know the arguments of a step.
func cannotError(names []string, why string) error {
	return &run.Error{Kind: "cannot", Text: fmt.Sprintf("the model does not know %s: %s", strings.Join(names, ", "), why)}
}
