package contract

import (
	"strings"

	"github.com/aiongen/aiongen/internal/jsonschema/compare"
	"github.com/aiongen/aiongen/internal/jsontext"
)

// reportArgument reports a difference between arguments.
func (r *report) reportArgument(now Tool, f compare.Difference) {
	subject := strings.TrimSpace("argument " + f.At)
	if f.At == "" {
		subject = "arguments"
	}
	name, _, _ := strings.Cut(strings.TrimPrefix(f.At, "/"), "/")
	at := now.argumentPlace(jsontext.Name(name))
	if f.Kind == compare.DefaultChanged {
		r.Warnf("changed-default", at, "%s: %s: %s", now.Name, subject, f.Text).
			WithHelp("calls without it are still accepted, but have another meaning now")
		return
	}
	if f.Effect&compare.Narrows == 0 {
		r.noteCompatible(at, "%s: %s: %s", now.Name, subject, f.Text)
		return
	}
	d := r.Errorf("breaking-argument", at, "%s: %s: %s", now.Name, subject, f.Text)
	switch f.Kind {
	case compare.MemberRequired, compare.MemberNewRequired:
		d.WithHelp("calls without it are refused now; make it optional, or give it a default")
	case compare.Uncompared:
		d.WithHelp("check by hand whether all calls that were valid still are")
	default:
		d.WithHelp("calls that were valid may be refused now")
	}
}
