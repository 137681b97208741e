package load

import (
	"cmp"
	"fmt"
	"go/ast"
	"path"
	"path/filepath"
	"slices"

	"github.com/aiongen/aiongen/aion/diag"
)

// A MixedFault says that the files of a directory belong to more than one package.
type MixedFault struct {
	Span    diag.Span // the package clause that probably has to change
	Message string
	Help    string
}

// Report adds the fault to a list.
func (f *MixedFault) Report(faults *diag.List) {
	faults.Errorf("mixed-packages", f.Span, "%s", f.Message).WithHelp("%s", f.Help)
}

// newMixedFault returns the fault for files[0] and files[other], which belong to different
// packages.
func (p *Package) newMixedFault(files []string, other int) *MixedFault {
	correctName := p.guessName(files)
	wrong := p.parsed[files[other]]
	wrongFile := filepath.Base(files[other])
	if wrong.Name.Name == correctName {
		wrong, wrongFile = p.parsed[files[0]], filepath.Base(files[0])
	}
	f := &MixedFault{Span: p.Span(wrong.Name.Pos(), wrong.Name.End())}
	f.Message = fmt.Sprintf("found packages %s (%s) and %s (%s)", p.parsed[files[0]].Name.Name, filepath.Base(files[0]), p.parsed[files[other]].Name.Name, filepath.Base(files[other]))
	if dir := Relative(p.root, p.Dir); dir != "." {
		f.Message += " in " + dir
	}
	f.Help = fmt.Sprintf("write package %s in %s, or move the file to a directory of its own", correctName, wrongFile)
	if wrong.Name.Name == "main" && declaresMain(wrong) {
		f.Help = fmt.Sprintf("write package %s in %s, and move func main to a file in a directory of its own", correctName, wrongFile)
	}
	return f
}

// guessName returns the name of the package that the files should probably belong to: the name in most files.
// Of several names in equally many files, it prefers a name other than main, then that of the directory, then
// that in the first file.
func (p *Package) guessName(files []string) string {
	count := map[string]int{}
	var names []string
	for _, file := range files {
		name := p.parsed[file].Name.Name
		if count[name]++; count[name] == 1 {
			names = append(names, name)
		}
	}
	rank := func(matches bool) int {
		if matches {
			return 0
		}
		return 1
	}
	return slices.MinFunc(names, func(a, b string) int {
		return cmp.Or(count[b]-count[a], rank(a != "main")-rank(b != "main"), rank(a == path.Base(p.Path))-rank(b == path.Base(p.Path)))
	})
}

// declaresMain reports whether a file declares a function main.
func declaresMain(file *ast.File) bool {
	return slices.ContainsFunc(file.Decls, func(decl ast.Decl) bool {
		f, ok := decl.(*ast.FuncDecl)
		return ok && f.Recv == nil && f.Name.Name == "main"
	})
}
