package tool

import (
	"encoding/json"
	"slices"

	"github.com/aiongen/aiongen/runtime/content"
)

// exchangeLog records what a call asked, attached and replied. Attempts at the call are nested in layers;
// layer 0 is the outermost. When a layer is entered again, everything from its earlier attempt is discarded.
// An exchangeLog is not safe for concurrent use.
type exchangeLog struct {
	answers []Answer // known answers: those of the request, then those received
	limit   int      // of parts and replies together, in bytes
	excess  int      // size that was rejected because it exceeds the limit; 0 if none was

	size         int      // of parts and replies, in bytes
	answeredKeys []string // keys of the answered questions
	parts        []content.Part
	replies      []keyedReply
	layers       []logLayer
}

type keyedReply struct {
	key   string
	value json.RawMessage
}

// logPosition is a position in the log: its length at some time.
type logPosition struct{ answeredKeys, parts, replies int }

// logLayer is the section of the log from the last attempt at a layer.
type logLayer struct {
	from, to logPosition
	failed   bool
}

// currentPosition returns the end of the log.
func (r *exchangeLog) currentPosition() logPosition {
	return logPosition{len(r.answeredKeys), len(r.parts), len(r.replies)}
}

// enterLayer begins an attempt at a layer and returns the position where it begins.
func (r *exchangeLog) enterLayer(level int) logPosition {
	if level < len(r.layers) {
		r.discardLayer(r.layers[level])
		r.layers = r.layers[:level]
	}
	return r.currentPosition()
}

// leaveLayer ends an attempt that began at from. If it succeeded although the layer inside it failed,
// everything from that inner layer is discarded.
func (r *exchangeLog) leaveLayer(level int, from logPosition, failed bool) {
	if within := level + 1; within < len(r.layers) && r.layers[within].failed && !failed {
		r.discardLayer(r.layers[within])
	}
	for len(r.layers) <= level {
		r.layers = append(r.layers, logLayer{})
	}
	r.layers = r.layers[:level+1]
	r.layers[level] = logLayer{from, r.currentPosition(), failed}
}

// discardLayer removes the section of a layer.
func (r *exchangeLog) discardLayer(l logLayer) {
	r.answeredKeys = slices.Delete(r.answeredKeys, l.from.answeredKeys, l.to.answeredKeys)
	r.parts = slices.Delete(r.parts, l.from.parts, l.to.parts)
	r.replies = slices.Delete(r.replies, l.from.replies, l.to.replies)
	r.excess, r.size = 0, 0
	for _, p := range r.parts {
		r.size += p.Size()
	}
	for _, said := range r.replies {
		r.size += len(said.key) + len(said.value)
	}
}

// addParts adds parts that fit the limit.
func (r *exchangeLog) addParts(parts ...content.Part) {
	for _, p := range parts {
		if r.reserveSize(p.Size()) {
			r.parts = append(r.parts, p)
		}
	}
}

// addReply adds a reply, which replaces an earlier one with the same key.
func (r *exchangeLog) addReply(key string, value json.RawMessage) {
	if r.reserveSize(len(key) + len(value)) {
		r.replies = append(r.replies, keyedReply{key, value})
	}
}

// reserveSize reserves bytes within the limit. If there are too few, it records the excess and returns false.
func (r *exchangeLog) reserveSize(size int) bool {
	if r.size+size > r.limit {
		r.excess = max(r.excess, r.size+size)
		return false
	}
	r.size += size
	return true
}

// allParts returns all attached parts, nil if there are none.
func (r *exchangeLog) allParts() []content.Part {
	if len(r.parts) == 0 {
		return nil
	}
	return r.parts
}

// allReplies returns all replies, nil if there are none.
func (r *exchangeLog) allReplies() map[string]json.RawMessage {
	var all map[string]json.RawMessage
	for _, said := range r.replies {
		if all == nil {
			all = map[string]json.RawMessage{}
		}
		all[said.key] = said.value
	}
	return all
}

// findAnswers returns the known answers to questions, and the questions without one. A question that is asked
// again needs another answer: the next one with its key. When all answers are known, the caller records them
// with addAnswers.
func (r *exchangeLog) findAnswers(questions []Question) (answers []Answer, missing []Question) {
	answers = make([]Answer, len(questions))
	asked := slices.Clone(r.answeredKeys)
	for i, q := range questions {
		key := q.Key()
		before := countMatches(asked, key)
		asked = append(asked, key)
		for _, a := range r.answers {
			if a.QuestionKey != key || q.Check(a) != nil {
				continue
			}
			if before == 0 {
				answers[i] = a
				break
			}
			before--
		}
		if answers[i].QuestionKey == "" {
			missing = append(missing, q)
		}
	}
	return answers, missing
}

// addAnswers records the answers to questions. known has a zero Answer for each missing answer; given fills
// these in order. It returns all answers.
func (r *exchangeLog) addAnswers(known, given []Answer) []Answer {
	r.answers = append(r.answers[:len(r.answers):len(r.answers)], given...)
	for i, a := range known {
		if a.QuestionKey == "" {
			known[i], given = given[0], given[1:]
		}
		r.answeredKeys = append(r.answeredKeys, known[i].QuestionKey)
	}
	return known
}

// countMatches returns how often one occurs in all.
func countMatches(all []string, one string) (n int) {
	for _, x := range all {
		if x == one {
			n++
		}
	}
	return n
}
