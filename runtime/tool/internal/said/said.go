// Package said keeps what a call says beside its result, which is more than one attempt
// at it may have said: see [Record].
package said

import (
	"encoding/json"
	"slices"

	"github.com/aiongen/aiongen/runtime/ask"
	"github.com/aiongen/aiongen/runtime/content"
)

// Record is what a call asked, attached and replied. Its attempts are in layers, each
// within the one before, the outermost is 0: where a layer is entered again, what was
// said in it before does not count. It is not safe for concurrent use.
type Record struct {
	Answers []ask.Answer // that there are: those that the call came with, then those that it got
	Limit   int          // of what is attached and replied, in bytes
	Long    int          // more than that was said, so many bytes; 0 if it was not

	size    int      // of parts and replies
	asked   []string // keys of the questions that were answered
	parts   []content.Part
	replies []reply
	layers  []layer
}

type reply struct {
	key   string
	value json.RawMessage
}

// Place is a place in what was said: the end of it, at some time.
type Place struct{ asked, parts, replies int }

// layer is what was said in a layer when it was last entered.
type layer struct {
	from, to Place
	failed   bool
}

func (r *Record) here() Place { return Place{len(r.asked), len(r.parts), len(r.replies)} }

// Enter enters a layer. It returns the place where that begins.
func (r *Record) Enter(level int) Place {
	if level < len(r.layers) {
		r.forget(r.layers[level])
		r.layers = r.layers[:level]
	}
	return r.here()
}

// Leave leaves a layer that begins at a place. If it did not fail though the one within
// it did, what was said in that does not count.
func (r *Record) Leave(level int, from Place, failed bool) {
	if within := level + 1; within < len(r.layers) && r.layers[within].failed && !failed {
		r.forget(r.layers[within])
	}
	for len(r.layers) <= level {
		r.layers = append(r.layers, layer{})
	}
	r.layers = r.layers[:level+1]
	r.layers[level] = layer{from, r.here(), failed}
}

func (r *Record) forget(l layer) {
	r.asked = slices.Delete(r.asked, l.from.asked, l.to.asked)
	r.parts = slices.Delete(r.parts, l.from.parts, l.to.parts)
	r.replies = slices.Delete(r.replies, l.from.replies, l.to.replies)
	r.Long, r.size = 0, 0
	for _, p := range r.parts {
		r.size += p.Size()
	}
	for _, said := range r.replies {
		r.size += len(said.key) + len(said.value)
	}
}

// Attach says parts.
func (r *Record) Attach(parts ...content.Part) {
	for _, p := range parts {
		if r.fits(p.Size()) {
			r.parts = append(r.parts, p)
		}
	}
}

// Reply says a value under a key, in the place of one that is there.
func (r *Record) Reply(key string, value json.RawMessage) {
	if r.fits(len(key) + len(value)) {
		r.replies = append(r.replies, reply{key, value})
	}
}

// fits takes room for so many bytes more, if there is as much; that there is not is kept.
func (r *Record) fits(size int) bool {
	if r.size+size > r.Limit {
		r.Long = max(r.Long, r.size+size)
		return false
	}
	r.size += size
	return true
}

// Parts returns what was attached; nil if nothing was.
func (r *Record) Parts() []content.Part { return slices.Clone(r.parts) }

// Replies returns what was replied; nil if nothing was.
func (r *Record) Replies() map[string]json.RawMessage {
	var all map[string]json.RawMessage
	for _, said := range r.replies {
		if all == nil {
			all = map[string]json.RawMessage{}
		}
		all[said.key] = said.value
	}
	return all
}

// Known returns the answers to questions, as far as there are any, and the questions
// that have none: a question that is asked once more has another answer, that with its
// key behind those it had. Who then has all, says so by [Record.Asked].
func (r *Record) Known(questions []ask.Question) (answers []ask.Answer, missing []ask.Question) {
	answers = make([]ask.Answer, len(questions))
	asked := slices.Clone(r.asked)
	for i, q := range questions {
		key := q.Key()
		before := count(asked, key)
		asked = append(asked, key)
		for _, a := range r.Answers {
			if a.Of != key || q.Check(a) != nil {
				continue
			}
			if before == 0 {
				answers[i] = a
				break
			}
			before--
		}
		if answers[i].Of == "" {
			missing = append(missing, q)
		}
	}
	return answers, missing
}

// Asked keeps that questions have these answers, of which those that [Record.Known] did
// not know are given, in the order of the questions. It returns the answers of all.
func (r *Record) Asked(known, given []ask.Answer) []ask.Answer {
	r.Answers = append(r.Answers[:len(r.Answers):len(r.Answers)], given...)
	for i, a := range known {
		if a.Of == "" {
			known[i], given = given[0], given[1:]
		}
		r.asked = append(r.asked, known[i].Of)
	}
	return known
}

func count(all []string, one string) (n int) {
	for _, x := range all {
		if x == one {
			n++
		}
	}
	return n
}
