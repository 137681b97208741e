package openai

import (
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/llm/endpoint"
)

// callParts is a call assembled from its pieces.
type callParts struct {
	index     *int // the index in the pieces of the call; nil if they have none
	id, name  string
	arguments strings.Builder
	latest    int              // position of the last piece that repeats all arguments before it
	nesting   endpoint.Nesting // of the arguments
	half      pendingHalf

	kept, keptFunction Object
}

// findCall returns the call that a piece belongs to: the last call with its index, or the last call
// if the piece has no index. If the piece begins another call, findCall adds that. It returns nil
// for a piece that only repeats the call.
func (a *assembly) findCall(p callPiece) (*callParts, error) {
	for _, c := range slices.Backward(a.calls) {
		if p.index != nil && (c.index == nil || *c.index != *p.index) {
			continue
		}
		if p.id != "" && p.id == c.id && p.name == c.name && c.nesting.IsClosed() && argumentsText(p.arguments) == c.arguments.String() {
			return nil, nil
		}
		if a.startsCall(p, c) {
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
	return p.name == c.name && (p.id == c.id || p.id == "" || c.id == "") && canonicalJSON(c.argumentsText()) == canonicalJSON(argumentsText(p.arguments))
}

// startsCall reports whether a piece begins a new call instead of continuing c, which has the same
// index, or none. An index or an ID alone is not enough to decide: some endpoints give all calls the
// same index, and some give each piece its own ID. A new call also has a name. If IDs are missing or
// equal, the arguments or the name of c must also be complete.
func (a *assembly) startsCall(p callPiece, c *callParts) bool {
	if p.id != "" && c.id != "" && p.id != c.id {
		return p.name != "" || p.index == nil
	}
	switch {
	case p.name == "":
		return p.id != "" && c.id == "" && p.index == nil
	case c.nesting.IsClosed():
		return p.name != c.name || strings.TrimSpace(argumentsText(p.arguments)) != "" // otherwise the name is only repeated
	case c.arguments.Len() == 0 && (p.id == "" || c.id == ""):
		return a.areTwoTools(c.name, p.name)
	}
	return false
}

// areTwoTools reports whether two names are those of different tools, and not the parts of one name.
func (a *assembly) areTwoTools(first, second string) bool {
	isTool := a.request.tools.hasTool
	return first != second && isTool(second) && isTool(first) && !isTool(first+second)
}

// addPiece adds a piece of the call. ID and name normally arrive once, but some endpoints repeat them
// in each piece, and some send the name in pieces.
func (c *callParts) addPiece(p callPiece) error {
	if c.id == "" {
		c.id = p.id
	}
	if c.name != p.name {
		c.name += p.name
	}
	if len(c.name) > longestName {
		return errName
	}
	piece := argumentsText(c.half.joinHalves(p.arguments))
	if before := c.arguments.String()[c.latest:]; before != "" && strings.HasPrefix(piece, before) {
		c.latest = c.arguments.Len()
	}
	c.arguments.WriteString(piece)
	c.nesting.Add(piece)
	return nil
}

// argumentsText returns the arguments. Some endpoints repeat all arguments in the last piece, or in
// every piece. If the pieces together are not JSON, argumentsText returns the value that they
// repeat, or the last repetition.
func (c *callParts) argumentsText() string {
	all := c.arguments.String() + c.half.takeRest()
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

// repeatedValue returns the value that a text repeats; ok is false if the text is not the same JSON
// value several times.
func repeatedValue(text string) (first string, ok bool) {
	d := json.NewDecoder(strings.NewReader(text))
	var value json.RawMessage
	var canonical string
	for n := 0; ; n++ {
		switch err := d.Decode(&value); {
		case errors.Is(err, io.EOF):
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

// callKey identifies repetitions of a call. Calls without an index have the index noIndex.
type callKey struct {
	index               int
	id, name, arguments string
}

const noIndex = -1

func newCallKey(c *callParts) callKey {
	k := callKey{index: noIndex, id: c.id, name: c.name, arguments: canonicalJSON(c.argumentsText())}
	if c.index != nil {
		k.index = *c.index
	}
	return k
}

// callTable finds the call that another one repeats. A call with an ID is in byID under its own key and, unless
// another one is, under the key without an index.
type callTable struct{ byID, withoutID map[callKey]*callParts }

// find returns the call that c, which has the key k, repeats, or nil.
func (t callTable) find(c *callParts, k callKey) *callParts {
	general, anyIndex := k, k
	general.id, anyIndex.index = "", noIndex
	if same := t.byID[k]; same != nil {
		return same
	}
	if other := t.byID[anyIndex]; other != nil && (c.index == nil || other.index == nil) {
		return other
	}
	if other := t.withoutID[general]; other != nil && k.index >= 0 && (c.id == "") != (other.id == "") {
		return other
	}
	return nil
}

// add adds a call that repeats no other one.
func (t callTable) add(c *callParts, k callKey) {
	general, anyIndex := k, k
	general.id, anyIndex.index = "", noIndex
	t.withoutID[general] = c
	if c.id == "" {
		return
	}
	t.byID[k] = c
	if t.byID[anyIndex] == nil {
		t.byID[anyIndex] = c
	}
}

// withoutRepetitions returns the calls without those that repeat another one, because some endpoints
// send a whole call again at the end of a stream. A repetition has the same name and arguments, the
// same index or none, and the same ID or none. If neither has an ID, they are two calls, because
// nothing shows that they are the same one.
func withoutRepetitions(all []*callParts) []*callParts {
	if len(all) < 2 {
		return all
	}
	var calls []*callParts
	seen := callTable{map[callKey]*callParts{}, map[callKey]*callParts{}}
	for _, c := range all {
		k := newCallKey(c)
		same := seen.find(c, k)
		if same == nil {
			calls = append(calls, c)
			seen.add(c, k)
			continue
		}
		if same.id == "" {
			same.id = c.id
			seen.byID[k] = same
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

// canonicalJSON returns the same text for all JSON texts of a value. If the text is not JSON,
// canonicalJSON only removes the white space around it.
func canonicalJSON(text string) string {
	n, err := jsontext.Parse(text, jsontext.Depth)
	if err != nil {
		return strings.TrimSpace(text)
	}
	return string(n.AppendCanonical(nil))
}
