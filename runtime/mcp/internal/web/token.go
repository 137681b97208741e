package web

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
)

// wellKnown is where a server says how one gets a token for it: RFC 9728.
const wellKnown = "/.well-known/oauth-protected-resource"

// authorize says who makes a request, if that is known, or why it is refused.
func (s *Settings) authorize(r *http.Request) (*auth.TokenInfo, *refusal) {
	if s.Token == nil && s.Verify == nil {
		return nil, nil
	}
	fields := strings.Fields(r.Header.Get("Authorization"))
	switch {
	case len(fields) != 2 || !strings.EqualFold(fields[0], "bearer"):
		return nil, s.challenge(http.StatusUnauthorized, "", "a bearer token is needed")
	case s.Token != nil && same(fields[1], s.Token.Reveal()):
		return nil, nil
	case s.Verify == nil:
		return nil, s.challenge(http.StatusUnauthorized, "", "a bearer token is needed")
	}
	info, err := s.Verify(r.Context(), fields[1], r)
	switch {
	case errors.Is(err, auth.ErrInvalidToken), err == nil && info != nil && !info.Expiration.IsZero() && info.Expiration.Before(time.Now()):
		return nil, s.challenge(http.StatusUnauthorized, "invalid_token", "the bearer token is not valid, or not any more")
	case err != nil || info == nil:
		s.Log.Error("mcp: a token cannot be verified", "error", err)
		return nil, &refusal{status: http.StatusServiceUnavailable, why: "the bearer token cannot be verified now"}
	}
	for _, scope := range s.Scopes {
		if !slices.Contains(info.Scopes, scope) {
			return nil, s.challenge(http.StatusForbidden, "insufficient_scope", "the bearer token does not allow that")
		}
	}
	return info, nil
}

// same reports whether a token is the right one, in a time that does not depend on how
// much of it is.
func same(token, right string) bool {
	got, want := sha256.Sum256([]byte(token)), sha256.Sum256([]byte(right))
	return subtle.ConstantTimeCompare(got[:], want[:]) == 1
}

// challenge is a refusal that says how to ask instead: RFC 6750.
func (s *Settings) challenge(status int, code, why string) *refusal {
	var says []string
	if code != "" {
		says = append(says, fmt.Sprintf("error=%q", code))
	}
	if s.Resource != nil {
		says = append(says, fmt.Sprintf("resource_metadata=%q", metadataURL(s.Resource.Resource)))
	}
	if len(s.Scopes) > 0 {
		says = append(says, fmt.Sprintf("scope=%q", strings.Join(s.Scopes, " ")))
	}
	return &refusal{status: status, why: why, challenge: strings.TrimSpace("Bearer " + strings.Join(says, ", "))}
}

// metadataURL is where the metadata of a resource are: between its host and its path.
func metadataURL(resource string) string {
	u, _ := url.Parse(resource) // it was checked
	u.Path = wellKnown + strings.TrimSuffix(u.Path, "/")
	return u.String()
}

// checkResource says what is wrong with the metadata.
func (s *Settings) checkResource() error {
	if s.Resource == nil {
		return nil
	}
	u, err := url.Parse(s.Resource.Resource)
	if err != nil || u.Scheme == "" || u.Host == "" || u.Fragment != "" {
		return fmt.Errorf("mcp: %q is no protected resource: it is the URL by which clients ask, such as https://tools.example/mcp", s.Resource.Resource)
	}
	if s.Verify == nil {
		return errors.New("mcp: clients are told how to get tokens, and nobody verifies them: say by the option Verify who does")
	}
	return nil
}

// metadata says how one gets a token, if that is what is asked. Everybody may know.
func (s *Settings) metadata(w http.ResponseWriter, r *http.Request) bool {
	if s.Resource == nil || r.URL.Path != wellKnown && !strings.HasPrefix(r.URL.Path, wellKnown+"/") {
		return false
	}
	auth.ProtectedResourceMetadataHandler(s.Resource).ServeHTTP(w, r)
	return true
}
