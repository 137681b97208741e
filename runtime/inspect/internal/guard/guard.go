// Package guard decides which requests may use the inspection page: it checks where a request comes from,
// tokens, sessions, and the origin of forms, and it sets the headers that restrict what pages can do. Create
// a [Guard] with [New].
package guard

import (
	"crypto/sha256"
	"crypto/subtle"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/aiongen/aiongen/runtime/internal/secret"
)

// Settings configures a [Guard].
type Settings struct {
	Token  secret.Value[string] // empty admits only requests from this machine
	Always bool                 // requests from this machine need the token, too
	// ShowLogin answers a request with the login form and why it is shown.
	ShowLogin func(w http.ResponseWriter, r *http.Request, status int, message string)
	// ShowError answers a rejected request.
	ShowError func(w http.ResponseWriter, r *http.Request, status int, message string)
}

// Guard admits or rejects requests. It is safe for concurrent use.
type Guard struct {
	settings Settings
	now      func() time.Time
	sessions sessions
	attempts attempts
}

// New returns a guard without sessions.
func New(s Settings) *Guard { return &Guard{settings: s, now: time.Now} }

const maxLoginBytes = 8 << 10

// contentPolicy lets pages load only content of this server. The templates escape the text of tools and models in
// the pages; if one of them fails to, the policy keeps the text from running code or loading anything.
const contentPolicy = "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self'; media-src 'self'; " +
	"form-action 'self'; frame-ancestors 'none'; base-uri 'none'"

// Protect sets the security headers of every response of next, and rejects requests that a page of
// another origin makes a browser send. It admits links to a page; see checkOrigin.
func (g *Guard) Protect(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", contentPolicy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("X-Frame-Options", "DENY")
		// With the policy no-referrer, browsers would send "Origin: null" with forms of the page itself.
		h.Set("Referrer-Policy", "same-origin")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		if usesTLS(r) || isLoopbackHost(r.Host) { // elsewhere, browsers ignore it with a warning
			h.Set("Cross-Origin-Opener-Policy", "same-origin")
		}
		h.Set("Cache-Control", "no-store")
		if why := checkOrigin(r); why != "" {
			g.settings.ShowError(w, r, http.StatusForbidden, why)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// RequireLogin calls next for requests from this machine, and for requests with the token or the cookie of a
// session. It answers other requests with the login form, or with an error if there is no token.
func (g *Guard) RequireLogin(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case !g.settings.Always && isLocal(r), g.HasSession(r):
			next.ServeHTTP(w, r)
		case !g.HasToken():
			g.settings.ShowError(w, r, http.StatusForbidden, "This page is open only to its own machine, at an address such as http://localhost. Other machines and proxies need the token that the program sets.")
		case r.Header.Get("Authorization") != "":
			if g.checkBearer(w, r) {
				next.ServeHTTP(w, r)
			}
		default:
			g.settings.ShowLogin(w, r, http.StatusUnauthorized, "")
		}
	})
}

// HasToken reports whether requests from other machines are admitted with a token.
func (g *Guard) HasToken() bool { return g.settings.Token.Reveal() != "" }

// HasSession reports whether a request has the cookie of a session.
func (g *Guard) HasSession(r *http.Request) bool {
	return slices.ContainsFunc(sessionCookies(r), func(c *http.Cookie) bool { return g.sessions.isOpen(c.Value, g.now()) })
}

// checkBearer checks the token in the header Authorization. It answers the request if the token is wrong.
func (g *Guard) checkBearer(w http.ResponseWriter, r *http.Request) bool {
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if !strings.EqualFold(scheme, "bearer") {
		token = ""
	}
	status, message := g.checkToken(w, r, strings.TrimSpace(token))
	if status == http.StatusOK {
		return true
	}
	w.Header().Set("WWW-Authenticate", "Bearer")
	g.settings.ShowError(w, r, status, message)
	return false
}

// LogIn opens a session for a request whose form field "token" has the token, and sets the cookie of the session.
// If the request has no valid token, LogIn answers it with the login form and returns false.
func (g *Guard) LogIn(w http.ResponseWriter, r *http.Request) bool {
	r.Body = http.MaxBytesReader(w, r.Body, maxLoginBytes)
	if err := r.ParseForm(); err != nil {
		g.settings.ShowLogin(w, r, http.StatusBadRequest, "The form could not be read.")
		return false
	}
	if status, message := g.checkToken(w, r, r.PostForm.Get("token")); status != http.StatusOK {
		g.settings.ShowLogin(w, r, status, message)
		return false
	}
	// Without a path, the cookie applies to the directory of the login page, wherever it is mounted.
	http.SetCookie(w, &http.Cookie{
		Name: cookieName(r), Value: g.sessions.open(g.now()), MaxAge: int(sessionTime / time.Second),
		HttpOnly: true, SameSite: http.SameSiteStrictMode, Secure: usesTLS(r),
	})
	return true
}

// LogOut ends the session of a request and deletes its cookie.
func (g *Guard) LogOut(w http.ResponseWriter, r *http.Request) {
	for _, cookie := range sessionCookies(r) {
		g.sessions.close(cookie.Value)
	}
	http.SetCookie(w, &http.Cookie{Name: cookieName(r), MaxAge: -1, HttpOnly: true, SameSite: http.SameSiteStrictMode, Secure: usesTLS(r)})
}

// checkToken compares a token with that of the page. It returns the status of the response and a message
// for the user. After too many wrong tokens from an address, it rejects all tokens from there for a while.
func (g *Guard) checkToken(w http.ResponseWriter, r *http.Request, token string) (status int, message string) {
	peer := peerOf(r)
	if wait := g.attempts.begin(peer, g.now()); wait > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(int(wait/time.Second)+1))
		return http.StatusTooManyRequests, "Too many attempts to log in from this address. Try again in a minute."
	}
	if !g.HasToken() || !equalTokens(token, g.settings.Token.Reveal()) {
		return http.StatusUnauthorized, "The token is wrong."
	}
	g.attempts.forget(peer)
	return http.StatusOK, ""
}

// equalTokens compares two tokens in constant time.
func equalTokens(token, want string) bool {
	a, b := sha256.Sum256([]byte(token)), sha256.Sum256([]byte(want))
	return subtle.ConstantTimeCompare(a[:], b[:]) == 1
}
