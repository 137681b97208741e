// Package supplied has functions for each type that the runtime supplies.
package supplied

import (
	"context"
	"log/slog"

	"github.com/aiongen/aiongen/runtime/content"
	"github.com/aiongen/aiongen/runtime/memory"
	"github.com/aiongen/aiongen/runtime/tool"
)

// Tenant tells whose call it is.
func Tenant(ctx context.Context) string { return tool.CallFrom(ctx).Request.Meta["tenant"] }

// Variables lists what the scope holds.
func Variables(s *tool.Scope) []string { return s.Names() }

// Arguments tells what came.
func Arguments(c *tool.Call, note string) string { return string(c.Arguments) }

// Remember writes a value down.
func Remember(ctx context.Context, m memory.Store, key, value string) error {
	return m.Write(ctx, key, value)
}

// Recall reads it.
func Recall(m memory.Store, key string) (value string, known bool, err error) {
	text, known, err := m.Read(context.Background(), key)
	return string(text), known, err
}

// Tell writes a record.
func Tell(l *slog.Logger, text string) { l.Info(text) }

// All takes everything, in an order of its own, one of them twice.
func All(ctx context.Context, l *slog.Logger, text string, m memory.Store, s *tool.Scope, c *tool.Call, again memory.Store) (int, error) {
	l.Info(text)
	if err := m.Write(ctx, c.Request.Name, text); err != nil {
		return 0, err
	}
	_, found, err := again.Read(ctx, c.Request.Name)
	if !found {
		return 0, err
	}
	return len(s.Names()), err
}

// said is what the runtime supplies, by another name.
type said = tool.Exchange

// Book books a room, if who calls agrees.
func Book(x *said, room string) (string, error) {
	answers, err := x.Ask(context.Background(), tool.AskPerson("Book "+room+"?", nil))
	if err != nil || !answers[0].Accepted() {
		return "", err
	}
	return x.Caller().User, nil
}

// Report is filed with an exchange of its own.
type Report struct {
	*tool.Exchange
	Title string `json:"title"`
	Pages []Page `json:"pages"`
}

// Page has an exchange, too, which stays empty in a list.
type Page struct {
	Text     string         `json:"text"`
	Exchange *tool.Exchange `json:"exchange"`
}

// File attaches the title of a report.
func File(r Report) bool {
	r.Attach(content.Text(r.Title))
	return r.Progress(1, 1, r.Title)
}

// A Desk is what methods take a store beside.
type Desk struct{}

// Keep keeps a value.
func (*Desk) Keep(ctx context.Context, store memory.Store, value string) error {
	return store.Write(ctx, "kept", value)
}
