package main

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen"
)

// TestFailures checks that failures of the user's system are distinguished from bugs.
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
		if status := c.reportOutcome(c.diagnosticsWriter(), diag.List{}, tt.failure); status != tt.status || stderr.String() != tt.want {
			t.Errorf("%v: status %d, %q", tt.failure, status, stderr.String())
		}
	}
}
