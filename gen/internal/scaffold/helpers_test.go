package scaffold_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/aiongen/aiongen/aion"
	"github.com/aiongen/aiongen/gen"
	"github.com/aiongen/aiongen/gen/internal/scaffold"
)

const helpersSource = `package all

import (
	"context"
	"database/sql/driver"
	"net/http"
)

// Client is a client.
type Client struct {
	BaseURL string
	token   string
	list    []int
}

func New(token string) *Client { return nil }

// NewClient makes a client.
func NewClient(token string) (*Client, error) { return nil, nil }

// Token returns the token.
func (c *Client) Token() string { return c.token }

// SetToken sets the token.
func (c *Client) SetToken(token string) { c.token = token }

// WithToken returns a copy.
func (c *Client) WithToken(token string) *Client { return c }

// List lists the numbers, which is more than the field.
func (c *Client) List() map[string]int { return nil }

// Find finds.
func (c *Client) Find(ctx context.Context, id int) (string, error) { return "", nil }

// MustFind panics.
func (c *Client) MustFind(id int) string { return "" }

// FindWithHTTPInfo finds.
func (c *Client) FindWithHTTPInfo(ctx context.Context, id int) (string, error) { return "", nil }

// Look finds.
//
// Deprecated: use Find.
func (c *Client) Look(id int) string { return "" }

// Do sends.
func (c *Client) Do(r *http.Request) error { return nil }

// Exec runs SQL.
func (c *Client) Exec(ctx context.Context, sql string, args ...any) error { return nil }

// Mustard sends mustard.
func Mustard(kind string) error { return nil }

// Finder is what Client is.
type Finder interface {
	Find(ctx context.Context, id int) (string, error)
}

// Option is an option.
type Option func(*Client)

// WithList sets the list.
func WithList(list []int) Option { return nil }

// String is a pointer.
func String(s string) *string { return &s }

// Color is a color.
type Color string

// String is the color.
func (c Color) String() string { return string(c) }

// Scan scans.
func (c *Color) Scan(src any) error { return nil }

// Value is for databases.
func (c Color) Value() (driver.Value, error) { return nil, nil }

// Mix mixes.
func (c Color) Mix(other Color) Color { return c }

// Message is a message of Protocol Buffers.
type Message struct{ name string }

// ProtoMessage marks it.
func (*Message) ProtoMessage() {}

// Reset resets.
func (*Message) Reset() {}

// GetText returns the text.
func (m *Message) GetText() string { return "" }

// ClientWithResponses is a generated client.
type ClientWithResponses struct{ c chan int }

// FindWithResponse finds.
func (c *ClientWithResponses) FindWithResponse(ctx context.Context, id int) (string, error) { return "", nil }
`

// TestHelpers checks which functions a draft of everything leaves out, and that it counts them.
func TestHelpers(t *testing.T) {
	dir := module(t)
	write(t, filepath.Join(dir, "all.go"), helpersSource)
	t.Chdir(dir)
	functions := func(cfg scaffold.Config) (names []string, notes []string) {
		cfg.Package = "."
		text, faults := scaffold.Write(t.Context(), cfg)
		if err := faults.Err(); err != nil {
			t.Fatal(err)
		}
		doc, _ := aion.Parse("new.aion", text)
		for _, el := range doc.Elements {
			names = append(names, el.Function.Text.Value)
		}
		for _, d := range faults {
			if d.Code == "helper-functions" {
				notes = append(notes, strings.TrimPrefix(d.Message, "left out "))
			}
		}
		return names, notes
	}
	names, notes := functions(scaffold.Config{All: true})
	want := []string{"Mustard", "(*Client).List", "(*ClientWithResponses).FindWithResponse", "lambda c, other: c.Mix(other)"}
	if diff := cmp.Diff(want, names); diff != "" {
		t.Error(diff)
	}
	wantNotes := []string{
		"deprecated functions (1): (*Client).Look",
		"functions that panic (Must…) (1): (*Client).MustFind",
		"methods of protobuf messages and enums (3): (*Message).GetText, (*Message).ProtoMessage, (*Message).Reset",
		"methods of fmt, errors, encoding and database/sql (3): (*Color).Scan, Color.String, Color.Value",
		"functions that take raw SQL (1): (*Client).Exec",
		"accessors (1): (*Client).Token",
		"setters (1): (*Client).SetToken",
		"steps of builders (1): (*Client).WithToken",
		"functions that return options, callbacks or pointers to their argument (2): String, WithList",
		"functions that take or build HTTP requests (1): (*Client).Do",
		"constructors of clients (2): New, NewClient",
		"methods that exist in another form (3): (*Client).Find, (*Client).FindWithHTTPInfo, Finder.Find",
	}
	if diff := cmp.Diff(wantNotes, notes); diff != "" {
		t.Error(diff)
	}
	all, notes := functions(scaffold.Config{All: true, Helpers: true})
	if len(all) != len(names)+20 || notes != nil {
		t.Errorf("with helpers, it writes %d functions, and notes %q", len(all), notes)
	}
	named, notes := functions(scaffold.Config{Functions: []string{"(*Client).Token", "Client.Exec", "Client.*"}})
	if diff := cmp.Diff([]string{"(*Client).Token", "Client.Exec", "(*Client).List"}, named); diff != "" || len(notes) != 6 {
		t.Errorf("%s %q", diff, notes)
	}
	named, _ = functions(scaffold.Config{Functions: []string{"Client.Se*"}})
	if diff := cmp.Diff([]string{"(*Client).SetToken"}, named); diff != "" {
		t.Error(diff)
	}
}

// TestClientPaths checks that methods of services are called on the client that leads to them.
func TestClientPaths(t *testing.T) {
	dir := module(t)
	write(t, filepath.Join(dir, "api/api.go"), `package api

import (
	"context"
	"net/http"
)

// Client is a client.
type Client struct {
	Users *UsersService
	Shops ShopsService
	Beta  *BetaService
}

// Session is another client.
type Session struct{ People *UsersService }

// BetaService has services.
type BetaService struct{ Pets *PetsService }

// PetsService is about pets.
type PetsService struct{ c chan int }

// Feed feeds a pet.
func (*PetsService) Feed(ctx context.Context, id int64) error { return nil }

// UsersService is about users.
type UsersService struct{ c chan int }

// Response is a response.
type Response struct {
	*http.Response
	Page int
}

// User is a user.
type User struct{ Name string }

// GetUserRequest says which one.
type GetUserRequest struct{ ID int }

// Get gets a user.
func (*UsersService) Get(ctx context.Context, id int64) (*User, *Response, error) { return nil, nil, nil }

// ShopsService is about shops.
type ShopsService interface {
	Find(context.Context, string, *GetUserRequest) ([]User, error)
}

// ShopsServiceOp implements ShopsService.
type ShopsServiceOp struct{ c chan int }

// Find finds users in a shop.
func (*ShopsServiceOp) Find(context.Context, string, *GetUserRequest) ([]User, error) { return nil, nil }
`)
	t.Chdir(dir)
	draft := func(functions ...string) string {
		text, faults := scaffold.Write(t.Context(), scaffold.Config{Package: "example.com/all/api", Functions: functions, All: functions == nil})
		if err := faults.Err(); err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	golden(t, filepath.Join(testdata, "client.aion"), draft())
	if got := draft("(*UsersService).Get"); !strings.Contains(got, `api.Client.Users.Get"`) {
		t.Errorf("it does not use the client: %s", got)
	}
	write(t, filepath.Join(dir, "all.go"), `package all

import (
	"example.com/all/api"
	"github.com/aiongen/aiongen/runtime/tool"
)

var _ = tool.Inject[*api.Session]()
`)
	if got := draft("(*UsersService).Get"); !strings.Contains(got, `api.Session.People.Get"`) || !strings.Contains(got, `"people_get"`) {
		t.Errorf("it does not use the injected client: %s", got)
	}
}

// TestContentLiterals checks that a method whose options carry the content becomes a function literal.
func TestContentLiterals(t *testing.T) {
	dir := module(t)
	write(t, filepath.Join(dir, "api/api.go"), `package api

import "context"

// Client is a client.
type Client struct{ c chan int }

// Option is an option.
type Option func(*Client)

// OptionMarkdownText sets a text.
func OptionMarkdownText(text string) Option { return nil }

// OptionText sets a text.
func OptionText(text string, escape bool) Option { return nil }

// OptionColor sets a color.
func OptionColor(color string) Option { return nil }

// PostMessage posts a message.
func (*Client) PostMessage(ctx context.Context, channelID string, options ...Option) (string, error) { return "", nil }

// UpdateFile takes the content as an argument.
func (*Client) UpdateFile(ctx context.Context, channelID, content string, options ...Option) error { return nil }

// GetMessage gets a message.
func (*Client) GetMessage(ctx context.Context, channelID string, options ...Option) (string, error) { return "", nil }
`)
	t.Chdir(dir)
	draft := func() (literal, description string) {
		text, faults := scaffold.Write(t.Context(), scaffold.Config{Package: "example.com/all/api", Functions: []string{"Client.PostMessage", "Client.UpdateFile", "Client.GetMessage"}})
		if err := faults.Err(); err != nil {
			t.Fatal(err)
		}
		doc, _ := aion.Parse("new.aion", text)
		for _, el := range doc.Elements[1:] {
			if !strings.HasPrefix(el.Function.Text.Value, "example.com/all/api.Client.") || strings.HasPrefix(el.Description.Value, "TODO") {
				t.Errorf("%s is %s", el.Name.Value, el.Function.Text.Value)
			}
		}
		write(t, "new.aion", string(text))
		if _, faults := gen.Generate(t.Context(), gen.Config{}); faults.Err() != nil {
			t.Error(faults.Err())
		}
		return doc.Elements[0].Function.Text.Value, doc.Elements[0].Description.Value
	}
	const want = `func(ctx context.Context, client *api.Client, channelID string, text string) (string, error) {
  return client.PostMessage(ctx, channelID, api.OptionText(text, false))
}`
	function, description := draft()
	oneLine := strings.Join(strings.Fields(want), " ")
	if !strings.HasPrefix(function, "example.com") || !strings.Contains(description, "TODO: ") || !strings.Contains(description, "tool.Inject[*api.Client]()") || !strings.Contains(description, oneLine) {
		t.Errorf("without the client, it is %s: %s", function, description)
	}
	write(t, filepath.Join(dir, "all.go"), `package all

import (
	"context"

	"example.com/all/api"
	"github.com/aiongen/aiongen/runtime/tool"
)

var _ = tool.Inject[*api.Client]()

var _ context.Context
`)
	if function, description = draft(); function != want || !strings.HasPrefix(description, "TODO: ") || !strings.Contains(description, "OptionColor and OptionMarkdownText") {
		t.Errorf("with the client, it is %s: %s", function, description)
	}
}

// TestContentResults checks that the results of a drafted function literal have names, which a model reads.
func TestContentResults(t *testing.T) {
	dir := module(t)
	write(t, filepath.Join(dir, "api/api.go"), `package api

// Client is a client.
type Client struct{ c chan int }

// Option is an option.
type Option func(*Client)

// OptionText sets a text.
func OptionText(text string) Option { return nil }

// OptionColor sets a color.
func OptionColor(color string) Option { return nil }

// PostMessage posts a message.
func (*Client) PostMessage(id string, options ...Option) (string, int, error) { return "", 0, nil }

// SendMessage sends a message.
func (*Client) SendMessage(id string, options ...Option) (_channel, text string, client bool, err error) { return "", "", false, nil }

// UpdateMessage updates a message.
func (*Client) UpdateMessage(id string, options ...Option) (channel string, err error) { return "", nil }

// Body is an option with a single constructor.
type Body func(*Client)

// BodyText sets a text.
func BodyText(text string) Body { return nil }

// SendReply sends a reply.
func (*Client) SendReply(id string, options ...Body) (string, int, error) { return "", 0, nil }

// UpdateReply updates a reply.
func (*Client) UpdateReply(id string, options ...Body) (string, error) { return "", nil }
`)
	write(t, filepath.Join(dir, "all.go"), `package all

import (
	"example.com/all/api"
	"github.com/aiongen/aiongen/runtime/tool"
)

var _ = tool.Inject[*api.Client]()
`)
	t.Chdir(dir)
	text, faults := scaffold.Write(t.Context(), scaffold.Config{Package: "example.com/all/api", Functions: []string{"Client.PostMessage", "Client.SendMessage", "Client.UpdateMessage", "Client.SendReply", "Client.UpdateReply"}})
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	doc, _ := aion.Parse("new.aion", text)
	for i, want := range []struct{ results, todo string }{
		{"(result1 string, result2 int, err error)", "TODO: name the results. The model can set only the text (OptionText). Add arguments for OptionColor, or delete these sentences. "},
		{"(channel string, textResult string, clientResult bool, err error)", "TODO: the model can set only the text (OptionText). Add arguments for OptionColor, or delete this sentence. "},
		{"(string, error)", "TODO: the model can set only the text (OptionText). Add arguments for OptionColor, or delete this sentence. "},
		{"(result1 string, result2 int, err error)", "TODO: name the results, and delete this sentence. "},
		{"(string, error)", "Updates a reply."},
	} {
		el := doc.Elements[i]
		if !strings.Contains(el.Function.Text.Value, ", text string) "+want.results+" {") || !strings.HasPrefix(el.Description.Value, want.todo) {
			t.Errorf("it is %s: %s", el.Function.Text.Value, el.Description.Value)
		}
	}
	write(t, "new.aion", string(text))
	if _, faults := gen.Generate(t.Context(), gen.Config{}); faults.Err() != nil {
		t.Error(faults.Err())
	}
}
