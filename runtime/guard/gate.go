package guard

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/aiongen/aiongen/runtime/tool"
)

// Gate decides for every call, by the first of the rules whose conditions hold, whether
// it may run; where there is none, it may not. It never waits: a denied call fails with
// a [*tool.DeniedError], one that a person is to be asked about with a
// [*tool.ApprovalError], unless its arguments have faults or the request carries an
// approval. The function does not run then. Whether an approval is genuine is for the one
// to know who set it: a request read from what a model wrote must have none.
func Gate(rules ...Rule) tool.Middleware {
	return func(next tool.Handler) tool.Handler {
		return func(ctx context.Context, c *tool.Call) (json.RawMessage, error) {
			switch d := decide(rules, c.Definition()); {
			case c.Definition().Name == "": // there is no such tool, as next will say
			case d == ask && c.Request.Approval == "":
				if err := c.Check(ctx); err != nil {
					return nil, err
				}
				return nil, &tool.ApprovalError{Tool: c.Request.Name}
			case d == deny:
				return nil, &tool.DeniedError{Tool: c.Request.Name}
			}
			return next(ctx, c)
		}
	}
}

// Rule is a rule of a [Gate].
type Rule struct {
	decision decision
	when     []Condition
}

type decision int

const (
	deny decision = iota
	ask
	allow
)

func decide(rules []Rule, d tool.Definition) decision {
	for _, r := range rules {
		if !slices.ContainsFunc(r.when, func(holds Condition) bool { return !holds(d) }) {
			return r.decision
		}
	}
	return deny
}

// Allow lets calls run for which all conditions hold.
func Allow(when ...Condition) Rule { return Rule{allow, when} }

// Ask demands the approval of a person for calls for which all conditions hold.
func Ask(when ...Condition) Rule { return Rule{ask, when} }

// Deny refuses calls for which all conditions hold.
func Deny(when ...Condition) Rule { return Rule{deny, when} }

// Condition tells whether a rule applies to a tool.
type Condition func(tool.Definition) bool

// Named holds for tools whose names match one of the patterns, in which * stands for
// any text, also for none, and ? for any one character.
func Named(patterns ...string) Condition {
	return func(d tool.Definition) bool {
		return slices.ContainsFunc(patterns, func(p string) bool { return matches(p, d.Name) })
	}
}

// Is holds for tools that were annotated so; see [tool.Annotate].
func Is(a tool.Annotation) Condition {
	return func(d tool.Definition) bool { return d.Annotations.Is(a) }
}
