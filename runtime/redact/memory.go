package redact

import (
	"slices"
	"strings"
	"sync"
	"unicode"
)

// memory is what was hidden in a run.
type memory struct {
	mu    sync.Mutex // held while an event of the run is redacted
	texts []string
}

// Bounds of what is remembered.
const (
	shortest  = 6   // bytes of a text: others are in many places by chance
	telling   = 64  // bytes of it, by which it is known
	mostTexts = 256 // in a run
	mostRuns  = 4096
)

// note notes a text that is hidden.
func (m *memory) note(text string) {
	if len(text) < shortest || len(m.texts) == mostTexts {
		return
	}
	if text = head(text); !slices.Contains(m.texts, text) {
		m.texts = append(m.texts, text)
	}
}

func head(text string) string { return text[:min(len(text), telling)] }

// has reports whether a text is one that was hidden, or has one in it; but a word of
// letters alone may be in any text.
func (m *memory) has(text string) bool {
	return slices.ContainsFunc(m.texts, func(hidden string) bool {
		return head(text) == hidden || strings.ContainsFunc(hidden, isNoLetter) && strings.Contains(text, hidden)
	})
}

func isNoLetter(r rune) bool { return !unicode.IsLetter(r) }

// memories are those of the runs that began last and have not ended.
type memories struct {
	mu    sync.Mutex
	byRun map[string]*memory
	runs  []string // in the order in which they came
}

// of returns the memory of a run.
func (m *memories) of(run string) *memory {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.byRun[run] == nil {
		if len(m.runs) == mostRuns {
			delete(m.byRun, m.runs[0])
			m.runs = m.runs[1:]
		}
		m.byRun[run] = &memory{}
		m.runs = append(m.runs, run)
	}
	return m.byRun[run]
}

// forget forgets a run that has ended.
func (m *memories) forget(run string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.byRun, run)
	m.runs = slices.DeleteFunc(m.runs, func(r string) bool { return r == run })
}
