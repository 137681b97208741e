package openai

import (
	"encoding/json"
	"io"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/llm/openai/internal/growth"
)

// callParts is a call that is put together from its pieces.
type callParts struct {
	index     *int // by which pieces of the call refer to it
	id, name  string
	arguments strings.Builder
	latest    int     // start of the last piece that repeats all arguments before it
	nesting   nesting // of the arguments
	half      half

	kept, keptFunction growth.Object
}

// findCall returns the call that a piece belongs to: the last one of its index or, if
// the endpoint sends no index, the last one, unless the piece begins another call. It
// returns nil for a piece that only repeats the call.
func (a *assembly) findCall(p callPiece) (*callParts, error) {
	for _, c := range slices.Backward(a.calls) {
		if p.index != nil && (c.index == nil || *c.index != *p.index) {
			continue
		}
		if p.id != "" && p.id == c.id && p.name == c.name && c.nesting.closed() && argumentsText(p.arguments) == c.arguments.String() {
			return nil, nil
		}
		if a.begins(p, c) {
			break
		}
		return c, nil
	}
	if len(a.calls) == maxCalls {
		return nil, errCalls
	}
	c := &callParts{index: p.index}
	a.calls = append(a.calls, c)
	return c, nil
}

// isRepeatedBy reports whether a call in a snapshot of the message is this one.
func (c *callParts) isRepeatedBy(p callPiece) bool {
	return p.name == c.name && (p.id == c.id || p.id == "" || c.id == "") && canonicalJSON(c.text()) == canonicalJSON(argumentsText(p.arguments))
}

// begins reports whether a piece begins a new call instead of continuing c, which has the
// same index, or none. An index or an ID alone does not decide that: some endpoints give all
// calls one index, and some give each piece its own ID. A new call also has a name. Where
// IDs are missing or all the same, it also follows complete arguments or a complete name.
func (a *assembly) begins(p callPiece, c *callParts) bool {
	if p.id != "" && c.id != "" && p.id != c.id {
		return p.name != "" || p.index == nil
	}
	switch {
	case p.name == "":
		return p.id != "" && c.id == "" && p.index == nil
	case c.nesting.closed():
		return p.name != c.name || strings.TrimSpace(argumentsText(p.arguments)) != "" // otherwise the name is only repeated
	case c.arguments.Len() == 0 && (p.id == "" || c.id == ""):
		known := a.request.tools.has
		return p.name != c.name && known(p.name) && known(c.name) && !known(c.name+p.name)
	}
	return false
}

// add adds a piece of the call. ID and name come once, but some endpoints repeat
// them in each piece, and some send the name in pieces.
func (c *callParts) add(p callPiece) error {
	if c.id == "" {
		c.id = p.id
	}
	if c.name != p.name {
		c.name += p.name
	}
	if len(c.name) > longestName {
		return errName
	}
	piece := argumentsText(c.half.join(p.arguments))
	if before := c.arguments.String()[c.latest:]; before != "" && strings.HasPrefix(piece, before) {
		c.latest = c.arguments.Len()
	}
	c.arguments.WriteString(piece)
	c.nesting.add(piece)
	return nil
}

// text returns the arguments. Some endpoints repeat all of them in the last piece, or in
// every piece. If all pieces together are not JSON, text returns the value that they repeat,
// or the last repetition.
func (c *callParts) text() string {
	all := c.arguments.String() + c.half.rest()
	if json.Valid([]byte(all)) {
		return all
	}
	if first, ok := repeatedValue(all); ok {
		return first
	}
	if latest := all[c.latest:]; c.latest > 0 && json.Valid([]byte(latest)) {
		return latest
	}
	return all
}

// repeatedValue returns the first JSON value of a text that is this value several
// times.
func repeatedValue(text string) (first string, ok bool) {
	d := json.NewDecoder(strings.NewReader(text))
	var value json.RawMessage
	var canonical string
	for n := 0; ; n++ {
		switch err := d.Decode(&value); {
		case err == io.EOF:
			return first, n > 1
		case err != nil:
			return "", false
		case n == 0:
			first, canonical = string(value), canonicalJSON(string(value))
		case canonicalJSON(string(value)) != canonical:
			return "", false
		}
	}
}

// callKey is what the repetitions of a call have in common. Calls without an index have
// the index noIndex.
type callKey struct {
	index               int
	id, name, arguments string
}

const noIndex = -1

// withoutRepetitions returns the calls without those that repeat another one: some
// endpoints send all of a call once more at the end of a stream. A repetition has the
// name and the arguments of the call, its index or none, and its ID or none. Without any
// ID these are two calls, because nothing says that they are one.
func withoutRepetitions(all []*callParts) []*callParts {
	if len(all) < 2 {
		return all
	}
	var calls []*callParts
	byID, withoutID := map[callKey]*callParts{}, map[callKey]*callParts{}
	for _, c := range all {
		k := callKey{index: noIndex, id: c.id, name: c.name, arguments: canonicalJSON(c.text())}
		if c.index != nil {
			k.index = *c.index
		}
		general, anyIndex := k, k
		general.id, anyIndex.index = "", noIndex
		same := byID[k]
		if other := byID[anyIndex]; same == nil && other != nil && (c.index == nil || other.index == nil) {
			same = other
		}
		if other := withoutID[general]; same == nil && other != nil && k.index >= 0 && (c.id == "") != (other.id == "") {
			same = other
		}
		if same == nil {
			calls = append(calls, c)
			withoutID[general] = c
			if c.id != "" {
				byID[k] = c
				if byID[anyIndex] == nil {
					byID[anyIndex] = c
				}
			}
			continue
		}
		if same.id == "" {
			same.id = c.id
			byID[k] = same
		}
		if len(same.kept.Read()) == 0 {
			same.kept = c.kept
		}
		if len(same.keptFunction.Read()) == 0 {
			same.keptFunction = c.keptFunction
		}
	}
	return calls
}

// canonicalJSON returns the same text for all JSON texts of one value. Text that is not
// JSON only loses the space around it.
func canonicalJSON(text string) string {
	n, err := jsontext.Parse(text, jsontext.Depth)
	if err != nil {
		return strings.TrimSpace(text)
	}
	return string(n.AppendCanonical(nil))
}
