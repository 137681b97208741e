package httpserver

import (
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"

	"github.com/aiongen/aiongen/runtime/mcp/internal/rpc"
)

// wellKnown is the path of the metadata that tell clients how to get a token (RFC 9728).
const wellKnown = "/.well-known/oauth-protected-resource"

// authorizeRequest checks the token of a request. It returns the verified user, or nil if the client
// uses the static token or the server requires no token.
func (s *Settings) authorizeRequest(r *http.Request) (*auth.TokenInfo, *refusal) {
	if s.Token == nil && s.Verify == nil {
		return nil, nil
	}
	fields := strings.Fields(r.Header.Get("Authorization"))
	switch {
	case len(fields) != 2 || !strings.EqualFold(fields[0], "bearer"):
		return nil, s.newChallenge(http.StatusUnauthorized, "", "a bearer token is needed")
	case s.Token != nil && equalTokens(fields[1], s.Token.Reveal()):
		return nil, nil
	case s.Verify == nil:
		return nil, s.newChallenge(http.StatusUnauthorized, "", "a bearer token is needed")
	}
	info, err := rpc.RunIsolated(s.Log, "the token verifier", func() (*auth.TokenInfo, error) {
		return s.Verify(r.Context(), fields[1], r)
	})
	switch {
	case errors.Is(err, auth.ErrInvalidToken), err == nil && info != nil && !info.Expiration.IsZero() && info.Expiration.Before(time.Now()):
		return nil, s.newChallenge(http.StatusUnauthorized, "invalid_token", "the bearer token is invalid or has expired")
	case err != nil || info == nil:
		s.Log.Error("mcp: cannot verify a token", "error", err)
		return nil, &refusal{status: http.StatusServiceUnavailable, reason: "the bearer token cannot be verified now; try again later"}
	}
	if slices.ContainsFunc(s.Scopes, func(scope string) bool { return !slices.Contains(info.Scopes, scope) }) {
		return nil, s.newChallenge(http.StatusForbidden, "insufficient_scope", "the bearer token does not have the required scopes")
	}
	return info, nil
}

// equalTokens compares two tokens in constant time.
func equalTokens(token, expected string) bool {
	got, want := sha256.Sum256([]byte(token)), sha256.Sum256([]byte(expected))
	return subtle.ConstantTimeCompare(got[:], want[:]) == 1
}

// newChallenge returns a refusal with a WWW-Authenticate header (RFC 6750).
func (s *Settings) newChallenge(status int, code, reason string) *refusal {
	var params []string
	if code != "" {
		params = append(params, fmt.Sprintf("error=%q", code))
	}
	if s.Resource != nil {
		params = append(params, fmt.Sprintf("resource_metadata=%q", metadataURL(s.Resource.Resource)))
	}
	if len(s.Scopes) > 0 {
		params = append(params, fmt.Sprintf("scope=%q", strings.Join(s.Scopes, " ")))
	}
	return &refusal{status: status, reason: reason, challenge: strings.TrimSpace("Bearer " + strings.Join(params, ", "))}
}

// metadataURL returns the URL of the metadata of a resource, which has the well-known path between
// host and path: for https://tools.example/mcp,
// https://tools.example/.well-known/oauth-protected-resource/mcp.
func metadataURL(resource string) string {
	u, _ := url.Parse(resource) // checkResource has checked it
	u.Path = wellKnown + strings.TrimSuffix(u.Path, "/")
	return u.String()
}

// checkResource checks the metadata of the protected resource.
func (s *Settings) checkResource() error {
	if s.Resource == nil {
		return nil
	}
	u, err := url.Parse(s.Resource.Resource)
	if err != nil || u.Scheme == "" || u.Host == "" || u.Fragment != "" {
		return fmt.Errorf("mcp: invalid protected resource %q: expected the URL that clients use, such as https://tools.example/mcp", s.Resource.Resource)
	}
	if s.Verify == nil {
		return errors.New("mcp: the option ProtectedResource also needs the option Verify, which verifies the tokens")
	}
	return nil
}

// serveMetadata answers a request for the metadata of the resource, and returns false for other
// requests. It requires no token. The metadata is at the well-known path, alone or followed by the
// path of the resource. Other paths below the well-known path belong to other resources (RFC 9728).
func (s *Settings) serveMetadata(w http.ResponseWriter, r *http.Request) bool {
	if s.Resource == nil || r.URL.Path != wellKnown && !strings.HasPrefix(r.URL.Path, wellKnown+"/") {
		return false
	}
	u, _ := url.Parse(s.Resource.Resource) // checkResource has checked it
	if r.URL.Path != wellKnown && r.URL.Path != wellKnown+strings.TrimSuffix(u.Path, "/") {
		(&refusal{status: http.StatusNotFound, reason: "there is no protected resource with that path"}).writeTo(w)
		return true
	}
	auth.ProtectedResourceMetadataHandler(s.Resource).ServeHTTP(w, r)
	return true
}
