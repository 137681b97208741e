package httpserver

import (
	"cmp"
	"encoding/json"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/auth"

	"github.com/aiongen/aiongen/runtime/mcp/internal/rpc"
)

// refusal is the response to a rejected request.
type refusal struct {
	status    int
	reason    string
	challenge string          // the WWW-Authenticate header, if the token is missing or wrong
	id        json.RawMessage // ID of the rejected call; nil if unknown
	code      int64           // JSON-RPC error code; 0 means the code of rpc.ErrShuttingDown
}

func (r *refusal) writeTo(w http.ResponseWriter) {
	if r.challenge != "" {
		w.Header().Set("WWW-Authenticate", r.challenge)
	}
	if r.status == http.StatusServiceUnavailable {
		w.Header().Set("Retry-After", "5")
	}
	text := []byte(r.reason + "\n")
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	if r.id != nil {
		text = rpc.EncodeError(r.id, cmp.Or(r.code, rpc.ErrShuttingDown.Code), r.reason)
		w.Header().Set("Content-Type", "application/json")
	}
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.Header().Set("Content-Length", strconv.Itoa(len(text)))
	w.WriteHeader(r.status)
	_, _ = w.Write(text) // an error means that the client has disconnected
}

// admitRequest checks the origin and the token of a request. It returns the verified user, or nil
// if no user was verified. It sets the headers that allow pages of permitted origins to read the
// response.
func (s *Settings) admitRequest(w http.ResponseWriter, r *http.Request) (*auth.TokenInfo, *refusal) {
	for _, origin := range r.Header.Values("Origin") {
		switch {
		case s.allowsOrigin(origin):
			s.setCORSHeaders(w, origin)
		case !isOwnOrigin(r, origin):
			return nil, &refusal{status: http.StatusForbidden, reason: "pages of this origin are not allowed to access the server"}
		}
	}
	return s.authorizeRequest(r)
}

// checkHost rejects hosts other than loopback and the permitted ones, which protects a local server
// from DNS rebinding.
func (s *Settings) checkHost(r *http.Request) *refusal {
	if host := (&url.URL{Host: r.Host}).Hostname(); !IsLoopback(host) && !slices.Contains(s.Hosts, strings.ToLower(host)) {
		return &refusal{status: http.StatusForbidden, reason: "this server does not serve the requested host"}
	}
	return nil
}

// isOwnOrigin reports whether an origin is the server's own. It accepts both schemes, because
// the server does not know whether a proxy in front of it terminates TLS.
func isOwnOrigin(r *http.Request, origin string) bool {
	return strings.EqualFold(origin, "http://"+r.Host) || strings.EqualFold(origin, "https://"+r.Host)
}

// IsLoopback reports whether a host, without port, is localhost or a loopback address.
func IsLoopback(host string) bool {
	addr, err := netip.ParseAddr(host)
	return err == nil && addr.IsLoopback() || strings.EqualFold(host, "localhost")
}
