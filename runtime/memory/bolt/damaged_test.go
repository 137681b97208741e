package bolt_test

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/runtime/memory/bolt"
)

// TestDamagedIsLetGo checks that a damaged file is not kept open, so that it is reported again the
// next time, and can be repaired.
func TestDamagedIsLetGo(t *testing.T) {
	path := filepath.Join(t.TempDir(), "memory.db")
	s := open(t, path)
	if err := s.Write(t.Context(), "key", "value"); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	sound, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	page, found := os.Getpagesize(), 0
	for at := 2 * page; at < len(sound); at += page { // after the pages with checksums
		path := filepath.Join(t.TempDir(), "damaged.db")
		damaged := slices.Concat(sound[:at], bytes.Repeat([]byte{0xff}, 16), sound[at+16:])
		if err := os.WriteFile(path, damaged, 0o600); err != nil {
			t.Fatal(err)
		}
		s, err := bolt.Open(path)
		switch {
		case err == nil: // the page was not in use
			_ = s.Close()
			continue
		case strings.Contains(err.Error(), "freelist"):
			continue // bbolt panics before it returns a database that could be closed
		}
		found++
		if s, again := bolt.Open(path); again == nil || again.Error() != err.Error() {
			t.Errorf("opened again: %v, %v; before: %v", s, again, err)
		}
	}
	if found == 0 {
		t.Error("no page was of use")
	}
}
