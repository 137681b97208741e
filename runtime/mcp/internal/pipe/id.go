package pipe

import (
	"bytes"
	"crypto/rand"
	"encoding/json"
	"strconv"
)

// members finds what says of a message whose it is, without keeping the message: the
// texts of its members id, jsonrpc and method.
type members struct {
	found map[string]string

	depth           int
	quoted, escaped bool
	text            []byte // of the member that is being read, without what nests in it
}

// longestMember bounds the texts that are found, in bytes.
const longestMember = 256

// Write reads a piece of the message, of which nothing is said if it is no object.
func (m *members) Write(piece []byte) (int, error) {
	for _, c := range piece {
		space := !m.quoted && (c == ' ' || c == '\t')
		switch {
		case m.escaped:
			m.escaped = false
		case m.quoted:
			m.escaped, m.quoted = c == '\\', c != '"'
		case c == '"':
			m.quoted = true
		case c == '{' || c == '[':
			if m.depth++; m.depth == 1 {
				m.text = nil
				continue
			}
		case c == '}' || c == ']':
			m.depth--
		}
		switch {
		case !m.quoted && (m.depth == 1 && c == ',' || m.depth == 0 && c == '}'):
			m.member()
		case m.depth == 1 && !space && len(m.text) <= longestMember:
			m.text = append(m.text, c)
		}
	}
	return len(piece), nil
}

// member ends a member.
func (m *members) member() {
	name, value, _ := bytes.Cut(m.text, []byte(":"))
	switch name := string(name); name {
	case `"id"`, `"jsonrpc"`, `"method"`:
		if len(m.text) > longestMember || !json.Valid(value) {
			value = []byte("null") // there is one, though not to be told
		}
		if m.found == nil {
			m.found = map[string]string{}
		}
		m.found[name[1:len(name)-1]] = string(value)
	}
	m.text = m.text[:0]
}

// id returns the id of a request, null if it has none.
func (m *members) id() json.RawMessage {
	if id := m.found["id"]; id != "" && m.found["method"] != "" {
		return json.RawMessage(id)
	}
	return json.RawMessage("null")
}

// isNobodys reports whether a message is a request whose id is none, which the SDK takes
// for an answer. One that is found as null may be long, or have others in it.
func (m *members) isNobodys(text []byte) bool {
	if id := m.found["id"]; m.found["method"] == "" || id != "null" && id != "true" && id != "false" {
		return false
	}
	var said struct{ ID json.RawMessage }
	return json.Unmarshal(text, &said) == nil && !bytes.ContainsAny(said.ID[:1], `"-0123456789`)
}

// disguise has the SDK keep the ids that are numbers which it would change, since it
// reads them as float64 and cuts what is behind the point: they go to it as texts, which
// begin as nothing does that a client can know.
type disguise string

func newDisguise() disguise { return disguise(rand.Text()) }

// put puts the disguise on the ids in a message, or in a batch of some.
func (d disguise) put(text []byte) []byte {
	var batch []json.RawMessage
	if text[0] != '[' || json.Unmarshal(text, &batch) != nil {
		return d.on(text)
	}
	for i := range batch {
		batch[i] = d.on(batch[i])
	}
	return marshal(batch)
}

// on puts the disguise on the ids in a message.
func (d disguise) on(text []byte) []byte {
	var m members
	_, _ = m.Write(text) // never fails
	if isChanged(json.RawMessage(m.found["id"])) {
		text = d.within(text, "id")
	}
	if m.found["method"] != `"notifications/cancelled"` {
		return text
	}
	var cancelled map[string]json.RawMessage
	if json.Unmarshal(text, &cancelled) != nil || cancelled["params"] == nil {
		return text
	}
	cancelled["params"] = d.within(cancelled["params"], "requestId")
	return marshal(cancelled)
}

// within puts the disguise on a member of an object, if the SDK would change it.
func (d disguise) within(object []byte, name string) []byte {
	var all map[string]json.RawMessage
	if json.Unmarshal(object, &all) != nil || !isChanged(all[name]) {
		return object
	}
	all[name] = marshal(string(d) + string(all[name]))
	return marshal(all)
}

// takeOff takes the disguise off all ids in a text.
func (d disguise) takeOff(text []byte) []byte {
	before, rest, found := bytes.Cut(text, []byte(`"`+d))
	if !found {
		return text
	}
	bare := make([]byte, 0, len(text))
	for found {
		id, after, _ := bytes.Cut(rest, []byte(`"`))
		bare = append(append(bare, before...), id...)
		before, rest, found = bytes.Cut(after, []byte(`"`+d))
	}
	return append(bare, before...)
}

// isChanged reports whether the SDK would change an id.
func isChanged(id json.RawMessage) bool {
	if len(id) == 0 || id[0] != '-' && (id[0] < '0' || id[0] > '9') {
		return false // no number
	}
	const most = 1 << 53 // that float64 has with all before it
	n, err := strconv.ParseInt(string(id), 10, 64)
	return err != nil || n < -most || n > most
}

func marshal(v any) []byte {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err) // it is made of strings, numbers and valid JSON
	}
	return text
}
