package main

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen"
	"github.com/aiongen/aiongen/gen/directive"
)

// TestDirectiveFlags: go:generate lines may have every flag of generating.
func TestDirectiveFlags(t *testing.T) {
	known := slices.Concat(directive.Others, []string{"C", "o", "tags"})
	for line := range strings.Lines(part(flagHeadings["check"]) + part(sharedFlags)) {
		name, isFlag := strings.CutPrefix(strings.Fields(line)[0], "-")
		if isFlag && !slices.Contains(known, name) {
			t.Errorf("a line with -%s is not understood", name)
		}
	}
}

// TestFailures tells failures of the user's system from our own.
func TestFailures(t *testing.T) {
	for _, tt := range []struct {
		failure error
		status  int
		want    string
	}{
		{nil, exitOK, ""},
		{&gen.WriteError{Name: "a.aion.go", Err: errors.New("permission denied")}, exitFindings, "a.aion.go: error: cannot write the file: permission denied [unwritable]\n"},
		{errors.New("no idea"), exitInternal, "aiongen: no idea\n"},
	} {
		var stdout, stderr bytes.Buffer
		c := newCommand(strings.NewReader(""), &stdout, &stderr)
		if status := c.finish(c.diagnostics(), diag.List{}, tt.failure); status != tt.status || stderr.String() != tt.want {
			t.Errorf("%v: status %d, %q", tt.failure, status, stderr.String())
		}
	}
}
