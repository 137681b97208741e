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

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen"
	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/internal/regularfile"
	"github.com/aiongen/aiongen/runtime/schema"
)

// listTools prints the tools: as a table, as JSON, or as the definitions that a target receives.
func (c *command) listTools(ctx context.Context, args []string) int {
	var cfg gen.Config
	asJSON := c.flags.Bool("json", false, "")
	var receiver schema.Target
	c.flags.Func("schema", "", func(name string) (err error) {
		receiver, err = parseTarget(name)
		return err
	})
	notes := c.flags.Bool("notes", false, "")
	file := c.flags.String("o", "", "")
	c.flags.StringVar(&cfg.Tags, "tags", "", "")
	patterns, status := c.parsePatterns(args)
	switch {
	case status != flagsParsed:
		return status
	case *notes && (*asJSON || receiver != ""):
		return c.usageError("-notes cannot be combined with -json or -schema: it prints notes about the tools, not the tools; to print the notes as JSON, use -format json")
	case *asJSON && receiver != "":
		return c.usageError("-json and -schema exclude each other: -json prints everything known about the tools, -schema what a provider receives")
	case slices.Contains([]string{".aion", ".go", ".mod", ".sum", ".work"}, filepath.Ext(*file)):
		return c.usageError("-o %s: list does not overwrite source files", *file)
	}
	cfg.Patterns = patterns
	tools, faults := gen.Tools(ctx, cfg)
	suggestCommand(patterns, faults)
	if faults.Err() != nil {
		return c.reportOutcome(c.diagnosticsWriter(), faults, nil)
	}
	aboutTools, faults := splitNotes(faults)
	var text []byte
	var err error
	switch {
	case *notes:
		text = c.notesText(aboutTools)
	case receiver != "":
		text, err = definitionsJSON(receiver, tools)
	case *asJSON:
		text, err = toolsJSON(tools)
	default:
		text, err = toolsTable(tools)
	}
	if err == nil && *file != "" {
		return c.reportOutcome(c.diagnosticsWriter(), faults, replaceFile(*file, text))
	}
	if err == nil {
		_, err = c.stdout.Write(text)
	}
	return c.reportOutcome(c.stderr, faults, err) // standard output receives only the tools
}

// notesText returns all notes about the tools, in the selected format.
func (c *command) notesText(notes diag.List) []byte {
	var b bytes.Buffer
	c.reportEach(&b, notes)
	return b.Bytes()
}

// splitNotes separates notes about tools from other diagnostics.
func splitNotes(list diag.List) (aboutTools, others diag.List) {
	for _, d := range list {
		if d.Severity == diag.Note && d.Group != nil {
			aboutTools = append(aboutTools, d)
		} else {
			others = append(others, d)
		}
	}
	return aboutTools, others
}

// replaceFile writes a file atomically, unless it already has the content.
func replaceFile(name string, text []byte) error {
	if same, err := regularfile.HasContent(name, text); err == nil && same {
		return nil
	}
	result := gen.Result{Changes: []gen.Change{{Name: name, New: text}}}
	return result.Write()
}

// toolsTable returns a table with a line for each tool. If some tools need a scope, the last column
// shows the first reason for each of them.
func toolsTable(tools []gen.Tool) ([]byte, error) {
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
		line(tableCell(need), t.Name, tableCell(listArguments(t)), t.Place.String(), tableCell(t.Link))
	}
	err := w.Flush()
	return b.Bytes(), err
}

// maxArgumentsWidth limits the width of the column of arguments, in characters.
const maxArgumentsWidth = 60

// listArguments lists the arguments of a tool, as many as fit into the column.
func listArguments(t gen.Tool) string {
	list := ""
	for i, a := range t.Arguments {
		name := a.Name
		if !a.Required {
			name += "?"
		}
		if i > 0 {
			name = ", " + name
			if utf8.RuneCountInString(list+name) > maxArgumentsWidth {
				return fmt.Sprintf("%s and %d more", list, len(t.Arguments)-i)
			}
		}
		list += name
	}
	return list
}

// tableCell returns a text for a table, quoted if it has characters that cannot be printed.
func tableCell(text string) string {
	if strings.ContainsFunc(text, func(r rune) bool { return !strconv.IsPrint(r) }) {
		text = strconv.Quote(text)
	}
	return cmp.Or(text, "-")
}

// toolsJSON returns everything known about the tools, sorted by name.
func toolsJSON(tools []gen.Tool) ([]byte, error) {
	return indentJSON(append([]gen.Tool{}, sortByName(tools)...)) // an empty array even for nil
}

// definitionsJSON returns the definitions that a target receives, sorted by name.
func definitionsJSON(receiver schema.Target, tools []gen.Tool) ([]byte, error) {
	definitions, err := gen.Definitions(receiver, sortByName(tools))
	if err != nil {
		return nil, err
	}
	return indentJSON(definitions)
}

func sortByName(tools []gen.Tool) []gen.Tool {
	return slices.SortedStableFunc(slices.Values(tools), func(a, b gen.Tool) int {
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Package, b.Package))
	})
}

// indentJSON returns v as JSON that people can read and compare line by line.
func indentJSON(v any) ([]byte, error) {
	b, err := jsontext.Marshal(v, "  ")
	return append(b, '\n'), err
}
