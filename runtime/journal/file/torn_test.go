package file

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/aiongen/aiongen/runtime/journal"
)

func note(text string) journal.Entry {
	return journal.Entry{Kind: "note", By: "a", Time: time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC), Data: []byte(`"` + text + `"`)}
}

// texts returns the contents of a run's entries, each a word.
func texts(j *Journal, run string) (string, error) {
	var all []string
	for e, err := range j.Read(context.Background(), run, 0) {
		if err != nil {
			return "", err
		}
		if e.N != len(all) {
			return "", fmt.Errorf("entry %d has the number %d", len(all), e.N)
		}
		all = append(all, strings.Trim(string(e.Data), `"`))
	}
	return strings.Join(all, ""), nil
}

// sample returns a journal with three appends, its file, and the length of the file after each append.
func sample(t *testing.T) (j *Journal, content []byte, lengths []int) {
	t.Helper()
	j, err := Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, batch := range [][]journal.Entry{{note("a")}, {note("b"), {By: "a"}, note("d")}, {note("e")}} {
		if err := j.Append(t.Context(), "r", n, batch...); err != nil {
			t.Fatal(err)
		}
		n += len(batch)
		if content, err = os.ReadFile(j.runPath("r")); err != nil {
			t.Fatal(err)
		}
		lengths = append(lengths, len(content))
	}
	return j, content, lengths
}

// isCorrupt reports whether an error reports a damaged file and names the byte.
func isCorrupt(err error) bool {
	e, ok := errors.AsType[*journal.Error](err)
	return ok && e.Code() == journal.Corrupt && !e.Retryable() && strings.Contains(err.Error(), "byte ")
}

// TestTorn cuts files at every byte of their last append, as if the process had been killed, and fills
// the rest with zeros, as if the machine had failed.
func TestTorn(t *testing.T) {
	j, content, lengths := sample(t)
	want := []struct {
		text    string
		entries int
	}{{"a", 1}, {"abd", 4}, {"abde", 5}}
	for cut := lengths[0]; cut <= len(content); cut++ {
		i := 0
		for i+1 < len(lengths) && lengths[i+1] <= cut {
			i++
		}
		torn := content[:cut]
		next := len(content)
		if i+1 < len(lengths) {
			next = lengths[i+1]
		}
		for kind, left := range [][]byte{torn, append(bytes.Clone(torn), make([]byte, next-cut)...), append(bytes.Clone(torn), make([]byte, 9000)...)} {
			if err := os.WriteFile(j.runPath("r"), left, 0o600); err != nil {
				t.Fatal(err)
			}
			if got, err := texts(j, "r"); err != nil || got != want[i].text {
				t.Fatalf("cut at %d, kind %d: got %q, %v; want %q", cut, kind, got, err, want[i].text)
			}
			if cut%3 != kind { // appends are slow
				continue
			}
			if err := j.Append(t.Context(), "r", want[i].entries, note("z")); err != nil {
				t.Fatalf("cut at %d, kind %d: %v", cut, kind, err)
			}
			if got, err := texts(j, "r"); err != nil || got != want[i].text+"z" {
				t.Fatalf("cut at %d, kind %d, after an append: got %q, %v", cut, kind, got, err)
			}
		}
	}
}

// TestCutFirst cuts a file in its first append, which must appear completely or not at all. Its ID
// stays taken.
func TestCutFirst(t *testing.T) {
	j, content, lengths := sample(t)
	for cut := range lengths[0] {
		for _, left := range [][]byte{content[:cut], append(bytes.Clone(content[:cut]), make([]byte, lengths[0]-cut)...)} {
			if err := os.WriteFile(j.runPath("r"), left, 0o600); err != nil {
				t.Fatal(err)
			}
			if _, err := texts(j, "r"); !isCorrupt(err) {
				t.Fatalf("cut at %d: Read returns %v", cut, err)
			}
			err := j.Append(t.Context(), "r", 0, note("z"))
			if taken, ok := errors.AsType[*journal.ConflictError](err); !ok || taken.Run != "r" || !isCorrupt(err) {
				t.Fatalf("cut at %d: Append returns %v", cut, err)
			}
			if got, err := os.ReadFile(j.runPath("r")); err != nil || !bytes.Equal(got, left) {
				t.Fatalf("cut at %d: the file was changed, %v", cut, err)
			}
		}
	}
}

// version1 returns a journal with files in version 1 of the format, with the content of the file of
// the run "r" and its length after each append.
func version1(t *testing.T) (j *Journal, content []byte, lengths []int) {
	t.Helper()
	j, err := Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(j.folder, os.DirFS("testdata/version1")); err != nil {
		t.Fatal(err)
	}
	if content, err = os.ReadFile(j.runPath("r")); err != nil {
		t.Fatal(err)
	}
	for i := range content {
		if bytes.HasSuffix(content[:i+1], []byte("}\n")) {
			lengths = append(lengths, i+1)
		}
	}
	return j, content, []int{lengths[0], lengths[3], lengths[4]}
}

// TestVersion1 reads files of version 1, cuts their last append at every byte, and
// appends to them.
func TestVersion1(t *testing.T) {
	j, content, lengths := version1(t)
	if _, err := texts(j, "deleted"); !isDeleted(err) {
		t.Errorf("a deleted run: %v", err)
	}
	for cut := lengths[1]; cut <= len(content); cut++ {
		for _, zeros := range []int{0, 1, 300} {
			if err := os.WriteFile(j.runPath("r"), append(bytes.Clone(content[:cut]), make([]byte, zeros)...), 0o600); err != nil {
				t.Fatal(err)
			}
			want, n := "abd", 4
			if cut == len(content) {
				want, n = "abde", 5
			}
			if got, err := texts(j, "r"); err != nil || got != want {
				t.Fatalf("cut at %d: got %q, %v; want %q", cut, got, err, want)
			}
			if err := errors.Join(j.Append(t.Context(), "r", n, note("y"), note("z")), j.Append(t.Context(), "r", n+2, note("!"))); err != nil {
				t.Fatal(err)
			}
			if got, err := texts(j, "r"); err != nil || got != want+"yz!" {
				t.Fatalf("cut at %d, after appends: got %q, %v", cut, got, err)
			}
		}
	}
}

func isDeleted(err error) bool {
	gone, ok := errors.AsType[*journal.NotFoundError](err)
	return ok && gone.Deleted
}

// TestFlipped flips a bit of every byte of files of both versions, and every bit of their last append.
// Each flip must be reported.
func TestFlipped(t *testing.T) {
	for name, files := range map[string]func(*testing.T) (*Journal, []byte, []int){"version 1": version1, "version 2": sample, "both": func(t *testing.T) (*Journal, []byte, []int) {
		j, _, lengths := version1(t)
		err := errors.Join(j.Append(t.Context(), "r", 5, note("y"), note("z")), j.Append(t.Context(), "r", 7, note("!")))
		content, failure := os.ReadFile(j.runPath("r"))
		if err := errors.Join(err, failure); err != nil {
			t.Fatal(err)
		}
		return j, content, lengths
	}} {
		t.Run(name, func(t *testing.T) {
			j, content, lengths := files(t)
			for i := range 8 * len(content) {
				if (testing.Short() || i/8 < lengths[1]) && i/8%8 != i%8 {
					continue
				}
				damaged := bytes.Clone(content)
				damaged[i/8] ^= 1 << (i % 8)
				if err := os.WriteFile(j.runPath("r"), damaged, 0o600); err != nil {
					t.Fatal(err)
				}
				if got, err := texts(j, "r"); !isCorrupt(err) {
					t.Errorf("bit %d of byte %d, %q: got %q, %v", i%8, i/8, damaged[max(i/8-20, 0):min(i/8+20, len(damaged))], got, err)
				}
			}
		})
	}
}

// TestDamaged damages files in several ways at every byte. Each damage must be reported, except the
// loss of the end.
func TestDamaged(t *testing.T) {
	j, content, _ := sample(t)
	n := len(content)
	for kind, damage := range map[string]func(b []byte, at int) []byte{
		"bytes overwritten": func(b []byte, at int) []byte {
			return append(append(b[:at:at], bytes.Repeat([]byte("X"), min(16, n-at))...), b[min(at+16, n):]...)
		},
		"bytes removed": func(b []byte, at int) []byte {
			if at+16 >= n {
				return nil // a file that ends early
			}
			return append(b[:at:at], b[at+16:]...)
		},
		"bytes inserted":   func(b []byte, at int) []byte { return append(append(b[:at:at], "{}\n"...), b[at:]...) },
		"bytes repeated":   func(b []byte, at int) []byte { return append(b[:min(at+40, n):min(at+40, n)], b[at:]...) },
		"a zero":           func(b []byte, at int) []byte { b[at] = 0; return b },
		"two flipped bits": func(b []byte, at int) []byte { b[at] ^= 4; b[(at+n/2)%n] ^= 2; return b },
		"garbage appended": func(b []byte, at int) []byte { return append(b, b[at:min(at+20, n)]...) },
	} {
		t.Run(kind, func(t *testing.T) {
			for at := range n {
				if testing.Short() && at%4 > 0 {
					continue
				}
				damaged := damage(bytes.Clone(content), at)
				if damaged == nil || bytes.HasSuffix(damaged, []byte{0}) || bytes.HasPrefix(content, damaged) {
					continue
				}
				if err := os.WriteFile(j.runPath("r"), damaged, 0o600); err != nil {
					t.Fatal(err)
				}
				got, err := texts(j, "r")
				if isCorrupt(err) {
					continue
				}
				rest, extends := bytes.CutPrefix(damaged, content)
				if !extends || !beginsHeader(rest) || got != "abde" {
					t.Errorf("at byte %d: got %q, %v", at, got, err)
				}
			}
		})
	}
}

// TestDamagedRun checks that a damaged run does not affect the other runs in the folder, and can be
// deleted.
func TestDamagedRun(t *testing.T) {
	j, content, _ := sample(t)
	if err := j.Append(t.Context(), "s", 0, note("s")); err != nil {
		t.Fatal(err)
	}
	content[10] ^= 1
	content[len(content)-3] ^= 1
	if err := os.WriteFile(j.runPath("r"), content, 0o600); err != nil {
		t.Fatal(err)
	}
	var runs []string
	var last error
	for info, err := range j.Runs(t.Context(), journal.Filter{}) {
		if last = err; err == nil {
			runs = append(runs, info.Run)
		}
	}
	if len(runs) != 1 || runs[0] != "s" || !isCorrupt(last) {
		t.Errorf("got the runs %q, %v", runs, last)
	}
	if err := j.Delete(t.Context(), "r"); err != nil {
		t.Error(err)
	}
	if err := j.Append(t.Context(), "r", 0, note("a")); !isDeleted(err) {
		t.Errorf("an append to a deleted run: %v", err)
	}
}

// TestDeleting stops a deletion after each byte that it writes.
func TestDeleting(t *testing.T) {
	j, content, _ := sample(t)
	var states [][]byte
	for i := range len(tombstone) + 1 {
		states = append(states, append(bytes.Clone(content), tombstone[:i]...))
	}
	for i := 1; i <= len(tombstone); i++ {
		states = append(states, append([]byte(tombstone[:i]), states[len(tombstone)][i:]...))
	}
	states = append(states, []byte(tombstone))
	for i, state := range states {
		if err := os.WriteFile(j.runPath("r"), state, 0o600); err != nil {
			t.Fatal(err)
		}
		got, err := texts(j, "r")
		if i >= len(tombstone) && !isDeleted(err) || i < len(tombstone) && got != "abde" {
			t.Errorf("in state %d there is %q, %v", i, got, err)
		}
		if err := j.Delete(t.Context(), "r"); err != nil {
			t.Errorf("in state %d: %v", i, err)
		}
		if left, err := os.ReadFile(j.runPath("r")); err != nil || string(left) != tombstone {
			t.Errorf("in state %d there is left %q, %v", i, left, err)
		}
	}
}

func TestForeign(t *testing.T) {
	j, content, _ := sample(t)
	text := []byte(`{"n":0,"more":1}`)
	newer := fmt.Appendf(nil, "something else\n=3 %08x %s\n", versionSum(3, text), text)
	for name, test := range map[string]struct{ content, want string }{
		"of a newer version": {string(newer), "a newer version of this program wrote the file, in format 3"},
		"of another run":     {string(content), `is the file of the run "r"`},
	} {
		if err := os.WriteFile(j.runPath("s"), []byte(test.content), 0o600); err != nil {
			t.Fatal(err)
		}
		for what, err := range map[string]error{
			"Append": j.Append(t.Context(), "s", 5, note("x")), "Append of the first": j.Append(t.Context(), "s", 0, note("x")),
			"Read": func() error { _, err := texts(j, "s"); return err }(),
		} {
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("%s to a file %s: %v", what, name, err)
			}
		}
		if left, err := os.ReadFile(j.runPath("s")); err != nil || string(left) != test.content {
			t.Errorf("the file %s was changed", name)
		}
	}
}

func TestModes(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "a", "b")
	j, err := Open(folder)
	if err != nil {
		t.Fatal(err)
	}
	if err := j.Append(t.Context(), "r", 0, note("a")); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]os.FileMode{folder: os.ModeDir | 0o700, j.runPath("r"): 0o600} {
		info, err := os.Stat(path)
		if err != nil || info.Mode() != want {
			t.Errorf("%s has the mode %v, %v; want %v", path, info.Mode(), err, want)
		}
	}
	for _, path := range []string{j.runPath("r"), filepath.Join(j.runPath("r"), "a")} {
		if _, err := Open(path); err == nil {
			t.Errorf("%s is opened as a folder", path)
		}
	}
}

// TestHeld checks that waiting for a run that another process holds ends with the context.
func TestHeld(t *testing.T) {
	j, _, _ := sample(t)
	held, err := os.OpenFile(j.runPath("r"), os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer held.Close()
	if err := lockFile(t.Context(), held); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer stop()
	err = j.Append(ctx, "r", 5, note("f"))
	if e, ok := errors.AsType[*journal.Error](err); !ok || !e.Retryable() || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("an append to a run that is held: %v", err)
	}
	if err := j.Append(t.Context(), "s", 0, note("a")); err != nil {
		t.Errorf("another run is held, too: %v", err)
	}
	if got, err := texts(j, "r"); got != "abde" || err != nil {
		t.Errorf("a run that is held cannot be read: %q, %v", got, err)
	}
}

// fill writes runs to a folder directly, without Append.
func fill(tb testing.TB, j *Journal, runs int) {
	tb.Helper()
	for i := range runs {
		run := fmt.Sprintf("run-%06d", i)
		e := note(strings.Repeat("some text ", 20))
		e.Time, e.Status = e.Time.Add(time.Duration(i)*time.Second), []string{"completed", "running", "waiting"}[i%3]
		var b []byte
		for n := range 2 {
			e.N = n
			line, err := formatHead(head{Entry: e, Run: run, Of: 1})
			if err != nil {
				tb.Fatal(err)
			}
			b = append(b, formatHeader(int64(len(e.Data)+1+len(line)))...)
			b = append(append(append(b, e.Data...), '\n'), line...)
		}
		if err := os.WriteFile(j.runPath(run), b, 0o600); err != nil {
			tb.Fatal(err)
		}
	}
}

// BenchmarkRuns lists the newest 20 waiting runs of 100,000.
func BenchmarkRuns(b *testing.B) {
	j, err := Open(b.TempDir())
	if err != nil {
		b.Fatal(err)
	}
	fill(b, j, 100_000)
	for b.Loop() {
		count := 0
		for info, err := range j.Runs(b.Context(), journal.Filter{Status: []string{"waiting"}, Limit: 20}) {
			if err != nil || info.Status != "waiting" || count == 0 && info.Run != "run-099998" {
				b.Fatal(info, err)
			}
			count++
		}
		if count != 20 {
			b.Fatal(count)
		}
	}
}
