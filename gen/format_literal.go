package gen

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/printer"
	"go/token"
	"strings"

	"github.com/aiongen/aiongen/aion"
	"github.com/aiongen/aiongen/gen/internal/budget"
)

// formatLiterals formats the Go function literals of a document like gofmt, with the
// indentation of .aion files.
func formatLiterals(doc *aion.Document) {
	for _, el := range doc.Elements {
		if el.Function != nil {
			el.Function.Text.Value = formatLiteral(el.Function.Text.Value)
		}
	}
}

// formatLiteral formats a function literal and returns other texts unchanged. A line break that
// the printer inserts can lead to further line breaks, so it formats until the text stays the
// same, at most five times.
func formatLiteral(text string) string {
	printed, ok := printLiteral(text)
	for range 4 {
		next, valid := printLiteral(printed)
		if !ok || !valid || next == printed {
			break
		}
		printed = next
	}
	if !ok {
		return text
	}
	return printed
}

// printLiteral formats a function literal once. It returns false for other texts.
func printLiteral(text string) (printed string, ok bool) {
	const head = "package p; var _ = "
	source := strings.TrimSpace(text)
	if !strings.HasPrefix(source, "func") {
		return "", false
	}
	if _, err := budget.ParseExpr(source); err != nil {
		return "", false
	}
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", head+source, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil || len(file.Decls) != 1 {
		return "", false
	}
	values := file.Decls[0].(*ast.GenDecl).Specs[0].(*ast.ValueSpec).Values
	if _, literal := values[0].(*ast.FuncLit); len(values) != 1 || !literal {
		return "", false
	}
	var b bytes.Buffer
	config := printer.Config{Mode: printer.UseSpaces, Tabwidth: 2}
	err = config.Fprint(&b, fset, &printer.CommentedNode{Node: values[0], Comments: file.Comments})
	return b.String(), err == nil
}
