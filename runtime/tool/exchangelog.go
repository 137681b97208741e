package tool

import (
	"encoding/json"
	"slices"

	"github.com/aiongen/aiongen/runtime/content"
)

// exchangeLog records the questions, attached parts and replies of a call. Each middleware is a layer, and the
// function is the innermost one; layer 0 is the outermost. When middleware calls the layer inside it again, the
// records of its earlier attempt are discarded. An exchangeLog is not safe for concurrent use.
type exchangeLog struct {
	answers []Answer // known answers: those of the request, then those received during the call
	limit   int      // maximum total size of parts and replies, in bytes
	excess  int      // largest total size that was rejected because of the limit; 0 if none was

	size         int      // total size of parts and replies, in bytes
	answeredKeys []string // keys of the answered questions
	parts        []content.Part
	replies      []keyedReply
	layers       []logLayer
}

type keyedReply struct {
	key   string
	value json.RawMessage
}

// logPosition is a position in the log: the lengths of its lists at some time.
type logPosition struct{ answeredKeys, parts, replies int }

// logLayer is the section of the log that a layer wrote when it last ran.
type logLayer struct {
	from, to logPosition
	failed   bool
}

// currentPosition returns the end of the log.
func (r *exchangeLog) currentPosition() logPosition {
	return logPosition{len(r.answeredKeys), len(r.parts), len(r.replies)}
}

// enterLayer begins the section of a layer, or begins it again, and returns its position.
func (r *exchangeLog) enterLayer(level int) logPosition {
	if level < len(r.layers) {
		r.discardLayer(r.layers[level])
		r.layers = r.layers[:level]
	}
	return r.currentPosition()
}

// leaveLayer ends an attempt that began at from. If it succeeded although the layer inside it failed, the section
// of the inner layer is discarded.
func (r *exchangeLog) leaveLayer(level int, from logPosition, failed bool) {
	if inner := level + 1; inner < len(r.layers) && r.layers[inner].failed && !failed {
		r.discardLayer(r.layers[inner])
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
	for _, reply := range r.replies {
		r.size += len(reply.key) + len(reply.value)
	}
}

// addParts adds those of the parts that do not exceed the limit.
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

// reserveSize adds size to the total size. If that would exceed the limit, it records the excess and returns false.
func (r *exchangeLog) reserveSize(size int) bool {
	if r.size+size > r.limit {
		r.excess = max(r.excess, r.size+size)
		return false
	}
	r.size += size
	return true
}

// allParts returns all attached parts, or nil if there are none.
func (r *exchangeLog) allParts() []content.Part {
	if len(r.parts) == 0 {
		return nil
	}
	return r.parts
}

// allReplies returns all replies, or nil if there are none.
func (r *exchangeLog) allReplies() map[string]json.RawMessage {
	var all map[string]json.RawMessage
	for _, reply := range r.replies {
		if all == nil {
			all = map[string]json.RawMessage{}
		}
		all[reply.key] = reply.value
	}
	return all
}

// findAnswers returns the known answers to questions, and the questions without an answer. A question that is asked
// for the second time gets the second answer with its key, and so on. When all answers are known, the caller
// records them with addAnswers.
func (r *exchangeLog) findAnswers(questions []Question) (answers []Answer, missing []Question) {
	answers = make([]Answer, len(questions))
	used := map[string]int{} // number of answered questions, by key
	for _, key := range r.answeredKeys {
		used[key]++
	}
	for i, q := range questions {
		key := q.Key()
		skip := used[key]
		used[key]++
		for _, a := range r.answers {
			if a.QuestionKey != key || q.Check(a) != nil {
				continue
			}
			if skip == 0 {
				answers[i] = a
				break
			}
			skip--
		}
		if answers[i].QuestionKey == "" {
			missing = append(missing, q)
		}
	}
	return answers, missing
}

// addAnswers records the answers to questions, and returns them. known has a zero Answer for each missing answer,
// which addAnswers replaces with the next of the given answers.
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
