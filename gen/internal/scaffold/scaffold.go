// Package scaffold writes .aion files for existing functions, from their signatures and
// comments. Call Write. The files compile: Write binds each function first and reports
// those that cannot be tools, with the reason.
package scaffold

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/aion"
	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/bind"
	"github.com/aiongen/aiongen/gen/internal/budget"
	"github.com/aiongen/aiongen/gen/internal/goname"
	"github.com/aiongen/aiongen/gen/internal/load"
	"github.com/aiongen/aiongen/gen/internal/model"
	"github.com/aiongen/aiongen/gen/internal/shape"
	"github.com/aiongen/aiongen/gen/internal/source"
	"github.com/aiongen/aiongen/internal/regularfile"
	"github.com/aiongen/aiongen/internal/words"
)

// Config says for which functions to write tools. Dir is the directory for which the file is written; its
// package may differ from the package of the functions.
type Config struct {
	Dir       string   // directory of the file; "" is the current one
	Tags      string   // build tags; by default those in the first go:generate line of the package
	Package   string   // package of the functions, in the syntax of the go command
	Functions []string // names as in an .aion file, or patterns: Find, Store.Find, Store.*
	All       bool     // all exported functions and methods that can be tools
	Helpers   bool     // also helpers that surround an API, such as accessors
}

// Functions lists the functions from which tools can be made: the exported functions of a package, then
// the methods of its exported types, each sorted by name.
func Functions(ctx context.Context, cfg Config) ([]Function, diag.List) {
	s := &scaffold{cfg: cfg}
	pkg, _, ok := s.loadPackage(ctx)
	if !ok {
		return nil, s.faults
	}
	return listFunctions(pkg), s.faults
}

// Write returns the text of an .aion file with a tool for each function. The text is empty
// if there are errors. A function that is listed by name and cannot be a tool is an error;
// one that only matches a pattern is left out with a note. Relative import paths are
// resolved against the current directory.
func Write(ctx context.Context, cfg Config) ([]byte, diag.List) {
	s := &scaffold{cfg: cfg, budget: budget.New(ctx), toolNamesInUse: map[string]bool{}, helpers: map[int][]string{}}
	if s.rejectLiterals(); s.faults.Err() != nil {
		return nil, s.faults
	}
	pkg, target, ok := s.loadPackage(ctx)
	if !ok {
		return nil, s.faults
	}
	s.readToolNames(target.dir)
	s.paths = s.findClientPaths(ctx, pkg, target)
	if s.chosen = s.chooseFunctions(pkg); s.faults.Err() != nil {
		return nil, s.faults
	}
	doc := s.newDocument(pkg, target)
	m := s.bindElements(pkg, doc, target.Target)
	if s.faults.Err() != nil {
		return nil, s.faults
	}
	for i, t := range m.Tools() {
		describeElement(doc.Elements[i], t, target.Path)
		omitResponses(doc.Elements[i].Function, lookupFunction(pkg.Types, s.chosen[i].name))
		s.noteShortened(t)
	}
	dropHandles(doc, m.Tools())
	s.noteBytes(m.Tools())
	declared := s.readDeclaredTypes(pkg, target)
	s.useFetchedResults(declared, target, doc, m.Tools())
	s.useLambdas(pkg, declared, target, doc, m.Tools())
	s.useContentLiterals(pkg, target, doc)
	s.dropScopeNotes(doc, m.Tools())
	if err := s.budget.Err(); err != nil {
		budget.ReportFailure(&s.faults, pkg.Path, diag.Span{}, err)
		return nil, s.faults
	}
	text, err := aion.Format(doc)
	if err != nil {
		s.faults.Errorf("internal", diag.Span{}, "%v", err)
		return nil, s.faults
	}
	return addComments(text, m.Tools()), s.faults
}

// dropScopeNotes removes diagnostics that say that an element needs a scope, if the element as written
// does not need one: because it omits the values that JSON cannot carry, or because it calls a method that
// returns their content.
func (s *scaffold) dropScopeNotes(doc *aion.Document, tools []*model.Tool) {
	scoped := map[int]bool{} // by line
	for i, el := range doc.Elements {
		hasRef := func(e aion.Entry) bool { return e.Note.Ref }
		scoped[el.Span.Start.Line] = tools[i].TakesScope() || slices.ContainsFunc(slices.Concat(el.Function.Args, el.Function.Returns), hasRef)
	}
	s.faults = slices.DeleteFunc(s.faults, func(d *diag.Diagnostic) bool { return d.Code == "needs-scope" && !scoped[d.Span.Start.Line] })
	for _, d := range s.faults {
		if d.Code == "needs-scope" {
			d.Span, d.Help = diag.Span{}, nil // the document already shows the solution
		}
	}
}

// noteShortened notes where the file leaves out parts of a large schema.
func (s *scaffold) noteShortened(t *model.Tool) {
	for _, p := range bind.ProposeNotes(t) {
		if len(p.Only) > 0 {
			s.faults.Notef("large-schema", diag.Span{}, "%s", p.Message).
				WithHelp("%s keeps only short members (only=): choose those that the model needs", p.Entry)
		}
	}
}

// noteBytes notes where a model reads or writes base64. Go types do not say whether bytes
// are text.
func (s *scaffold) noteBytes(tools []*model.Tool) {
	var found []string
	note := func(tool, entry string, i int, t *model.Type) {
		if t != nil && t.Kind == model.Bytes {
			found = append(found, fmt.Sprintf("%s-%d of %s", entry, i+1, tool))
		}
	}
	for _, t := range tools {
		for i, f := range t.Args.ShownFields() {
			note(t.Name, "arg", i, f.Type)
		}
		for i, r := range t.ResultTypes() {
			note(t.Name, "return", i, r)
		}
	}
	if len(found) > 0 {
		s.faults.Notef("base64-bytes", diag.Span{}, "models see bytes as base64: %s", words.Join(found, ", ", maxListedBytes)).
			WithHelp(`if they are text, write in the note: "string | text"`)
	}
}

// maxListedBytes limits how many notes on bytes are listed.
const maxListedBytes = 8

type scaffold struct {
	cfg            Config
	budget         *budget.Budget
	faults         diag.List
	toolNamesInUse map[string]bool // of other tools
	chosen         []choice
	home           *load.Package // the package of the file, nil if it does not exist yet
	paths          clientPaths
	injects        bool             // home injects a client of the package of the functions
	helpers        map[int][]string // functions that were left out, by index in helperKinds
}

// A target is the package that the file is for.
type target struct {
	shape.Target
	dir string // absolute
}

// loadPackage loads the package of the functions and determines the package of the file. It
// reports false, with a diagnostic, if it cannot.
func (s *scaffold) loadPackage(ctx context.Context) (*load.Package, target, bool) {
	here, err := filepath.Abs("")
	dir, errDir := filepath.Abs(s.cfg.Dir)
	if err := cmp.Or(err, errDir); err != nil {
		s.faults.Errorf("no-directory", diag.Span{}, "%v", err)
		return nil, target{}, false
	}
	cfg := load.Config{Dir: here, Tags: s.cfg.Tags, Generated: load.IsGenerated}
	pkgs, err := load.Find(ctx, cfg, s.cfg.Package)
	if err == nil && len(pkgs) == 1 && cfg.Tags == "" {
		lines := pkgs[0].Directives("", load.NewFolderCache(nil).IsGenerated)
		if len(lines) > 0 && lines[0].Tags != "" {
			cfg.Tags = lines[0].Tags
			pkgs, err = load.Find(ctx, cfg, s.cfg.Package)
		}
	}
	switch {
	case err != nil:
		s.faults.Errorf("go-list", diag.Span{}, "%v", err).SplitMessage()
	case len(pkgs) != 1:
		s.faults.Errorf("many-packages", diag.Span{}, "%s matches %d packages", s.cfg.Package, len(pkgs)).
			WithHelp("name one package")
	case pkgs[0].IsEmpty() && len(pkgs[0].Errors) > 0:
		s.faults.Errorf("go-list", diag.Span{}, "%v", pkgs[0].Errors[0]).SplitMessage()
	default:
		if err := load.Check(ctx, cfg, pkgs[0]); err != nil {
			s.faults.Errorf("go-list", diag.Span{}, "%v", err).SplitMessage()
			return nil, target{}, false
		}
		if pkgs[0].Failure != nil {
			budget.ReportFailure(&s.faults, pkgs[0].Path, diag.Span{}, pkgs[0].Failure)
			return nil, target{}, false
		}
		if pkgs[0].Mixed != nil {
			pkgs[0].Mixed.Report(&s.faults)
			return nil, target{}, false
		}
		name := cmp.Or(cfg.Scope(dir).Name, load.PackageNameFor(filepath.Base(dir)))
		t := target{dir: dir, Target: shape.Target{Path: load.ImportPathOf(dir), Name: name}}
		if pkgs[0].Dir == dir {
			t.Path, t.Name = pkgs[0].Path, pkgs[0].Name
		}
		return pkgs[0], t, true
	}
	return nil, target{}, false
}

// rejectLiterals reports function literals and lambdas, because they do not name a function.
func (s *scaffold) rejectLiterals() {
	for _, function := range s.cfg.Functions {
		if strings.ContainsAny(function, "{:") {
			s.faults.Errorf("bad-function", diag.Span{}, "%q is not the name of a function", function).
				WithHelp("write a function literal or a lambda into an .aion file: function --> \"…\"")
		}
	}
}

// readToolNames collects the names of tools in the directory. It ignores files that cannot
// be read.
func (s *scaffold) readToolNames(dir string) {
	for _, name := range load.NewFolderCache(nil).Folder(dir).Aion {
		src, err := regularfile.ReadFile(filepath.Join(dir, name))
		if err != nil {
			continue
		}
		doc, _ := aion.Parse(name, src)
		for _, el := range doc.Elements {
			s.toolNamesInUse[el.Name.Value] = true
		}
	}
}

// newDocument returns a document with an element for each function. The elements contain only names. The
// line of element i is i+1, so that diagnostics can be matched with elements.
func (s *scaffold) newDocument(pkg *load.Package, t target) *aion.Document {
	doc := &aion.Document{Name: "new.aion"}
	names := s.toolNames()
	for i, c := range s.chosen {
		at := diag.Pos{Line: i + 1, Column: 1}
		span := diag.Span{File: doc.Name, Start: at, End: at}
		text := c.name
		if pkg.Path != t.Path {
			text = pkg.Path + "." + withoutPointer(c.name)
		}
		doc.Elements = append(doc.Elements, &aion.Element{
			Span:     span,
			Name:     aion.Text{Value: names[c.name], Span: span},
			Function: &aion.Function{Text: aion.Text{Value: text, Span: span}, Block: span},
		})
	}
	return doc
}

// toolNames returns a tool name for each function, independent of the order of the
// functions.
func (s *scaffold) toolNames() map[string]string {
	names := map[string]string{}
	for _, c := range slices.SortedFunc(slices.Values(s.chosen), func(a, b choice) int { return strings.Compare(withoutPointer(a.name), withoutPointer(b.name)) }) {
		names[c.name] = s.toolName(c.name)
	}
	return names
}

// typeArguments matches the type arguments of a generic function or type.
var typeArguments = regexp.MustCompile(`\[.*\]`)

// toolName returns an unused tool name that consists of the names of the type and the function.
func (s *scaffold) toolName(function string) string {
	if parts := strings.SplitN(withoutPointer(function), ".", 3); len(parts) == 3 && !strings.Contains(function, "[") {
		function = parts[1] + "." + parts[2] // a path from a client
	}
	var parts []string
	for word := range strings.FieldsFuncSeq(typeArguments.ReplaceAllString(function, ""), func(r rune) bool { return strings.ContainsRune("(*). ", r) }) {
		if part := strings.Trim(words.ToolName(goname.SnakeCase(word)), "_"); part != "" {
			parts = append(parts, part)
		}
	}
	name := cmp.Or(strings.Join(parts, "_"), "tool")
	return words.FreeToolName(name, s.toolNamesInUse)
}

// bindElements binds the elements in the package of the file, whose declarations apply to them. If that
// package does not exist yet, it binds them in the package of the functions. A function without a comment
// gets a description to fill in. A function that cannot be a tool is an error, or is dropped if only a
// pattern matched it.
func (s *scaffold) bindElements(pkg *load.Package, doc *aion.Document, t shape.Target) *model.Package {
	home := cmp.Or(s.home, pkg)
	docs, comments := source.NewDocReader(home), source.NewDocReader(pkg).PackageDoc(pkg.Types)
	m, _, faults := bind.Bind(s.budget, home, docs, []*aion.Document{doc}, t)
	dropped := map[int]bool{} // lines of elements
	changed := false
	for _, d := range faults {
		line := d.Span.Start.Line
		isElement := d.Span.File == doc.Name && 0 < line && line <= len(s.chosen)
		switch {
		case isAboutGo(d, doc):
		case isElement && d.Code == "no-description":
			name := s.chosen[line-1].name
			text := describeForModel(implementationDoc(pkg, comments, lookupFunction(pkg.Types, name)), name)
			doc.Elements[line-1].Description = &aion.Text{Value: cmp.Or(text, fmt.Sprintf(missingDescription, name))}
			changed = true
		case d.Severity != diag.Error:
		default:
			if isElement {
				s.reportFault(d, s.chosen[line-1], dropped)
			}
			s.faults = append(s.faults, d)
		}
	}
	if s.faults.Err() != nil {
		return nil
	}
	changed = changed || len(dropped) > 0
	s.dropElements(doc, dropped)
	if len(doc.Elements) == 0 {
		s.faults.Errorf("bad-function", diag.Span{}, "none of the chosen functions of package %s can be a tool", pkg.Name)
		return nil
	}
	if changed {
		m, _, faults = bind.Bind(s.budget, home, docs, []*aion.Document{doc}, t)
	}
	s.addFaults(faults, doc)
	return m
}

// addFaults adds the errors and warnings about the document, and notes that a tool needs a scope. It
// leaves out lost values, for which the document has TODOs. Diagnostics about Go files are reported when
// code is generated.
func (s *scaffold) addFaults(faults diag.List, doc *aion.Document) {
	for _, d := range faults {
		switch {
		case isAboutGo(d, doc):
		case d.Code == "lost-value":
		case d.Code == "needs-scope" || d.Severity != diag.Note:
			s.faults = append(s.faults, d)
		}
	}
}

// reportFault names the function in a diagnostic. If only a pattern matched the function,
// it becomes a note and the element is dropped.
func (s *scaffold) reportFault(d *diag.Diagnostic, c choice, dropped map[int]bool) {
	line := d.Span.Start.Line
	d.Span, d.Message = diag.Span{}, c.name+": "+d.Message
	if !c.exact {
		d.Severity = diag.Note
		dropped[line] = true
	}
}

// dropElements removes the elements in the given lines.
func (s *scaffold) dropElements(doc *aion.Document, dropped map[int]bool) {
	var elements []*aion.Element
	var chosen []choice
	for i, el := range doc.Elements {
		if !dropped[i+1] {
			elements, chosen = append(elements, el), append(chosen, s.chosen[i])
		}
	}
	doc.Elements, s.chosen = elements, chosen
}
