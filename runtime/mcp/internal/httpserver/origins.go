package httpserver

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// anyOrigin permits all origins.
const anyOrigin = "*"

// checkOrigins returns an error for an invalid origin.
func (s *Settings) checkOrigins() error {
	for _, origin := range s.Origins {
		u, err := url.Parse(origin)
		switch {
		case origin == anyOrigin && s.Token == nil && s.Verify == nil:
			return errors.New("mcp: the origin \"*\" would let pages of all origins call the tools: require a token, or list the origins")
		case origin == anyOrigin:
		case err != nil || u.Scheme == "" || u.Host == "" || u.Scheme+"://"+u.Host != origin:
			return fmt.Errorf("mcp: invalid origin %q: expected one such as https://app.example or http://localhost:3000", origin)
		}
	}
	return nil
}

// allowsOrigin reports whether pages of an origin may send requests.
func (s *Settings) allowsOrigin(origin string) bool {
	return slices.Contains(s.Origins, strings.ToLower(origin)) || slices.Contains(s.Origins, anyOrigin)
}

// setCORSHeaders lets pages of an origin read the response. It does not allow credentials such
// as cookies: pages must send the token themselves.
func (s *Settings) setCORSHeaders(w http.ResponseWriter, origin string) {
	if slices.Contains(s.Origins, anyOrigin) {
		origin = anyOrigin
	}
	w.Header().Set("Access-Control-Allow-Origin", origin)
	w.Header().Add("Vary", "Origin")
	w.Header().Set("Access-Control-Expose-Headers", "Mcp-Session-Id, Mcp-Protocol-Version, WWW-Authenticate, Retry-After")
}

// answerPreflight answers a CORS preflight request of a permitted origin. It returns false for
// other requests. Preflight requests carry no token.
func (s *Settings) answerPreflight(w http.ResponseWriter, r *http.Request) bool {
	origin := r.Header.Get("Origin")
	if r.Method != http.MethodOptions || r.Header.Get("Access-Control-Request-Method") == "" || !s.allowsOrigin(origin) {
		return false
	}
	s.setCORSHeaders(w, origin)
	w.Header().Set("Access-Control-Allow-Methods", "GET, POST, DELETE")
	if requested := r.Header.Get("Access-Control-Request-Headers"); requested != "" { // allow all, because arguments of tools may be sent as headers with any name
		w.Header().Set("Access-Control-Allow-Headers", requested)
	}
	w.Header().Set("Access-Control-Max-Age", "7200")
	w.WriteHeader(http.StatusNoContent)
	return true
}
