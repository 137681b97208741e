package emit

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"

	"github.com/aiongen/aiongen/gen/internal/model"
)

// emitLiterals prints function literals as functions with //line directives to the .aion file, so that
// errors of the Go compiler point there. They come last, because a directive applies to all lines after
// it.
func (e *emitter) emitLiterals(f *model.File) error {
	for _, t := range f.Tools {
		if t.Func == nil || t.Func.Literal == nil || t.Func.Literal.Lambda != nil {
			continue
		}
		printed, err := literalCode(t.Func.Literal, joinLines(f.Source))
		if err != nil {
			return fmt.Errorf("printing the function of tool %s: %w", t.Name, err)
		}
		for _, path := range t.Func.Literal.Imports {
			e.qualify(path, "")
		}
		e.emitFormatted(printed)
	}
	return nil
}

// emitLambda prints the function that a lambda was compiled to. It has no //line directives, because its
// lines do not correspond to lines of the .aion file.
func (e *emitter) emitLambda(f *model.Func) error {
	printed, err := formatDecl(f.Literal.Fset, f.Literal.Decl)
	if err != nil {
		return err
	}
	for _, path := range f.Literal.Imports {
		e.qualify(path, "")
	}
	e.emitFormatted(fmt.Appendf(nil, "%s\n%s", Comment("%s is %s", f.Name, f.Literal.Lambda.Text), printed))
	return nil
}

// literalCode prints a literal with a //line directive before each line that does not follow
// the previous one in the source.
func literalCode(l *model.Literal, source string) ([]byte, error) {
	text, err := formatDecl(l.Fset, l.Decl)
	if err != nil {
		return nil, err
	}
	lines, err := sourceLines(l, text)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	next, n := 0, 0 // source line and line of the text
	for line := range bytes.Lines(text) {
		n++
		if sourceLine := lines[n]; sourceLine > 0 && sourceLine != next {
			fmt.Fprintf(&out, "//line %s:%d\n", source, sourceLine)
			next = sourceLine
		}
		out.Write(line)
		next++
	}
	return format.Source(out.Bytes()) // again, because gofmt does not align lines across directives
}

// formatDecl prints a declaration until gofmt no longer changes it. Breaking a line may make
// gofmt break another one.
func formatDecl(fset *token.FileSet, decl *ast.FuncDecl) ([]byte, error) {
	var out bytes.Buffer
	if err := format.Node(&out, fset, decl); err != nil {
		return nil, err
	}
	text := append(out.Bytes(), '\n')
	for range 4 {
		formatted, err := format.Source(text)
		if err != nil || bytes.Equal(formatted, text) {
			return formatted, err
		}
		text = formatted
	}
	return text, nil
}

// sourceLines returns the source line of each line of the text that begins with a statement,
// an expression or a closing brace.
func sourceLines(l *model.Literal, text []byte) (map[int]int, error) {
	const clause = "package p;"
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", clause+string(text), parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	from, to := findLandmarks(l.Decl), findLandmarks(file.Decls[0])
	if len(from) != len(to) {
		return nil, errors.New("its syntax tree changed")
	}
	lines := map[int]int{}
	for i, pos := range to {
		p := fset.PositionFor(pos, false)
		before := text[:p.Offset-len(clause)]
		if first := len(bytes.TrimLeft(before[bytes.LastIndexByte(before, '\n')+1:], "\t ")) == 0; first && lines[p.Line] == 0 {
			lines[p.Line] = l.Fset.Position(from[i]).Line
		}
	}
	return lines, nil
}

// findLandmarks returns the positions of nodes that formatting neither adds nor removes, in a
// fixed order.
func findLandmarks(decl ast.Decl) (found []token.Pos) {
	ast.Inspect(decl, func(n ast.Node) bool {
		switch n := n.(type) {
		case nil, *ast.ParenExpr, *ast.EmptyStmt, *ast.FieldList:
		case *ast.BlockStmt:
			found = append(found, n.Lbrace, n.Rbrace)
		default:
			found = append(found, n.Pos())
		}
		return true
	})
	return found
}
