package tool_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/aiongen/aiongen/runtime/tool"
	"github.com/aiongen/aiongen/runtime/wire"
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
	if got, err := tool.ScopeValue[int](s, "a"); got != 1 || err != nil {
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
		`variable "nil": the value is nil`:                                                                                    s.Set("nil", nil),
		`variable "` + strings.Repeat("x", 64) + `…": ` + `a name has 1 to 64 letters, digits, hyphens, dots and underscores`: s.Set(strings.Repeat("x", 65), 1),
		`variable "a": there is no variable with this name`:                                                                   func() error { _, err := tool.ScopeValue[int](s, "a"); return err }(),
		`variable "b": its value has type int`:                                                                                func() error { _, err := tool.ScopeValue[string](s, "b"); return err }(),
	} {
		var bad *tool.ScopeError
		if !errors.As(err, &bad) || err.Error() != want || tool.Code(err) != "scope" || tool.Retryable(err) {
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
	if err := s.Set("more", 1); err == nil || err.Error() != `variable "more": the scope already has 1000 variables` {
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

// described has a description of itself.
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

// reentrant uses its scope in each of its methods.
type reentrant struct{ s *tool.Scope }

func (r reentrant) Describe() string { return strings.Join(r.s.Names(), " ") }
func (r reentrant) Close() error     { return errors.Join(r.s.Close(), r.s.Set("late", 1)) }

func TestScopeReentrant(t *testing.T) {
	s := tool.NewScope()
	for range 2 {
		if err := s.Set("x", reentrant{s}); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Close(); err == nil || err.Error() != `variable "late": the scope is closed` {
		t.Error(err)
	}
	if got := s.Names(); len(got) != 0 {
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

// manyCloser is a closer that cannot be compared.
type manyCloser []*closer

func (m manyCloser) Close() error { return m[0].Close() }

// TestScopeCloseOnce checks that a value is closed once, even if it is stored under several names.
func TestScopeCloseOnce(t *testing.T) {
	s := tool.NewScope()
	var closed []string
	one, two := &closer{"one", &closed, nil}, manyCloser{{"two", &closed, nil}}
	for _, name := range []string{"a", "b", "c"} {
		if err := errors.Join(s.Set(name, one), s.Set(name+"2", io.Closer(one))); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Set("d", two); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil || !slices.Equal(closed, []string{"two", "one"}) {
		t.Errorf("closed %q, %v", closed, err)
	}
}

// panics is a closer that panics.
type panics struct{}

func (panics) Close() error { panic("boom") }

// TestScopeClosePanic checks that all other closers are called, whatever one of them does.
func TestScopeClosePanic(t *testing.T) {
	s := tool.NewScope()
	var closed []string
	for name, value := range map[string]any{"a": closer{"a", &closed, nil}, "b": panics{}, "c": closer{"c", &closed, nil}} {
		if err := s.Set(name, value); err != nil {
			t.Fatal(err)
		}
	}
	err := s.Close()
	if slices.Sort(closed); !slices.Equal(closed, []string{"a", "c"}) {
		t.Errorf("closed %q", closed)
	}
	var bad *tool.ScopeError
	if !errors.As(err, &bad) || err.Error() != `variable "b": its method Close panicked: boom` {
		t.Error(err)
	}
}

// TestScopeClosed checks that a closed scope accepts nothing. A result that arrives too late is
// closed, as is one for which there is no space.
func TestScopeClosed(t *testing.T) {
	var closed []string
	held := &closer{"held", &closed, nil}
	for name, tt := range map[string]struct {
		value  io.Closer
		set    func(*tool.Scope) error
		err    string
		closed string
	}{
		"late":       {&closer{"late", &closed, nil}, (*tool.Scope).Close, `variable "closer_1": the scope is closed`, "late"},
		"late panic": {panics{}, (*tool.Scope).Close, `variable "closer_1": the scope is closed`, ""},
		"no room": {&closer{"more", &closed, nil}, func(s *tool.Scope) (err error) {
			for i := range 1000 {
				err = errors.Join(err, s.Set(fmt.Sprint("v", i), i))
			}
			return err
		}, `variable "closer_1": the scope already has 1000 variables`, "more"},
		"held": {held, func(s *tool.Scope) (err error) {
			for i := range 1000 {
				err = errors.Join(err, s.Set(fmt.Sprint("v", i), held))
			}
			return err
		}, `variable "closer_1": the scope already has 1000 variables`, ""},
	} {
		closed = nil
		s := tool.NewScope()
		r := tool.NewRegistry()
		r.Replace(tool.NewTypedTool(&tool.Definition{Name: "t"}, wire.NoArguments,
			func(context.Context, struct{}) (io.Closer, error) { return tt.value, tt.set(s) }, wire.EncodeRef).Tool.StoreResult("closer"))
		c := r.Call(tool.WithScope(t.Context(), s), tool.Request{Name: "t"})
		var bad *tool.ScopeError
		if !errors.As(c.Err, &bad) || bad.Error() != tt.err || strings.Join(closed, " ") != tt.closed {
			t.Errorf("%s: %v, closed %q", name, c.Err, closed)
		}
	}
}

// TestScopeNames checks that no result is stored under a name that is taken, even if it was intended
// for it.
func TestScopeNames(t *testing.T) {
	s := tool.NewScope()
	ctx := tool.WithScope(t.Context(), s)
	r := tool.NewRegistry()
	open := openTool("opened")
	r.Replace(open.Before(func(ctx context.Context, _ *struct{}) error {
		return s.Set("reader_"+tool.CallFrom(ctx).ID, "taken by "+tool.CallFrom(ctx).ID)
	}).Tool)
	var got []string
	for _, c := range r.CallAll(ctx, []tool.Request{{ID: "1", Name: "open"}, {ID: "2", Name: "open"}}, tool.Batch{Concurrent: 1}) {
		got = append(got, strings.Split(string(c.Output), `"`)[3])
	}
	if want := []string{"<<var:reader_3>>", "<<var:reader_4>>"}; !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
	for i, name := range []string{"reader_1", "reader_2"} {
		if x, err := tool.ScopeValue[string](s, name); err != nil || x != fmt.Sprint("taken by ", i+1) {
			t.Errorf("%s is %s, %v", name, x, err)
		}
	}
}

// TestScopeConcurrent uses a scope from many goroutines, for the race detector.
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
				if got, err := tool.ScopeValue[described](s, name); err == nil && string(got) != name {
					t.Errorf("got %s", got)
				}
				if got, err := decodeIn(s, `"<<var:`+name+`>>"`, wire.Value.Any); err == nil && got != described(name) {
					t.Errorf("got %v", got)
				}
				wire.Fits[io.Reader](s)
				s.Names()
				s.History(name)
				s.Delete(name)
			}
		})
	}
	wg.Wait()
	for range 8 {
		wg.Go(func() {
			_ = s.Set("late", described("late"))
			_ = s.Close()
			s.Names()
		})
	}
	wg.Wait()
	if got := s.Names(); len(got) != 0 {
		t.Errorf("got %q", got)
	}
}
