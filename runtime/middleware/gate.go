package middleware

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/aiongen/aiongen/runtime/tool"
)

// Gate decides for every call whether it may run. The first rule whose conditions all hold decides; if there
// is none, the call is denied. A denied call fails with a [*tool.DeniedError]. A call that needs approval
// fails at once with a [*tool.ApprovalError], unless the request has an approval. If its arguments are
// invalid, the call fails with their error instead. Gate does not verify approvals, so callers must not
// accept an approval that a model wrote.
func Gate(rules ...Rule) tool.Middleware {
	return func(next tool.Handler) tool.Handler {
		return func(ctx context.Context, c *tool.Call) (json.RawMessage, error) {
			switch d := decideCall(rules, c.Definition()); {
			case c.Definition().Name == "": // the tool is unknown; next reports that
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
	decision   decision
	conditions []Condition
}

type decision int

const (
	deny decision = iota
	ask
	allow
)

// decideCall returns the decision of the first rule whose conditions hold.
func decideCall(rules []Rule, d tool.Definition) decision {
	for _, r := range rules {
		if !slices.ContainsFunc(r.conditions, func(holds Condition) bool { return !holds(d) }) {
			return r.decision
		}
	}
	return deny
}

// Allow allows calls if all conditions hold.
func Allow(when ...Condition) Rule { return Rule{allow, when} }

// RequireApproval requires the approval of a person for calls if all conditions hold.
func RequireApproval(when ...Condition) Rule { return Rule{ask, when} }

// Deny denies calls if all conditions hold.
func Deny(when ...Condition) Rule { return Rule{deny, when} }

// Condition reports whether a rule applies to a tool.
type Condition func(tool.Definition) bool

// NameMatches holds for tools whose names match one of the patterns. In a pattern, * matches any text,
// including none, and ? matches one character.
func NameMatches(patterns ...string) Condition {
	return func(d tool.Definition) bool {
		return slices.ContainsFunc(patterns, func(p string) bool { return matchesPattern(p, d.Name) })
	}
}

// HasAnnotation holds for tools with the annotation; see [tool.Annotate].
func HasAnnotation(a tool.Annotation) Condition {
	return func(d tool.Definition) bool { return d.Annotations.Is(a) }
}
