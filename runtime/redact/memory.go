package redact

import (
	"cmp"
	"maps"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/run/record"
	"github.com/aiongen/aiongen/runtime/tool"
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
	loose    index // normalized
	exact    index // mostly punctuation, without white space
	count    int
	full     bool // a value was not added
	forgets  bool // is emptied when it is full, instead of withholding everything
	lastUsed uint64
	earlier  history // that was read last
	catalog  *catalog
	values   *atomic.Int64 // of all runs
}

// note adds a value in the spellings in which it may occur elsewhere.
func (m *memory) note(value string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, text := range spellings(value) {
		m.add(text)
	}
	for _, part := range identifiersIn(value) {
		m.add(part)
	}
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

func (m *memory) add(text string) {
	value, to := normalize(text), &m.loose
	if len(value) < shortest {
		value, to = withoutSpace(text), &m.exact
	}
	switch {
	case len(value) < shortest:
	case len(value) < longText:
		m.addTo(to, value)
	default:
		for i := 0; i+block <= len(value); i += block {
			m.addTo(to, value[i:i+block])
		}
		m.addTo(to, value[len(value)-block:])
	}
}

func (m *memory) addTo(to *index, value string) {
	if m.count >= mostValues {
		if m.full = !m.forgets; m.full {
			return
		}
		m.forget()
	}
	if to.add(value) {
		m.count++
		m.values.Add(1)
	}
}

// occursIn reports whether a text contains a value, in whatever form.
func (m *memory) occursIn(text string) bool {
	m.mu.RLock()
	defer m.mu.RUnlock()
	switch {
	case text == "":
		return false
	case m.full:
		return true
	case m.count == 0:
		return false
	}
	const deepestEncoding = 3
	return m.find(text, deepestEncoding)
}

func (m *memory) find(text string, depth int) bool {
	normalized := normalize(text)
	if m.loose.occursIn(normalized) || len(m.exact.values) > 0 && m.exact.occursIn(withoutSpace(text)) {
		return true
	}
	if depth == 0 {
		return false
	}
	for _, plain := range decodings(text, normalized) {
		if m.find(plain, depth-1) {
			return true
		}
	}
	return false
}

// reads reports whether a history is to be read, which is not the one that was read last.
func (m *memory) reads(earlier []record.Event) bool {
	if len(earlier) == 0 {
		return false
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	is := history{&earlier[0], len(earlier)}
	known := m.earlier == is
	m.earlier = is
	return !known
}

// history identifies events that several sinks get with one event.
type history struct {
	first  *record.Event
	length int
}

// catalogOf returns the catalog of the tools of the run.
func (m *memory) catalogOf(tools []tool.Definition) *catalog {
	m.mu.Lock()
	defer m.mu.Unlock()
	if !m.catalog.describes(tools) {
		m.catalog = newCatalog(tools)
	}
	return m.catalog
}

// clear forgets all values.
func (m *memory) clear() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.forget()
}

func (m *memory) forget() {
	m.values.Add(-int64(m.count))
	m.loose, m.exact, m.count = index{}, index{}, 0
}

// memories holds those of the runs that were used last. It is safe for concurrent use.
type memories struct {
	mu    sync.Mutex
	byRun  map[string]*memory
	tick   uint64
	values atomic.Int64
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
		m = &memory{forgets: run == "", values: &all.values}
		all.byRun[run] = m
	}
	all.tick++
	m.lastUsed = all.tick
	return m
}

// makeRoom removes the runs that were not used for the longest time if there are too many
// runs or values. It makes room for several, so that the next runs need none.
func (all *memories) makeRoom() {
	if len(all.byRun) < mostRuns+spareRuns && all.values.Load() < mostTotal {
		return
	}
	runs := slices.SortedFunc(maps.Keys(all.byRun), func(a, b string) int {
		return cmp.Compare(all.byRun[a].lastUsed, all.byRun[b].lastUsed)
	})
	for _, run := range runs {
		if len(all.byRun) < mostRuns && all.values.Load() < mostTotal {
			return
		}
		all.byRun[run].clear()
		delete(all.byRun, run)
	}
	all.values.Store(0) // also of runs that were removed while they were used
}
