package stdio

import (
	"bytes"
	"encoding/json"

	"github.com/aiongen/aiongen/internal/jsontext"
)

// memberScanner finds the members "id", "jsonrpc" and "method" of a message that is too long to keep in
// memory.
type memberScanner struct {
	values map[string]string // JSON of the found members, by name

	nesting jsontext.Nesting
	text    []byte // name and value of the current member, without nested values
}

// maxMemberBytes limits the text of a member, in bytes.
const maxMemberBytes = 256

// newMemberScanner returns a scanner that has read the beginning of a message.
func newMemberScanner(beginning []byte) *memberScanner {
	m := new(memberScanner)
	_, _ = m.Write(beginning) // never fails
	return m
}

// Write scans the next part of the message. It finds no members in a message that is not an object.
func (m *memberScanner) Write(p []byte) (int, error) {
	for _, c := range p {
		before := m.nesting.Depth
		m.nesting.Add(c)
		switch depth, quoted := m.nesting.Depth, m.nesting.InString; {
		case before == 0 && depth == 1:
			m.text = nil
		case !quoted && (depth == 1 && c == ',' || depth == 0 && c == '}'):
			m.endMember()
		case depth == 1 && (quoted || c != ' ' && c != '\t') && len(m.text) <= maxMemberBytes:
			m.text = append(m.text, c)
		}
	}
	return len(p), nil
}

// endMember stores the value of the current member if it is id, jsonrpc or method.
func (m *memberScanner) endMember() {
	name, value, _ := bytes.Cut(m.text, []byte(":"))
	switch name := string(name); name {
	case `"id"`, `"jsonrpc"`, `"method"`:
		if len(m.text) > maxMemberBytes || !json.Valid(value) {
			value = []byte("null") // the member exists, but its value is unusable
		}
		if m.values == nil {
			m.values = map[string]string{}
		}
		m.values[name[1:len(name)-1]] = string(value)
	}
	m.text = m.text[:0]
}

// requestID returns the ID of a request, or null.
func (m *memberScanner) requestID() json.RawMessage {
	if id := m.values["id"]; id != "" && m.values["method"] != "" {
		return json.RawMessage(id)
	}
	return json.RawMessage("null")
}
