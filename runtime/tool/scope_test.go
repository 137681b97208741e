package tool_test

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/aiongen/aiongen/runtime/tool"
)

func TestScope(t *testing.T) {
	s := tool.NewScope()
	for _, name := range []string{"b", "a", "A-z_0.9", strings.Repeat("x", 64)} {
		if err := s.Set(name, 1); err != nil {
			t.Error(err)
		}
	}
	if got, want := s.Names(), []string{"A-z_0.9", "a", "b", strings.Repeat("x", 64)}; !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
	if got, err := tool.Get[int](s, "a"); got != 1 || err != nil {
		t.Errorf("got %d, %v", got, err)
	}
	s.Delete("a")
	s.Delete("a")
	if got := s.Names(); slices.Contains(got, "a") {
		t.Errorf("got %q", got)
	}

	for want, err := range map[string]error{
		`a name has 1 to 64 letters, digits, hyphens, dots and underscores`:                                                   s.Set("", 1),
		`variable "a b": a name has 1 to 64 letters, digits, hyphens, dots and underscores`:                                   s.Set("a b", 1),
		`variable "é": a name has 1 to 64 letters, digits, hyphens, dots and underscores`:                                     s.Set("é", 1),
		`variable "a>>": a name has 1 to 64 letters, digits, hyphens, dots and underscores`:                                   s.Set("a>>", 1),
		`variable "a\n": a name has 1 to 64 letters, digits, hyphens, dots and underscores`:                                   s.Set("a\n", 1),
		`variable "nil": nil is no value`:                                                                                     s.Set("nil", nil),
		`variable "` + strings.Repeat("x", 64) + `…": ` + `a name has 1 to 64 letters, digits, hyphens, dots and underscores`: s.Set(strings.Repeat("x", 65), 1),
		`variable "a": there is none of this name`:                                                                            func() error { _, err := tool.Get[int](s, "a"); return err }(),
		`variable "b": it is of type int`:                                                                                     func() error { _, err := tool.Get[string](s, "b"); return err }(),
	} {
		var bad *tool.ScopeError
		if !errors.As(err, &bad) || err.Error() != want || bad.Code() != "scope" || bad.Retryable() {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

func TestScopeLimit(t *testing.T) {
	s := tool.NewScope()
	for i := range 1000 {
		if err := s.Set(fmt.Sprint("v", i), i); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Set("more", 1); err == nil || err.Error() != `variable "more": the scope holds 1000 variables already` {
		t.Error(err)
	}
	if err := s.Set("v7", "replaced"); err != nil {
		t.Error(err)
	}
	s.Delete("v0")
	if err := s.Set("more", 1); err != nil {
		t.Error(err)
	}
}

// described says something of itself.
type described string

func (d described) Describe() string { return string(d) }

func TestScopeHistory(t *testing.T) {
	s := tool.NewScope()
	for _, value := range []any{described("first"), 2, described(strings.Repeat("é", 301)), described("last")} {
		if err := s.Set("x", value); err != nil {
			t.Fatal(err)
		}
	}
	want := []string{"first", "", strings.Repeat("é", 300)}
	if got := s.History("x"); !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
	s.History("x")[0] = "changed"
	if got := s.History("x"); !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
	if got := s.History("y"); got != nil {
		t.Errorf("got %q", got)
	}
	for i := range 200 {
		if err := s.Set("x", described(fmt.Sprint(i))); err != nil {
			t.Fatal(err)
		}
	}
	if got := s.History("x"); len(got) != 100 || got[0] != "99" || got[99] != "198" {
		t.Errorf("got %d: %q", len(got), got)
	}
}

// reentrant uses its scope wherever it is asked for something.
type reentrant struct{ s *tool.Scope }

func (r reentrant) Describe() string { return strings.Join(r.s.Names(), " ") }
func (r reentrant) Close() error     { return r.s.Set("late", 1) }

func TestScopeReentrant(t *testing.T) {
	s := tool.NewScope()
	for range 2 {
		if err := s.Set("x", reentrant{s}); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if got := s.Names(); !slices.Equal(got, []string{"late"}) {
		t.Errorf("got %q", got)
	}
}

type closer struct {
	name   string
	closed *[]string
	err    error
}

func (c closer) Close() error {
	*c.closed = append(*c.closed, c.name)
	return c.err
}

func TestScopeClose(t *testing.T) {
	s := tool.NewScope()
	var closed []string
	one, two := errors.New("one"), errors.New("two")
	for _, v := range []struct {
		name  string
		value any
	}{
		{"a", closer{"a was replaced", &closed, one}},
		{"b", closer{"b", &closed, two}},
		{"c", "no closer"},
		{"d", closer{"d was deleted", &closed, one}},
		{"e", io.Closer(closer{"e", &closed, nil})},
		{"a", closer{"a", &closed, one}},
	} {
		if err := s.Set(v.name, v.value); err != nil {
			t.Fatal(err)
		}
	}
	s.Delete("d")
	err := s.Close()
	if !slices.Equal(closed, []string{"a", "e", "b"}) {
		t.Errorf("closed %q", closed)
	}
	if !errors.Is(err, one) || !errors.Is(err, two) {
		t.Errorf("got %v", err)
	}
	if got := s.Names(); len(got) != 0 || s.Close() != nil {
		t.Errorf("got %q", got)
	}
}

// TestScopeConcurrent uses a scope from many goroutines; see the race detector.
func TestScopeConcurrent(t *testing.T) {
	s := tool.NewScope(tool.ReferToValues())
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			name := fmt.Sprint("v", i%4)
			for range 100 {
				if err := s.Set(name, described(name)); err != nil {
					t.Error(err)
				}
				if got, err := tool.Get[described](s, name); err == nil && string(got) != name {
					t.Errorf("got %s", got)
				}
				if got, err := decodeIn(s, `"<<var:`+name+`>>"`, tool.Value.Any); err == nil && got != described(name) {
					t.Errorf("got %v", got)
				}
				tool.Holds[io.Reader](s)
				s.Names()
				s.History(name)
				s.Delete(name)
				if i == 0 {
					_ = s.Close()
				}
			}
		})
	}
	wg.Wait()
}
