package emit

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"

	"github.com/aiongen/aiongen/gen/internal/emit/code"
	"github.com/aiongen/aiongen/gen/internal/model"
)

// literals prints function literals as functions, whose lines count as those of
// the .aion file, so that the Go compiler's errors point there. They come last:
// no line that counts as one of the generated file follows.
func (e *emitter) literals(f *model.File) error {
	for _, t := range f.Tools {
		if t.Func == nil || t.Func.Literal == nil || t.Func.Literal.Lambda != nil {
			continue
		}
		printed, err := literalCode(t.Func.Literal, code.OneLine(f.Source))
		if err != nil {
			return fmt.Errorf("printing the function of tool %s: %w", t.Name, err)
		}
		for _, path := range t.Func.Literal.Imports {
			e.Declared(path, "")
		}
		e.asIs(printed)
	}
	return nil
}

// lambda prints the function that a lambda became, which has no lines in the .aion
// file.
func (e *emitter) lambda(f *model.Func) error {
	printed, err := formatted(f.Literal.Fset, f.Literal.Decl)
	if err != nil {
		return err
	}
	for _, path := range f.Literal.Imports {
		e.Declared(path, "")
	}
	e.asIs(fmt.Appendf(nil, "%s\n%s", code.Comment("%s is %s", f.Name, f.Literal.Lambda.Text), printed))
	return nil
}

// literalCode prints a literal, with //line directives where a line does not
// follow the one before it in the source.
func literalCode(l *model.Literal, source string) ([]byte, error) {
	text, err := formatted(l.Fset, l.Decl)
	if err != nil {
		return nil, err
	}
	lines, err := sourceLines(l, text)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	next, n := 0, 0 // what the line counts as, and its number in the text
	for line := range bytes.Lines(text) {
		n++
		if at := lines[n]; at > 0 && at != next {
			fmt.Fprintf(&out, "//line %s:%d\n", source, at)
			next = at
		}
		out.Write(line)
		next++
	}
	return format.Source(out.Bytes()) // what directives keep apart is not aligned
}

// formatted prints a declaration as gofmt leaves it alone. What it makes of a
// line is not always that: where it breaks one, there may be more to break.
func formatted(fset *token.FileSet, decl *ast.FuncDecl) ([]byte, error) {
	var out bytes.Buffer
	if err := format.Node(&out, fset, decl); err != nil {
		return nil, err
	}
	text := append(out.Bytes(), '\n')
	for range 4 {
		again, err := format.Source(text)
		if err != nil || bytes.Equal(again, text) {
			return again, err
		}
		text = again
	}
	return text, nil
}

// sourceLines are the lines of the source, by the lines of the text that a
// statement, an expression or a closing brace begins.
func sourceLines(l *model.Literal, text []byte) (map[int]int, error) {
	const clause = "package p;"
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", clause+string(text), parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	from, to := landmarks(l.Decl), landmarks(file.Decls[0])
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

// landmarks are the places of what formatting neither adds nor takes away, in
// one order.
func landmarks(decl ast.Decl) (found []token.Pos) {
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
