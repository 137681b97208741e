package web

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// anyOrigin stands for all origins.
const anyOrigin = "*"

// checkOrigins says which origin is none.
func (s *Settings) checkOrigins() error {
	for _, origin := range s.Origins {
		u, err := url.Parse(origin)
		switch {
		case origin == anyOrigin && s.Token == nil && s.Verify == nil:
			return errors.New("mcp: pages of all origins could call the tools: ask for a token, or say which origins")
		case origin == anyOrigin:
		case err != nil || u.Scheme == "" || u.Host == "" || u.Scheme+"://"+u.Host != origin:
			return fmt.Errorf("mcp: %q is no origin, such as https://app.example or http://localhost:3000", origin)
		}
	}
	return nil
}

// allows reports whether pages of an origin may ask.
func (s *Settings) allows(origin string) bool {
	return slices.Contains(s.Origins, strings.ToLower(origin)) || slices.Contains(s.Origins, anyOrigin)
}

// share lets pages of an origin read an answer. There are no credentials but what a
// page itself sends, so that nothing is said of them.
func (s *Settings) share(w http.ResponseWriter, origin string) {
	if slices.Contains(s.Origins, anyOrigin) {
		origin = anyOrigin
	}
	w.Header().Set("Access-Control-Allow-Origin", origin)
	w.Header().Add("Vary", "Origin")
	w.Header().Set("Access-Control-Expose-Headers", "Mcp-Session-Id, Mcp-Protocol-Version, WWW-Authenticate, Retry-After")
}

// preflight answers a browser that asks what a page may send, if that is what it is.
// It has no token then.
func (s *Settings) preflight(w http.ResponseWriter, r *http.Request) bool {
	origin := r.Header.Get("Origin")
	if r.Method != http.MethodOptions || r.Header.Get("Access-Control-Request-Method") == "" || !s.allows(origin) {
		return false
	}
	s.share(w, origin)
	w.Header().Set("Access-Control-Allow-Methods", "GET, POST, DELETE")
	if asked := r.Header.Get("Access-Control-Request-Headers"); asked != "" { // one for each parameter that is sent as a header, too
		w.Header().Set("Access-Control-Allow-Headers", asked)
	}
	w.Header().Set("Access-Control-Max-Age", "7200")
	w.WriteHeader(http.StatusNoContent)
	return true
}
