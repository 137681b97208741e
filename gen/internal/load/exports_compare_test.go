package load_test

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	gopackages "golang.org/x/tools/go/packages"

	"github.com/aiongen/aiongen/gen/internal/load"
)

// judged is a directory whose packages TestJudge loads, if it is named:
//
//	go test ./gen/internal/load -run TestJudge -judge DIRECTORY -judge-patterns ./...
var (
	judged         = flag.String("judge", "", "directory of packages for TestJudge")
	judgedPatterns = flag.String("judge-patterns", "./...", "patterns of these packages, with blanks between them")
	judgedTags     = flag.String("judge-tags", "", "build tags of these packages")
)

// TestJudge compares the types in package load with those of go/packages, which reads everything from
// source: the types of all declarations, and of all named types that they consist of, with their
// methods.
func TestJudge(t *testing.T) {
	dir := cmp.Or(*judged, ".")
	differ, err := judge(t.Context(), t.Output(), dir, *judgedTags, strings.Fields(*judgedPatterns))
	if err != nil || differ > 0 {
		t.Errorf("%d packages differ: %v", differ, err)
	}
}

// judge returns the number of packages that differ.
func judge(ctx context.Context, out io.Writer, dir, tags string, patterns []string) (differ int, err error) {
	if dir, err = filepath.Abs(dir); err != nil {
		return 0, err
	}
	cfg := load.Config{Dir: dir, Tags: tags, Generated: func(string) bool { return false }}
	begin := time.Now()
	pkgs, err := load.Find(ctx, cfg, patterns...)
	if err != nil {
		return 0, err
	}
	if err := load.Check(ctx, cfg, pkgs...); err != nil {
		return 0, err
	}
	took := time.Since(begin)
	others, err := fromSource(ctx, dir, tags, patterns)
	if err != nil {
		return 0, err
	}
	declared := 0
	for _, p := range pkgs {
		mine := describe(p.Types)
		theirs := map[string]string{}
		if other := others[p.Path]; other != nil {
			theirs = describe(other)
		}
		delete(others, p.Path)
		declared += len(mine)
		if report(out, p.Path, mine, theirs) {
			differ++
		}
	}
	for _, path := range slices.Sorted(maps.Keys(others)) {
		if others[path].Scope().Len() > 0 {
			differ++
			fmt.Fprintf(out, "%s: not found\n", path)
		}
	}
	fmt.Fprintf(out, "%s: %d packages in %d ms, %d declarations and types compared, %d packages differ\n", filepath.Base(dir), len(pkgs), took.Milliseconds(), declared, differ)
	return differ, nil
}

func report(out io.Writer, path string, mine, theirs map[string]string) (differ bool) {
	for _, name := range slices.Sorted(maps.Keys(mine)) {
		if mine[name] != theirs[name] {
			differ = true
			fmt.Fprintf(out, "%s: %s\n\tload:        %s\n\tgo/packages: %s\n", path, name, mine[name], cmp.Or(theirs[name], "nothing"))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(theirs)) {
		if _, ok := mine[name]; !ok {
			differ = true
			fmt.Fprintf(out, "%s: %s\n\tload:        nothing\n\tgo/packages: %s\n", path, name, theirs[name])
		}
	}
	return differ
}

// fromSource reads packages and all their imports from source.
func fromSource(ctx context.Context, dir, tags string, patterns []string) (map[string]*types.Package, error) {
	cfg := &gopackages.Config{
		Context: ctx, Dir: dir, BuildFlags: []string{"-tags=" + tags},
		Mode: gopackages.NeedName | gopackages.NeedFiles | gopackages.NeedImports | gopackages.NeedDeps | gopackages.NeedTypes | gopackages.NeedSyntax | gopackages.NeedTypesSizes,
		// Function bodies would need memory and are not compared.
		ParseFile: func(fset *token.FileSet, name string, src []byte) (*ast.File, error) {
			file, err := parser.ParseFile(fset, name, src, parser.SkipObjectResolution)
			if file != nil {
				for _, decl := range file.Decls {
					if f, ok := decl.(*ast.FuncDecl); ok && f.Body != nil {
						f.Body.List = nil
					}
				}
			}
			return file, err
		},
	}
	loaded, err := gopackages.Load(cfg, patterns...)
	if err != nil {
		return nil, err
	}
	found := map[string]*types.Package{}
	for _, p := range loaded {
		found[p.PkgPath] = p.Types
	}
	return found, nil
}

// A description contains declarations, and the types that they consist of, as texts.
type description struct {
	texts map[string]string
	seen  map[types.Type]bool
}

func describe(p *types.Package) map[string]string {
	d := description{texts: map[string]string{}, seen: map[types.Type]bool{}}
	for _, name := range p.Scope().Names() {
		if strings.HasPrefix(name, "_C") || strings.HasPrefix(strings.TrimLeft(name, "_"), "cgo") {
			continue // cgo generated it for its own use
		}
		obj := p.Scope().Lookup(name)
		d.texts[name] = types.ObjectString(obj, nil)
		if c, ok := obj.(*types.Const); ok {
			d.texts[name] += " = " + c.Val().ExactString()
		}
		d.visit(obj.Type())
	}
	return d.texts
}

// visit describes the named types that a type consists of.
func (d *description) visit(t types.Type) {
	if t == nil || d.seen[t] {
		return
	}
	d.seen[t] = true
	switch t := t.(type) {
	case *types.Named:
		d.named(t)
	case *types.Alias:
		d.visit(t.Rhs())
	case *types.Signature:
		d.visit(t.Params())
		d.visit(t.Results())
	case *types.Tuple:
		for v := range t.Variables() {
			d.visit(v.Type())
		}
	case *types.Struct:
		for v := range t.Fields() {
			d.visit(v.Type())
		}
	case *types.Interface:
		for m := range t.Methods() {
			d.visit(m.Type())
		}
		for e := range t.EmbeddedTypes() {
			d.visit(e)
		}
	case *types.Union:
		for term := range t.Terms() {
			d.visit(term.Type())
		}
	case *types.TypeParam:
		d.visit(t.Constraint())
	case *types.Map:
		d.visit(t.Key())
		d.visit(t.Elem())
	case interface{ Elem() types.Type }:
		d.visit(t.Elem())
	}
}

func (d *description) named(t *types.Named) {
	text := t.Underlying().String()
	if text == "any" {
		text = "interface{}" // the same type
	}
	methods := map[string]string{}
	for m := range t.Methods() {
		methods[m.Name()] = types.ObjectString(m, nil)
		d.visit(m.Type())
	}
	for _, name := range slices.Sorted(maps.Keys(methods)) {
		text += "\n\t\t" + methods[name]
	}
	d.texts["type "+t.String()] = text
	for arg := range t.TypeArgs().Types() {
		d.visit(arg)
	}
	d.visit(t.Underlying())
}
