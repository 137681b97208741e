// Package naming gives names to what is generated: to tools, to the functions and
// tables that types need, to imports and variables. It comes last, over what is used,
// so that nothing that was looked at takes a name from what is.
//
// Its layers, from top to bottom:
//
//	naming  a package, and its tools
//	deps    the fields of Deps
//	shape   types: their functions and tables, and what $defs call them
//	refer   imports, and the variables that must not hide what code refers to
package naming

import (
	"fmt"
	"go/types"
	"path"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/aiongen/aiongen/gen/internal/goname"
	"github.com/aiongen/aiongen/gen/internal/gotype"
	"github.com/aiongen/aiongen/gen/internal/literal"
	"github.com/aiongen/aiongen/gen/internal/model"
	"github.com/aiongen/aiongen/gen/internal/schema"
	"github.com/aiongen/aiongen/gen/internal/supply"
)

// A Tool is a bound tool, with what its function refers to.
type Tool struct {
	*model.Tool
	Mentions []types.Object
	Literal  *literal.Literal // nil if the function is declared
}

// Name gives a package its names: none but those that are free in the package that w
// writes for. Tools are those of each of its files. It calls named after each: what a
// model is told of that one no longer changes.
func Name(m *model.Package, w gotype.Writer, free goname.Names, tools [][]Tool, deps []supply.Dep, named func()) {
	n := &namer{
		free: free, tools: goname.Names{}, defs: goname.Names{},
		named: map[*model.Def]bool{}, met: map[*model.Type]bool{}, tables: map[*model.Const]string{},
		references: newReferences(w),
	}
	for i, list := range tools {
		for _, t := range list {
			n.tool(&m.Files[i], t)
			named()
		}
	}
	n.deps(m, deps)
	if m.Prompts != nil {
		n.imports["strings"] = "strings"
	}
	n.nameImports(m, free, literals(tools))
	m.Local = map[string]string{}
	for _, name := range model.Locals {
		if n.mentioned[name] {
			m.Local[name] = n.mentioned.Take(name)
		}
	}
}

func literals(tools [][]Tool) (found []*literal.Literal) {
	for _, t := range slices.Concat(tools...) {
		if t.Literal != nil {
			found = append(found, t.Literal)
		}
	}
	return found
}

// A namer names what is generated.
type namer struct {
	references
	free  goname.Names // of the target package
	tools goname.Names // Go names of tools
	defs  goname.Names // of $defs

	named  map[*model.Def]bool
	met    map[*model.Type]bool
	tables map[*model.Const]string // of values, by the first

	cyclic func() map[*model.Type]bool // types of the tool that stand in $defs, which few ask for
	inline []*model.Def                // of shaped ones that do not, and are named last
}

// tool names what is generated for a tool.
func (n *namer) tool(f *model.File, t Tool) {
	t.GoName = n.tools.Take(goname.Exported(t.Name, "Tool"))
	lower := goname.Unexported(t.GoName)
	t.InputName = n.free.Take(lower + "Input")
	if !t.Untold {
		t.OutputName = n.free.Take(lower + "Output")
	}
	t.Definition = n.free.Take(lower + "Definition")
	t.Constructor = n.free.Take(t.GoName + "Tool")
	t.Run = n.free.Take("run" + t.GoName)
	t.Invoke = n.free.Take("invoke" + t.GoName)
	if t.Func != nil {
		n.function(t)
		n.cyclic = sync.OnceValue(func() map[*model.Type]bool { return schema.Recursive(t.Args) })
		n.args(use{file: f}, t.Tool)
		if t.Result != nil {
			n.cyclic = sync.OnceValue(func() map[*model.Type]bool { return schema.Recursive(t.Result) })
		}
		n.result(use{file: f, output: true}, t.Tool)
		if kept := t.Result.FindRef(); kept != nil {
			t.Variable = variable(kept.Go)
		}
	}
	for _, d := range n.inline {
		n.define(d)
	}
	n.inline = nil
}

func (n *namer) function(t Tool) {
	f := t.Func
	if t.Literal != nil {
		f.Name = n.free.Take(goname.Unexported(t.GoName) + "Func")
		f.Literal.Decl.Name.Name = f.Name
		if f.Literal.Lambda != nil {
			for _, called := range f.Literal.Lambda.Calls {
				n.goTypes(called.Type)
			}
		}
	}
	n.goTypes(f.Type)
	n.goTypes(f.TypeArgs...)
	if len(f.Walk) > 0 {
		n.imports["errors"] = "errors"
	}
	for _, obj := range t.Mentions {
		n.mention(obj.Pkg().Path(), obj.Pkg().Name(), obj.Name())
	}
	for _, arg := range f.Args {
		if arg.Source == model.FromZero {
			n.goTypes(arg.Type)
		}
		if arg.Source == model.FromLogger {
			n.imports[model.LogPath] = path.Base(model.LogPath)
		}
	}
}

func (n *namer) args(u use, t *model.Tool) {
	switch {
	case declares(t, t.Args):
		t.Args.Reader = n.free.Take("decode" + n.declare(t, t.Args, "Args", "arguments"))
		n.parts(u, t.Args, t.GoName)
	case t.Args.Narrowed: // the notes of this tool are not those of the type
		n.met[t.Args] = true
		n.def(t.Args)
		n.goTypes(t.Args.Go)
		n.coder(u, t.Args, t.GoName+"Args")
		n.parts(u, t.Args, t.GoName)
	default:
		n.shape(u, t.Args, t.GoName+"Args")
	}
}

func (n *namer) result(u use, t *model.Tool) {
	if t.Result == nil || !declares(t, t.Result) {
		n.shape(u, t.Result, t.GoName+"Result")
		return
	}
	for _, f := range t.Result.Fields {
		n.shape(u, f.Type, t.GoName+"Result")
	}
	t.Result.Writer = n.free.Take("encode" + n.declare(t, t.Result, "Result", "results"))
}

// declares reports whether a type is declared for the tool.
func declares(t *model.Tool, typ *model.Type) bool {
	return slices.ContainsFunc(t.Declare, func(s model.Struct) bool { return s.Type == typ })
}

// declare names a type that is declared for a tool.
func (n *namer) declare(t *model.Tool, typ *model.Type, suffix, holds string) string {
	name := n.free.Take(t.GoName + suffix)
	typ.Go.Name = name
	i := slices.IndexFunc(t.Declare, func(s model.Struct) bool { return s.Type == typ })
	t.Declare[i].Doc = fmt.Sprintf("%s holds the %s of the %s tool.", name, holds, t.Name)
	return name
}

// variable is what the names of variables of a type begin with: reader of io.Reader,
// file of *os.File, raw_response of *RawResponse.
func variable(t model.GoType) string {
	for t.Kind != model.GoNamed && len(t.Elems) > 0 {
		t = t.Elems[len(t.Elems)-1]
	}
	isASCII := func(r rune) rune {
		if r > unicode.MaxASCII {
			return -1
		}
		return r
	}
	name := goname.Snake(strings.Map(isASCII, t.Name))
	if t.Kind != model.GoNamed || name == "" || len(name) > longestVariable {
		return "value"
	}
	return name
}

// longestVariable leaves room for numbers in the names of variables.
const longestVariable = 40
