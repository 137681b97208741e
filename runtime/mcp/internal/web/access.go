package web

import (
	"encoding/json"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/auth"

	"github.com/aiongen/aiongen/runtime/mcp/internal/drain"
)

// refusal is why a request is not answered.
type refusal struct {
	status    int
	why       string
	challenge string          // how to ask instead, where it is a token that is wrong
	id        json.RawMessage // of the call that is refused, if it is one that is read
}

func (r *refusal) write(w http.ResponseWriter) {
	if r.challenge != "" {
		w.Header().Set("WWW-Authenticate", r.challenge)
	}
	if r.status == http.StatusServiceUnavailable {
		w.Header().Set("Retry-After", "5")
	}
	if r.id == nil {
		http.Error(w, r.why, r.status)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(r.status)
	_ = json.NewEncoder(w).Encode(map[string]any{ // if it fails, nobody waits for it
		"jsonrpc": "2.0", "id": r.id, "error": map[string]any{"code": drain.Refusal.Code, "message": r.why},
	})
}

// admit says who makes a request, if that is known, or why it is refused. What it is
// answered can be read by pages of the origins that may ask.
func (s *Settings) admit(w http.ResponseWriter, r *http.Request) (*auth.TokenInfo, *refusal) {
	for _, origin := range r.Header.Values("Origin") {
		switch {
		case s.allows(origin):
			s.share(w, origin)
		case !isOwn(r, origin):
			return nil, &refusal{status: http.StatusForbidden, why: "pages of other origins have no access"}
		}
	}
	return s.authorize(r)
}

func (s *Settings) refuseHost(r *http.Request) *refusal {
	if host := hostname(r.Host); !IsLoopback(host) && !slices.Contains(s.Hosts, strings.ToLower(host)) {
		return &refusal{status: http.StatusForbidden, why: "this is not the host that you look for"}
	}
	return nil
}

// isOwn reports whether an origin is the one of the server itself.
func isOwn(r *http.Request, origin string) bool {
	u, err := url.Parse(origin)
	return err == nil && strings.EqualFold(u.Host, r.Host)
}

// hostname returns a host without its port.
func hostname(host string) string {
	return (&url.URL{Host: host}).Hostname()
}

// IsLoopback reports whether a host, without port, is this machine itself.
func IsLoopback(host string) bool {
	addr, err := netip.ParseAddr(host)
	return err == nil && addr.IsLoopback() || strings.EqualFold(host, "localhost")
}
