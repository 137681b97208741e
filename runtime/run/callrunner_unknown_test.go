package run

import (
	"fmt"
	"slices"
	"testing"

	"github.com/aiongen/aiongen/runtime/tool"
)

// TestUnknownTools checks that each call of an unknown tool fails with its own error.
func TestUnknownTools(t *testing.T) {
	c := callRunner{Tools: tool.NewRegistry()}
	var got []string
	for _, call := range c.runAll(t.Context(), []runningCall{{Request: tool.Request{ID: "42/1/1", Name: "pay"}}, {Request: tool.Request{ID: "42/1/2", Name: "tag"}}}, true) {
		got = append(got, fmt.Sprint(call.ID, " ", call.Status, " ", call.Err))
	}
	if want := []string{`42/1/1 failed unknown tool "pay"`, `42/1/2 failed unknown tool "tag"`}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
