package aion

import (
	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/aion/internal/patch"
)

// Mend makes fixes in the text of a file, those that do no harm: what parsed without
// errors does so still, and what did not has no more of them than before. Of two fixes
// that overlap it makes the first.
func Mend(name string, src []byte, fixes []diag.Fix) []byte {
	m := mender{name: name, src: src, faults: faultsIn(name, src), mended: src}
	m.try(fixes)
	return m.mended
}

// A mender makes fixes in a text.
type mender struct {
	name   string
	src    []byte
	faults int // that src has

	made   []diag.Fix
	mended []byte // src with these
}

// try makes fixes, all at once or, where that does harm, those of each half that do none.
func (m *mender) try(fixes []diag.Fix) {
	all := append(m.made[:len(m.made):len(m.made)], fixes...)
	mended, made := patch.Make(m.name, m.src, all)
	switch {
	case made == 0:
	case faultsIn(m.name, mended) <= m.faults:
		m.made, m.mended = all, mended
	case len(fixes) > 1:
		m.try(fixes[:len(fixes)/2])
		m.try(fixes[len(fixes)/2:])
	}
}

// faultsIn counts the errors in a text.
func faultsIn(name string, src []byte) int {
	_, list := Parse(name, src)
	return countErrors(list)
}
