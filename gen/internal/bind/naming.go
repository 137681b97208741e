package bind

import (
	"fmt"
	"go/types"
	"path"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/aiongen/aiongen/gen/internal/goname"
	"github.com/aiongen/aiongen/gen/internal/model"
	"github.com/aiongen/aiongen/gen/internal/resolve"
	"github.com/aiongen/aiongen/gen/internal/schemagen"
	"github.com/aiongen/aiongen/gen/internal/shape"
)

// A namedTool is a bound tool to name, with the objects that its function refers to.
type namedTool struct {
	*model.Tool
	Mentions []types.Object
	Literal  *resolve.DeclaredLiteral // nil if the function is declared
}

// assignNames gives every generated declaration of a package a name that is free in the
// target package of w. The tools are grouped by file. assignNames calls named each time that
// a tool has its names; the names in the schemas of that tool do not change afterward.
func assignNames(m *model.Package, w shape.TypeWriter, free goname.Names, tools [][]namedTool, deps []resolve.Dep, named func()) {
	n := &namer{
		free: free, tools: goname.Names{}, defs: goname.Names{},
		namedDefs: map[*model.Def]bool{}, visited: map[*model.Type]bool{}, tables: map[*model.Const]string{}, pinned: map[string]bool{},
		references: newReferences(w),
	}
	for i, list := range tools {
		for k, t := range list {
			if k > 0 {
				t.Binding.Previous = list[k-1].Tool
			}
			n.nameTool(&m.Files[i], t)
			named()
		}
	}
	n.nameDeps(m, deps)
	if m.Prompts != nil {
		n.imports["strings"] = "strings"
	}
	n.nameImports(m, free, listLiterals(tools))
	m.Local = map[string]string{}
	for _, name := range model.LocalNames {
		if n.localNames[name] {
			m.Local[name] = n.localNames.Take(name)
		}
	}
}

// listLiterals returns the function literals of the tools.
func listLiterals(tools [][]namedTool) (found []*resolve.DeclaredLiteral) {
	for _, t := range slices.Concat(tools...) {
		if t.Literal != nil {
			found = append(found, t.Literal)
		}
	}
	return found
}

// A namer chooses the names of generated declarations.
type namer struct {
	references
	free  goname.Names // names in the target package
	tools goname.Names // Go names of tools
	defs  goname.Names // names of $defs entries

	namedDefs  map[*model.Def]bool
	visited    map[*model.Type]bool
	tables     map[*model.Const]string // names of tables of values, by the first value
	converters []model.Converter       // converters of represented types, in the order in which they were named
	pinned     map[string]bool         // names of pinned structs and constants

	recursiveTypes func() map[*model.Type]bool // recursive types of the tool, computed on demand
	inlineDefs     []*model.Def                // definitions of narrowed types outside $defs, named after those in $defs
}

// nameTool names the declarations that are generated for a tool.
func (n *namer) nameTool(f *model.File, t namedTool) {
	t.GoName = n.tools.Take(goname.Exported(t.Name, "Tool"))
	lower := goname.Unexported(t.GoName)
	t.InputName = n.free.Take(lower + "Input")
	if !t.OmitsOutput {
		t.OutputName = n.free.Take(lower + "Output")
	}
	t.Binding.LineName = n.free.Take(lower + "Line")
	t.Definition = n.free.Take(lower + "Definition")
	t.Constructor = n.free.Take(t.GoName + "Tool")
	t.Run = n.free.Take("run" + t.GoName)
	t.Invoke = n.free.Take("invoke" + t.GoName)
	if t.Func != nil {
		n.nameFunction(t)
		n.recursiveTypes = sync.OnceValue(func() map[*model.Type]bool { return schemagen.RecursiveTypes(t.Args) })
		n.nameArgs(typeUse{file: f}, t.Tool)
		if t.Result != nil {
			n.recursiveTypes = sync.OnceValue(func() map[*model.Type]bool { return schemagen.RecursiveTypes(t.Result) })
		}
		n.nameResult(typeUse{file: f, output: true}, t.Tool)
		if kept := t.Result.FindRef(); kept != nil {
			t.Variable = variableName(kept.Go)
		}
	}
	for _, d := range n.inlineDefs {
		n.nameDef(d)
	}
	n.inlineDefs = nil
}

func (n *namer) nameFunction(t namedTool) {
	f := t.Func
	if t.Literal != nil {
		f.Name = n.free.Take(goname.Unexported(t.GoName) + "Func")
		f.Literal.Decl.Name.Name = f.Name
		if f.Literal.Lambda != nil {
			for _, called := range f.Literal.Lambda.Calls {
				n.addTypes(called.Type)
			}
		}
	}
	n.addTypes(f.Type)
	n.addTypes(f.TypeArgs...)
	if len(f.Walk) > 0 {
		n.imports["errors"] = "errors"
	}
	for _, obj := range t.Mentions {
		n.addReference(obj.Pkg().Path(), obj.Pkg().Name(), obj.Name())
	}
	if declared := t.Binding.Declared; declared != nil && declared.Dep != nil {
		n.addTypes(declared.Dep.Type)
	}
	n.nameSequence(f.Sequence)
	for _, arg := range f.Args {
		if arg.Source == model.FromZero {
			n.addTypes(arg.Type)
		}
		if arg.Source == model.FromField && arg.Option != nil {
			n.imports["slices"] = "slices"
		}
		if arg.Source == model.FromLogger {
			n.imports[model.LogPath] = path.Base(model.LogPath)
		}
	}
}

// nameSequence records the packages and types to which the code that collects a sequence refers.
func (n *namer) nameSequence(s *model.Sequence) {
	if s == nil {
		return
	}
	n.addReference(model.SequencePath, path.Base(model.SequencePath), "Collect")
	n.addTypes(s.Go, s.Item)
	if s.Page != nil {
		n.addTypes(s.Page.Elem)
	}
	if s.Done.Name != "" {
		n.addReference(s.Done.Path, s.Done.Package, s.Done.Name)
	}
}

func (n *namer) nameArgs(u typeUse, t *model.Tool) {
	switch {
	case declaresType(t, t.Args):
		t.Args.Reader = n.free.Take("decode" + n.nameDeclared(t, t.Args, "Args", "arguments"))
		n.nameParts(u, t.Args, t.GoName)
	case t.Args.Narrowed: // the notes apply to this tool only
		n.visited[t.Args] = true
		n.pinFacts(u, t.Args)
		n.nameDefOf(t.Args)
		n.addTypes(t.Args.Go)
		n.nameCodec(u, t.Args, t.GoName+"Args")
		n.nameParts(u, t.Args, t.GoName)
	default:
		n.nameType(u, t.Args, t.GoName+"Args")
	}
}

func (n *namer) nameResult(u typeUse, t *model.Tool) {
	if t.Result == nil || !declaresType(t, t.Result) {
		n.nameType(u, t.Result, t.GoName+"Result")
		return
	}
	for _, f := range t.Result.Fields {
		n.nameType(u, f.Type, t.GoName+"Result"+f.Path[0])
	}
	t.Result.Writer = n.free.Take("encode" + n.nameDeclared(t, t.Result, "Result", "results"))
}

// declaresType reports whether generated code declares a type for the tool.
func declaresType(t *model.Tool, typ *model.Type) bool {
	return slices.ContainsFunc(t.Declare, func(s model.Struct) bool { return s.Type == typ })
}

// nameDeclared names a type that is declared for a tool.
func (n *namer) nameDeclared(t *model.Tool, typ *model.Type, suffix, holds string) string {
	name := n.free.Take(t.GoName + suffix)
	typ.Go.Name = name
	i := slices.IndexFunc(t.Declare, func(s model.Struct) bool { return s.Type == typ })
	t.Declare[i].Doc = fmt.Sprintf("%s holds the %s of the %s tool.", name, holds, t.Name)
	return name
}

// variableName returns the stem of the names of scope variables whose values have type t: reader
// for io.Reader, file for *os.File, raw_response for *RawResponse.
func variableName(t model.GoType) string {
	for t.Kind != model.GoNamed && len(t.Elems) > 0 {
		t = t.Elems[len(t.Elems)-1]
	}
	isASCII := func(r rune) rune {
		if r > unicode.MaxASCII {
			return -1
		}
		return r
	}
	name := goname.SnakeCase(strings.Map(isASCII, t.Name))
	if t.Kind != model.GoNamed || name == "" || len(name) > maxVariableLength {
		return "value"
	}
	return name
}

// maxVariableLength leaves room for a number after the name of a variable.
const maxVariableLength = 40
