package web

import (
	"crypto/sha256"
	"crypto/subtle"
	"encoding/json"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/runtime/mcp/internal/drain"
)

// refusal is why a request is not answered.
type refusal struct {
	status int
	why    string
	id     json.RawMessage // of the call that is refused, if it is one that is read
}

func (r *refusal) write(w http.ResponseWriter) {
	switch r.status {
	case http.StatusUnauthorized:
		w.Header().Set("WWW-Authenticate", "Bearer")
	case http.StatusServiceUnavailable:
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

// refuse says why a request is refused, if it is.
func (s *Settings) refuse(r *http.Request) *refusal {
	switch host := hostname(r.Host); {
	case !IsLoopback(host) && !slices.Contains(s.Hosts, strings.ToLower(host)):
		return &refusal{status: http.StatusForbidden, why: "this is not the host that you look for"}
	case !sameOrigin(r):
		return &refusal{status: http.StatusForbidden, why: "pages of other origins have no access"}
	case !s.authorized(r):
		return &refusal{status: http.StatusUnauthorized, why: "a bearer token is needed"}
	}
	return nil
}

// sameOrigin reports whether a request comes from no page, or from one of the
// server's own origin.
func sameOrigin(r *http.Request) bool {
	return !slices.ContainsFunc(r.Header.Values("Origin"), func(origin string) bool {
		u, err := url.Parse(origin)
		return err != nil || !strings.EqualFold(u.Host, r.Host)
	})
}

// authorized reports whether a request has the token, in a time that does not
// depend on how much of it is right.
func (s *Settings) authorized(r *http.Request) bool {
	if s.Token == nil {
		return true
	}
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	got, want := sha256.Sum256([]byte(token)), sha256.Sum256([]byte(*s.Token))
	return subtle.ConstantTimeCompare(got[:], want[:]) == 1 && strings.EqualFold(scheme, "bearer")
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
