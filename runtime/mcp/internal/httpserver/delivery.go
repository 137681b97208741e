package httpserver

import (
	"encoding/json"
	"net"
	"net/http"
	"net/netip"
	"strconv"

	"github.com/aiongen/aiongen/runtime/mcp/internal/peer"
	"github.com/aiongen/aiongen/runtime/mcp/observe"
)

// withDelivery returns a copy of r with a [peer.Delivery] in its context, which describes the message and
// its connection. If the program does not observe requests, withDelivery returns r itself.
func (h *Handler) withDelivery(r *http.Request, body []byte) *http.Request {
	if !h.settings.Observed {
		return r
	}
	id, _, _ := readIDAndMethod(body) // the SDK reports an invalid message
	return r.WithContext(peer.WithDelivery(r.Context(), newDelivery(r, id)))
}

// newDelivery returns the Delivery of a message. The ID may be nil.
func newDelivery(r *http.Request, id json.RawMessage) peer.Delivery {
	c := observe.Connection{Transport: "tcp", Protocol: "http", HTTPVersion: strconv.Itoa(r.ProtoMajor)}
	if r.ProtoMajor == 1 {
		c.HTTPVersion += "." + strconv.Itoa(r.ProtoMinor)
	}
	if local, ok := r.Context().Value(http.LocalAddrContextKey).(net.Addr); ok && local.Network() == "unix" {
		c.Transport = "unix"
	}
	if client, err := netip.ParseAddrPort(r.RemoteAddr); err == nil {
		c.Address, c.Port = client.Addr().String(), int(client.Port())
	}
	return peer.Delivery{ID: formatID(id), Connection: c}
}

// formatID returns an ID without the quotes of JSON, or "" for an invalid one.
func formatID(id json.RawMessage) string {
	if !isRequestID(id) {
		return ""
	}
	text := string(id)
	if id[0] == '"' {
		_ = json.Unmarshal(id, &text) // it is valid JSON
	}
	return text
}
