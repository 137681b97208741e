package aion

import (
	"github.com/aiongen/aiongen/aion/diag"
)

// maxParsed limits how much text ApplyFixes parses to find harmful fixes, in bytes.
const maxParsed = 16 << 20

// ApplyFixes applies fixes to the text of a file, except those that would increase the number
// of its errors. Of two fixes that overlap, ApplyFixes applies the first.
//
// If it takes too long to find the harmful fixes, ApplyFixes returns the text unchanged,
// and complete is false.
func ApplyFixes(name string, src []byte, fixes []diag.Fix) (fixed []byte, complete bool) {
	m := fixer{name: name, src: src, fixed: src}
	m.faults = m.countFaults(src)
	m.tryFixes(fixes)
	if m.gaveUp {
		return src, false
	}
	return m.fixed, true
}

// A fixer applies fixes to a text.
type fixer struct {
	name   string
	src    []byte
	faults int // number of errors in src
	parsed int // number of bytes that were parsed
	gaveUp bool

	applied []diag.Fix
	fixed   []byte // src with the applied fixes
}

// tryFixes applies all fixes or, if together they add errors, tries each half of them alone.
func (m *fixer) tryFixes(fixes []diag.Fix) {
	all := append(m.applied[:len(m.applied):len(m.applied)], fixes...)
	fixed, applied := applyEdits(m.name, m.src, all)
	switch {
	case applied == 0:
	case m.parsed > maxParsed:
		m.gaveUp = true
	case m.countFaults(fixed) <= m.faults:
		m.applied, m.fixed = all, fixed
	case len(fixes) > 1:
		m.tryFixes(fixes[:len(fixes)/2])
		m.tryFixes(fixes[len(fixes)/2:])
	}
}

// countFaults returns the number of errors in a text.
func (m *fixer) countFaults(src []byte) int {
	m.parsed += len(src)
	_, list := Parse(m.name, src)
	return countErrors(list)
}
