package contract

import (
	"strings"

	"github.com/aiongen/aiongen/internal/jsonschema/compare"
	"github.com/aiongen/aiongen/internal/jsontext"
)

func (r *report) argument(now Tool, f compare.Difference) {
	subject := strings.TrimSpace("argument " + f.At)
	if f.At == "" {
		subject = "arguments"
	}
	name, _, _ := strings.Cut(strings.TrimPrefix(f.At, "/"), "/")
	at := now.placeOf(jsontext.Name(name))
	if f.Kind == compare.DefaultChanged {
		r.Warnf("changed-default", at, "%s: %s: %s", now.Name, subject, f.Text).
			WithHelp("calls that leave it out are taken as before, and mean something else now")
		return
	}
	if f.Effect&compare.Narrows == 0 {
		r.harmless(at, "%s: %s: %s", now.Name, subject, f.Text)
		return
	}
	d := r.Errorf("breaking-argument", at, "%s: %s: %s", now.Name, subject, f.Text)
	switch f.Kind {
	case compare.MemberRequired, compare.MemberNewRequired:
		d.WithHelp("calls without it are refused now; let it be left out, or give it a default")
	case compare.Uncompared:
		d.WithHelp("it takes a person to tell whether all calls that were right still are")
	default:
		d.WithHelp("calls that were right are refused now")
	}
}
