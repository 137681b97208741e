package talk

import (
	"encoding/json"
	"slices"

	"github.com/aiongen/aiongen/runtime/ask"
	"github.com/aiongen/aiongen/runtime/content"
)

// record is what a call asked, attached and replied. Its attempts are in layers, each
// within the one before, the outermost is 0: where a layer is entered again, what was
// said in it before does not count. It is not safe for concurrent use.
type record struct {
	answers []ask.Answer // that there are: those that the call came with, then those that it got
	limit   int          // of what is attached and replied, in bytes
	long    int          // more than that was said, so many bytes; 0 if it was not

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

func (r *record) here() Place { return Place{len(r.asked), len(r.parts), len(r.replies)} }

// enter enters a layer. It returns the place where that begins.
func (r *record) enter(level int) Place {
	if level < len(r.layers) {
		r.forget(r.layers[level])
		r.layers = r.layers[:level]
	}
	return r.here()
}

// leave leaves a layer that begins at a place. If it did not fail though the one within
// it did, what was said in that does not count.
func (r *record) leave(level int, from Place, failed bool) {
	if within := level + 1; within < len(r.layers) && r.layers[within].failed && !failed {
		r.forget(r.layers[within])
	}
	for len(r.layers) <= level {
		r.layers = append(r.layers, layer{})
	}
	r.layers = r.layers[:level+1]
	r.layers[level] = layer{from, r.here(), failed}
}

func (r *record) forget(l layer) {
	r.asked = slices.Delete(r.asked, l.from.asked, l.to.asked)
	r.parts = slices.Delete(r.parts, l.from.parts, l.to.parts)
	r.replies = slices.Delete(r.replies, l.from.replies, l.to.replies)
	r.long, r.size = 0, 0
	for _, p := range r.parts {
		r.size += p.Size()
	}
	for _, said := range r.replies {
		r.size += len(said.key) + len(said.value)
	}
}

// attach says parts.
func (r *record) attach(parts ...content.Part) {
	for _, p := range parts {
		if r.fits(p.Size()) {
			r.parts = append(r.parts, p)
		}
	}
}

// reply says a value under a key, in the place of one that is there.
func (r *record) reply(key string, value json.RawMessage) {
	if r.fits(len(key) + len(value)) {
		r.replies = append(r.replies, reply{key, value})
	}
}

// fits takes room for so many bytes more, if there is as much; that there is not is kept.
func (r *record) fits(size int) bool {
	if r.size+size > r.limit {
		r.long = max(r.long, r.size+size)
		return false
	}
	r.size += size
	return true
}

// allParts returns what was attached; nil if nothing was.
func (r *record) allParts() []content.Part {
	if len(r.parts) == 0 {
		return nil
	}
	return r.parts
}

// allReplies returns what was replied; nil if nothing was.
func (r *record) allReplies() map[string]json.RawMessage {
	var all map[string]json.RawMessage
	for _, said := range r.replies {
		if all == nil {
			all = map[string]json.RawMessage{}
		}
		all[said.key] = said.value
	}
	return all
}

// known returns the answers to questions, as far as there are any, and the questions
// that have none: a question that is asked once more has another answer, that with its
// key behind those it had. Who then has all, says so by noteAnswers.
func (r *record) known(questions []ask.Question) (answers []ask.Answer, missing []ask.Question) {
	answers = make([]ask.Answer, len(questions))
	asked := slices.Clone(r.asked)
	for i, q := range questions {
		key := q.Key()
		before := count(asked, key)
		asked = append(asked, key)
		for _, a := range r.answers {
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

// noteAnswers keeps that questions have these answers, of which those that known did
// not know are given, in the order of the questions. It returns the answers of all.
func (r *record) noteAnswers(known, given []ask.Answer) []ask.Answer {
	r.answers = append(r.answers[:len(r.answers):len(r.answers)], given...)
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
