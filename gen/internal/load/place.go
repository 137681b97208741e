package load

import (
	"go/ast"
	"go/token"
	"go/types"
	"path"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/aiongen/aiongen/aion/diag"
)

// TypeName returns the name of a type for messages: Order for a type of p, and time.Time for one of
// another package.
func (p *Package) TypeName(t types.Type) string {
	return types.TypeString(t, func(other *types.Package) string {
		if other == p.Types {
			return ""
		}
		return other.Name()
	})
}

// DeclarationSpan returns the position of the declaration of an object. It is the zero Span if
// the position or the source file is not known.
func (p *Package) DeclarationSpan(obj types.Object) diag.Span {
	at := p.findDeclaration(obj)
	if !at.IsValid() {
		return diag.Span{}
	}
	return p.nameSpan(obj, at)
}

func (p *Package) nameSpan(obj types.Object, at token.Pos) diag.Span {
	return p.Span(at, at+token.Pos(len(obj.Name())))
}

// RelatedDeclaration returns the position of a declaration for a diagnostic, or nil for objects of
// other modules.
func (p *Package) RelatedDeclaration(obj types.Object) []diag.Related {
	at := p.findInModule(obj)
	if !at.IsValid() {
		return nil
	}
	return []diag.Related{{Span: p.nameSpan(obj, at), Message: obj.Name() + " is declared here"}}
}

// DescribePlace returns the position of a declaration, such as " (shop.go:12:6)", to follow its
// name in a sentence. It is empty for objects of other modules.
func (p *Package) DescribePlace(obj types.Object) string {
	at := p.findInModule(obj)
	if !at.IsValid() {
		return ""
	}
	return " (" + p.nameSpan(obj, at).String() + ")"
}

// findInModule is like findDeclaration for objects of the same module. It returns token.NoPos for
// others.
func (p *Package) findInModule(obj types.Object) token.Pos {
	if obj.Pkg() != p.Types && (obj.Pkg() == nil || !p.IsInModule(obj.Pkg().Path())) {
		return token.NoPos
	}
	return p.findDeclaration(obj)
}

// findDeclaration returns the position of the declaration of an object in a source file. It is
// invalid if the position or the file is not known. The positions of objects from export data of
// the compiler have file names such as $GOROOT/src/strings/strings.go, which do not exist.
func (p *Package) findDeclaration(obj types.Object) token.Pos {
	switch {
	case obj.Pkg() == p.Types:
		return obj.Pos()
	case obj.Pkg() == nil || !obj.Pos().IsValid():
		return token.NoPos
	}
	declared := p.Fset.PositionFor(obj.Pos(), false)
	for _, file := range p.Syntax(obj.Pkg().Path()) {
		if file.FileStart <= obj.Pos() && obj.Pos() < file.FileEnd {
			return obj.Pos()
		}
		if filepath.Base(p.Fset.File(file.FileStart).Name()) == filepath.Base(declared.Filename) {
			return p.findNameInLine(file, obj.Name(), declared.Line)
		}
	}
	return token.NoPos
}

// findNameInLine returns the position of a name in a line of a file. The positions of
// declarations in export data have no columns.
func (p *Package) findNameInLine(file *ast.File, name string, line int) (found token.Pos) {
	for _, decl := range file.Decls {
		if p.Fset.PositionFor(decl.End(), false).Line < line || p.Fset.PositionFor(decl.Pos(), false).Line > line {
			continue
		}
		ast.Inspect(decl, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok && !found.IsValid() && id.Name == name && p.Fset.PositionFor(id.Pos(), false).Line == line {
				found = id.Pos()
			}
			return !found.IsValid()
		})
	}
	return found
}

// ModuleFile returns the path of a file of the package relative to its module, with slashes.
func (p *Package) ModuleFile(name string) string {
	if p.Module == "" {
		return name
	}
	return path.Join(Relative(p.Module, p.Dir), name)
}

// DeclarationPlace returns the file and line of a declaration, such as "shop/orders.go:12".
// The file is relative to the module of p. In other modules it begins with the import path.
func (p *Package) DeclarationPlace(obj types.Object) string {
	at := p.Fset.PositionFor(obj.Pos(), false)
	if obj.Pkg() == nil || !at.IsValid() {
		return ""
	}
	dir := obj.Pkg().Path()
	if dir == p.module {
		dir = ""
	} else if p.module != "" {
		dir = strings.TrimPrefix(dir, p.module+"/")
	}
	return path.Join(dir, filepath.Base(at.Filename)) + ":" + strconv.Itoa(at.Line)
}
