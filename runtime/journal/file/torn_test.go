package file

import (
	"bufio"
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

// texts returns what the entries of a run say, in one word.
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

// sample returns a journal of three appends, the file of it, and how long that was
// after each.
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
		if content, err = os.ReadFile(j.path("r")); err != nil {
			t.Fatal(err)
		}
		lengths = append(lengths, len(content))
	}
	return j, content, lengths
}

// TestTorn cuts a file at every byte, as a process that is killed leaves it, and
// fills the rest with zeros, as a machine that fails may.
func TestTorn(t *testing.T) {
	j, content, lengths := sample(t)
	want := []struct {
		text    string
		entries int
	}{{"", 0}, {"a", 1}, {"abd", 4}, {"abde", 5}}
	for cut := range len(content) + 1 {
		whole := 0
		for whole < len(lengths) && lengths[whole] <= cut {
			whole++
		}
		torn := content[:cut]
		for kind, left := range [][]byte{torn, append(bytes.Clone(torn), make([]byte, 40)...), append(bytes.Clone(torn), "\x00\n\n{}\n=1 "...)} {
			if err := os.WriteFile(j.path("r"), left, 0o600); err != nil {
				t.Fatal(err)
			}
			got, err := texts(j, "r")
			if _, gone := errors.AsType[*journal.Gone](err); gone != (whole == 0) || err != nil && !gone || got != want[whole].text {
				t.Fatalf("of %d bytes and %q there is %q, %v; want %q", cut, left[cut:], got, err, want[whole].text)
			}
			if cut%3 != kind { // appends are slow
				continue
			}
			if err := j.Append(t.Context(), "r", want[whole].entries, note("z")); err != nil {
				t.Fatalf("of %d bytes: %v", cut, err)
			}
			if got, err := texts(j, "r"); err != nil || got != want[whole].text+"z" {
				t.Fatalf("of %d bytes there is then %q, %v", cut, got, err)
			}
		}
	}
}

// TestDamaged changes every byte in turn: what is wrong at the end was never
// acknowledged, and elsewhere is an error.
func TestDamaged(t *testing.T) {
	j, content, lengths := sample(t)
	for i := range content {
		damaged := bytes.Clone(content)
		damaged[i] ^= 1
		if err := os.WriteFile(j.path("r"), damaged, 0o600); err != nil {
			t.Fatal(err)
		}
		got, err := texts(j, "r")
		var e *journal.Error
		switch {
		case i >= lengths[1] && (got != "abd" || err != nil) && !(errors.As(err, &e) && strings.Contains(err.Error(), "newer")):
			t.Errorf("byte %d of the last entry: %q, %v", i, got, err)
		case i < lengths[1] && (!errors.As(err, &e) || e.Kind != journal.Corrupt) && (err == nil || !strings.Contains(err.Error(), "newer")):
			t.Errorf("byte %d of %d: %q, %v", i, lengths[1], got, err)
		}
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
		if err := os.WriteFile(j.path("r"), state, 0o600); err != nil {
			t.Fatal(err)
		}
		got, err := texts(j, "r")
		if gone, ok := errors.AsType[*journal.Gone](err); i >= len(tombstone) && (!ok || !gone.Deleted) || i < len(tombstone) && got != "abde" {
			t.Errorf("in state %d there is %q, %v", i, got, err)
		}
		if err := j.Delete(t.Context(), "r"); err != nil {
			t.Errorf("in state %d: %v", i, err)
		}
		if left, err := os.ReadFile(j.path("r")); err != nil || string(left) != tombstone {
			t.Errorf("in state %d there is left %q, %v", i, left, err)
		}
	}
}

func TestForeign(t *testing.T) {
	j, content, _ := sample(t)
	for name, test := range map[string]struct{ content, want string }{
		"of a newer version": {strings.ReplaceAll(string(content), "\n=1 ", "\n=2 "), "the file was written by a newer version"},
		"of another run":     {string(content), `is the file of the run "r"`},
	} {
		if err := os.WriteFile(j.path("s"), []byte(test.content), 0o600); err != nil {
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
		if left, err := os.ReadFile(j.path("s")); err != nil || string(left) != test.content {
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
	for path, want := range map[string]os.FileMode{folder: os.ModeDir | 0o700, j.path("r"): 0o600} {
		info, err := os.Stat(path)
		if err != nil || info.Mode() != want {
			t.Errorf("%s has the mode %v, %v; want %v", path, info.Mode(), err, want)
		}
	}
	if _, err := Open(j.path("r")); err == nil {
		t.Error("a file is opened as a folder")
	}
}

// TestHeld: who waits for a run that somebody else holds heeds the context.
func TestHeld(t *testing.T) {
	j, _, _ := sample(t)
	held, err := os.OpenFile(j.path("r"), os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer held.Close()
	if err := lock(t.Context(), held); err != nil {
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

// fill puts runs into a folder, without the care of Append.
func fill(tb testing.TB, j *Journal, runs int) {
	tb.Helper()
	for i := range runs {
		run := fmt.Sprintf("run-%06d", i)
		e := note(strings.Repeat("some text ", 20))
		e.Time, e.Status = e.Time.Add(time.Duration(i)*time.Second), []string{"completed", "running", "waiting"}[i%3]
		var b bytes.Buffer
		w := bufio.NewWriter(&b)
		for n := range 2 {
			e.N = n
			if err := writeEntry(w, head{Entry: e, Run: run, Of: 1}); err != nil {
				tb.Fatal(err)
			}
		}
		w.Flush()
		if err := os.WriteFile(j.path(run), b.Bytes(), 0o600); err != nil {
			tb.Fatal(err)
		}
	}
}

// BenchmarkRuns lists the newest 20 that wait, of 100,000 runs.
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
