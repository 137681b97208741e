package load

import (
	"os"
	"path/filepath"
	"testing"
)

// TestMatches checks that patterns match as they do for the go command, in a module that is reached
// through a link.
func TestMatches(t *testing.T) {
	real := t.TempDir()
	if err := os.MkdirAll(filepath.Join(real, "a", "tools"), 0o777); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(real, link); err != nil {
		t.Fatal(err)
	}
	p := &Package{Path: "example.com/m/a/tools", Dir: filepath.Join(link, "a", "tools")}
	for pattern, want := range map[string]bool{
		"./...": true, "./a/...": true, "./a/tools/...": true, "./a/tools": true, "./a/to...": true, "./.../tools": true,
		"./a/../a/tools": true, "../...": true, filepath.Join(link, "..."): true, filepath.Join(real, "..."): true, filepath.Join(real, "a", "tools"): true,
		"...": true, "example.com/...": true, "example.com/m/a/tools/...": true, "example.com/m/a/tools": true, ".../tools": true,

		".": false, "./a": false, "./b/...": false, "./to...": false, "./a/.../tools": false, "./a/tool": false,
		"example.com/m": false, "example.com/m/a/tool": false, "a/tools": false, "example.com/n/...": false, "./a.tools": false, "./\xff...": false,
	} {
		if got := p.Matches(pattern, link); got != want {
			t.Errorf("%s: %v, want %v", pattern, got, want)
		}
	}
}
