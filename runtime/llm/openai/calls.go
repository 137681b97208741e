package openai

import (
	"cmp"
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
	index      *int // nil if the pieces have none
	id, name   string
	arguments  strings.Builder
	repetition int              // start of the last piece that repeats the arguments before it
	nesting    endpoint.Nesting // of the arguments
	half       pendingHalf

	extra, extraFunction Object // additional members of the call and of its function
}

// addCallPiece adds a piece to the call that it belongs to: the last call with the same index, or simply the
// last call if the piece has no index. If the piece begins a new call, addCallPiece adds that. It ignores a
// piece that only repeats a call that is already complete.
func (a *assembly) addCallPiece(p callPiece) error {
	for _, c := range slices.Backward(a.calls) {
		if p.index != nil && (c.index == nil || *c.index != *p.index) {
			continue
		}
		if p.id != "" && p.id == c.id && p.name == c.name && c.nesting.IsClosed() && argumentsText(p.arguments) == c.arguments.String() {
			return nil
		}
		if a.startsCall(p, c) {
			break
		}
		return a.extendCall(c, p)
	}
	return a.addCall(p)
}

// addCall adds a call, or the first piece of one.
func (a *assembly) addCall(p callPiece) error {
	if len(a.calls) == maxCalls {
		return errCalls
	}
	c := &callParts{index: p.index}
	a.calls = append(a.calls, c)
	return a.extendCall(c, p)
}

// extendCall adds a piece to a call.
func (a *assembly) extendCall(c *callParts, p callPiece) error {
	if err := c.addPiece(p); err != nil {
		return err
	}
	return a.collectCallExtra(c, p)
}

// isRepeatedBy reports whether p, a call in a snapshot of the message, is the same call as c.
func (c *callParts) isRepeatedBy(p callPiece) bool {
	return p.name == c.name && (p.id == c.id || p.id == "" || c.id == "") && canonicalJSON(c.argumentsText()) == canonicalJSON(argumentsText(p.arguments))
}

// startsCall reports whether the piece p begins a new call instead of continuing c. The index and
// the ID are not enough to decide: some endpoints give all calls the same index, and some give each
// piece its own ID. Therefore a piece usually begins a new call only if it has a name. If the two IDs
// are equal or one is missing, c must also have complete arguments or a complete name.
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

// areTwoTools reports whether first and second name two tools. Otherwise they may be two pieces of
// one name, such as "get_" and "weather".
func (a *assembly) areTwoTools(first, second string) bool {
	isTool := func(name string) bool { return a.request.tools.FindLowered(name) != nil }
	return first != second && isTool(second) && isTool(first) && !isTool(first+second)
}

// addPiece adds a piece of the call. ID and name normally arrive once, but some endpoints repeat them
// in each piece, and some send the name in pieces.
func (c *callParts) addPiece(p callPiece) error {
	if c.id == "" {
		c.id = p.id
	}
	if c.name != p.name {
		if c.name != "" && len(c.name)+len(p.name) > longestName {
			return errName
		}
		c.name += p.name
	}
	piece := argumentsText(c.half.joinHalves(p.arguments))
	if before := c.arguments.String()[c.repetition:]; before != "" && strings.HasPrefix(piece, before) {
		c.repetition = c.arguments.Len()
	}
	c.arguments.WriteString(piece)
	c.nesting.Add(piece)
	return nil
}

// argumentsText returns the joined pieces of the arguments. Some endpoints repeat all arguments in
// the last piece or in every piece. The joined text is then invalid JSON, and argumentsText returns
// the arguments once.
func (c *callParts) argumentsText() string {
	all := c.arguments.String() + c.half.takeRest()
	if json.Valid([]byte(all)) {
		return all
	}
	if first, ok := repeatedValue(all); ok {
		return first
	}
	if latest := all[c.repetition:]; c.repetition > 0 && json.Valid([]byte(latest)) {
		return latest
	}
	return all
}

// repeatedValue returns the JSON value that a text repeats, as in {"a":1}{"a":1}. ok is false if the
// text does not consist of two or more equal values.
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

// withoutRepetitions removes repeated calls, because some endpoints send a whole call again at the
// end of a stream.
func withoutRepetitions(all []*callParts) (calls []*callParts) {
	if len(all) < 2 {
		return all
	}
	arguments := map[*callParts]string{}
	for _, c := range all {
		arguments[c] = canonicalJSON(c.argumentsText())
		index := slices.IndexFunc(calls, func(earlier *callParts) bool {
			return c.mayRepeat(earlier) && arguments[earlier] == arguments[c]
		})
		if index < 0 {
			calls = append(calls, c)
			continue
		}
		same := calls[index]
		same.id = cmp.Or(same.id, c.id)
		if len(same.extra.Read()) == 0 {
			same.extra = c.extra
		}
		if len(same.extraFunction.Read()) == 0 {
			same.extraFunction = c.extraFunction
		}
	}
	return calls
}

// mayRepeat reports whether c repeats an earlier call, provided that their arguments are equal.
// The name, the ID and the index of a repetition are the same, unless one of the two calls lacks the ID or
// the index. Two calls without IDs are distinct calls.
func (c *callParts) mayRepeat(earlier *callParts) bool {
	if c.name != earlier.name {
		return false
	}
	sameIndex := c.index != nil && earlier.index != nil && *c.index == *earlier.index
	if c.id == "" || earlier.id == "" {
		return sameIndex && c.id != earlier.id
	}
	return c.id == earlier.id && (sameIndex || c.index == nil || earlier.index == nil)
}

// canonicalJSON returns the canonical JSON of a value, so that two texts of the same value become
// equal. If the text is not JSON, it only trims white space.
func canonicalJSON(text string) string {
	n, err := jsontext.Parse(text, jsontext.Depth)
	if err != nil {
		return strings.TrimSpace(text)
	}
	return string(n.AppendCanonical(nil))
}
