package bind

import (
	"go/types"

	"github.com/aiongen/aiongen/aion"
	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/goname"
)

// SuggestFunctions adds help and a fix to the diagnostics of elements without a function, if
// exactly one function of the package has the name of the tool.
func SuggestFunctions(pkg *types.Package, docs []*aion.Document, faults diag.List) {
	missing := map[string]map[int]*diag.Diagnostic{} // by file and offset
	for _, d := range faults {
		if d.Code == "missing-function" {
			if missing[d.Span.File] == nil {
				missing[d.Span.File] = map[int]*diag.Diagnostic{}
			}
			missing[d.Span.File][d.Span.Start.Offset] = d
		}
	}
	if len(missing) == 0 {
		return
	}
	functions := functionsByToolName(pkg)
	for _, doc := range docs {
		for _, el := range doc.Elements {
			d, names := missing[doc.Name][el.Span.Start.Offset], functions[el.Name.Value]
			if d == nil || len(names) != 1 {
				continue
			}
			property := `function --> "` + names[0] + `" --> {}`
			d.Help = nil
			d.WithHelp("write %s", property).WithFix(el.Name.Span.Insert(", " + property))
		}
	}
}

// functionsByToolName returns the functions of a package by the names that their tools may have:
// the Go name, and the same name in snake_case.
func functionsByToolName(pkg *types.Package) map[string][]string {
	functions := map[string][]string{}
	for _, name := range pkg.Scope().Names() {
		fn, ok := pkg.Scope().Lookup(name).(*types.Func)
		if !ok || name == "main" || fn.Signature().TypeParams().Len() > 0 {
			continue
		}
		functions[name] = append(functions[name], name)
		if snake := goname.SnakeCase(name); snake != name {
			functions[snake] = append(functions[snake], name)
		}
	}
	return functions
}
