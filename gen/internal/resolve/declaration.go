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
// type of it, the name, the signature and the body, if any.
var declaredFunction = lazyregexp.Regexp{Text: `(?s)^func\s*(\(\s*\w*\s*\*?(\w+)[^)]*\))?\s*(\w+)\s*([\[(][^{]*)(\{.*)?$`}

// maxShownLiteral limits the length of a function literal in help.
const maxShownLiteral = 80

// helpWithDeclaration adds what to write instead of the declaration of a function to a diagnostic: the name
// of the function of the package, if it is that, otherwise a literal. It reports whether the text is a
// declaration.
func (r *resolver) helpWithDeclaration(d *diag.Diagnostic, text aion.Text) bool {
	m := declaredFunction.Get().FindStringSubmatch(strings.TrimSpace(text.Value))
	if m == nil {
		return false
	}
	receiver, owner, name, signature, body := m[1], m[2], m[3], strings.TrimSpace(m[4]), strings.TrimSpace(m[5])
	found, place := r.meantFunction(owner, name)
	if found != "" && (body == "" || r.declaresSame(owner, name, signature+" "+body)) {
		d.WithHelp("write %q%s: this is a declaration", found, place).WithGuess(text.Rewrite(found)...)
		return true
	}
	switch {
	case receiver != "" && found == "":
		d.WithHelp("declare the method in a Go file of the package, and write \"(*%s).%s\"", owner, name)
	case receiver != "":
		d.WithHelp("for another method than that of the package, declare it in a Go file under another name, and write that name")
	case strings.HasPrefix(signature, "["):
		d.WithHelp("declare the function in a Go file of the package, and write its name and type arguments")
	default:
		literal := "func" + signature + " " + body
		if body == "" || len(literal) > maxShownLiteral || strings.Contains(literal, "\n") {
			literal = "func" + signature + " { … }"
		}
		d.WithHelp(`a function literal has no name: write "%s"`, literal)
	}
	if found == "" {
		return true
	}
	d.WithHelp("or, for the %s of the package%s%s, write %q", found, place, r.describeResults(owner, name), found)
	return true
}

// describeResults says what a function or method of the package returns, to follow its place.
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

// declarationOf returns the declaration of a function of the package, or of a method if owner is not
// empty, nil if there is none.
func (r *resolver) declarationOf(owner, name string) *ast.FuncDecl {
	key := name
	if owner != "" {
		key = owner + "." + name
	}
	for _, file := range r.pkg.Files {
		for _, decl := range file.Decls {
			if f, ok := decl.(*ast.FuncDecl); ok && declarationKey(f) == key {
				return f
			}
		}
	}
	return nil
}

// declaresSame reports whether the package declares a function with the same signature and body.
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
	return sameTokens(strings.TrimPrefix(b.String(), "func"), rest)
}

// sameTokens reports whether two parts of Go files differ in white space and comments only.
func sameTokens(a, b string) bool { return slices.Equal(scanTokens(a), scanTokens(b)) }

// scanTokens returns the tokens of a part of a Go file, without semicolons that can be left out.
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
