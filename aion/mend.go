package aion

import (
	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/aion/internal/patch"
)

// maxTried limits how much text Mend parses to find the fixes that do no harm, in bytes.
const maxTried = 16 << 20

// Mend applies fixes to the text of a file, except those that do harm: text that parsed
// without errors still does, and other text has no more errors than before. Of two fixes
// that overlap, Mend applies the first.
//
// Where it takes too long to find out which fixes do harm, Mend returns the text
// unchanged, and complete is false.
func Mend(name string, src []byte, fixes []diag.Fix) (mended []byte, complete bool) {
	m := mender{name: name, src: src, mended: src}
	m.faults = m.countFaults(src)
	m.try(fixes)
	if m.gaveUp {
		return src, false
	}
	return m.mended, true
}

// A mender applies fixes to a text.
type mender struct {
	name   string
	src    []byte
	faults int // that src has
	tried  int // bytes that were parsed
	gaveUp bool

	made   []diag.Fix
	mended []byte // src with these
}

// try applies fixes, all at once or, where that does harm, those of each half that do none.
func (m *mender) try(fixes []diag.Fix) {
	all := append(m.made[:len(m.made):len(m.made)], fixes...)
	mended, made := patch.Make(m.name, m.src, all)
	switch {
	case made == 0:
	case m.tried > maxTried:
		m.gaveUp = true
	case m.countFaults(mended) <= m.faults:
		m.made, m.mended = all, mended
	case len(fixes) > 1:
		m.try(fixes[:len(fixes)/2])
		m.try(fixes[len(fixes)/2:])
	}
}

// countFaults counts the errors in a text.
func (m *mender) countFaults(src []byte) int {
	m.tried += len(src)
	_, list := Parse(m.name, src)
	return countErrors(list)
}
