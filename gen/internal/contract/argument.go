package contract

import (
	"strings"

	"github.com/aiongen/aiongen/internal/jsontext"
)

func (r *report) argument(now Tool, f difference) {
	subject := strings.TrimSpace("argument " + f.at)
	if f.at == "" {
		subject = "arguments"
	}
	name, _, _ := strings.Cut(strings.TrimPrefix(f.at, "/"), "/")
	at := now.Place
	for _, a := range now.Arguments {
		if jsontext.Token(a.Name) == name {
			at = a.Place
		}
	}
	if f.kind == defaultChanged {
		r.Warnf("changed-default", at, "%s: %s: %s", now.Name, subject, f.text).
			WithHelp("calls that leave it out are taken as before, and mean something else now")
		return
	}
	if f.effect&narrows == 0 {
		r.harmless(at, "%s: %s: %s", now.Name, subject, f.text)
		return
	}
	d := r.Errorf("breaking-argument", at, "%s: %s: %s", now.Name, subject, f.text)
	switch f.kind {
	case memberRequired, memberNewRequired:
		d.WithHelp("calls without it are refused now; let it be left out, or give it a default")
	case uncompared:
		d.WithHelp("it takes a person to tell whether all calls that were right still are")
	default:
		d.WithHelp("calls that were right are refused now")
	}
}
