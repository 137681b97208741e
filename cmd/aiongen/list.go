package main

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"unicode/utf8"

	"github.com/aiongen/aiongen/gen"
	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/internal/regular"
	"github.com/aiongen/aiongen/runtime/schema"
)

// list shows the tools: as a table for people, as JSON, or as a target receives
// them.
func (c *command) list(ctx context.Context, args []string) int {
	var cfg gen.Config
	asJSON := c.flags.Bool("json", false, "")
	var receiver schema.Target
	c.flags.Func("schema", "", func(name string) (err error) {
		receiver, err = parseTarget(name)
		return err
	})
	file := c.flags.String("o", "", "")
	c.flags.StringVar(&cfg.Tags, "tags", "", "")
	patterns, status := c.patterns(args)
	switch {
	case status != parsed:
		return status
	case *asJSON && receiver != "":
		return c.misuse("-json and -schema say two different things: what is known of the tools, and what a provider receives")
	case slices.Contains([]string{".aion", ".go", ".mod", ".sum", ".work"}, filepath.Ext(*file)):
		return c.misuse("-o %s: list does not overwrite source", *file)
	}
	cfg.Patterns = patterns
	tools, faults := gen.Tools(ctx, cfg)
	suggestCommand(patterns, faults)
	if faults.Err() != nil {
		return c.finish(c.diagnostics(), faults, nil)
	}
	var text []byte
	var err error
	switch {
	case receiver != "":
		text, err = definitionsJSON(receiver, tools)
	case *asJSON:
		text, err = toolsJSON(tools)
	default:
		text, err = table(tools)
	}
	if err == nil && *file != "" {
		return c.finish(c.diagnostics(), faults, replace(*file, text))
	}
	if err == nil {
		_, err = c.stdout.Write(text)
	}
	return c.finish(c.stderr, faults, err) // standard output is for the tools alone
}

// replace brings a file up to date, whole or not at all.
func replace(name string, text []byte) error {
	if old, err := regular.ReadFile(name); err == nil && bytes.Equal(old, text) {
		return nil
	}
	result := gen.Result{Changes: []gen.Change{{Name: name, New: text}}}
	return result.Write()
}

// table has a line for each tool. Where some are only offered with a scope, it says
// so, with the first reason.
func table(tools []gen.Tool) ([]byte, error) {
	var b bytes.Buffer
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	scoped := slices.ContainsFunc(tools, func(t gen.Tool) bool { return len(t.Needs()) > 0 })
	line := func(need string, columns ...string) {
		if scoped {
			columns = append(columns, need)
		}
		fmt.Fprintln(w, strings.Join(columns, "\t"))
	}
	line("ONLY WITH A SCOPE", "NAME", "ARGUMENTS", "PLACE", "LINK")
	for _, t := range tools {
		need := ""
		if needs := t.Needs(); len(needs) > 0 {
			need = needs[0].String()
		}
		line(cell(need), t.Name, cell(arguments(t)), t.Place.String(), cell(t.Link))
	}
	err := w.Flush()
	return b.Bytes(), err
}

// widestArguments is where a list of arguments ends, in characters.
const widestArguments = 60

// arguments lists those of a tool as far as there is room.
func arguments(t gen.Tool) string {
	list := ""
	for i, a := range t.Arguments {
		name := a.Name
		if !a.Required {
			name += "?"
		}
		if i > 0 {
			name = ", " + name
			if utf8.RuneCountInString(list+name) > widestArguments {
				return fmt.Sprintf("%s and %d more", list, len(t.Arguments)-i)
			}
		}
		list += name
	}
	return list
}

// cell is a text in a table. What cannot be seen is escaped.
func cell(text string) string {
	if strings.ContainsFunc(text, func(r rune) bool { return !strconv.IsPrint(r) }) {
		text = strconv.Quote(text)
	}
	return cmp.Or(text, "-")
}

// toolsJSON has all that is known of the tools, in the order of their names.
func toolsJSON(tools []gen.Tool) ([]byte, error) {
	return indented(append([]gen.Tool{}, byName(tools)...)) // nil is an empty array, too
}

// definitionsJSON has the tools as a target receives them, in the order of their
// names.
func definitionsJSON(receiver schema.Target, tools []gen.Tool) ([]byte, error) {
	definitions, err := gen.Definitions(receiver, byName(tools))
	if err != nil {
		return nil, err
	}
	return indented(definitions)
}

func byName(tools []gen.Tool) []gen.Tool {
	return slices.SortedStableFunc(slices.Values(tools), func(a, b gen.Tool) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Package, b.Package))
	})
}

// indented is a value as JSON for people to read and to compare line by line.
func indented(v any) ([]byte, error) {
	b, err := jsontext.Marshal(v, "  ")
	return append(b, '\n'), err
}
