package resolve

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/printer"
	"go/scanner"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/aion"
	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/internal/lazyregexp"
)

// declaredFunction matches the declaration of a function or method in Go. Its groups are the receiver, the
// receiver type, the name, the signature and the body. The receiver and the body may be missing.
var declaredFunction = lazyregexp.Regexp{Text: `(?s)^func\s*(\(\s*\w*\s*\*?(\w+)[^)]*\))?\s*(\w+)\s*([\[(][^{]*)(\{.*)?$`}

// maxShownLiteral limits the length of a function literal in help.
const maxShownLiteral = 80

// helpWithDeclaration adds help to a diagnostic if the text is the declaration of a function, and reports
// whether it is one. If the package declares the same function, the help is to write its name. Otherwise the
// help is, for example, to write a function literal.
func (r *resolver) helpWithDeclaration(d *diag.Diagnostic, text aion.Text) bool {
	m := declaredFunction.Get().FindStringSubmatch(strings.TrimSpace(text.Value))
	if m == nil {
		return false
	}
	receiver, owner, name, signature, body := m[1], m[2], m[3], strings.TrimSpace(m[4]), strings.TrimSpace(m[5])
	reference, position := r.meantFunction(owner, name)
	if reference != "" && (body == "" || r.declaresSame(owner, name, signature+" "+body)) {
		d.WithHelp("write %q%s: this is a declaration", reference, position).WithGuess(text.Rewrite(reference)...)
		return true
	}
	switch {
	case receiver != "" && reference == "":
		d.WithHelp("declare the method in a Go file of the package, and write \"(*%s).%s\"", owner, name)
	case receiver != "":
		d.WithHelp("to use this method instead, declare it in a Go file under another name, and write that name")
	case strings.HasPrefix(signature, "["):
		d.WithHelp("declare the function in a Go file of the package, and write its name and type arguments")
	default:
		literal := "func" + signature + " " + body
		if body == "" || len(literal) > maxShownLiteral || strings.Contains(literal, "\n") {
			literal = "func" + signature + " { … }"
		}
		d.WithHelp(`a function literal has no name: write "%s"`, literal)
	}
	if reference == "" {
		return true
	}
	d.WithHelp("or, for the %s of the package%s%s, write %q", reference, position, r.describeResults(owner, name), reference)
	return true
}

// describeResults returns the results of a function or method, to follow its position in a
// sentence: ", which returns error".
func (r *resolver) describeResults(owner, name string) string {
	decl := r.declarationOf(owner, name)
	if decl == nil || decl.Type.Results == nil {
		return ""
	}
	var list []string
	for _, field := range decl.Type.Results.List {
		for range max(1, len(field.Names)) {
			list = append(list, types.ExprString(field.Type))
		}
	}
	results := strings.Join(list, ", ")
	if len(list) > 1 {
		results = "(" + results + ")"
	}
	return fmt.Sprintf(", which returns %s", results)
}

// declarationOf returns the declaration of a function of the package, or of a method unless owner is
// empty. It returns nil if there is none.
func (r *resolver) declarationOf(owner, name string) *ast.FuncDecl {
	return r.docs.PackageDoc(r.pkg.Types).FuncDecls[strings.TrimPrefix(owner+"."+name, ".")]
}

// declaresSame reports whether the package declares the function with the signature and the body that rest
// contains.
func (r *resolver) declaresSame(owner, name, rest string) bool {
	decl := r.declarationOf(owner, name)
	if decl == nil || decl.Body == nil {
		return false
	}
	var b bytes.Buffer
	for _, node := range []any{decl.Type, decl.Body} {
		if err := printer.Fprint(&b, r.pkg.Fset, node); err != nil {
			return false
		}
		b.WriteString(" ")
	}
	return slices.Equal(scanTokens(strings.TrimPrefix(b.String(), "func")), scanTokens(rest))
}

// scanTokens returns the tokens of a fragment of Go source, without optional semicolons.
func scanTokens(source string) (tokens []string) {
	file := token.NewFileSet().AddFile("", -1, len(source))
	var s scanner.Scanner
	s.Init(file, []byte(source), func(token.Position, string) {}, 0)
	for {
		_, tok, text := s.Scan()
		switch {
		case tok == token.EOF:
			return tokens
		case tok == token.SEMICOLON:
			text = ";"
		case text == "":
			text = tok.String()
		}
		if last := len(tokens) - 1; last >= 0 && tokens[last] == ";" && text == "}" {
			tokens = tokens[:last]
		}
		tokens = append(tokens, text)
	}
}
