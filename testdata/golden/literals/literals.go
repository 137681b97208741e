// Package literals has tools that are function literals.
package literals

import (
	"context"
	"fmt"
	str "strings"
	"time"
)

// Status is what became of it.
type Status struct {
	OK   bool   `json:"ok"`
	Note string `json:"note"`
}

var count int

func send(ctx context.Context, user, text string) (Status, error) {
	count++
	return Status{true, fmt.Sprintf("%d: %s to %s", count, str.ToUpper(text), user)}, ctx.Err()
}

var _ time.Duration
