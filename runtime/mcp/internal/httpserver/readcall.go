package httpserver

import (
	"encoding/json"
	"math"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/aiongen/aiongen/runtime/mcp/internal/peer"
	"github.com/aiongen/aiongen/runtime/wire"
)

// callMessage is a decoded tool call.
type callMessage struct {
	id      json.RawMessage
	request *peer.Request
}

// readLimits are stricter than the limits of the SDK. The length is not limited here, because
// readBody has limited it.
var readLimits = &wire.Limits{Arguments: math.MaxInt, Depth: 900}

// readCall decodes a call. It returns false if the body is not a plain call: if any member is
// unknown, repeated or of an unexpected type. The session is nil in the protocol version
// without sessions.
func readCall(body []byte, s *sessionCalls) (m callMessage, ok bool) {
	var d wire.Decoder
	top := d.Read(body, readLimits, nil, false).Object()
	isCall := top.Str("jsonrpc") == "2.0" && top.Str("method") == "tools/call"
	id := top.Get("id").Raw()
	params := top.Get("params").Object()
	name, arguments := params.Str("name"), params.Opt("arguments").Raw()
	meta := wire.Map[string](params.Opt("_meta"), wire.Value.Raw)
	params.Done()
	top.Done()
	if faults, _, _ := d.Done(); len(faults) > 0 || !isCall || !isRequestID(id) {
		return m, false
	}
	m = callMessage{id, &peer.Request{Version: StatelessVersion}}
	if s != nil {
		m.request = s.newRequest()
	}
	m.request.Method, m.request.Name, m.request.Arguments = "tools/call", name, arguments
	m.request.Meta = make(map[string]any, len(meta))
	if s != nil {
		return m, readMeta(m.request, meta)
	}
	return m, readClient(m.request, meta) && readMeta(m.request, meta)
}

// isRequestID reports whether an ID, given as valid JSON, is a string or a number.
func isRequestID(id json.RawMessage) bool {
	return len(id) > 0 && strings.ContainsAny(string(id[:1]), `"-0123456789`)
}

// reservedPrefix begins the names in _meta that the protocol defines.
const reservedPrefix = "io.modelcontextprotocol/"

// readMeta adds _meta to a request. It returns false if _meta has members with a name that the
// protocol reserves, which only the SDK handles.
func readMeta(request *peer.Request, meta map[string]json.RawMessage) bool {
	for name, raw := range meta {
		var value any
		if strings.HasPrefix(name, reservedPrefix) || json.Unmarshal(raw, &value) != nil {
			return false
		}
		if _, ok := value.(float64); ok && name == "progressToken" {
			value = raw // a float64 cannot represent all large integers
		}
		request.Meta[name] = value
	}
	return true
}

// readClient moves the name, the capabilities and the protocol version of the client from meta to a
// request. It returns false if a required member is missing, or has content that only the SDK handles.
func readClient(request *peer.Request, meta map[string]json.RawMessage) bool {
	if raw, ok := meta[sdk.MetaKeyClientInfo]; ok {
		if request.Caller.Client = parseClientName(raw); request.Caller.Client == "" {
			return false
		}
	}
	request.Capabilities = parseCapabilities(meta[sdk.MetaKeyClientCapabilities])
	if request.Capabilities == nil || string(meta[sdk.MetaKeyProtocolVersion]) != `"`+StatelessVersion+`"` {
		return false
	}
	for _, name := range []string{sdk.MetaKeyClientInfo, sdk.MetaKeyClientCapabilities, sdk.MetaKeyProtocolVersion} {
		delete(meta, name)
	}
	return true
}

// parseClientName returns the name and version of a client, or "" if the JSON is invalid or has
// unknown members.
func parseClientName(raw json.RawMessage) string {
	var d wire.Decoder
	o := d.Read(raw, readLimits, nil, false).Object()
	name, version := o.Str("name"), o.Str("version")
	for _, member := range []string{"title", "description", "websiteUrl"} {
		_ = o.Opt(member).Str()
	}
	o.Done()
	if faults, _, _ := d.Done(); len(faults) > 0 {
		return ""
	}
	return strings.TrimSpace(name + " " + version)
}

// noCapabilities are the capabilities of a client that declares none.
var noCapabilities = new(sdk.ClientCapabilities)

// parseCapabilities returns the capabilities of a client, or nil if the JSON is missing, invalid or
// has unknown members.
func parseCapabilities(raw json.RawMessage) *sdk.ClientCapabilities {
	if string(raw) == "{}" {
		return noCapabilities
	}
	var d wire.Decoder
	o := d.Read(raw, readLimits, nil, false).Object()
	c := new(sdk.ClientCapabilities)
	if isObjectWith(o.Opt("sampling"), "context", "tools") {
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
		if isObjectWith(person.Opt("form")) {
			c.Elicitation.Form = new(sdk.FormElicitationCapabilities)
		}
		if isObjectWith(person.Opt("url")) {
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

// isObjectWith reports whether v is present. If v is present, it must be an object that contains only
// the given members, and each of them must be an empty object. The decoder records a fault otherwise.
func isObjectWith(v wire.Value, members ...string) bool {
	if !v.Ok() {
		return false
	}
	o := v.Object()
	for _, name := range members {
		isObjectWith(o.Opt(name))
	}
	o.Done()
	return true
}
