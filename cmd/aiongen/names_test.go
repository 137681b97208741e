package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// A declaredPackage is a package that users import: its exported names, and those of the members of
// its types.
type declaredPackage struct {
	path    string // from the root of the repository
	names   map[string]bool
	members map[string]map[string]bool // by type
	bases   map[string][]string        // embedded types and the target of an alias, by type: "Name" or "pkg.Name"
}

// privateFolders contain no packages that users import.
var privateFolders = []string{"bench", "cmd", "conformance", "deploy", "example", "internal", "node_modules", "testdata", ".git", ".ci"}

// readPackages reads the declarations of all public packages of the repository, by package name.
func readPackages(t *testing.T, root string) map[string][]*declaredPackage {
	t.Helper()
	all := map[string][]*declaredPackage{}
	err := filepath.WalkDir(root, func(dir string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case !d.IsDir():
			return nil
		case slices.Contains(privateFolders, d.Name()):
			return filepath.SkipDir
		}
		files, err := filepath.Glob(filepath.Join(dir, "*.go"))
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, dir)
		p := &declaredPackage{path: filepath.ToSlash(rel), names: map[string]bool{}, members: map[string]map[string]bool{}, bases: map[string][]string{}}
		name := ""
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
			if err != nil {
				return err
			}
			name = parsed.Name.Name
			p.readFile(parsed)
		}
		if name != "" {
			all[name] = append(all[name], p)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// readFile adds the declarations of a file.
func (p *declaredPackage) readFile(file *ast.File) {
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil {
				p.names[d.Name.Name] = true
			} else {
				p.addMember(typeName(d.Recv.List[0].Type), d.Name.Name)
			}
		case *ast.GenDecl:
			for _, s := range d.Specs {
				switch s := s.(type) {
				case *ast.ValueSpec:
					for _, name := range s.Names {
						p.names[name.Name] = true
					}
				case *ast.TypeSpec:
					p.names[s.Name.Name] = true
					p.readType(s)
				}
			}
		}
	}
}

// readType adds the fields and the methods of a type.
func (p *declaredPackage) readType(s *ast.TypeSpec) {
	var list *ast.FieldList
	switch of := s.Type.(type) {
	case *ast.StructType:
		list = of.Fields
	case *ast.InterfaceType:
		list = of.Methods
	default:
		p.bases[s.Name.Name] = append(p.bases[s.Name.Name], typeName(of))
		return
	}
	for _, f := range list.List {
		for _, name := range f.Names {
			p.addMember(s.Name.Name, name.Name)
		}
		if base := typeName(f.Type); len(f.Names) == 0 && base != "" {
			p.bases[s.Name.Name] = append(p.bases[s.Name.Name], base)
			p.addMember(s.Name.Name, base[strings.LastIndexByte(base, '.')+1:])
		}
	}
}

func (p *declaredPackage) addMember(of, name string) {
	if p.members[of] == nil {
		p.members[of] = map[string]bool{}
	}
	p.members[of][name] = true
}

// typeName returns the name of a type, without * and type arguments, as "Name" or "pkg.Name".
func typeName(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.StarExpr:
		return typeName(e.X)
	case *ast.IndexExpr:
		return typeName(e.X)
	case *ast.IndexListExpr:
		return typeName(e.X)
	case *ast.SelectorExpr:
		return typeName(e.X) + "." + e.Sel.Name
	}
	return ""
}

// hasMember reports whether a type has a field or method, also by embedding.
func hasMember(all map[string][]*declaredPackage, p *declaredPackage, of, name string, depth int) bool {
	if p.members[of][name] {
		return true
	}
	for _, base := range p.bases[of] {
		from, typ, qualified := strings.Cut(base, ".")
		if !qualified {
			if depth > 0 && hasMember(all, p, base, name, depth-1) {
				return true
			}
			continue
		}
		if _, known := all[from]; !known {
			return true // of another module
		}
		for _, other := range all[from] {
			if depth > 0 && hasMember(all, other, typ, name, depth-1) {
				return true
			}
		}
	}
	return false
}

const maxEmbedding = 5

// isExported reports whether a public package has a name, and its type the member, if any. The
// package is known by its name, or by the end of its path: "openai.New", "llm/openai.New".
func isExported(all map[string][]*declaredPackage, pkg, name, member string) bool {
	if !token.IsExported(name) {
		return false
	}
	for _, p := range all[path.Base(pkg)] {
		if ("/"+p.path) != "/"+pkg && !strings.HasSuffix("/"+p.path, "/"+pkg) {
			continue
		}
		if p.names[name] && (member == "" || hasMember(all, p, name, member, maxEmbedding)) {
			return true
		}
	}
	return false
}

// variables are the types of variables that the documentation uses in sentences, by package.
var variables = map[string][2]string{
	"agent": {"orchestrator", "Orchestrator"}, "call": {"tool", "Call"}, "lowered": {"schema", "Lowered"},
	"registry": {"tool", "Registry"}, "run": {"orchestrator", "Run"},
}

var (
	qualifiedName = regexp.MustCompile(`(?:^|[^\w./"])((?:[a-z]+/)*[a-z][a-z0-9]*)\.([A-Z]\w*)(?:\.([A-Z]\w*))?`)
	placeholder   = regexp.MustCompile(`/(?:my-|[A-Z]+\.|v0\.1\.0$)`) // a file that is yet to be written, or a tag
	repositoryDir = regexp.MustCompile(`^(?:runtime|adapters|internal|gen|cmd|example|deploy|bench|conformance|docs|aion)(?:/[\w.-]+)+$`)
)

// foreignNames are names of other modules whose packages are called as one of this module: those of
// go-sdk and mcp-go, from which programs migrate.
var foreignNames = []string{
	"mcp.AddTool", "mcp.CallToolRequest", "mcp.ToolAnnotations",
	"mcp.NewToolResultError", "mcp.NewToolResultImage", "mcp.Required", "mcp.WithString",
}

// TestNames checks that the exported names exist that the documentation has in backquotes, and the
// folders of the repository. Every public package is mentioned.
func TestNames(t *testing.T) {
	root, pages := readMarkdown(t)
	all := readPackages(t, root)
	found := 0
	for _, p := range pages {
		for _, span := range p.codeSpans() {
			if repositoryDir.MatchString(span) && !placeholder.MatchString(span) {
				checkFolder(t, root, p, span)
			}
			for _, m := range qualifiedName.FindAllStringSubmatch(span, -1) {
				if isExported(all, m[1], m[2], m[3]) {
					found++
					continue
				}
				of, variable := variables[m[1]]
				if variable && isExported(all, of[0], of[1], m[2]) {
					continue
				}
				if variable || len(all[path.Base(m[1])]) > 0 && !slices.Contains(foreignNames, m[1]+"."+m[2]) {
					t.Errorf("%s: there is no %s", p.name, strings.TrimSuffix(m[1]+"."+m[2]+"."+m[3], "."))
				}
			}
		}
	}
	if found < 100 {
		t.Errorf("found only %d names", found)
	}
	for _, packages := range all {
		for _, p := range packages {
			mentioned := false
			for _, page := range pages {
				mentioned = mentioned || strings.Contains(page.text, "`"+p.path+"`")
			}
			if !mentioned {
				t.Errorf("no page mentions package %s", p.path)
			}
		}
	}
	for _, wrong := range [][3]string{{"llm", "Modell", ""}, {"llm", "Retry", "Sleeps"}, {"nothing", "Model", ""}, {"openai", "model", ""}, {"x/openai", "New", ""}} {
		if isExported(all, wrong[0], wrong[1], wrong[2]) {
			t.Errorf("%s was found", wrong)
		}
	}
}

// checkFolder checks that a package, a folder or a file exists. The span may end with an exported
// name.
func checkFolder(t *testing.T, root string, p *markdownFile, span string) {
	t.Helper()
	name := regexp.MustCompile(`\.[A-Z]\w*$`).ReplaceAllString(span, "")
	if _, err := os.Stat(filepath.Join(root, filepath.FromSlash(name))); err != nil {
		t.Errorf("%s: there is no %s", p.name, name)
	}
}

// contracts are those that agents of this kind have in common.
var contracts = []string{"model adapter", "memory", "tool", "tool registry", "supervisor", "validator", "step executor", "kernel API"}

// TestContracts checks that the page about contracts says where each of them is.
func TestContracts(t *testing.T) {
	_, pages := readMarkdown(t)
	_, table, _ := strings.Cut(pages["docs/reference/contracts.md"].text, "\n| contract | in Go |\n")
	table, _, _ = strings.Cut(table, "\n\n")
	var names []string
	for _, row := range regexp.MustCompile("(?m)^\\| ([a-zA-Z ]+) \\| .*`[a-z/]+\\.[A-Z]").FindAllStringSubmatch(table, -1) {
		names = append(names, row[1])
	}
	if !slices.Equal(names, contracts) {
		t.Errorf("the page has the contracts %q, want %q", names, contracts)
	}
}
