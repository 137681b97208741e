package inspect

import (
	"bytes"
	"flag"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/runtime/inspect/internal/sampleruns"
)

var updateRuns = flag.Bool("update-runs", false, "rewrite the expected pages of runs")

// newRunsPage returns a page of sample runs.
func newRunsPage(t *testing.T) (*Handler, *sampleruns.Samples) {
	t.Helper()
	s, err := sampleruns.New(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return newTestPage(t, Config{Agent: s.Agent}), s
}

// TestRunPages compares the pages of runs with the expected HTML.
func TestRunPages(t *testing.T) {
	h, _ := newRunsPage(t)
	for name, target := range map[string]string{
		"list": "/runs", "search": "/runs?q=write&group=waiting", "plan": "/run?id=plan", "approval": "/run?id=approval", "edited": "/run?id=edited", "question": "/run?id=question",
		"lost": "/run?id=lost", "killed": "/run?id=killed", "talk": "/run?id=talk", "agent": "/run?id=agent", "fork": "/run?id=fork", "failed": "/run?id=failed",
		"damaged": "/run?id=damaged", "hostile": "/run?id=hostile", "entry-model": "/entry?id=plan&n=9", "entry-call": "/entry?id=edited&n=5", "entry-agent": "/entry?id=agent&n=5",
		"entry-hostile": "/entry?id=hostile&n=2", "entry-signal": "/entry?id=hostile&n=8", "compare": "/compare?left=plan&right=fork", "compare-form": "/compare",
	} {
		t.Run(name, func(t *testing.T) {
			w := send(h, target, nil)
			if w.Code != http.StatusOK {
				t.Fatalf("%d\n%s", w.Code, w.Body)
			}
			_, main, _ := strings.Cut(w.Body.String(), "<main")
			for _, bad := range []string{"<script>", "<img", "onerror=alert(2)>", "ZgotmplZ", "\x1b", "\u202e"} {
				if strings.Contains(main, bad) {
					t.Errorf("the page contains %q", bad)
				}
			}
			file := filepath.Join("testdata", "runs", name+".html")
			if *updateRuns {
				if err := os.WriteFile(file, []byte(main), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal([]byte(main), want) {
				t.Errorf("%s differs; run go test -update-runs and read the diff\n%s", file, main)
			}
		})
	}
	for _, target := range []string{"/run?id=none", "/entry?id=plan&n=99", "/entry?id=plan&n=x", "/compare?left=plan&right=none", "/events?id=none"} {
		if w := send(h, target, nil); w.Code != http.StatusNotFound {
			t.Errorf("%s: %d", target, w.Code)
		}
	}
	if w := send(h, "/runs?after=nonsense", nil); w.Code != http.StatusOK {
		t.Errorf("an invalid cursor: %d", w.Code)
	}
}

var _ = url.Values{}
