package main

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/scanner"
	"go/token"
	"go/types"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// A house is a checkout, read and type-checked.
type house struct {
	dir       string // absolute
	rooms     []*packages.Package
	generated []*packages.Package // that link against it: golden files and the example
}

const module = "github.com/aiongen/aiongen"

func open(dir string) (*house, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	config := &packages.Config{Dir: dir, Mode: packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles |
		packages.NeedImports | packages.NeedTypes | packages.NeedSyntax | packages.NeedTypesInfo}
	all, err := packages.Load(config, "./...", "./testdata/golden/...")
	if err != nil {
		return nil, err
	}
	h := &house{dir: dir}
	for _, p := range all {
		for _, e := range p.Errors {
			return nil, e
		}
		if slices.ContainsFunc(p.Syntax, ast.IsGenerated) {
			h.generated = append(h.generated, p)
		}
		if !strings.HasPrefix(p.PkgPath, module+"/testdata") {
			h.rooms = append(h.rooms, p)
		}
	}
	if len(h.rooms) == 0 {
		return nil, errors.New("no packages")
	}
	return h, nil
}

// name is the path of a package within the module.
func name(p *packages.Package) string { return strings.TrimPrefix(p.PkgPath, module+"/") }

// files calls do for each file that somebody wrote.
func (h *house) files(do func(*packages.Package, *ast.File)) {
	for _, p := range h.rooms {
		for _, f := range p.Syntax {
			if !ast.IsGenerated(f) {
				do(p, f)
			}
		}
	}
}

// A most keeps the greatest of many values, and where it was.
type most struct {
	value int
	where string
}

func (m *most) take(value int, where string) {
	if value > m.value {
		m.value, m.where = value, where
	}
}

// count returns how many lines of a file hold code, and how many nothing but a
// comment.
func count(fset *token.FileSet, f *ast.File) (code, comment int) {
	text, err := os.ReadFile(fset.File(f.FileStart).Name())
	if err != nil {
		return 0, 0
	}
	var s scanner.Scanner
	file := token.NewFileSet().AddFile("", -1, len(text))
	s.Init(file, text, nil, scanner.ScanComments)
	lines := map[int]bool{} // whether there is code
	for {
		pos, tok, literal := s.Scan()
		if tok == token.EOF {
			break
		}
		if tok == token.SEMICOLON && literal == "\n" {
			continue
		}
		first := file.Line(pos)
		for line := first; line <= first+strings.Count(literal, "\n"); line++ {
			lines[line] = lines[line] || tok != token.COMMENT
		}
	}
	for holds := range maps.Values(lines) {
		if holds {
			code++
		} else {
			comment++
		}
	}
	return code, comment
}

func lines(h *house) (value int, where string) {
	h.files(func(p *packages.Package, f *ast.File) {
		code, _ := count(p.Fset, f)
		value += code
	})
	return value, ""
}

func comments(h *house) (value int, where string) {
	h.files(func(p *packages.Package, f *ast.File) {
		_, comment := count(p.Fset, f)
		value += comment
	})
	return value, ""
}

func longestFile(h *house) (int, string) {
	var m most
	h.files(func(p *packages.Package, f *ast.File) {
		file := p.Fset.File(f.FileStart)
		m.take(file.LineCount(), name(p)+"/"+filepath.Base(file.Name()))
	})
	return m.value, m.where
}

func largestPackage(h *house) (int, string) {
	sizes, m := map[string]int{}, most{}
	h.files(func(p *packages.Package, f *ast.File) { sizes[name(p)] += p.Fset.File(f.FileStart).LineCount() })
	for _, room := range slices.Sorted(maps.Keys(sizes)) {
		m.take(sizes[room], room)
	}
	return m.value, m.where
}

func longestFunction(h *house) (int, string) {
	var m most
	h.files(func(p *packages.Package, f *ast.File) {
		for _, d := range f.Decls {
			if d, ok := d.(*ast.FuncDecl); ok {
				m.take(p.Fset.Position(d.End()).Line-p.Fset.Position(d.Pos()).Line+1, name(p)+"."+d.Name.Name)
			}
		}
	})
	return m.value, m.where
}

// exported counts what a user can name, without what generated code alone names, or
// is said to be for.
func exported(h *house) (value int, where string) {
	generated, written := h.used()
	for _, p := range h.rooms {
		if p.Name == "main" || slices.Contains(strings.Split(p.PkgPath, "/"), "internal") || strings.HasPrefix(name(p), "example") || isForGenerated(p) {
			continue
		}
		for _, n := range p.Types.Scope().Names() {
			if key := p.PkgPath + "." + n; token.IsExported(n) && (written[key] || !generated[key]) {
				value++
			}
		}
	}
	return value, ""
}

func isForGenerated(p *packages.Package) bool {
	return slices.ContainsFunc(p.Syntax, func(f *ast.File) bool {
		return strings.Contains(strings.Join(strings.Fields(f.Doc.Text()), " "), "for generated code only")
	})
}

// used returns which names of packages generated files use, and which other
// packages do.
func (h *house) used() (generated, written map[string]bool) {
	generated, written = map[string]bool{}, map[string]bool{}
	for _, p := range slices.Concat(h.rooms, h.generated) {
		for id, o := range p.TypesInfo.Uses {
			if o.Pkg() == nil || o.Pkg() == p.Types || o.Parent() != o.Pkg().Scope() {
				continue
			}
			by := written
			if in := fileOf(p, id); in == nil || ast.IsGenerated(in) {
				by = generated
			}
			by[o.Pkg().Path()+"."+o.Name()] = true
		}
	}
	return generated, written
}

func fileOf(p *packages.Package, n ast.Node) *ast.File {
	for _, f := range p.Syntax {
		if f.FileStart <= n.Pos() && n.Pos() < f.FileEnd {
			return f
		}
	}
	return nil
}

// busiestType looks for the type that is the receiver or the first parameter of
// the most functions of its package.
func busiestType(h *house) (int, string) {
	var m most
	for _, p := range h.rooms {
		functions := map[string]int{}
		for _, f := range p.Syntax {
			for _, d := range f.Decls {
				if d, ok := d.(*ast.FuncDecl); ok && !ast.IsGenerated(f) {
					functions[firstType(p, d)]++
				}
			}
		}
		delete(functions, "")
		for _, t := range slices.Sorted(maps.Keys(functions)) {
			m.take(functions[t], name(p)+"."+t)
		}
	}
	return m.value, m.where
}

// firstType returns the name of the type of the package that a function is about.
func firstType(p *packages.Package, d *ast.FuncDecl) string {
	signature := p.TypesInfo.Defs[d.Name].Type().(*types.Signature)
	var t types.Type
	switch {
	case signature.Recv() != nil:
		t = signature.Recv().Type()
	case signature.Params().Len() > 0:
		t = signature.Params().At(0).Type()
	default:
		return ""
	}
	if pointer, ok := t.(*types.Pointer); ok {
		t = pointer.Elem()
	}
	if named, ok := t.(*types.Named); ok && named.Obj().Pkg() == p.Types {
		return named.Obj().Name()
	}
	return ""
}

func toolDoc(h *house) (int, string) {
	var out, stderr bytes.Buffer
	cmd := exec.Command("go", "doc", "-all", "./runtime/tool")
	cmd.Dir, cmd.Stdout, cmd.Stderr = h.dir, &out, &stderr
	if err := cmd.Run(); err != nil {
		return 0, fmt.Sprint(err, ": ", stderr.String())
	}
	return bytes.Count(out.Bytes(), []byte("\n")), path.Base("runtime/tool")
}
