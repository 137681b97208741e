package inspect

import (
	"net/http"
	"strings"
)

var loginPage = parsePage("login.html")

// login is the login form.
type login struct {
	Message string
	Next    string // relative URL of the requested page
}

// showLogin answers a request with the login form instead of the requested page.
func (h *Handler) showLogin(w http.ResponseWriter, r *http.Request, status int, message string) {
	l := login{Message: message}
	if r.Method == http.MethodGet {
		l.Next = strings.TrimPrefix(r.URL.RequestURI(), "/")
	} else {
		l.Next = r.PostForm.Get("next")
	}
	h.showPage(w, r, page{template: loginPage, status: status, title: "Log in", body: l})
}

// logIn opens a session and redirects to the page that was requested before the login.
func (h *Handler) logIn(w http.ResponseWriter, r *http.Request) {
	if !h.guard.LogIn(w, r) {
		return
	}
	next := r.PostForm.Get("next")
	if !isOwnPage(next) {
		next = "./"
	}
	redirect(w, next)
}

// isOwnPage reports whether a relative URL leads to a page of this handler, and nowhere else.
func isOwnPage(target string) bool {
	name, _, _ := strings.Cut(target, "?")
	return name != "" && strings.Trim(name, "abcdefghijklmnopqrstuvwxyz") == "" && !strings.ContainsAny(target, "\r\n")
}

var logoutPage = parsePage("logout.html")

// showLogout shows a form that ends the session when it is sent.
func (h *Handler) showLogout(w http.ResponseWriter, r *http.Request) {
	h.showPage(w, r, page{template: logoutPage, title: "Log out", section: "logout"})
}

// logOut ends a session.
func (h *Handler) logOut(w http.ResponseWriter, r *http.Request) {
	h.guard.LogOut(w, r)
	redirect(w, "./")
}
