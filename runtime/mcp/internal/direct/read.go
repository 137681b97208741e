package direct

import (
	"encoding/json"
	"math"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/aiongen/aiongen/runtime/mcp/internal/peer"
	"github.com/aiongen/aiongen/runtime/wire"
)

// message is a call.
type message struct {
	id   json.RawMessage
	from *peer.Request
}

// longestID is how long a number that is an ID may be, in bytes: the SDK reads it as a
// float64, which has no longer ones exactly.
const longestID = 15

// limits are less than those of the SDK; the length of the body was bounded before.
var limits = &wire.Limits{Arguments: math.MaxInt, Depth: 900}

// read returns the call that a body is, if it is one with nothing unknown, twice or
// special in it.
func read(body []byte) (m message, ok bool) {
	var d wire.Decoder
	top := d.Read(body, limits, nil, false).Object()
	isCall := top.Str("jsonrpc") == "2.0" && top.Str("method") == "tools/call"
	id := top.Get("id").Raw()
	params := top.Get("params").Object()
	m.from = &peer.Request{Method: "tools/call", Version: Version, Name: params.Str("name"), Arguments: params.Opt("arguments").Raw()}
	meta := wire.Map[string](params.Get("_meta"), wire.Value.Raw)
	params.Done()
	top.Done()
	if faults, _, _ := d.Done(); len(faults) > 0 || !isCall || !isID(id) {
		return m, false
	}
	m.id = id
	return m, of(m.from, meta)
}

// isID reports whether an ID comes back as it is, whoever answers.
func isID(id json.RawMessage) bool {
	if len(id) == 0 || id[0] == '"' {
		return len(id) > 0
	}
	digits := strings.TrimPrefix(string(id), "-")
	return len(digits) <= longestID && strings.Trim(digits, "0123456789") == "" && string(id) != "-0"
}

// of puts what is said of a request into it, and reports whether it is all that there
// is to know: one that wants to be told how far its call is is not.
func of(from *peer.Request, meta map[string]json.RawMessage) bool {
	from.Meta = make(map[string]any, len(meta))
	for name, raw := range meta {
		switch name {
		case sdk.MetaKeyClientInfo:
			if from.Caller.Client = client(raw); from.Caller.Client == "" {
				return false
			}
		case sdk.MetaKeyClientCapabilities, sdk.MetaKeyProtocolVersion:
		case sdk.MetaKeyLogLevel, "progressToken":
			return false
		default:
			var value any
			if json.Unmarshal(raw, &value) != nil {
				return false
			}
			from.Meta[name] = value
		}
	}
	from.Can = can(meta[sdk.MetaKeyClientCapabilities])
	return from.Can != nil && string(meta[sdk.MetaKeyProtocolVersion]) == `"`+Version+`"`
}

// client returns the name and version of a client, or "" if more is said of it than is
// known here.
func client(raw json.RawMessage) string {
	var d wire.Decoder
	o := d.Read(raw, limits, nil, false).Object()
	name, version := o.Str("name"), o.Str("version")
	for _, about := range []string{"title", "description", "websiteUrl"} {
		_ = o.Opt(about).Str()
	}
	o.Done()
	if faults, _, _ := d.Done(); len(faults) > 0 {
		return ""
	}
	return strings.TrimSpace(name + " " + version)
}

// none is what a client can that says nothing.
var none = new(sdk.ClientCapabilities)

// can returns what a client says that it can, or nil if that is more than what is known
// here, or nothing at all.
func can(raw json.RawMessage) *sdk.ClientCapabilities {
	if string(raw) == "{}" {
		return none
	}
	var d wire.Decoder
	o := d.Read(raw, limits, nil, false).Object()
	c := new(sdk.ClientCapabilities)
	if has(o.Opt("sampling"), "context", "tools") {
		c.Sampling = new(sdk.SamplingCapabilities)
	}
	if v := o.Opt("roots"); v.Ok() {
		c.RootsV2 = new(sdk.RootCapabilities)
		roots := v.Object()
		if v := roots.Opt("listChanged"); v.Ok() {
			_ = v.Bool()
		}
		roots.Done()
	}
	if v := o.Opt("elicitation"); v.Ok() {
		c.Elicitation = new(sdk.ElicitationCapabilities)
		person := v.Object()
		if has(person.Opt("form")) {
			c.Elicitation.Form = new(sdk.FormElicitationCapabilities)
		}
		if has(person.Opt("url")) {
			c.Elicitation.URL = new(sdk.URLElicitationCapabilities)
		}
		person.Done()
	}
	o.Done()
	if faults, _, _ := d.Done(); len(faults) > 0 || len(raw) == 0 {
		return nil
	}
	return c
}

// has reports whether there is an object, in which there may be empty ones by these
// names, but no other members.
func has(v wire.Value, members ...string) bool {
	if !v.Ok() {
		return false
	}
	o := v.Object()
	for _, name := range members {
		has(o.Opt(name))
	}
	o.Done()
	return true
}
