package contract

import "github.com/aiongen/aiongen/aion/diag"

// A report collects changes.
type report struct{ diag.List }

func (r *report) noteCompatible(at diag.Span, format string, args ...any) {
	r.Notef("compatible-change", at, format, args...)
}
