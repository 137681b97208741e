// Package scaffold writes .aion files for functions that exist already, from
// their signatures and comments. What it writes compiles as it is: each function
// is bound first, and one that cannot be a tool is reported with the reason.
package scaffold

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/aiongen/aiongen/aion"
	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/bind"
	"github.com/aiongen/aiongen/gen/internal/find"
	"github.com/aiongen/aiongen/gen/internal/folder"
	"github.com/aiongen/aiongen/gen/internal/goname"
	"github.com/aiongen/aiongen/gen/internal/gotype"
	"github.com/aiongen/aiongen/gen/internal/load"
	"github.com/aiongen/aiongen/gen/internal/model"
	"github.com/aiongen/aiongen/gen/internal/shape"
	"github.com/aiongen/aiongen/internal/regular"
)

// Config says what to write. The file is meant for a directory, whose package
// need not be the one that the functions are of.
type Config struct {
	Dir       string   // directory of the file; "" is the current one
	Tags      string   // build tags, as the go command takes them
	Package   string   // of the functions, as the go command takes it
	Functions []string // as the property function names them: Find, Store.Find
}

// Write returns the text of a .aion file with a tool for each function. It is
// empty when the list holds an error. Packages that are given by a relative
// path are relative to the current directory.
func Write(ctx context.Context, cfg Config) ([]byte, diag.List) {
	s := &scaffold{cfg: cfg, taken: map[string]bool{}}
	if s.refuseLiterals(); s.faults.Err() != nil {
		return nil, s.faults
	}
	pkg, target, ok := s.load(ctx)
	if !ok {
		return nil, s.faults
	}
	s.readNames(target.dir)
	doc := s.document(pkg, target)
	m := s.bind(pkg, doc, target.Target)
	if s.faults.Err() != nil {
		return nil, s.faults
	}
	for i, t := range m.Tools() {
		describe(doc.Elements[i], t)
	}
	text, err := aion.Format(doc)
	if err != nil {
		s.faults.Errorf("internal", diag.Span{}, "%v", err)
		return nil, s.faults
	}
	return text, s.faults
}

type scaffold struct {
	cfg    Config
	faults diag.List
	taken  map[string]bool // names of tools
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
		t := target{dir: dir, Target: gotype.Target{Path: folder.ImportPath(dir), Name: filepath.Base(dir)}}
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
	files, _ := filepath.Glob(filepath.Join(dir, "*.aion"))
	for _, file := range files {
		src, err := regular.ReadFile(file)
		if err != nil {
			continue
		}
		doc, _ := aion.Parse(file, src)
		for _, el := range doc.Elements {
			s.taken[el.Name.Value] = true
		}
	}
}

// document has an element for each function, with nothing in it but names. The
// line of an element is its number, so that faults tell which it is.
func (s *scaffold) document(pkg *load.Package, t target) *aion.Document {
	doc := &aion.Document{Name: "new.aion"}
	for i, function := range s.cfg.Functions {
		at := diag.Pos{Line: i + 1, Column: 1}
		span := diag.Span{File: doc.Name, Start: at, End: at}
		text := function
		if pkg.Path != t.Path {
			text = pkg.Path + "." + strings.NewReplacer("(", "", ")", "", "*", "").Replace(function)
		}
		doc.Elements = append(doc.Elements, &aion.Element{
			Span:     span,
			Name:     aion.Text{Value: s.toolName(function), Span: span},
			Function: &aion.Function{Text: aion.Text{Value: text, Span: span}, Block: span},
		})
	}
	return doc
}

// longestName is what model providers accept as the name of a tool.
const longestName = 64

// toolName is a name for the tool of a function: the function's own, with its
// type in front where that is taken.
func (s *scaffold) toolName(function string) string {
	plain, _, _ := strings.Cut(function, "[")
	words := strings.FieldsFunc(plain, func(r rune) bool { return strings.ContainsRune("(*). ", r) })
	name := "tool"
	if len(words) > 0 {
		name = cmp.Or(aion.SoundName(goname.Snake(words[len(words)-1])), name)
	}
	if s.taken[name] && len(words) > 1 {
		name = strings.TrimLeft(aion.SoundName(goname.Snake(words[len(words)-2]))+"_"+name, "_")
	}
	free := name
	for n := 2; s.taken[free] || len(free) > longestName; n++ {
		suffix := fmt.Sprintf("_%d", n)
		free = name[:min(len(name), longestName-len(suffix))] + suffix
	}
	s.taken[free] = true
	return free
}

// bind binds the elements. One whose function has no comment gets a description
// to be written yet; other faults tell which function they are about.
func (s *scaffold) bind(pkg *load.Package, doc *aion.Document, t gotype.Target) *model.Package {
	_, faults := bind.Bind(pkg, []*aion.Document{doc}, t)
	for _, d := range faults {
		function := s.functionAt(d.Span)
		if d.Code == "no-description" {
			i := d.Span.Start.Line - 1
			doc.Elements[i].Description = &aion.Text{Value: "TODO: say what " + function + " does, for the model."}
			continue
		}
		if d.Severity == diag.Error {
			if d.Span.File == doc.Name {
				d.Span = diag.Span{}
				d.Message = function + ": " + d.Message
			}
			s.faults = append(s.faults, d)
		}
	}
	if s.faults.Err() != nil {
		return nil
	}
	m, faults := bind.Bind(pkg, []*aion.Document{doc}, t)
	s.faults = append(s.faults, faults...)
	return m
}

func (s *scaffold) functionAt(at diag.Span) string {
	if i := at.Start.Line - 1; 0 <= i && i < len(s.cfg.Functions) {
		return s.cfg.Functions[i]
	}
	return s.cfg.Package
}

// describe writes into an element what its bound tool says.
func describe(el *aion.Element, t *model.Tool) {
	if text := (aion.Text{Value: t.Description}); el.Description == nil && writable(text) {
		el.Description = &text
	}
	for _, f := range t.Args.Fields {
		if !f.Hidden {
			el.Function.Args = append(el.Function.Args, entry("arg", len(el.Function.Args), f))
		}
	}
	switch {
	case len(t.Func.Results) == 1:
		el.Function.Returns = []aion.Entry{entry("return", 0, &model.Field{Type: t.Result})}
	case len(t.Func.Results) > 1:
		for i, f := range t.Result.Fields {
			el.Function.Returns = append(el.Function.Returns, entry("return", i, f))
		}
	}
}

// entry is a note on an argument or a result. A description that a note cannot
// hold is left out: it comes from Go all the same.
func entry(kind string, i int, f *model.Field) aion.Entry {
	note := aion.Note{Type: shape.Word(f.Type), Description: strings.Join(strings.Fields(f.Description), " ")}
	first := aion.Entry{Name: aion.Text{Value: "arg-1"}, Note: note}
	function := aion.Function{Text: aion.Text{Value: "F"}, Args: []aion.Entry{first}}
	if _, err := aion.Format(&aion.Document{Elements: []*aion.Element{{Name: aion.Text{Value: "x"}, Function: &function}}}); err != nil {
		note.Description = ""
	}
	return aion.Entry{Name: aion.Text{Value: fmt.Sprintf("%s-%d", kind, i+1)}, Note: note}
}

// writable reports whether a text can stand in a file as it is.
func writable(text aion.Text) bool {
	_, err := aion.Format(&aion.Document{SystemPrompt: &text})
	return err == nil
}
