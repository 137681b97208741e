package doctor

import (
	"strings"
	"testing"
)

// TestHide checks what is left of texts with URLs and paths.
func TestHide(t *testing.T) {
	h := hider{homes: []string{"/home/ada", "/mnt/ada"}}
	for text, want := range map[string]string{
		"":                                "",
		"/home/ada":                       "~",
		"in /home/ada/m, /home/adalbert":  "in ~/m, /home/adalbert",
		"/mnt/ada/m and /home/ada":        "~/m and ~",
		"https://example.com":             "https://example.com",
		"https://example.com:8080/":       "https://example.com:8080/",
		"https://example.com/key/mod":     "https://example.com/…",
		"see http://[::1]:80/x?key=1 now": "see http://[::1]:80/… now",
		"https://example.com?key=1":       "https://example.com/…",
		"https://example.com#key":         "https://example.com/…",
		"https://ada@example.com":         "https://…",
		"https://ada:key@example.com/x":   "https://…",
		"https://ada:1/key@example.com":   "https://…",
		"https://key$/x":                  "https://…",
		"file:///home/ada/proxy":          "file:///…",
		"git+ssh://git:key@host/x":        "git+ssh://…",
		"a\x1b[31mb\nc\u202ed":            "a [31mb c d",
	} {
		if got := h.hide(text); got != want {
			t.Errorf("%q becomes %q, want %q", text, got, want)
		}
	}
}

// TestHideSetting checks what is left of settings.
func TestHideSetting(t *testing.T) {
	h := hider{homes: []string{"/home/ada"}}
	for _, tt := range [][3]string{
		{"GOPROXY", "https://proxy.golang.org,direct", "https://proxy.golang.org,direct"},
		{"GOPROXY", "off", "off"},
		{"GOPROXY", "https://ada:k,ey@a.example|https://b.example/key|direct", "https://…,…|https://b.example/…|direct"},
		{"GOPROXY", "ada:key@a.example,,", "…,,"},
		{"GOFLAGS", "-mod=mod --tags=a,b -race -ldflags=-X=main.key=1 -x -toolexec", "-mod=mod --tags=a,b -race -ldflags=… -x -toolexec"},
		{"GOFLAGS", "'-ldflags=-X main.key=1 -tags=key' -mod=mod", "…"},
		{"GOFLAGS", "-modfile=/home/ada/tools.mod", "-modfile=~/tools.mod"},
		{"GOFLAGS", "-ldflags=-X main.key=1 key", "-ldflags=… … …"},
		{"GOWORK", "/home/ada/go.work", "~/go.work"},
	} {
		if got := h.hideSetting(tt[0], tt[1]); got != tt[2] {
			t.Errorf("%s=%s becomes %s, want %s", tt[0], tt[1], got, tt[2])
		}
	}
}

// TestHideFailure checks what is left of errors of the go command that quote settings.
func TestHideFailure(t *testing.T) {
	for _, tt := range []struct{ flags, proxies, failure, want string }{
		{"S3CRET", "", `go: parsing $GOFLAGS: non-flag "S3CRET"`, `go: parsing $GOFLAGS: non-flag "…"`},
		{"-count=S3CRET -mod=mod", "", `go: invalid value "S3CRET" for flag -count, -mod=mod`, `go: invalid value "…" for flag -count, -mod=mod`},
		{"'-ldflags=-X main.key=S3CRET' -race", "", `unknown flag main.key=S3CRET -race`, `unknown flag … -race`},
		{"", "off,ada:S3CRET@a.example|direct", "invalid proxy URL missing scheme: ada:S3CRET@a.example, direct", "invalid proxy URL missing scheme: …, direct"},
		{"-x=1", "a", "1 and a package", "1 and a package"},
	} {
		h := hider{secrets: findSecrets(tt.flags, tt.proxies)}
		if got := h.hide(tt.failure); got != tt.want {
			t.Errorf("%q becomes %q, want %q", tt.failure, got, tt.want)
		}
	}
}

// FuzzHide checks that neither the user nor the path of a URL is left, whatever is before and after
// it, and that the result is one line without control characters.
func FuzzHide(f *testing.F) {
	f.Add("go: ", ",direct")
	f.Add("https://", "@example.com")
	f.Add("\x00/home/ada", "|")
	f.Fuzz(func(t *testing.T, before, after string) {
		h := hider{homes: []string{"/home/ada"}}
		for _, url := range []string{"https://ada:S3CRET@example.com/", "https://example.com/S3CRET"} {
			text := before + url + after
			for _, got := range []string{h.hide(text), h.hideSetting("GOPROXY", text), h.hideSetting("GOFLAGS", "-ldflags="+url+after)} {
				if strings.Contains(got, "S3CRET") && !strings.Contains(before+after, "S3CRET") {
					t.Errorf("%q becomes %q", text, got)
				}
				if strings.ContainsAny(got, "\n\r\x00\x1b") {
					t.Errorf("%q becomes %q", text, got)
				}
			}
		}
	})
}
