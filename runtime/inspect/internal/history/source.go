package history

import (
	"encoding/json"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/plan"
	"github.com/aiongen/aiongen/runtime/run"
)

// SourceKind says where a value came from.
type SourceKind string

// Kinds of sources.
const (
	FromRequest SourceKind = "request" // the request of the run, or of the agent that makes the call
	FromMessage SourceKind = "message" // a message of a person
	FromReply   SourceKind = "reply"   // the reply of a person to a question
	FromPerson  SourceKind = "person"  // a person who edited the arguments
	FromStep    SourceKind = "step"    // the result of a step to which the plan refers
	FromResult  SourceKind = "result"  // the result of an earlier call, which contains the same value
	FromRepair  SourceKind = "repair"  // a repair of what the model wrote
	FromModel   SourceKind = "model"   // an answer of the model
	FromProgram SourceKind = "program" // the program that started the run
	FromUnknown SourceKind = "unknown" // an entry that cannot be read
)

// Source is where a value, or a part of it, came from.
type Source struct {
	Kind    SourceKind
	Entry   int    // number of the entry in the journal
	Step    string // step whose result contains the value
	Tool    string // tool whose result contains the value
	Pointer string // JSON Pointer of the value in the result
	By      string // person who edited the arguments
	Turn    int    // turn of the model in a conversation
	Purpose string // purpose of the request to the model
	Before  string // value that a repair replaced, if it is known
}

// Argument is a value in the arguments of a call.
type Argument struct {
	Pointer string
	Value   string // JSON
	Sources []Source
}

// maxArguments limits the values of a call whose sources are shown.
const maxArguments = 200

// personEdit is a change of the arguments of a call by a person.
type personEdit struct {
	entry             int
	by                string
	before, arguments json.RawMessage
}

// findSources returns the values in the arguments of a call, and where each came from. shown holds the
// arguments without hidden values.
func (r *Run) findSources(item *Item, arguments, shown json.RawMessage) (all []Argument) {
	n, err := jsontext.Parse(string(arguments), jsontext.Depth)
	if err != nil {
		return nil
	}
	visible, err := jsontext.Parse(string(shown), jsontext.Depth)
	if err != nil {
		visible = nil
	}
	visitLeaves(n, "", func(pointer string, leaf *jsontext.Node) bool {
		if pointer == "" {
			return true // the arguments are empty
		}
		at, value := visiblePart(visible, pointer)
		if at != pointer && len(all) > 0 && all[len(all)-1].Pointer == at {
			return true // the hidden value around this one is already in the list
		}
		all = append(all, Argument{Pointer: at, Value: value, Sources: r.showSources(r.sourcesOf(item, pointer, leaf), at == pointer)})
		return len(all) < maxArguments
	})
	return all
}

// visiblePart returns what the page shows for the value at pointer: a pointer and JSON. If a value around it is hidden,
// visiblePart returns that value. If the name of a member on the path is hidden, it returns the pointer of the object
// around that member, and "redacted".
func visiblePart(visible *jsontext.Node, pointer string) (at, value string) {
	for at = pointer; at != ""; at = at[:strings.LastIndexByte(at, '/')] {
		if v := visible.At(at); v != nil && (at == pointer || len(v.Items) == 0) {
			return at, string(v.Append(nil))
		} else if v != nil {
			break // the name of its member is hidden
		}
	}
	return at, `"redacted"`
}

// showSources redacts sources. For a hidden value, it removes the pointers into results.
func (r *Run) showSources(all []Source, isVisible bool) []Source {
	if r.redactor == nil {
		return all
	}
	for i := range all {
		s := &all[i]
		if s.By = r.redactText(s.By); !isVisible {
			s.Pointer = ""
		}
		s.Pointer = r.redactText(s.Pointer)
	}
	return all
}

// visitLeaves visits the scalars and empty containers in a value until visit returns false.
func visitLeaves(n *jsontext.Node, at string, visit func(string, *jsontext.Node) bool) bool {
	if len(n.Items) == 0 {
		return visit(at, n)
	}
	for i, item := range n.Items {
		pointer := jsontext.JoinIndex(at, i)
		if n.Is(jsontext.Object) {
			pointer = jsontext.Join(at, item.Name())
		}
		if !visitLeaves(item, pointer, visit) {
			return false
		}
	}
	return true
}

// sourcesOf returns the sources of a value, the most specific first.
func (r *Run) sourcesOf(item *Item, pointer string, leaf *jsontext.Node) []Source {
	c := item.Call
	for i := len(c.edits) - 1; i >= 0; i-- {
		if e := c.edits[i]; !hasEqual(e.before, pointer, leaf) {
			return []Source{{Kind: FromPerson, Entry: e.entry, By: e.by}}
		}
	}
	var repairs []Source
	if c.Outcome != nil {
		for _, e := range c.Outcome.Repairs {
			if e.Pointer == pointer {
				repairs = append(repairs, Source{Kind: FromRepair, Entry: item.Last, Before: r.redactText(e.Before)})
			}
		}
	}
	switch {
	case c.planned != nil:
		return append(repairs, r.plannedSources(item, pointer, leaf)...)
	case c.written != nil:
		if c.written.Answer.Response.CallText != "" {
			repairs = append(repairs, Source{Kind: FromRepair, Entry: c.written.Entry})
		}
		found := r.findValue(item, leaf, c.written.Entry)
		return append(append(found, repairs...), Source{Kind: FromModel, Entry: c.written.Entry, Turn: c.written.Turn, Purpose: run.PurposeTurn})
	}
	if len(r.Task.Messages) > 0 && item.Depth == 0 { // a call in the messages that the program gave
		return append(repairs, Source{Kind: FromProgram})
	}
	return append(repairs, Source{Kind: FromUnknown})
}

// hasEqual reports whether a JSON text has an equal value at a pointer.
func hasEqual(text json.RawMessage, pointer string, leaf *jsontext.Node) bool {
	n, err := jsontext.Parse(string(text), jsontext.Depth)
	if err != nil {
		return false
	}
	at := n.At(pointer)
	return at != nil && jsontext.Equal(at, leaf)
}

// plannedSources returns the sources of an argument of a step.
func (r *Run) plannedSources(item *Item, pointer string, leaf *jsontext.Node) (all []Source) {
	s := item.Call.planned
	written, err := jsontext.Parse(string(s.Arguments), jsontext.Depth)
	if err != nil {
		written = nil
	}
	at := pointer
	for at != "" && written.At(at) == nil { // the value is inside a value that replaced a reference
		at = at[:strings.LastIndexByte(at, '/')]
	}
	writer := r.writerOf(s, pointer)
	if n := written.At(at); n != nil && at != "" {
		references := plan.Step{Arguments: n.Append(nil)}.References()
		for _, to := range references {
			all = append(all, Source{Kind: FromStep, Entry: r.entryOfStep(item, to.Step), Step: to.Step, Pointer: to.Pointer + pointer[len(at):]})
		}
		if len(references) == 1 && n.Str() == references[0].String() {
			return all
		}
	}
	if all == nil {
		all = r.findValue(item, leaf, writer.Entry)
	}
	for i, step := range s.plan.Steps {
		for _, e := range s.plan.Edits {
			if step.ID == s.ID && e.Pointer == jsontext.JoinIndex("/steps", i)+"/arguments"+pointer {
				all = append(all, Source{Kind: FromRepair, Entry: s.plan.Entry, Before: r.redactText(e.Before)})
			}
		}
	}
	return append(all, writer)
}

// writerOf returns who wrote an argument of a step.
func (r *Run) writerOf(s *planStep, pointer string) Source {
	for name := range jsontext.Names(pointer) {
		if entry, asked := s.asked[name]; asked {
			return Source{Kind: FromModel, Entry: entry, Purpose: run.PurposeArguments}
		}
		break
	}
	if s.plan.Given {
		return Source{Kind: FromProgram}
	}
	return Source{Kind: FromModel, Entry: s.plan.Entry, Purpose: run.PurposePlan}
}

// entryOfStep returns the entry of the last item of a step before another item, or 0.
func (r *Run) entryOfStep(before *Item, step string) (entry int) {
	for _, item := range r.Items {
		if item.Step == step && item.Depth == before.Depth && item.Entry < before.Entry {
			entry = item.Entry
		}
	}
	return entry
}

// location is where a value occurs in a result.
type location struct {
	entry   int // of the outcome
	step    string
	tool    string
	pointer string
}

// findValue looks for a value in what people wrote before an entry, and then in the results before it. It returns nil
// if neither contains the value.
func (r *Run) findValue(item *Item, leaf *jsontext.Node, before int) []Source {
	text := searchText(leaf)
	if text == "" {
		return nil
	}
	personTexts := r.personTexts
	if item.Depth > 0 {
		personTexts = []personText{{entry: -1, kind: FromRequest, text: item.frame.request}}
	}
	for _, v := range personTexts {
		if v.entry < before && mentions(v.text, text, leaf.Is(jsontext.Number)) {
			return []Source{{Kind: v.kind, Entry: max(v.entry, 0)}}
		}
	}
	if utf8.RuneCountInString(text) < minFound {
		return nil
	}
	r.indexResults()
	for i := len(r.locations[leaf.Text]) - 1; i >= 0; i-- {
		if p := r.locations[leaf.Text][i]; p.entry < before {
			return []Source{{Kind: FromResult, Entry: p.entry, Step: p.step, Tool: p.tool, Pointer: p.pointer}}
		}
	}
	return nil
}

// minFound is the length of the shortest text that is looked for, in characters. Shorter texts are often equal by
// chance.
const minFound = 3

// searchText returns the text by which findValue recognizes a value, or "" if it is neither a text nor a number.
func searchText(leaf *jsontext.Node) string {
	switch {
	case leaf.Is(jsontext.String):
		return leaf.Str()
	case leaf.Is(jsontext.Number):
		return leaf.Text
	}
	return ""
}

// mentions reports whether a text contains a value as a separate word or number.
func mentions(text, value string, isNumber bool) bool {
	if value == "" || !isNumber && utf8.RuneCountInString(value) < minFound {
		return false
	}
	for from := 0; ; {
		i := strings.Index(text[from:], value)
		if i < 0 {
			return false
		}
		start, end := from+i, from+i+len(value)
		left, _ := utf8.DecodeLastRuneInString(text[:start])
		right, _ := utf8.DecodeRuneInString(text[end:])
		if !isWordPart(left) && !isWordPart(right) {
			return true
		}
		from = end
	}
}

func isWordPart(r rune) bool {
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r))
}

// Limits of the index of results.
const (
	maxIndexedBytes  = 256 << 10 // of a result
	maxIndexedValues = 100_000   // of a run
)

// indexResults adds the locations of the values in new results to r.locations. It leaves out values that findValue does
// not look for.
func (r *Run) indexResults() {
	if r.locations == nil {
		r.locations = map[string][]location{}
	}
	for ; r.indexed < len(r.results); r.indexed++ {
		item := r.results[r.indexed]
		if len(item.Call.Outcome.Output) > maxIndexedBytes {
			continue
		}
		n, err := jsontext.Parse(string(item.Call.Outcome.Output), jsontext.Depth)
		if err != nil {
			continue
		}
		visitLeaves(n, "", func(pointer string, leaf *jsontext.Node) bool {
			if utf8.RuneCountInString(searchText(leaf)) >= minFound {
				r.locations[leaf.Text] = append(r.locations[leaf.Text], location{item.Last, item.Step, item.Call.Tool, pointer})
				r.values++
			}
			return r.values < maxIndexedValues
		})
	}
}
