package resolve

import (
	"errors"
	"fmt"
	"go/ast"
	"go/types"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/aiongen/aiongen/aion"
	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/model"
	"github.com/aiongen/aiongen/gen/internal/nesting"
	"github.com/aiongen/aiongen/internal/values"
	"github.com/aiongen/aiongen/internal/words"
)

// GoType reads a Go type expression in the scope of the package.
func (s *Scope) GoType(text string) (model.GoType, error) {
	t, err := s.TypeOf(text)
	if err != nil {
		return model.GoType{}, err
	}
	return s.write.Type(types.Unalias(t))
}

// TypeOf is the type that a Go type expression means in the scope of the package.
func (s *Scope) TypeOf(text string) (types.Type, error) {
	expr, err := nesting.Parse(text)
	if err != nil {
		return nil, err
	}
	return s.checkType(expr)
}

// checkType type-checks a type expression in the scope of the package, with the
// imports of any of its files, or of all.
func (s *Scope) checkType(expr ast.Expr) (types.Type, error) {
	err := errors.New("the package has no Go files")
	for _, file := range slices.Concat(s.pkg.Files, s.importing()) {
		info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}}
		if err = types.CheckExpr(s.pkg.Fset, s.pkg.Types, file.Name.Pos(), expr, info); err == nil {
			if tv := info.Types[expr]; tv.IsType() {
				return tv.Type, nil
			}
			err = errors.New("it is no type")
		}
	}
	if fault, ok := errors.AsType[types.Error](err); ok {
		err = errors.New(fault.Msg) // its position is one in the expression
	}
	return nil, err
}

// importing is a file that imports what any file of the package does, a blank import
// under the package's own name.
func (s *Scope) importing() []*ast.File {
	if s.imports != nil || len(s.pkg.Files) == 0 {
		return s.imports
	}
	source := "package " + s.pkg.Name + "\n"
	taken := map[string]bool{"": true, ".": true}
	for _, file := range s.pkg.Files {
		for _, spec := range file.Imports {
			path, _ := strconv.Unquote(spec.Path.Value)
			name := s.declaredName(spec, path)
			if !taken[name] && s.pkg.Types.Scope().Lookup(name) == nil {
				source += fmt.Sprintf("import %s %q\n", name, path)
				taken[name] = true
			}
		}
	}
	file, err := s.pkg.ParseFile("imports.go", source)
	if err != nil {
		return nil
	}
	s.pkg.CheckFile(file, nil) // which says that none of them is used
	s.imports = []*ast.File{file}
	return s.imports
}

// HelpType helps with a type of a note that is none.
func (s *Scope) HelpType(d *diag.Diagnostic, n *aion.Note) {
	written := n.Type
	if s.LeftOut(d, s.pkg.Types, written, "") {
		return
	}
	inner, optional := strings.CutPrefix(written, "Optional[")
	own := s.unqualified(written)
	near := words.Nearest(written, slices.Concat(values.TypeWords, typeNames(s.pkg.Types)))
	switch {
	case optional:
		meant := strings.TrimSuffix(inner, "]") + "?"
		d.WithHelp("write %q", meant).WithFix(n.Retype(meant)...)
	case own != "":
		d.WithHelp("write %q: types of package %s stand without its name", own, s.pkg.Name).WithFix(n.Retype(own)...)
	case written == "omit":
		d.WithHelp("write \"any | omit\": a type comes first, and any fits all").WithFix(n.Retype("any | omit")...)
	case slices.Contains(values.Options, written):
		d.WithHelp("write the type first, as in \"string | %s\"", written)
	case near != "":
		d.WithHelp("did you mean %q?", near).WithGuess(n.Retype(near)...)
	default:
		d.WithHelp("write one of %s, or a Go type", strings.Join(values.TypeWords, ", "))
	}
}

// unqualified is a Go type without the name of its own package, "" if that does
// not make it one.
func (s *Scope) unqualified(text string) string {
	own := regexp.MustCompile(`\b`+regexp.QuoteMeta(s.pkg.Name)+`\.`).ReplaceAllString(text, "")
	if _, err := s.GoType(own); own == text || err != nil {
		return ""
	}
	return own
}

// MissingSchema reports an args_schema that names no struct type of the package.
func (s *Scope) MissingSchema(faults *diag.List, name aion.Text) {
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
	if s.LeftOut(d, s.pkg.Types, name.Value, "") {
		return
	}
	if own := s.unqualified(name.Value); own != "" {
		d.WithHelp("write %q: types of package %s stand without its name", own, s.pkg.Name).WithFix(name.Rewrite(own)...)
	} else if near := words.Nearest(name.Value, structs); near != "" {
		d.WithHelp("did you mean %s%s?", near, s.pkg.Beside(scope.Lookup(near))).WithGuess(name.Rewrite(near)...)
	}
}

// NoteType is the type that a note stands for: a word in lower case, else a Go type,
// else a word in any case.
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

// wordType is the type that a type word stands for in a lambda; nil if it is none.
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
		return types.NewMap(types.Typ[types.String], elem)
	}
	return nil
}

// wantedResult is the type that return-1 gives; nil if it gives none.
func (s *Scope) wantedResult(el *aion.Element) types.Type {
	returns := el.Function.Returns
	if len(returns) != 1 || returns[0].Note.Type == "" {
		return nil
	}
	t, err := s.NoteType(returns[0].Note.Type)
	if err != nil {
		return nil // reported where the contract is checked
	}
	return t
}
