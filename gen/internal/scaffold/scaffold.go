// Package scaffold writes .aion files for functions that exist already, from
// their signatures and comments. What it writes compiles as it is: each function
// is bound first, and one that cannot be a tool is reported with the reason.
//
// Its layers, from top to bottom:
//
//	scaffold  a file for the functions that were asked for
//	value     methods of values, as lambdas
//	describe  what a file says of a tool
//	choose    which functions there are, and which a pattern means
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
	"github.com/aiongen/aiongen/gen/internal/failure"
	"github.com/aiongen/aiongen/gen/internal/find"
	"github.com/aiongen/aiongen/gen/internal/folder"
	"github.com/aiongen/aiongen/gen/internal/godoc"
	"github.com/aiongen/aiongen/gen/internal/goname"
	"github.com/aiongen/aiongen/gen/internal/gotype"
	"github.com/aiongen/aiongen/gen/internal/load"
	"github.com/aiongen/aiongen/gen/internal/model"
	"github.com/aiongen/aiongen/gen/internal/slim"
	"github.com/aiongen/aiongen/internal/budget"
	"github.com/aiongen/aiongen/internal/regular"
	"github.com/aiongen/aiongen/internal/toolname"
	"github.com/aiongen/aiongen/internal/words"
)

// Config says what to write. The file is meant for a directory, whose package
// need not be the one that the functions are of.
type Config struct {
	Dir       string   // directory of the file; "" is the current one
	Tags      string   // build tags, as the go command takes them
	Package   string   // of the functions, as the go command takes it
	Functions []string // as the property function names them, or patterns: Find, Store.Find, Store.*
	All       bool     // all that is exported, as far as it can be a tool
}

// Functions lists what tools can be made of: the exported functions of a package, and
// the methods of its exported types, both in the order of their names.
func Functions(ctx context.Context, cfg Config) ([]Function, diag.List) {
	s := &scaffold{cfg: cfg}
	pkg, _, ok := s.load(ctx)
	if !ok {
		return nil, s.faults
	}
	return functions(pkg), s.faults
}

// Write returns the text of a .aion file with a tool for each function. It is
// empty when the list holds an error, as it does for a function that is named and
// cannot be a tool; of those that patterns match, a note tells it. Packages that are
// given by a relative path are relative to the current directory.
func Write(ctx context.Context, cfg Config) ([]byte, diag.List) {
	s := &scaffold{cfg: cfg, budget: budget.New(ctx), taken: map[string]bool{}}
	if s.refuseLiterals(); s.faults.Err() != nil {
		return nil, s.faults
	}
	pkg, target, ok := s.load(ctx)
	if !ok {
		return nil, s.faults
	}
	s.readNames(target.dir)
	if s.chosen = s.choose(pkg); s.faults.Err() != nil {
		return nil, s.faults
	}
	doc := s.document(pkg, target)
	m := s.bind(pkg, doc, target.Target)
	if s.faults.Err() != nil {
		return nil, s.faults
	}
	for i, t := range m.Tools() {
		describe(doc.Elements[i], t)
		s.noteShort(t)
	}
	s.keepNotes(dropHandles(doc, m.Tools()))
	s.noteBytes(m.Tools())
	s.takeValues(ctx, pkg, target, doc, m.Tools())
	if err := s.budget.Err(); err != nil {
		failure.Report(&s.faults, pkg.Path, diag.Span{}, err)
		return nil, s.faults
	}
	text, err := aion.Format(doc)
	if err != nil {
		s.faults.Errorf("internal", diag.Span{}, "%v", err)
		return nil, s.faults
	}
	return text, s.faults
}

// keepNotes forgets that elements need a scope where they do no more, by their lines.
func (s *scaffold) keepNotes(open map[int]bool) {
	scoped := func(d *diag.Diagnostic) bool { return d.Code == "needs-scope" }
	s.faults = slices.DeleteFunc(s.faults, func(d *diag.Diagnostic) bool { return scoped(d) && open[d.Span.Start.Line] })
	for _, d := range s.faults {
		if scoped(d) {
			d.Span = diag.Span{}
		}
	}
}

// noteShort says where the file leaves out what a tool could tell.
func (s *scaffold) noteShort(t *model.Tool) {
	for _, p := range slim.Proposals(t) {
		if len(p.Only) > 0 {
			s.faults.Notef("large-schema", diag.Span{}, "%s", p.Message).
				WithHelp("%s has what is short alone, by only=: choose what the model is to know", p.Entry)
		}
	}
}

// noteBytes says where a model writes or reads base64: whether bytes are text is not to be
// seen in Go.
func (s *scaffold) noteBytes(tools []*model.Tool) {
	var found []string
	note := func(tool, entry string, i int, t *model.Type) {
		if t != nil && t.Kind == model.Bytes {
			found = append(found, fmt.Sprintf("%s-%d of %s", entry, i+1, tool))
		}
	}
	for _, t := range tools {
		for i, f := range t.Args.Shown() {
			note(t.Name, "arg", i, f.Type)
		}
		for i, r := range t.Returns() {
			note(t.Name, "return", i, r)
		}
	}
	if len(found) > 0 {
		s.faults.Notef("base64-bytes", diag.Span{}, "bytes are base64 to a model: %s", words.Join(found, ", ", mostBytes)).
			WithHelp(`where they are text, the note says so: "string | text"`)
	}
}

// mostBytes is how much of that is told by name.
const mostBytes = 8

type scaffold struct {
	cfg    Config
	budget *budget.Budget
	faults diag.List
	taken  map[string]bool // names of tools
	chosen []choice
}

// target is the package that the file is for.
type target struct {
	gotype.Target
	dir string // absolute
}

// load finds the package of the functions, and that of the file.
func (s *scaffold) load(ctx context.Context) (*load.Package, target, bool) {
	here, err := filepath.Abs("")
	dir, errDir := filepath.Abs(s.cfg.Dir)
	if err := cmp.Or(err, errDir); err != nil {
		s.faults.Errorf("no-directory", diag.Span{}, "%v", err)
		return nil, target{}, false
	}
	cfg := load.Config{Dir: here, Tags: s.cfg.Tags, Generated: folder.IsGenerated}
	pkgs, err := load.Find(ctx, cfg, s.cfg.Package)
	if err == nil && len(pkgs) == 1 && cfg.Tags == "" {
		if cfg.Tags = find.TagsOf(pkgs[0]); cfg.Tags != "" {
			pkgs, err = load.Find(ctx, cfg, s.cfg.Package)
		}
	}
	switch {
	case err != nil:
		s.faults.Errorf("go-list", diag.Span{}, "%v", err).SplitMessage()
	case len(pkgs) != 1:
		s.faults.Errorf("many-packages", diag.Span{}, "%s matches %d packages", s.cfg.Package, len(pkgs)).
			WithHelp("name one package")
	case pkgs[0].Empty() && len(pkgs[0].Errors) > 0:
		s.faults.Errorf("go-list", diag.Span{}, "%v", pkgs[0].Errors[0]).SplitMessage()
	default:
		if err := load.Check(ctx, cfg, pkgs[0]); err != nil {
			s.faults.Errorf("go-list", diag.Span{}, "%v", err).SplitMessage()
			return nil, target{}, false
		}
		if pkgs[0].Failure != nil {
			failure.Report(&s.faults, pkgs[0].Path, diag.Span{}, pkgs[0].Failure)
			return nil, target{}, false
		}
		if pkgs[0].Mixed != "" {
			s.faults.Errorf("mixed-packages", diag.Span{}, "%s", pkgs[0].Mixed).
				WithHelp("move the files of one of them to a directory of its own")
			return nil, target{}, false
		}
		name := cmp.Or(cfg.Scope(dir).Name, folder.PackageName(filepath.Base(dir)))
		t := target{dir: dir, Target: gotype.Target{Path: folder.ImportPath(dir), Name: name}}
		if pkgs[0].Dir == dir {
			t.Path, t.Name = pkgs[0].Path, pkgs[0].Name
		}
		return pkgs[0], t, true
	}
	return nil, target{}, false
}

// refuseLiterals reports functions that have no name to make a tool's of.
func (s *scaffold) refuseLiterals() {
	for _, function := range s.cfg.Functions {
		if strings.ContainsAny(function, "{:") {
			s.faults.Errorf("bad-function", diag.Span{}, "%q is not the name of a function", function).
				WithHelp("a function literal or a lambda is written into a .aion file: function --> \"…\"")
		}
	}
}

// readNames notes the tools that a directory has already. Files that cannot be
// read have none.
func (s *scaffold) readNames(dir string) {
	for _, name := range folder.NewCache(nil).At(dir).Aion {
		src, err := regular.ReadFile(filepath.Join(dir, name))
		if err != nil {
			continue
		}
		doc, _ := aion.Parse(name, src)
		for _, el := range doc.Elements {
			s.taken[el.Name.Value] = true
		}
	}
}

// document has an element for each function, with nothing in it but names. The
// line of an element is its number, so that faults tell which it is.
func (s *scaffold) document(pkg *load.Package, t target) *aion.Document {
	doc := &aion.Document{Name: "new.aion"}
	names := s.toolNames()
	for i, c := range s.chosen {
		at := diag.Pos{Line: i + 1, Column: 1}
		span := diag.Span{File: doc.Name, Start: at, End: at}
		text := c.name
		if pkg.Path != t.Path {
			text = pkg.Path + "." + plain(c.name)
		}
		doc.Elements = append(doc.Elements, &aion.Element{
			Span:     span,
			Name:     aion.Text{Value: names[c.name], Span: span},
			Function: &aion.Function{Text: aion.Text{Value: text, Span: span}, Block: span},
		})
	}
	return doc
}

// toolNames gives each function a name for its tool, the same whatever the order in
// which the functions were asked for.
func (s *scaffold) toolNames() map[string]string {
	names := map[string]string{}
	for _, c := range slices.SortedFunc(slices.Values(s.chosen), func(a, b choice) int { return strings.Compare(plain(a.name), plain(b.name)) }) {
		names[c.name] = s.toolName(c.name)
	}
	return names
}

// typeArguments are the brackets behind the name of a generic function or type.
var typeArguments = regexp.MustCompile(`\[.*\]`)

// toolName is a name for the tool of a function: its own, with that of its type in
// front.
func (s *scaffold) toolName(function string) string {
	var parts []string
	for word := range strings.FieldsFuncSeq(typeArguments.ReplaceAllString(function, ""), func(r rune) bool { return strings.ContainsRune("(*). ", r) }) {
		if part := strings.Trim(toolname.Sound(goname.Snake(word)), "_"); part != "" {
			parts = append(parts, part)
		}
	}
	name := cmp.Or(strings.Join(parts, "_"), "tool")
	return toolname.Free(name, s.taken)
}

// bind binds the elements. One whose function has no comment gets a description
// to be written yet; one that cannot be a tool is an error, or is left out if only a
// pattern matched it.
func (s *scaffold) bind(pkg *load.Package, doc *aion.Document, t gotype.Target) *model.Package {
	says := godoc.NewReader(pkg)
	_, _, faults := bind.Bind(s.budget, pkg, says, []*aion.Document{doc}, t)
	out := map[int]bool{} // lines of elements
	for _, d := range faults {
		line := d.Span.Start.Line
		of := d.Span.File == doc.Name && 0 < line && line <= len(s.chosen)
		switch {
		case of && d.Code == "no-description":
			doc.Elements[line-1].Description = &aion.Text{Value: "TODO: say what " + s.chosen[line-1].name + " does, for the model."}
		case d.Severity != diag.Error:
		default:
			if of {
				s.leave(d, s.chosen[line-1], out)
			}
			s.faults = append(s.faults, d)
		}
	}
	if s.faults.Err() != nil {
		return nil
	}
	s.drop(doc, out)
	if len(doc.Elements) == 0 {
		s.faults.Errorf("bad-function", diag.Span{}, "none of the functions of package %s that were asked for can be a tool", pkg.Name)
		return nil
	}
	m, _, faults := bind.Bind(s.budget, pkg, says, []*aion.Document{doc}, t)
	for _, d := range faults {
		switch {
		case d.Code == "needs-scope":
			d.Help = nil // which the file says is meant
			s.faults = append(s.faults, d)
		case d.Severity != diag.Note: // that is told when it is generated
			s.faults = append(s.faults, d)
		}
	}
	return m
}

// leave tells of which function a fault is, and marks that as one to be left out if it
// was not named.
func (s *scaffold) leave(d *diag.Diagnostic, c choice, out map[int]bool) {
	line := d.Span.Start.Line
	d.Span, d.Message = diag.Span{}, c.name+": "+d.Message
	if !c.exact {
		d.Severity = diag.Note
		out[line] = true
	}
}

// drop leaves elements out, by their lines.
func (s *scaffold) drop(doc *aion.Document, out map[int]bool) {
	var elements []*aion.Element
	var chosen []choice
	for i, el := range doc.Elements {
		if !out[i+1] {
			elements, chosen = append(elements, el), append(chosen, s.chosen[i])
		}
	}
	doc.Elements, s.chosen = elements, chosen
}
