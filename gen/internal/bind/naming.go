package bind

import (
	"fmt"
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

// assignNames gives every generated declaration of a package a name that is not in packageNames. It calls onNamed
// for each element, as soon as all names in its schemas are final.
func assignNames(m *model.Package, w shape.TypeWriter, packageNames goname.Names, files []boundFile, deps []resolve.Dep, onNamed func(*element)) {
	n := &namer{
		packageNames: packageNames, tools: goname.Names{}, defs: goname.Names{},
		namedDefs: map[*model.Def]bool{}, visited: map[*model.Type]bool{}, tables: map[*model.Const]string{}, pinned: map[string]bool{},
		references: newReferences(w),
	}
	var literals []*resolve.DeclaredLiteral
	for i, file := range files {
		for k, el := range file.elements {
			if k > 0 {
				el.tool.Binding.Previous = file.elements[k-1].tool
			}
			if el.literal != nil {
				literals = append(literals, el.literal)
			}
			n.nameTool(&m.Files[i], el)
			onNamed(el)
		}
	}
	n.nameDeps(m, deps)
	if m.Prompts != nil {
		n.imports["strings"] = "strings"
	}
	n.nameImports(m, packageNames, literals)
	m.Local = map[string]string{}
	for _, name := range model.LocalNames {
		if n.localNames[name] {
			m.Local[name] = n.localNames.Take(name)
		}
	}
}

// A namer chooses the names of generated declarations.
type namer struct {
	references
	packageNames goname.Names // names in use in the target package
	tools        goname.Names // Go names of tools
	defs         goname.Names // names of $defs entries

	namedDefs  map[*model.Def]bool
	visited    map[*model.Type]bool
	tables     map[*model.Const]string // names of tables of values, by the first value
	converters []model.Converter       // converters of represented types, in the order in which they were named
	pinned     map[string]bool         // names of pinned structs and constants

	recursiveTypes func() map[*model.Type]bool // recursive types in the arguments or result of the tool
	inlineDefs     []*model.Def                // definitions of narrowed types that are not in $defs, see nameDefOf
}

// nameTool names the declarations that are generated for a tool.
func (n *namer) nameTool(f *model.File, el *element) {
	t := el.tool
	t.GoName = n.tools.Take(goname.Exported(t.Name, "Tool"))
	lower := goname.Unexported(t.GoName)
	t.InputName = n.packageNames.Take(lower + "Input")
	if !t.OmitsOutput {
		t.OutputName = n.packageNames.Take(lower + "Output")
	}
	t.Binding.LineName = n.packageNames.Take(lower + "Line")
	t.Definition = n.packageNames.Take(lower + "Definition")
	t.Constructor = n.packageNames.Take(t.GoName + "Tool")
	t.Run = n.packageNames.Take("run" + t.GoName)
	t.Invoke = n.packageNames.Take("invoke" + t.GoName)
	if t.Func != nil {
		n.nameFunction(el)
		n.recursiveTypes = sync.OnceValue(func() map[*model.Type]bool { return schemagen.RecursiveTypes(t.Args) })
		n.nameArgs(typeUse{file: f}, t)
		if t.Result != nil {
			n.recursiveTypes = sync.OnceValue(func() map[*model.Type]bool { return schemagen.RecursiveTypes(t.Result) })
		}
		n.nameResult(typeUse{file: f, output: true}, t)
		if ref := t.Result.FindRef(); ref != nil {
			t.Variable = variableName(ref.Go)
		}
	}
	for _, d := range n.inlineDefs {
		n.nameDef(d)
	}
	n.inlineDefs = nil
}

func (n *namer) nameFunction(el *element) {
	t, f := el.tool, el.tool.Func
	if el.literal != nil {
		f.Name = n.packageNames.Take(goname.Unexported(t.GoName) + "Func")
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
	for _, obj := range el.mentions {
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

// nameSequence records the packages and types that the code for collecting a sequence refers to.
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
		t.Args.Reader = n.packageNames.Take("decode" + n.nameDeclared(t, t.Args, "Args", "arguments"))
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
	t.Result.Writer = n.packageNames.Take("encode" + n.nameDeclared(t, t.Result, "Result", "results"))
}

// declaresType reports whether generated code declares a type for the tool.
func declaresType(t *model.Tool, typ *model.Type) bool {
	return slices.ContainsFunc(t.Declare, func(s model.Struct) bool { return s.Type == typ })
}

// nameDeclared names a type that is declared for a tool.
func (n *namer) nameDeclared(t *model.Tool, typ *model.Type, suffix, holds string) string {
	name := n.packageNames.Take(t.GoName + suffix)
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
