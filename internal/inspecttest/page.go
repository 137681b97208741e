package inspecttest

import (
	"bufio"
	"context"
	"html"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"
)

// Page is a client of an inspection page.
type Page struct{ URL string } // without a slash at the end

// timeout limits how long a page may take to show something.
const timeout = time.Minute

// Get returns the text of a page.
func (p Page) Get(t *testing.T, target string) string {
	t.Helper()
	status, text, _ := p.send(t, http.MethodGet, target, nil)
	if status != http.StatusOK {
		t.Fatalf("%s: %d\n%s", target, status, text)
	}
	return text
}

// Post sends a form, and returns the relative URL of the page that it leads to.
func (p Page) Post(t *testing.T, target string, form url.Values) (location string) {
	t.Helper()
	status, text, location := p.send(t, http.MethodPost, target, form)
	if status != http.StatusSeeOther {
		t.Fatalf("%s: %d\n%s", target, status, text)
	}
	return location
}

// send sends a request, and does not follow redirects.
func (p Page) send(t *testing.T, method, target string, form url.Values) (status int, text, location string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, p.URL+"/"+target, strings.NewReader(form.Encode()))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	response, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, string(body), response.Header.Get("Location")
}

// WatchRun watches the events of a run until one shows a text.
func (p Page) WatchRun(t *testing.T, id, text string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), timeout)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, p.URL+"/events?"+url.Values{"id": {id}, "seen": {"0"}}.Encode(), nil)
	if err != nil {
		t.Fatal(err)
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	lines := bufio.NewScanner(response.Body)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		if strings.HasPrefix(lines.Text(), "data: ") && strings.Contains(lines.Text(), text) {
			return
		}
	}
	t.Fatalf("%d, no event of run %s shows %q: %v\n%s", response.StatusCode, id, text, lines.Err(), p.Get(t, "run?id="+url.QueryEscape(id)))
}

// FindLink returns the target of the last link of a page whose text begins with a label.
func FindLink(t *testing.T, page, label string) string {
	t.Helper()
	links := regexp.MustCompile(`<a href="([^"]*)"[^>]*>`+regexp.QuoteMeta(label)).FindAllStringSubmatch(page, -1)
	if len(links) == 0 {
		t.Fatalf("there is no link %q:\n%s", label, page)
	}
	return html.UnescapeString(links[len(links)-1][1])
}

// CheckTexts checks that a page shows texts.
func CheckTexts(t *testing.T, page string, texts ...string) {
	t.Helper()
	shown := html.UnescapeString(page)
	for _, text := range texts {
		if !strings.Contains(shown, text) {
			t.Errorf("the page does not show %q:\n%s", text, page)
		}
	}
}
