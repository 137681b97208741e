package callbook

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aiongen/aiongen/runtime/schema"
	"github.com/aiongen/aiongen/runtime/tool"
)

// newTestBook returns a book whose calls run f.
func newTestBook(t *testing.T, timeout time.Duration, f func(ctx context.Context, c *tool.Call)) *Book {
	t.Helper()
	b, err := New(func(ctx context.Context, r tool.Request) *tool.Call {
		c := &tool.Call{ID: r.ID, Request: r, Arguments: r.Arguments, Status: tool.StatusCompleted}
		f(ctx, c)
		return c
	}, timeout, "")
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// start starts a call and waits for its end.
func start(t *testing.T, b *Book, r tool.Request) *Entry {
	t.Helper()
	e, err := b.Start(r)
	if err != nil {
		t.Fatal(err)
	}
	<-e.Done()
	return e
}

func Example() {
	registry := tool.NewRegistry()
	book, err := New(registry.Call, time.Minute, "")
	if err != nil {
		fmt.Println(err)
		return
	}
	entry, err := book.Start(tool.Request{Name: "find"})
	if err != nil {
		fmt.Println(err)
		return
	}
	<-entry.Done()
	fmt.Println(entry.ID, entry.Outcome().Err)
	// Output:
	// 1 unknown tool "find"
}

func TestLimits(t *testing.T) {
	release := make(chan struct{})
	b := newTestBook(t, time.Minute, func(_ context.Context, c *tool.Call) {
		if c.Request.Name == "wait" {
			<-release
		}
		c.Output = json.RawMessage(`"` + strings.Repeat("x", len(c.Request.Arguments)) + `"`)
	})
	var running []*Entry
	for range maxRunning {
		e, err := b.Start(tool.Request{Name: "wait"})
		if err != nil {
			t.Fatal(err)
		}
		running = append(running, e)
	}
	if _, err := b.Start(tool.Request{Name: "wait"}); err == nil || !strings.Contains(err.Error(), "8 calls are running") {
		t.Errorf("too many calls: %v", err)
	}
	close(release)
	for _, e := range running {
		<-e.Done()
	}
	for range maxEntries {
		start(t, b, tool.Request{Name: "find"})
	}
	if n := len(b.entries); n > maxEntries || b.Find(1) != nil || len(b.Recent("find", 10)) != 10 || b.Recent("find", 1)[0].ID != maxRunning+maxEntries {
		t.Errorf("%d calls are remembered", n)
	}
	large := tool.Request{Name: "large", Arguments: json.RawMessage(strings.Repeat("1", maxBytes/10))}
	for range 10 {
		start(t, b, large)
	}
	if n := len(b.entries); n > 5 || n == 0 {
		t.Errorf("%d large calls are remembered", n)
	}
}

// TestEndings checks that calls end, whatever their function does.
func TestEndings(t *testing.T) {
	for name, f := range map[string]func(context.Context, *tool.Call){
		"the call panicked: oh":        func(context.Context, *tool.Call) { panic("oh") },
		"the function ended its gorou": func(context.Context, *tool.Call) { runtime.Goexit() },
		"context deadline exceeded":    func(ctx context.Context, c *tool.Call) { <-ctx.Done(); c.Status, c.Err = tool.StatusFailed, ctx.Err() },
	} {
		b := newTestBook(t, time.Millisecond, f)
		c := start(t, b, tool.Request{Name: "find"}).Outcome()
		if c.Status != tool.StatusFailed || c.Err == nil || !strings.HasPrefix(c.Err.Error(), name) {
			t.Errorf("%s: %s %v", name, c.Status, c.Err)
		}
		if b.running != 0 {
			t.Errorf("%s: %d calls are running", name, b.running)
		}
	}
	b := newTestBook(t, time.Minute, func(ctx context.Context, c *tool.Call) {
		<-ctx.Done()
		c.Status, c.Err = tool.StatusCancelled, ctx.Err()
	})
	e, err := b.Start(tool.Request{Name: "find"})
	if err != nil || e.Outcome() != nil {
		t.Fatal(err, "it has ended")
	}
	e.Cancel()
	<-e.Done()
	if e.Outcome().Status != tool.StatusCancelled {
		t.Error(e.Outcome().Status)
	}
}

// TestExchange checks what functions see of the page: messages, questions, variables.
func TestExchange(t *testing.T) {
	registry := tool.NewRegistry()
	ask, err := schema.Dynamic(tool.Definition{Name: "ask", Description: "Asks."}, func(ctx context.Context, _ json.RawMessage) (json.RawMessage, error) {
		x := tool.ExchangeFrom(ctx)
		x.Progress(1, 2, "one")
		x.Progress(3, 0, "")
		x.Log(0, strings.Repeat("x", 2*maxMessage))
		for range maxMessages {
			x.Log(0, "more")
		}
		if err := tool.ScopeFrom(ctx).Set("client", x.Caller().Client); err != nil {
			return nil, err
		}
		_, err := x.Ask(ctx, tool.AskPerson("Really?", nil))
		return nil, err
	})
	if err == nil {
		err = registry.Register(ask)
	}
	if err != nil {
		t.Fatal(err)
	}
	b, err := New(registry.Call, time.Minute, "")
	if err != nil {
		t.Fatal(err)
	}
	e := start(t, b, tool.Request{Name: "ask"})
	messages, dropped := e.Messages()
	if len(messages) != maxMessages || dropped != 3 || messages[0].Text != "1 of 2 one" || messages[1].Text != "3" || len(messages[2].Text) != maxMessage+len("…") {
		t.Errorf("%d messages, %d dropped: %q, %d bytes", len(messages), dropped, messages[1].Text, len(messages[2].Text))
	}
	if question, ok := errors.AsType[*tool.AskError](e.Outcome().Err); !ok || question.Nobody || len(question.Questions) != 1 {
		t.Errorf("the error is %v", e.Outcome().Err)
	}
	if v := b.Variables(); len(v) != 1 || v[0] != "client" {
		t.Errorf("variables %q", v)
	}
}

func TestSave(t *testing.T) {
	path := filepath.Join(t.TempDir(), "saved.json")
	open := func() *Book {
		b, err := New(nil, 0, path)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	b := open()
	for _, name := range []string{"b", " a ", "b", strings.Repeat("x", maxSavedName)} {
		if err := b.Save(name, tool.Request{ID: "1", Name: "find", Arguments: json.RawMessage(`{not JSON`), Approval: "yes", Meta: map[string]string{"k": "v"}}); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"", " ", strings.Repeat("x", maxSavedName+1)} {
		if b.Save(name, tool.Request{Name: "find"}) == nil {
			t.Errorf("the name %q is accepted", name)
		}
	}
	if b.Save("long", tool.Request{Arguments: make([]byte, maxSavedCall+1)}) == nil {
		t.Error("long arguments are accepted")
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm()&0o77 != 0 && runtime.GOOS != "windows" {
		t.Errorf("the file can be read by others: %v %v", info.Mode(), err)
	}
	b = open()
	saved := b.Saved("find")
	if len(saved) != 3 || saved[0].Name != "a" || string(saved[0].Request.Arguments) != "{not JSON" || saved[0].Request.Approval != "" || saved[0].Request.Meta != nil || len(b.Saved("other")) != 0 {
		t.Errorf("saved %+v", saved)
	}
	if err := errors.Join(b.Delete("find", "a"), b.Delete("find", "unknown"), b.Delete("other", "b")); err != nil {
		t.Fatal(err)
	}
	if saved = open().Saved("find"); len(saved) != 2 || saved[0].Name != "b" {
		t.Errorf("after the deletion: %+v", saved)
	}
	link := filepath.Join(t.TempDir(), "link.json")
	if err := os.Symlink(path, link); err == nil { // Windows may not allow it
		linked, err := New(nil, 0, link)
		if err != nil || linked.Delete("find", "b") != nil || len(open().Saved("find")) != 1 {
			t.Errorf("the file behind a symbolic link is unchanged: %v", err)
		}
	}
	for i := len(saved); i < maxSaved; i++ {
		b.saved.all = append(b.saved.all, SavedCall{Name: fmt.Sprintf("x%03d", i), Request: tool.Request{Name: "find"}})
	}
	if b.Save("one more", tool.Request{Name: "find"}) == nil || b.Save("b", tool.Request{Name: "find"}) != nil {
		t.Error("the number of saved calls is not limited, or they cannot be replaced")
	}
	if leftover, _ := filepath.Glob(filepath.Join(filepath.Dir(path), ".saved-*")); leftover != nil {
		t.Errorf("files are left: %v", leftover)
	}
	if err := os.Truncate(path, 0); err != nil {
		t.Fatal(err)
	}
	if saved = open().Saved("find"); len(saved) != 0 {
		t.Errorf("an empty file has %+v", saved)
	}
	if err := os.WriteFile(path, []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := New(nil, 0, path); err == nil || !strings.Contains(err.Error(), "saved.json") {
		t.Errorf("a broken file: %v", err)
	}
	if _, err := New(nil, 0, t.TempDir()); err == nil {
		t.Error("a folder is accepted")
	}
}

// TestConcurrentUse is for the race detector.
func TestConcurrentUse(t *testing.T) {
	b := newTestBook(t, time.Minute, func(_ context.Context, c *tool.Call) {})
	var users sync.WaitGroup
	for i := range 8 {
		users.Go(func() {
			for range 30 {
				e, err := b.Start(tool.Request{Name: "find"})
				if err != nil {
					continue
				}
				e.Messages()
				b.Recent("find", 3)
				b.Find(e.ID)
				_ = b.Save(fmt.Sprint(i), e.Request)
				b.Saved("find")
				e.Cancel()
				<-e.Done()
			}
		})
	}
	users.Wait()
}
