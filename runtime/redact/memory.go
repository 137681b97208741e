package redact

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"weak"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/run"
)

// Limits of the remembered values. A value takes about 150 bytes of memory.
const (
	maxValues = 1 << 16 // values of a run
	maxTotal  = 1 << 18 // values of all runs together
	maxRuns   = 4096
	spareRuns = 512 // runs beyond maxRuns that are kept until makeRoom removes them together
)

// runMemory holds the hidden values of a run. It is safe for concurrent use.
type runMemory struct {
	mu       sync.RWMutex
	values   Set
	full     bool // a value could not be added
	forgets  bool // when the memory is full, empty it instead of hiding all values
	lastUsed uint64
	earlier  history       // the history that was read last
	total    *atomic.Int64 // number of values of all runs
}

// noteValue adds a value in all spellings that [Texts] returns.
func (m *runMemory) noteValue(value string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	before := m.values.Len()
	for _, text := range Texts(value) {
		if m.values.Add(text, maxValues) {
			continue
		}
		if m.full = !m.forgets; !m.full {
			m.values = Set{}
			m.values.Add(text, maxValues)
		}
	}
	m.total.Add(int64(m.values.Len() - before))
}

// noteNumber adds a JSON number and, if it is an integer, also its digits alone.
func (m *runMemory) noteNumber(number string) {
	m.noteValue(number)
	if digits, ok := integerDigits(number); ok {
		m.noteValue(digits)
	}
}

// integerDigits returns the digits of a JSON number that is an integer.
func integerDigits(number string) (digits string, ok bool) {
	const maxDigits = 40
	if number[0] == '-' {
		number = number[1:]
	}
	digits, state := jsontext.WholeDigits(number, maxDigits)
	return digits, state == jsontext.Fits
}

// occursIn reports whether a text contains a hidden value. It also returns true if the memory is full,
// because then some hidden values are unknown.
func (m *runMemory) occursIn(text string) bool {
	m.mu.RLock()
	defer m.mu.RUnlock()
	return text != "" && (m.full || m.values.OccursIn(text))
}

// occursInValue reports whether a JSON text or number contains a value.
func (m *runMemory) occursInValue(raw json.RawMessage) bool {
	switch c := raw[0]; {
	case c == '"':
		return m.occursIn(plainText(raw))
	case c == '-' || '0' <= c && c <= '9':
		digits, ok := integerDigits(string(raw))
		return m.occursIn(string(raw)) || ok && m.occursIn(digits)
	}
	return false
}

// visibleNumber returns f, or 0 if f is a hidden value.
func (m *runMemory) visibleNumber(f float64) float64 {
	if m.occursIn(strconv.FormatFloat(f, 'f', -1, 64)) {
		return 0
	}
	return f
}

// markRead records that the caller is about to read a history. It returns false if the caller can skip
// reading, because the history is empty or was also the last one that was read.
func (m *runMemory) markRead(earlier []run.Event) bool {
	if len(earlier) == 0 {
		return false
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	latest := history{weak.Make(&earlier[0]), len(earlier)}
	isRead := m.earlier == latest
	m.earlier = latest
	return !isRead
}

// history identifies a slice of earlier events without keeping the events in memory. Several sinks may
// pass the same slice to a Redactor.
type history struct {
	first  weak.Pointer[run.Event]
	length int
}

// clearValues removes all values.
func (m *runMemory) clearValues() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.total.Add(-int64(m.values.Len()))
	m.values = Set{}
}

// memories holds the memories of the most recently used runs. It is safe for concurrent use.
type memories struct {
	mu    sync.Mutex
	byRun map[string]*runMemory
	tick  uint64
	total atomic.Int64
}

// memoryFor returns the memory of a run. Calls outside of runs share the memory of the run "".
func (all *memories) memoryFor(run string) *runMemory {
	all.mu.Lock()
	defer all.mu.Unlock()
	m := all.byRun[run]
	if m == nil {
		if all.byRun == nil {
			all.byRun = map[string]*runMemory{}
		}
		all.makeRoom()
		m = &runMemory{forgets: run == "", total: &all.total}
		all.byRun[run] = m
	}
	all.tick++
	m.lastUsed = all.tick
	return m
}

// makeRoom removes the least recently used runs if there are too many runs or values. It
// removes several at once, because it sorts all runs to find them.
func (all *memories) makeRoom() {
	if len(all.byRun) < maxRuns+spareRuns && all.total.Load() < maxTotal {
		return
	}
	runs := slices.SortedFunc(maps.Keys(all.byRun), func(a, b string) int {
		return cmp.Compare(all.byRun[a].lastUsed, all.byRun[b].lastUsed)
	})
	for _, run := range runs {
		if len(all.byRun) < maxRuns && all.total.Load() < maxTotal {
			return
		}
		all.byRun[run].clearValues()
		delete(all.byRun, run)
	}
	all.total.Store(0) // no runs are left; corrects the count if a removed run has added values since
}

// plainText returns the decoded text of a JSON string, and other JSON unchanged.
func plainText(raw json.RawMessage) string {
	var text string
	if json.Unmarshal(raw, &text) != nil {
		return string(raw)
	}
	return text
}
