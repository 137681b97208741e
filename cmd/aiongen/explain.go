package main

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen"
	"github.com/aiongen/aiongen/internal/words"
)

// explain prints what there is to say about a code, or lists all of them.
func (c *command) explain(args []string) int {
	switch {
	case len(args) == 0:
		return c.listCodes()
	case len(args) > 1:
		return c.misuse("explain takes one code")
	case args[0] == "-h" || args[0] == "-help" || args[0] == "--help":
		return c.help()
	}
	code := strings.Trim(args[0], "[]") // as a message has it
	d, ok := gen.Explain(diag.Code(code))
	if !ok {
		fmt.Fprintf(c.stderr, "aiongen: %v\n", unknownCode(code))
		return exitUsage
	}
	if _, err := io.WriteString(c.stdout, d.Page); err != nil {
		return c.fail(err)
	}
	return exitOK
}

func (c *command) listCodes() int {
	w := tabwriter.NewWriter(c.stdout, 0, 0, 2, ' ', 0)
	for _, code := range gen.Codes() {
		d, _ := gen.Explain(code)
		fmt.Fprintf(w, "%s\t%s\n", code, d.Summary)
	}
	if err := w.Flush(); err != nil {
		return c.fail(err)
	}
	return exitOK
}

// unknownCode says that there is no such code, and which may be meant.
func unknownCode(code string) error {
	var known []string
	for _, code := range gen.Codes() {
		known = append(known, string(code))
	}
	hint := "run 'aiongen explain' for all codes"
	if near := words.Nearest(code, known); near != "" {
		hint = fmt.Sprintf("did you mean %s?", near)
	}
	return fmt.Errorf("there is no code %q: %s", code, hint)
}
