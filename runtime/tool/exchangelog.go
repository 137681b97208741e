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

	size    int // total size of parts and replies, in bytes
	entries []logEntry
	layers  []logLayer
}

// logEntry is an answered question, a part or a reply.
type logEntry struct {
	answeredKey string // key of the question; "" for a part or a reply
	part        *content.Part
	reply       *keyedReply
	size        int // of a part or a reply, in bytes
}

type keyedReply struct {
	key   string
	value json.RawMessage
}

// logLayer is the section of the log that a layer wrote when it last ran: entries[from:to].
type logLayer struct {
	from, to int
	failed   bool
}

// enterLayer begins the section of a layer, or begins it again, and returns the number of entries before it.
func (r *exchangeLog) enterLayer(level int) (from int) {
	if level < len(r.layers) {
		r.discardLayer(r.layers[level])
		r.layers = r.layers[:level]
	}
	return len(r.entries)
}

// leaveLayer ends an attempt that began at from. If it succeeded although the layer inside it failed, the section
// of the inner layer is discarded.
func (r *exchangeLog) leaveLayer(level, from int, failed bool) {
	if inner := level + 1; inner < len(r.layers) && r.layers[inner].failed && !failed {
		r.discardLayer(r.layers[inner])
	}
	for len(r.layers) <= level {
		r.layers = append(r.layers, logLayer{})
	}
	r.layers = r.layers[:level+1]
	r.layers[level] = logLayer{from, len(r.entries), failed}
}

// discardLayer removes the section of a layer.
func (r *exchangeLog) discardLayer(l logLayer) {
	r.entries = slices.Delete(r.entries, l.from, l.to)
	r.excess, r.size = 0, 0
	for _, e := range r.entries {
		r.size += e.size
	}
}

// addParts adds those of the parts that do not exceed the limit.
func (r *exchangeLog) addParts(parts ...content.Part) {
	for _, p := range parts {
		r.addSized(logEntry{part: &p, size: p.Size()})
	}
}

// addReply adds a reply, which replaces an earlier one with the same key.
func (r *exchangeLog) addReply(key string, value json.RawMessage) {
	r.addSized(logEntry{reply: &keyedReply{key, value}, size: len(key) + len(value)})
}

// addSized adds a part or a reply. If it would exceed the limit, addSized records the excess instead.
func (r *exchangeLog) addSized(e logEntry) {
	if r.size+e.size > r.limit {
		r.excess = max(r.excess, r.size+e.size)
		return
	}
	r.size += e.size
	r.entries = append(r.entries, e)
}

// allParts returns all attached parts, or nil if there are none.
func (r *exchangeLog) allParts() (parts []content.Part) {
	for _, e := range r.entries {
		if e.part != nil {
			parts = append(parts, *e.part)
		}
	}
	return parts
}

// allReplies returns all replies, or nil if there are none.
func (r *exchangeLog) allReplies() (replies map[string]json.RawMessage) {
	for _, e := range r.entries {
		if e.reply != nil {
			if replies == nil {
				replies = map[string]json.RawMessage{}
			}
			replies[e.reply.key] = e.reply.value
		}
	}
	return replies
}

// findAnswers returns the known answers to questions, and the questions without an answer. A question that is asked
// for the second time gets the second answer with its key, and so on. When all answers are known, the caller
// records them with addAnswers.
func (r *exchangeLog) findAnswers(questions []Question) (answers []Answer, missing []Question) {
	answers = make([]Answer, len(questions))
	used := map[string]int{} // number of answered questions, by key
	for _, e := range r.entries {
		used[e.answeredKey]++
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
		r.entries = append(r.entries, logEntry{answeredKey: known[i].QuestionKey})
	}
	return known
}
