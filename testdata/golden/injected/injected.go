// Package injected has functions that take what the application supplies.
package injected

import (
	"context"
	"errors"
	"io"
	"strings"
	text "text/template"

	"github.com/aiongen/aiongen/runtime/tool"
)

// APIKey is a secret.
type APIKey string

// Client talks to a service.
type Client struct {
	Name  string
	Users *Users
}

// Users is a part of the service.
type Users struct{ Names []string }

// Name finds the name of a user.
//
//   - number: which one
func (u *Users) Name(ctx context.Context, number int) (string, error) {
	if number >= len(u.Names) {
		return "", errors.New("there is no such user")
	}
	return u.Names[number], nil
}

// Both are two of them.
func (u *Users) Both(first, second int) (one, other string) {
	return u.Names[first], u.Names[second]
}

// Get gets a value.
func (c *Client) Get(ctx context.Context, key APIKey, id int) string {
	return c.Name + " gets with " + string(key)
}

// Plain takes what a model writes.
func (c *Client) Plain(id int) string { return c.Name }

// Limits are settings.
type Limits struct{ Max int }

// A Clock tells the time.
type Clock func() int

var (
	_ = tool.Inject[*Client]()
	_ = tool.Inject[APIKey]("Key")
	_ = tool.Inject[Limits]()
	_ = tool.Inject[io.Writer]()
	_ = tool.Inject[Clock]("Now")
	_ = tool.Inject[*text.Template]()
	_ = tool.Inject[*Template]()
)

// Template is called as another one is.
type Template struct{ Width int }

// Fill fills a template in, with a width that a lambda passes on.
func Fill(t *text.Template, width int, data any) (string, error) {
	var b strings.Builder
	err := t.Execute(&b, data)
	return b.String()[:min(width, b.Len())], err
}

// Find finds a value with a client.
func Find(ctx context.Context, c *Client, key APIKey, id int) (string, error) {
	return c.Get(ctx, key, id), nil
}

// Log writes a text.
func Log(w io.Writer, text string) error {
	_, err := io.WriteString(w, text)
	return err
}

// Most says how many there may be.
func Most(l Limits, now Clock) int { return l.Max + now() }

// Query is a struct with what no model writes.
type Query struct {
	Context context.Context
	Words   string `json:"words"`
	Page    *Page  `json:"page,omitempty"`
	Shared
	*Extra
}

// Page is a part of a list.
type Page struct {
	Number int `json:"number"`
	Client *Client
}

// Shared is embedded.
type Shared struct {
	Key APIKey
}

// Extra is embedded by a pointer.
type Extra struct {
	Deep bool            `json:"deep"`
	Ctx  context.Context `json:"ctx"`
}

type tenantKey struct{}

// WithTenant returns a context with a tenant.
func WithTenant(ctx context.Context, tenant string) context.Context {
	return context.WithValue(ctx, tenantKey{}, tenant)
}

// Ask takes a struct with what no model writes.
func Ask(q *Query) string {
	text := q.Context.Value(tenantKey{}).(string) + " asks " + q.Words + " with " + string(q.Key)
	if q.Page != nil {
		text += " of " + q.Page.Client.Name
	}
	if q.Extra != nil {
		text += " deeply for " + q.Ctx.Value(tenantKey{}).(string)
	}
	return text
}

// AskBoth takes such a struct beside other arguments.
func AskBoth(id int, q Query) string { return Ask(&q) }

// Task has tasks in it, which nothing fills.
type Task struct {
	Name   string `json:"name"`
	Client *Client
	Then   *Task            `json:"then,omitempty"`
	Parts  []Task           `json:"parts,omitempty"`
	Pages  map[string]*Page `json:"pages,omitempty"`
}

// Do tells which tasks have a client.
func Do(t Task) (told string) {
	if t.Client != nil {
		told = t.Name
	}
	for _, part := range t.Parts {
		told += Do(part)
	}
	for _, page := range t.Pages {
		if page.Client != nil {
			told += "page"
		}
	}
	if t.Then != nil {
		told += Do(*t.Then)
	}
	return told
}

// DoFor does the same, beside another argument.
func DoFor(id int, t *Task) string { return Do(*t) }

// Draft has what no model gives, and none is told: fields, and embedded structs.
type Draft struct {
	*Client
	Limits
	Key   APIKey `json:"key"`
	Title string `json:"title"`
}

// Keep returns what it is given.
func Keep(d *Draft) (*Draft, error) {
	if d.Client == nil || d.Key == "" || d.Limits.Max == 0 {
		return nil, errors.New("the draft is not filled")
	}
	return d, nil
}

// Keys returns what no model is told.
func Keys(key APIKey) []APIKey { return []APIKey{key} }

// Used returns the client that is used, as it is.
func Used(c *Client) Client { return *c }
