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

// A checkout is a checkout of this repository, parsed and type-checked.
type checkout struct {
	dir       string // absolute
	packages  []*packages.Package
	generated []*packages.Package // golden files and the example, which use the module
}

const module = "github.com/aiongen/aiongen"

func openCheckout(dir string) (*checkout, error) {
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
	h := &checkout{dir: dir}
	for _, p := range all {
		for _, e := range p.Errors {
			return nil, e
		}
		if slices.ContainsFunc(p.Syntax, ast.IsGenerated) {
			h.generated = append(h.generated, p)
		}
		if !strings.HasPrefix(p.PkgPath, module+"/testdata") {
			h.packages = append(h.packages, p)
		}
	}
	if len(h.packages) == 0 {
		return nil, errors.New("no packages")
	}
	return h, nil
}

// packageName returns the path of a package within the module.
func packageName(p *packages.Package) string { return strings.TrimPrefix(p.PkgPath, module+"/") }

// forEachFile calls do for each file that is not generated.
func (h *checkout) forEachFile(do func(*packages.Package, *ast.File)) {
	for _, p := range h.packages {
		for _, f := range p.Syntax {
			if !ast.IsGenerated(f) {
				do(p, f)
			}
		}
	}
}

// A maximum keeps the largest of several values, and where it was found.
type maximum struct {
	value int
	where string
}

func (m *maximum) update(value int, where string) {
	if value > m.value {
		m.value, m.where = value, where
	}
}

// countLines returns how many lines of a file have code, and how many have only a comment.
func countLines(fset *token.FileSet, f *ast.File) (code, comment int) {
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

func codeLines(h *checkout) (value int, where string) {
	h.forEachFile(func(p *packages.Package, f *ast.File) {
		code, _ := countLines(p.Fset, f)
		value += code
	})
	return value, ""
}

func commentLines(h *checkout) (value int, where string) {
	h.forEachFile(func(p *packages.Package, f *ast.File) {
		_, comment := countLines(p.Fset, f)
		value += comment
	})
	return value, ""
}

func longestFile(h *checkout) (int, string) {
	var m maximum
	h.forEachFile(func(p *packages.Package, f *ast.File) {
		file := p.Fset.File(f.FileStart)
		m.update(file.LineCount(), packageName(p)+"/"+filepath.Base(file.Name()))
	})
	return m.value, m.where
}

func largestPackage(h *checkout) (int, string) {
	sizes, m := map[string]int{}, maximum{}
	h.forEachFile(func(p *packages.Package, f *ast.File) { sizes[packageName(p)] += p.Fset.File(f.FileStart).LineCount() })
	for _, room := range slices.Sorted(maps.Keys(sizes)) {
		m.update(sizes[room], room)
	}
	return m.value, m.where
}

// exportedNames counts the names that users can refer to, without those that only generated code refers
// to or that are documented as meant for it.
func exportedNames(h *checkout) (value int, where string) {
	generated, written := h.usedNames()
	for _, p := range h.packages {
		if p.Name == "main" || slices.Contains(strings.Split(p.PkgPath, "/"), "internal") || strings.HasPrefix(packageName(p), "example") || isForGenerated(p) {
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

// usedNames returns which names of other packages generated files use, and which hand-written files use.
func (h *checkout) usedNames() (generated, written map[string]bool) {
	generated, written = map[string]bool{}, map[string]bool{}
	for _, p := range slices.Concat(h.packages, h.generated) {
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

// busiestType finds the type that is the receiver or the first parameter of the most functions in its
// package.
func busiestType(h *checkout) (int, string) {
	var m maximum
	for _, p := range h.packages {
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
			m.update(functions[t], packageName(p)+"."+t)
		}
	}
	return m.value, m.where
}

// firstType returns the name of the receiver's or first parameter's type, if it belongs to the package.
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

func toolDoc(h *checkout) (int, string) {
	var out, stderr bytes.Buffer
	cmd := exec.Command("go", "doc", "-all", "./runtime/tool")
	cmd.Dir, cmd.Stdout, cmd.Stderr = h.dir, &out, &stderr
	if err := cmd.Run(); err != nil {
		return 0, fmt.Sprint(err, ": ", stderr.String())
	}
	return bytes.Count(out.Bytes(), []byte("\n")), path.Base("runtime/tool")
}
