package desk

import (
	"context"
	"io"
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
)

// getPage returns a page of the inspection, once it contains all texts.
func getPage(ctx context.Context, t *testing.T, url string, texts ...string) string {
	t.Helper()
	for {
		page := ""
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
		if err != nil {
			t.Fatal(err)
		}
		if response, err := http.DefaultClient.Do(request); err == nil {
			text, _ := io.ReadAll(response.Body)
			_ = response.Body.Close()
			page = string(text)
		} else if ctx.Err() != nil {
			t.Fatal(err)
		}
		found := 0
		for _, text := range texts {
			if strings.Contains(page, text) {
				found++
			}
		}
		if page != "" && found == len(texts) {
			return page
		}
	}
}

// freeAddress returns an address where nothing listens.
func freeAddress(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	return l.Addr().String()
}

// TestInspect opens the page with the recorded runs, and with one run that is stored.
func TestInspect(t *testing.T) {
	for name, tt := range map[string]struct {
		args  []string
		texts []string
	}{
		"recorded": {nil, []string{"Grace cannot log in", "asdf qwer", "waits for an approval", "waits for a message"}},
		"one":      {[]string{"-memory", filepath.Join(t.TempDir(), "desk"), vpn}, []string{"Tell linus that the VPN is down.", "waits for an approval"}},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, stop := context.WithCancel(t.Context())
			defer stop()
			address := freeAddress(t)
			ended := make(chan string, 1)
			go func() {
				status, _, stderr := runExample(ctx, &person{screen: io.Discard}, append([]string{"-inspect=" + address}, tt.args...)...)
				if status != 0 {
					stop()
				}
				ended <- stderr
			}()
			page := getPage(ctx, t, "http://"+address+"/runs", tt.texts...)
			if strings.Contains(page, ">interrupted</span>") {
				t.Errorf("a run was interrupted:\n%s", page)
			}
			getPage(ctx, t, "http://"+address+"/tools", "open_ticket")
			stop()
			if stderr := <-ended; stderr != "" {
				t.Error(stderr)
			}
		})
	}
}
