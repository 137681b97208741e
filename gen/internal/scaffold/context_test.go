package scaffold_test

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/aiongen/aiongen/aion"
	"github.com/aiongen/aiongen/gen/internal/scaffold"
)

// TestContextVariants checks that patterns choose the variant of a function that takes a context, and
// that exact names choose what they name.
func TestContextVariants(t *testing.T) {
	dir := module(t)
	write(t, filepath.Join(dir, "all.go"), `package all

import "context"

// Client is a client.
type Client struct{ c chan int }

// Post posts.
func (*Client) Post(text string) error { return nil }

// PostContext posts.
func (*Client) PostContext(ctx context.Context, text string) error { return nil }

// Read reads.
func (*Client) Read(id int) error { return nil }

// ReadWithContext reads.
func (*Client) ReadWithContext(ctx context.Context, id int) error { return nil }

// Get gets, and has a context.
func (*Client) Get(ctx context.Context) error { return nil }

// GetContext returns the context of the client.
func (*Client) GetContext(ctx context.Context) error { return nil }

// New is no variant.
func New(id int) error { return nil }

// NewContext takes none.
func NewContext(id int) error { return nil }

// API has a pair, too.
type API interface {
	// Do does.
	Do() error
	// DoContext does.
	DoContext(ctx context.Context) error
}
`)
	t.Chdir(dir)
	for _, tt := range []struct {
		functions []string
		want      []string
		note      string
	}{
		{
			[]string{"*.*", "*"}, []string{"API.DoContext", "(*Client).Get", "(*Client).GetContext", "(*Client).PostContext", "(*Client).ReadWithContext", "New", "NewContext"},
			"3 functions left out, because there is a variant that takes a context: (*Client).Post, (*Client).Read, API.Do",
		},
		{[]string{"*.P*t"}, []string{"(*Client).PostContext"}, "1 function left out, because there is a variant that takes a context: (*Client).Post"},
		{[]string{"Client.Post", "Client.Pos*"}, []string{"Client.Post", "(*Client).PostContext"}, ""},
		{[]string{"Client.Post"}, []string{"Client.Post"}, ""},
	} {
		text, faults := scaffold.Write(t.Context(), scaffold.Config{Package: ".", Functions: tt.functions})
		if err := faults.Err(); err != nil {
			t.Fatal(err)
		}
		doc, _ := aion.Parse("new.aion", text)
		var got []string
		for _, el := range doc.Elements {
			got = append(got, el.Function.Text.Value)
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Error(diff)
		}
		note := ""
		for _, d := range faults {
			note += d.Message
		}
		if note != tt.note {
			t.Errorf("it reports %q, not %q", note, tt.note)
		}
	}
}
