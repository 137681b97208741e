// Package pass declares functions that do not make options from a context.
package pass

import (
	"context"
	"net/http"

	"github.com/aiongen/aiongen/runtime/tool"
)

// Option changes a request.
type Option func(*http.Request)

// Client has a method that makes an option.
type Client struct{}

// WithContext makes an option.
func (Client) WithContext(ctx context.Context) Option { return nil }

// WithContext makes an option.
func WithContext(ctx context.Context) Option { return nil }

// WithDeadline makes an option, too.
func WithDeadline(ctx context.Context) Option { return nil }

// NameOf makes a string.
func NameOf(ctx context.Context) string { return "" }

// ValueOf makes any value.
func ValueOf(ctx context.Context) any { return nil }

// Setting is never an option.
type Setting int

// SettingOf makes one.
func SettingOf(ctx context.Context) Setting { return 0 }

var (
	_ = tool.PassContext(WithContext)
	_ = tool.PassContext(WithDeadline)
	_ = tool.PassContext(func(ctx context.Context) Option { return nil })
	_ = tool.PassContext(Client{}.WithContext)
	_ = tool.PassContext[string](NameOf)
	_ = tool.PassContext(ValueOf)
	_ = tool.PassContext(SettingOf)
)

// Find finds something.
func Find(id int, options ...Option) error { return nil }
