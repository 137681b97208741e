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

// explainCode prints the page about a code, or lists all codes.
func (c *command) explainCode(args []string) int {
	switch {
	case len(args) == 0:
		return c.listCodes()
	case len(args) > 1:
		return c.usageError("explain takes one code")
	case args[0] == "-h" || args[0] == "-help" || args[0] == "--help":
		return c.printHelp()
	}
	code := strings.Trim(args[0], "[]") // messages have the code in brackets
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

// unknownCode returns an error that suggests a similar code.
func unknownCode(code string) error {
	var codes []string
	for _, code := range gen.Codes() {
		codes = append(codes, string(code))
	}
	hint := "run 'go tool aiongen explain' for all codes"
	if near := words.Nearest(code, codes); near != "" {
		hint = fmt.Sprintf("did you mean %s?", near)
	}
	return fmt.Errorf("there is no code %q: %s", code, hint)
}
