package scaffold_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen"
	"github.com/aiongen/aiongen/gen/internal/scaffold"
)

// storeSource has functions whose results are got by another call.
const storeSource = `// Package store is a client.
package store

import (
	"context"
	"time"
)

// Client is a client.
type Client struct {
	Topics *Topics
	c      chan int
}

// StringCmd is a command.
type StringCmd struct{ done chan string }

// Result returns the content.
func (c *StringCmd) Result() (string, error) { return "", nil }

// Bytes returns the content.
func (c *StringCmd) Bytes() ([]byte, error) { return nil, nil }

// Get reads a key.
func (c *Client) Get(ctx context.Context, key string) *StringCmd { return nil }

// Set sets a key for a time.
func (c *Client) Set(ctx context.Context, key string, value any, expiration time.Duration) *StringCmd { return nil }

// Del deletes keys.
func (c *Client) Del(ctx context.Context, keys ...string) *StringCmd { return nil }

// Tree is an argument.
type Tree map[string]Node

// Node is a part of an argument.
type Node struct{ Name string }

// Plant plants trees.
func (c *Client) Plant(ctx context.Context, trees Tree) *StringCmd { return nil }

// Topics are topics.
type Topics struct{ c chan int }

// Message is a message.
type Message struct{ Text string }

// PublishResult is a future.
type PublishResult struct{ done chan int }

// Get waits.
func (r *PublishResult) Get(ctx context.Context) (id string, err error) { return "", nil }

// Publish publishes a message.
func (t *Topics) Publish(ctx context.Context, m *Message) *PublishResult { return nil }

// Operation is an operation.
type Operation struct{ done chan int }

// Wait waits.
func (o *Operation) Wait(ctx context.Context, options ...func(int)) (*Message, error) { return nil, nil }

// Create creates a topic.
func (t *Topics) Create(ctx context.Context, name string) (*Operation, error) { return nil, nil }

// ListCall is a request.
type ListCall struct{ ctx context.Context }

// Context sets the context.
func (l *ListCall) Context(ctx context.Context) *ListCall { return l }

// Do sends the request.
func (l *ListCall) Do(options ...func(int)) ([]Message, error) { return nil, nil }

// List lists messages.
func (t *Topics) List(after string) *ListCall { return nil }

// Handle gives access to a topic.
type Handle struct{ c chan int }

// Get gets the topic.
func (h *Handle) Get(ctx context.Context) (*Message, error) { return nil, nil }

// Delete deletes the topic.
func (h *Handle) Delete(ctx context.Context) error { return nil }

// Handle returns a handle.
func (t *Topics) Handle(name string) *Handle { return nil }

// Cursor is a list of messages.
type Cursor struct{ c chan int }

// HasNext reports whether there is another message.
func (c *Cursor) HasNext() bool { return false }

// Next returns the next message.
func (c *Cursor) Next(ctx context.Context) (*Message, error) { return nil, nil }

// Get returns the first message.
func (c *Cursor) Get() (*Message, error) { return nil, nil }

// Scan scans.
func (t *Topics) Scan() *Cursor { return nil }

// Report is content.
type Report struct{ Text string }

// Get gets more.
func (r *Report) Get(ctx context.Context) (string, error) { return "", nil }

// Report reports.
func (t *Topics) Report() *Report { return nil }
`

// TestFetchedResults checks that the draft of a function whose result has a method that returns the content calls
// this method, and that the draft compiles.
func TestFetchedResults(t *testing.T) {
	dir := module(t)
	write(t, filepath.Join(dir, "store/store.go"), storeSource)
	write(t, filepath.Join(dir, "all.go"), "package all\n\nimport (\n\t\"example.com/all/store\"\n\t\"github.com/aiongen/aiongen/runtime/tool\"\n)\n\nvar _ = tool.Inject[*store.Client]()\n")
	t.Chdir(dir)
	cfg := scaffold.Config{Package: "example.com/all/store", Functions: []string{"Client.Get", "Client.Set", "Client.Del", "Client.Plant",
		"Topics.Publish", "Topics.Create", "Topics.List", "Topics.Handle", "Topics.Scan", "Topics.Report"}}
	text, faults := scaffold.Write(t.Context(), cfg)
	for _, d := range faults {
		if d.Code != "needs-scope" || !strings.Contains(d.Message, "topics_handle") {
			t.Error(d)
		}
	}
	golden(t, filepath.Join(testdata, "fetch.aion"), string(text))
	write(t, "new.aion", string(text))
	_, faults = gen.Generate(t.Context(), gen.Config{})
	for _, d := range faults {
		if d.Severity != diag.Note {
			t.Error(d)
		}
	}

	// Without an injected client, the description says what to do.
	write(t, "all.go", "package all\n\nimport _ \"example.com/all/store\"\n")
	cfg.Functions = []string{"Client.Get"}
	text, faults = scaffold.Write(t.Context(), cfg)
	const todo = "TODO: JSON cannot carry *store.StringCmd. Declare tool.Inject[*store.Client](), and name this function: lambda key: deps.client.Get(key).Result() Reads a key."
	if faults.Err() != nil || !strings.Contains(string(text), todo) {
		t.Errorf("%v\n%s", faults, text)
	}
}

// TestDeclarations checks that drafts follow the declarations of the package of the file, and that errors in the Go
// files of the package, which concern other tools, do not prevent them.
func TestDeclarations(t *testing.T) {
	dir := module(t)
	write(t, filepath.Join(dir, "money/money.go"), `// Package money has amounts.
package money

import "context"

// Amount is an amount.
type Amount struct{ cents int }

// String returns the amount as a text.
func (a Amount) String() string { return "" }

// Parse reads an amount.
func Parse(s string) (Amount, error) { return Amount{}, nil }

// Round rounds an amount.
func (a Amount) Round(digits int) Amount { return a }

// Target is a person or a company.
type Target interface{ Address() string }

// Person is a person.
type Person struct{ Name string }

// Address returns an address.
func (Person) Address() string { return "" }

// Option is an option.
type Option func(*Client)

// WithContext passes a context.
func WithContext(context.Context) Option { return nil }

// Client is a client.
type Client struct{ c chan int }

// Pay pays an amount to somebody.
func (c *Client) Pay(a Amount, to Target, options ...Option) (Amount, error) { return a, nil }

// Refund pays all back.
func Refund(c *Client, a Amount) error { return nil }
`)
	write(t, filepath.Join(dir, "all.go"), `package all

import (
	"example.com/all/money"
	"github.com/aiongen/aiongen/runtime/tool"
)

var (
	_ = tool.Represent(money.Parse, money.Amount.String)
	_ = tool.Union[money.Target](money.Person{})
	_ = tool.PassContext(money.WithContext)
	_ = tool.Inject[*money.Client]()
	_ = tool.Annotate("other", tool.ReadOnly)
)
`)
	t.Chdir(dir)
	text, faults := scaffold.Write(t.Context(), scaffold.Config{Package: "example.com/all/money", Functions: []string{"Client.Pay", "Refund", "Amount.Round"}})
	if len(faults) > 0 {
		t.Error(faults)
	}
	golden(t, filepath.Join(testdata, "declarations.aion"), string(text))
	if text, faults = scaffold.Write(t.Context(), scaffold.Config{Package: ".", Functions: []string{"Find"}}); faults.Err() == nil {
		t.Errorf("there is no Find: %s", text)
	}
	write(t, "find.go", "package all\n\n// Find finds.\nfunc Find(id int) error { return nil }\n")
	if text, faults = scaffold.Write(t.Context(), scaffold.Config{Package: ".", Functions: []string{"Find"}}); len(faults) > 0 || len(text) == 0 {
		t.Error(faults)
	}
}
