package resolve

import (
	"errors"
	"fmt"
	"go/ast"
	"go/types"
	"regexp"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/aion"
	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/budget"
	"github.com/aiongen/aiongen/gen/internal/model"
	"github.com/aiongen/aiongen/internal/values"
	"github.com/aiongen/aiongen/internal/words"
)

// GoType parses a Go type expression in the scope of the package.
func (s *Scope) GoType(text string) (model.GoType, error) {
	t, err := s.TypeOf(text)
	if err != nil {
		return model.GoType{}, err
	}
	return s.write.GoType(types.Unalias(t))
}

// TypeOf returns the type of a Go type expression in the scope of the package.
func (s *Scope) TypeOf(text string) (types.Type, error) {
	expr, err := budget.ParseExpr(text)
	if err != nil {
		return nil, err
	}
	return s.checkType(expr)
}

// checkType type-checks a type expression in the scope of the package. It tries the imports of each
// file, then the imports of all files together.
func (s *Scope) checkType(expr ast.Expr) (types.Type, error) {
	err := errors.New("the package has no Go files")
	for _, file := range slices.Concat(s.pkg.Files, s.allImports()) {
		info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}}
		if err = types.CheckExpr(s.pkg.Fset, s.pkg.Types, file.Name.Pos(), expr, info); err == nil {
			if tv := info.Types[expr]; tv.IsType() {
				return tv.Type, nil
			}
			err = errors.New("it is not a type")
		}
	}
	if fault, ok := errors.AsType[types.Error](err); ok {
		err = errors.New(fault.Msg) // its position is relative to the expression
	}
	return nil, err
}

// allImports returns a file with the imports of all files of the package. A blank import gets the
// name of the imported package.
func (s *Scope) allImports() []*ast.File {
	if s.imports != nil || len(s.pkg.Files) == 0 {
		return s.imports
	}
	source := "package " + s.pkg.Name + "\n"
	taken := map[string]bool{"": true, ".": true}
	for name, path := range s.allImportNames {
		if !taken[name] && s.pkg.Types.Scope().Lookup(name) == nil {
			source += fmt.Sprintf("import %s %q\n", name, path)
			taken[name] = true
		}
	}
	file, err := s.pkg.ParseFile("imports.go", source)
	if err != nil {
		return nil
	}
	s.pkg.CheckFile(file, nil) // the errors say that imports are unused
	s.imports = []*ast.File{file}
	return s.imports
}

// HelpType adds help to a diagnostic about an unknown type in a note. The string word is the type word for
// the Go type, or "" if that is not known.
func (s *Scope) HelpType(d *diag.Diagnostic, n *aion.Note, word string) {
	written := n.Type
	if s.helpWithLeftOut(d, s.pkg.Types, written, "") {
		return
	}
	inner, isOptional := strings.CutPrefix(written, "Optional[")
	unqualified := s.trimOwnPackage(written)
	option, isOption := values.FindOption(written)
	near := words.Nearest(written, slices.Concat(values.TypeWords, typeNames(s.pkg.Types)))
	switch {
	case isOptional:
		meant := strings.TrimSuffix(inner, "]") + "?"
		d.WithHelp("write %q", meant).WithFix(n.Retype(meant)...)
	case unqualified != "":
		d.WithHelp("write %q: types of package %s are written without its name", unqualified, s.pkg.Name).WithFix(n.Retype(unqualified)...)
	case written == "omit":
		d.WithHelp("write \"any | omit\": the type comes first, and any accepts all types").WithFix(n.Retype("any | omit")...)
	case isOption && option.Alone:
		d.WithHelp("write the type first, as in \"string | %s\"", written)
	case near != "":
		d.WithHelp("did you mean %q?", near).WithGuess(n.Retype(near)...)
	case word != "":
		d.WithHelp("write %q, the type in Go", word).WithGuess(n.Retype(word)...)
	default:
		d.WithHelp("write one of %s, or a Go type", strings.Join(values.TypeWords, ", "))
	}
}

// trimOwnPackage returns a Go type without the name of the package itself: Order for shop.Order. It
// returns "" if the result is not a valid type, or if there is nothing to remove.
func (s *Scope) trimOwnPackage(text string) string {
	unqualified := regexp.MustCompile(`\b`+regexp.QuoteMeta(s.pkg.Name)+`\.`).ReplaceAllString(text, "")
	if _, err := s.GoType(unqualified); unqualified == text || err != nil {
		return ""
	}
	return unqualified
}

// ReportMissingSchema reports that an args_schema does not name a struct type of the package.
func (s *Scope) ReportMissingSchema(faults *diag.List, name aion.Text) {
	var structs []string
	scope := s.pkg.Types.Scope()
	for _, n := range scope.Names() {
		if tn, ok := scope.Lookup(n).(*types.TypeName); ok {
			if _, ok := tn.Type().Underlying().(*types.Struct); ok {
				structs = append(structs, n)
			}
		}
	}
	d := faults.Errorf("unknown-schema", name.Span, "there is no struct type %s in package %s", name.Value, s.pkg.Name)
	if s.helpWithLeftOut(d, s.pkg.Types, name.Value, "") {
		return
	}
	if unqualified := s.trimOwnPackage(name.Value); unqualified != "" {
		d.WithHelp("write %q: types of package %s are written without its name", unqualified, s.pkg.Name).WithFix(name.Rewrite(unqualified)...)
	} else if near := words.Nearest(name.Value, structs); near != "" {
		d.WithHelp("did you mean %s%s?", near, s.pkg.DescribePlace(scope.Lookup(near))).WithGuess(name.Rewrite(near)...)
	}
}

// NoteType returns the type of a note, which is a type word or a Go type. A Go type takes
// precedence over a type word that is not in lower case.
func (s *Scope) NoteType(text string) (types.Type, error) {
	if t := s.wordType(text); t != nil {
		return t, nil
	}
	t, err := s.TypeOf(text)
	if err == nil {
		return t, nil
	}
	if t := s.wordType(strings.ToLower(text)); t != nil {
		return t, nil
	}
	return nil, err
}

// wordType returns the Go type for a type word, such as []any for list, or nil if word is not a type word.
func (s *Scope) wordType(word string) types.Type {
	w := values.WordOf(word)
	elem := types.Universe.Lookup("any").Type()
	if w.Elem != "" {
		var err error
		if elem, err = s.NoteType(w.Elem); err != nil {
			return nil
		}
	}
	switch w.Kind {
	case values.StringKind:
		return types.Typ[types.String]
	case values.IntKind:
		return types.Typ[types.Int]
	case values.FloatKind:
		return types.Typ[types.Float64]
	case values.BoolKind:
		return types.Typ[types.Bool]
	case values.AnyKind:
		return elem
	case values.ListKind:
		return types.NewSlice(elem)
	case values.DictKind:
		if w.Key != "" && values.WordOf(w.Key).Kind != values.StringKind {
			return nil // keys in JSON are strings
		}
		return types.NewMap(types.Typ[types.String], elem)
	}
	return nil
}

// wantedResult returns the type of the only note on a result, or nil if there is no such type.
func (s *Scope) wantedResult(el *aion.Element) types.Type {
	returns := el.Function.Returns
	if len(returns) != 1 || returns[0].Note.Type == "" {
		return nil
	}
	t, err := s.NoteType(returns[0].Note.Type)
	if err != nil {
		return nil // reported when the notes are checked
	}
	return t
}
