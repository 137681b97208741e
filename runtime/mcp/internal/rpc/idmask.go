package rpc

import (
	"bytes"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"strconv"
	"strings"
)

// IDMask preserves the IDs and the progress tokens of requests as the client wrote them. The SDK
// reads numbers as float64, truncates fractions and re-encodes strings. HideIDs replaces an ID that
// the SDK would change with a string that begins with the mask, which no client can guess.
// RestoreIDs restores the original ID in the answer.
type IDMask string

// NewIDMask returns a random mask.
func NewIDMask() IDMask { return IDMask(rand.Text()) }

// maskSuffix ends a hidden ID. A hidden ID consists of the mask, the original ID in hexadecimal, and
// maskSuffix.
const maskSuffix = "."

// HideIDs replaces the IDs that the SDK would change in a message or a batch of messages. It returns
// the text unchanged if it is not JSON.
func (m IDMask) HideIDs(text []byte) []byte {
	var batch []json.RawMessage
	if len(text) == 0 || text[0] != '[' || json.Unmarshal(text, &batch) != nil {
		return m.hideMessage(text)
	}
	for i := range batch {
		batch[i] = m.hideMessage(batch[i])
	}
	return mustMarshal(batch)
}

func (m IDMask) hideMessage(text []byte) []byte {
	var message map[string]json.RawMessage
	if json.Unmarshal(text, &message) != nil {
		return text
	}
	changed := m.hideMember(message, "id")
	if params, ok := m.hideInParams(message); ok {
		message["params"], changed = params, true
	}
	if !changed {
		return text
	}
	return mustMarshal(message)
}

// hideInParams returns the params of a message with a hidden ID or progress token. It returns
// false if there is nothing to hide.
func (m IDMask) hideInParams(message map[string]json.RawMessage) (changed json.RawMessage, ok bool) {
	var method string
	_ = json.Unmarshal(message["method"], &method) // decoded, because some clients escape the slash
	cancels := method == "notifications/cancelled"
	if !cancels && !bytes.Contains(message["params"], []byte("progressToken")) {
		return nil, false
	}
	var params, meta map[string]json.RawMessage
	if json.Unmarshal(message["params"], &params) != nil {
		return nil, false
	}
	if cancels {
		ok = m.hideMember(params, "requestId")
	} else if json.Unmarshal(params["_meta"], &meta) == nil && m.hideMember(meta, "progressToken") {
		params["_meta"], ok = mustMarshal(meta), true
	}
	return mustMarshal(params), ok
}

// hideMember replaces the ID in a member of an object if the SDK would change it, and reports
// whether it did.
func (m IDMask) hideMember(object map[string]json.RawMessage, name string) bool {
	id := object[name]
	if isStableID(id) {
		return false
	}
	object[name] = mustMarshal(string(m) + hex.EncodeToString(id) + maskSuffix)
	return true
}

// isStableID reports whether the SDK leaves an ID unchanged or rejects it.
func isStableID(id json.RawMessage) bool {
	switch {
	case len(id) == 0:
		return true
	case id[0] == '"':
		return !strings.ContainsFunc(string(id), func(r rune) bool { return r < ' ' || r > '~' || r == '\\' })
	case id[0] != '-' && (id[0] < '0' || id[0] > '9'):
		return true // null, a boolean, an array or an object
	}
	const maxExact = 1 << 53 // float64 represents all integers up to this one exactly
	n, err := strconv.ParseInt(string(id), 10, 64)
	return err == nil && -maxExact <= n && n <= maxExact && strconv.FormatInt(n, 10) == string(id)
}

// RestoreIDs restores the original IDs in a text from the SDK. Inside a longer string, such as an
// error message, it escapes the ID for JSON.
func (m IDMask) RestoreIDs(text []byte) []byte {
	before, rest, found := bytes.Cut(text, []byte(m))
	if !found {
		return text
	}
	out := make([]byte, 0, len(text))
	for found {
		digits, after, _ := bytes.Cut(rest, []byte(maskSuffix))
		id, _ := hex.DecodeString(string(digits)) // HideIDs wrote the digits
		if bytes.HasSuffix(before, []byte(`"`)) && bytes.HasPrefix(after, []byte(`"`)) {
			out = append(append(out, before[:len(before)-1]...), id...)
			after = after[1:]
		} else {
			quoted := mustMarshal(string(id))
			out = append(append(out, before...), quoted[1:len(quoted)-1]...)
		}
		before, rest, found = bytes.Cut(after, []byte(m))
	}
	return append(out, before...)
}

func mustMarshal(v any) []byte {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err) // v consists of strings and valid JSON
	}
	return text
}
