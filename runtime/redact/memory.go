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
	"github.com/aiongen/aiongen/runtime/redact/internal/forms"
	"github.com/aiongen/aiongen/runtime/run/record"
)

// Limits of what is remembered. A value takes about 150 bytes.
const (
	mostValues = 1 << 16 // of a run
	mostTotal  = 1 << 18 // of all runs
	mostRuns   = 4096
	spareRuns  = 512 // that are removed at once
)

// memory holds the values that were hidden in a run. It is safe for concurrent use.
type memory struct {
	mu       sync.RWMutex
	values   forms.Set
	full     bool // a value was not added
	forgets  bool // is emptied when it is full, instead of withholding everything
	lastUsed uint64
	earlier  history       // that was read last
	total    *atomic.Int64 // values of all runs
}

// note adds a value in the spellings in which it may occur elsewhere.
func (m *memory) note(value string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	before := m.values.Len()
	for _, text := range forms.Texts(value) {
		if m.values.Add(text, mostValues) {
			continue
		}
		if m.full = !m.forgets; !m.full {
			m.values = forms.Set{}
			m.values.Add(text, mostValues)
		}
	}
	m.total.Add(int64(m.values.Len() - before))
}

// noteNumber adds a JSON number, also as digits alone.
func (m *memory) noteNumber(number string) {
	m.note(number)
	if whole, ok := wholeDigits(number); ok {
		m.note(whole)
	}
}

// wholeDigits returns the digits of a JSON number that is an integer.
func wholeDigits(number string) (digits string, ok bool) {
	const most = 40
	if number[0] == '-' {
		number = number[1:]
	}
	digits, state := jsontext.WholeDigits(number, most)
	return digits, state == jsontext.Fits
}

// occursIn reports whether a text contains a value, in whatever form.
func (m *memory) occursIn(text string) bool {
	m.mu.RLock()
	defer m.mu.RUnlock()
	return text != "" && (m.full || m.values.OccursIn(text))
}

// occursInValue reports whether a JSON text or number contains a value.
func (m *memory) occursInValue(raw json.RawMessage) bool {
	switch c := raw[0]; {
	case c == '"':
		return m.occursIn(plain(raw))
	case c == '-' || '0' <= c && c <= '9':
		whole, ok := wholeDigits(string(raw))
		return m.occursIn(string(raw)) || ok && m.occursIn(whole)
	}
	return false
}

// number returns a number of an event, and 0 if it is a value that was hidden.
func (m *memory) number(f float64) float64 {
	if m.occursIn(strconv.FormatFloat(f, 'f', -1, 64)) {
		return 0
	}
	return f
}

// reads reports whether a history is to be read, which is not the one that was read last.
func (m *memory) reads(earlier []record.Event) bool {
	if len(earlier) == 0 {
		return false
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	is := history{weak.Make(&earlier[0]), len(earlier)}
	known := m.earlier == is
	m.earlier = is
	return !known
}

// history identifies events that several sinks get with one event, and does not hold them.
type history struct {
	first  weak.Pointer[record.Event]
	length int
}

// clear forgets all values.
func (m *memory) clear() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.total.Add(-int64(m.values.Len()))
	m.values = forms.Set{}
}

// memories holds those of the runs that were used last. It is safe for concurrent use.
type memories struct {
	mu    sync.Mutex
	byRun map[string]*memory
	tick  uint64
	total atomic.Int64
}

// of returns the memory of a run. Calls of no run share the memory of the run "".
func (all *memories) of(run string) *memory {
	all.mu.Lock()
	defer all.mu.Unlock()
	m := all.byRun[run]
	if m == nil {
		if all.byRun == nil {
			all.byRun = map[string]*memory{}
		}
		all.makeRoom()
		m = &memory{forgets: run == "", total: &all.total}
		all.byRun[run] = m
	}
	all.tick++
	m.lastUsed = all.tick
	return m
}

// makeRoom removes the runs that were not used for the longest time if there are too many
// runs or values. It makes room for several, so that the next runs need none.
func (all *memories) makeRoom() {
	if len(all.byRun) < mostRuns+spareRuns && all.total.Load() < mostTotal {
		return
	}
	runs := slices.SortedFunc(maps.Keys(all.byRun), func(a, b string) int {
		return cmp.Compare(all.byRun[a].lastUsed, all.byRun[b].lastUsed)
	})
	for _, run := range runs {
		if len(all.byRun) < mostRuns && all.total.Load() < mostTotal {
			return
		}
		all.byRun[run].clear()
		delete(all.byRun, run)
	}
	all.total.Store(0) // also of runs that were removed while they were used
}

// plain returns what a string says, else JSON as it is.
func plain(raw json.RawMessage) string {
	var text string
	if json.Unmarshal(raw, &text) != nil {
		return string(raw)
	}
	return text
}
