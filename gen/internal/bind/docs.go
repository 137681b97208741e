package bind

import (
	"go/ast"
	"go/doc/comment"
	"go/token"
	"strings"
)

// docs is what only the source of a package says: comments, the order of
// constants, how they are written. Keys are Func, Type, Type.Method,
// Type.Field, Const and Var.
type docs struct {
	text   map[string]string
	fields map[token.Pos]string     // of struct fields, by the place of their names
	tags   map[token.Pos]extent     // of struct fields, by the same
	about  map[string]aboutFunction // what functions' comments say of parameters and results
	consts []string                 // in source order
	flags  map[string]bool
	extent map[string]extent
}

// extent is where a declaration begins and ends.
type extent struct{ from, to token.Pos }

func (e extent) holds(pos token.Pos) bool { return e.from <= pos && pos < e.to }

func readDocs(files []*ast.File) *docs {
	d := &docs{
		text: map[string]string{}, fields: map[token.Pos]string{}, tags: map[token.Pos]extent{}, about: map[string]aboutFunction{},
		flags: map[string]bool{}, extent: map[string]extent{},
	}
	for _, file := range files {
		for _, decl := range file.Decls {
			switch decl := decl.(type) {
			case *ast.FuncDecl:
				d.function(decl)
			case *ast.GenDecl:
				d.general(decl)
			}
		}
	}
	return d
}

func (d *docs) function(decl *ast.FuncDecl) {
	name := decl.Name.Name
	if decl.Recv != nil && len(decl.Recv.List) == 1 {
		name = typeIdent(decl.Recv.List[0].Type).Name + "." + name
	}
	d.text[name], d.about[name] = functionText(decl.Doc, decl.Type)
	d.extent[name] = extent{decl.Pos(), decl.Type.End()}
	d.members("", decl.Type)
}

func (d *docs) general(decl *ast.GenDecl) {
	var values []ast.Expr // of the last constant that had any: iota repeats them
	for _, spec := range decl.Specs {
		switch spec := spec.(type) {
		case *ast.TypeSpec:
			d.typeSpec(decl, spec)
		case *ast.ValueSpec:
			if len(spec.Values) > 0 {
				values = spec.Values
			}
			d.values(decl, spec, values)
		}
	}
}

func (d *docs) typeSpec(decl *ast.GenDecl, spec *ast.TypeSpec) {
	name := spec.Name.Name
	d.extent[name] = extent{spec.Pos(), spec.End()}
	d.text[name] = firstText(spec.Doc, spec.Comment)
	if d.text[name] == "" && !decl.Lparen.IsValid() {
		d.text[name] = commentText(decl.Doc)
	}
	d.members(name, spec.Type)
	if i, ok := spec.Type.(*ast.InterfaceType); ok {
		d.methods(name, i)
	}
}

// methods takes the comments of an interface's methods.
func (d *docs) methods(owner string, t *ast.InterfaceType) {
	for _, m := range t.Methods.List {
		f, ok := m.Type.(*ast.FuncType)
		if !ok {
			continue // embedded
		}
		group := m.Doc
		if group == nil {
			group = m.Comment
		}
		for _, name := range m.Names {
			key := owner + "." + name.Name
			d.text[key], d.about[key] = functionText(group, f)
			d.extent[key] = extent{m.Pos(), m.End()}
		}
	}
}

// members takes the comments of the fields of all structs in a type. Those of
// the outermost are known by name, too.
func (d *docs) members(owner string, t ast.Expr) {
	ast.Inspect(t, func(n ast.Node) bool {
		s, ok := n.(*ast.StructType)
		if !ok {
			return true
		}
		for _, field := range s.Fields.List {
			text := firstText(field.Doc, field.Comment)
			names := field.Names
			if len(names) == 0 {
				names = []*ast.Ident{typeIdent(field.Type)}
			}
			for _, name := range names {
				d.fields[name.Pos()] = text
				if field.Tag != nil {
					d.tags[name.Pos()] = extent{field.Tag.Pos(), field.Tag.End()}
				}
				if s == t {
					d.text[owner+"."+name.Name] = text
				}
			}
		}
		return true
	})
}

// typeIdent is the name of a type within what may stand around it: that of a
// receiver, or of an embedded field.
func typeIdent(t ast.Expr) *ast.Ident {
	switch t := ast.Unparen(t).(type) {
	case *ast.StarExpr:
		return typeIdent(t.X)
	case *ast.IndexExpr:
		return typeIdent(t.X)
	case *ast.IndexListExpr:
		return typeIdent(t.X)
	case *ast.SelectorExpr:
		return t.Sel
	case *ast.Ident:
		return t
	}
	return &ast.Ident{} // Go that does not compile
}

func (d *docs) values(decl *ast.GenDecl, spec *ast.ValueSpec, values []ast.Expr) {
	for i, name := range spec.Names {
		d.extent[name.Name] = extent{spec.Pos(), spec.End()}
		d.text[name.Name] = firstText(spec.Doc, spec.Comment)
		if d.text[name.Name] == "" && !decl.Lparen.IsValid() {
			d.text[name.Name] = commentText(decl.Doc)
		}
		if decl.Tok == token.CONST {
			d.consts = append(d.consts, name.Name)
			d.flags[name.Name] = i < len(values) && shifts(values[i])
		}
	}
}

// shifts reports whether a constant is written as a shift, as bit flags are.
func shifts(e ast.Expr) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		if b, ok := n.(*ast.BinaryExpr); ok && b.Op == token.SHL {
			found = true
		}
		return !found
	})
	return found
}

func firstText(groups ...*ast.CommentGroup) string {
	for _, g := range groups {
		if text := commentText(g); text != "" {
			return text
		}
	}
	return ""
}

// commentText is a comment as prose: without markers and directives, and each
// paragraph on a line of its own, since what wraps it here wraps it nowhere else.
func commentText(g *ast.CommentGroup) string {
	var parser comment.Parser
	return docText(parser.Parse(g.Text()).Content)
}

func docText(blocks []comment.Block) string {
	unwrapped := comment.Printer{TextWidth: -1}
	return strings.TrimSpace(string(unwrapped.Text(&comment.Doc{Content: blocks})))
}
