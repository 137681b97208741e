//go:build unix

package main

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// compileFragment checks a fragment of Go after <!-- go: FILE --> or <!-- go: FILE SIGNATURE -->:
//
//   - If FILE is a path in the repository or a file on the page, it must contain the lines of the fragment.
//   - Otherwise go vet checks the fragment in the page's package, as declarations, or as the body of a
//     function with the signature, "func(ctx context.Context) error". Packages of the standard library, of this module's
//     runtime and those that the page's files import are imported as needed. Variables may be unused.
func (r *pageRun) compileFragment(ctx context.Context, b *docBlock) error {
	name, signature, _ := strings.Cut(b.source, " ")
	if text, err := os.ReadFile(filepath.Join(r.root, filepath.FromSlash(name))); err == nil && strings.Contains(name, "/") {
		return containsLines(name, string(text), b.body)
	}
	text := ""
	for _, other := range r.page.blocks {
		if other.file == name {
			text += other.body + "\n\n"
		}
	}
	if text != "" {
		return containsLines(name, text, b.body)
	}
	pkg, err := r.readPackage()
	if err != nil {
		return err
	}
	source := "package " + pkg.name + "\n\n" + b.body
	if signature != "" {
		source = "package " + pkg.name + "\n\nfunc _" + strings.TrimPrefix(signature, "func") + " {\n" + b.body + "\npanic(0)\n}\n"
	}
	fileSet := token.NewFileSet()
	file, err := parser.ParseFile(fileSet, name, source, parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	if signature != "" {
		body := file.Decls[0].(*ast.FuncDecl).Body
		end := fileSet.Position(body.List[len(body.List)-1].Pos()).Offset
		source = source[:end] + useVariables(body) + source[end:]
	}
	imports, err := pkg.findImports(fileSet, source)
	if err != nil {
		return err
	}
	source = strings.Replace(source, "\n", "\n"+imports, 1)
	target := filepath.Join(r.dir, name)
	if err := os.WriteFile(target, []byte(source), 0o666); err != nil {
		return err
	}
	err = r.vetPackage(ctx)
	if err != nil {
		err = fmt.Errorf("%w\n%s", err, source)
	}
	return errors.Join(err, os.Remove(target))
}

// vetPackage vets the package in the current directory of the page. The page need not say that the modules
// must be added that only a fragment imports.
func (r *pageRun) vetPackage(ctx context.Context) error {
	modFile := filepath.Join(r.fragments, "go.mod")
	for _, name := range []string{"go.mod", "go.sum"} {
		text, err := os.ReadFile(filepath.Join(r.dir, name))
		if err == nil {
			err = os.WriteFile(filepath.Join(r.fragments, name), text, 0o666)
		}
		if err != nil {
			return err
		}
	}
	vet := exec.CommandContext(ctx, "go", "vet", "-unreachable=false", "-mod=mod", "-modfile="+modFile, ".")
	vet.Dir, vet.Env = r.dir, r.environment
	if out, err := vet.CombinedOutput(); err != nil {
		return fmt.Errorf("%w\n%s", err, out)
	}
	return nil
}

// containsLines checks that a file has the lines of a fragment. Indentation may differ.
func containsLines(name, text, fragment string) error {
	trim := func(text string) string {
		lines := strings.Split(strings.TrimSpace(text), "\n")
		for i, line := range lines {
			lines[i] = strings.TrimSpace(line)
		}
		return "\n" + strings.Join(lines, "\n") + "\n"
	}
	if !strings.Contains(trim(text), trim(fragment)) {
		return fmt.Errorf("%s does not contain these lines", name)
	}
	return nil
}

// useVariables returns assignments to _ of the variables that the statements of a function declare.
func useVariables(body *ast.BlockStmt) string {
	var uses strings.Builder
	use := func(name *ast.Ident) {
		if name.Name != "_" {
			fmt.Fprintf(&uses, "_ = %s\n", name.Name)
		}
	}
	for _, statement := range body.List {
		switch s := statement.(type) {
		case *ast.AssignStmt:
			for _, left := range s.Lhs {
				if name, ok := left.(*ast.Ident); ok && s.Tok == token.DEFINE {
					use(name)
				}
			}
		case *ast.DeclStmt:
			for _, spec := range s.Decl.(*ast.GenDecl).Specs {
				if values, ok := spec.(*ast.ValueSpec); ok {
					for _, name := range values.Names {
						use(name)
					}
				}
			}
		}
	}
	return uses.String()
}

// docPackage is the package in the current directory of a page.
type docPackage struct {
	name     string
	declared map[string]bool
	imports  map[string]string // paths by name
}

// readPackage reads the Go files in the current directory.
func (r *pageRun) readPackage() (*docPackage, error) {
	p := &docPackage{name: "main", declared: map[string]bool{}, imports: map[string]string{}}
	files, err := filepath.Glob(filepath.Join(r.dir, "*.go"))
	if err != nil {
		return nil, err
	}
	for _, name := range files {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			return nil, err
		}
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		p.name = file.Name.Name
		for name := range file.Scope.Objects {
			p.declared[name] = true
		}
		for _, spec := range file.Imports {
			importPath, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return nil, err
			}
			name := path.Base(importPath)
			if spec.Name != nil {
				name = spec.Name.Name
			}
			p.imports[name] = importPath
		}
	}
	return p, nil
}

// findImports returns the import declarations that a file without any needs.
func (p *docPackage) findImports(fileSet *token.FileSet, source string) (string, error) {
	file, err := parser.ParseFile(fileSet, "", source, 0)
	if err != nil {
		return "", err
	}
	known, err := importablePackages()
	if err != nil {
		return "", err
	}
	var lines []string
	for _, name := range file.Unresolved {
		importPath, ok := p.imports[name.Name]
		if !ok {
			importPath, ok = known[name.Name]
		}
		if ok && !p.declared[name.Name] {
			lines = append(lines, fmt.Sprintf("import %s %q\n", name.Name, importPath))
		}
	}
	slices.Sort(lines)
	return strings.Join(slices.Compact(lines), ""), nil
}

// importablePackages returns the packages of the runtime and of the standard library by name. Of several
// with one name it returns the one with the shortest path.
var importablePackages = sync.OnceValues(func() (map[string]string, error) {
	out, err := exec.Command("go", "list", "-f", "{{.Name}} {{.ImportPath}}", "std", module+"runtime/...").Output()
	if err != nil {
		return nil, err
	}
	packages := map[string]string{"sdk": "github.com/modelcontextprotocol/go-sdk/mcp"} // as the pages call it
	for line := range strings.Lines(string(out)) {
		name, importPath, _ := strings.Cut(strings.TrimSpace(line), " ")
		if strings.Contains("/"+importPath, "/internal/") || strings.HasPrefix(importPath, "vendor/") {
			continue
		}
		if known, ok := packages[name]; !ok || len(importPath) < len(known) {
			packages[name] = importPath
		}
	}
	return packages, nil
})
