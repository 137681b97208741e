package contract

import "github.com/aiongen/aiongen/aion/diag"

// report collects the changes.
type report struct{ diag.List }

func (r *report) harmless(at diag.Span, format string, args ...any) {
	r.Notef("compatible-change", at, format, args...)
}
