// Package supply settles what no model writes of a call: what the runtime supplies,
// by the types of parameters, and what the application does, by fields of Deps.
//
// Its layers, from top to bottom:
//
//	fill    fields of the arguments that are filled before a call
//	supply  parameters
//	inject  what the package declares as injected
//	deps    fields of Deps
package supply

import (
	"go/types"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/annotate"
	"github.com/aiongen/aiongen/gen/internal/gotype"
	"github.com/aiongen/aiongen/gen/internal/model"
)

// A Supply is what functions of a package get from elsewhere than a model, and what
// Deps needs for that.
type Supply struct {
	injections []annotate.Injection
	deps       deps
}

// New reads which types the package of a writer declares as injected. The list says
// what is wrong with these declarations.
func New(w gotype.Writer) (*Supply, diag.List) {
	injections, faults := annotate.Injections(w.Package, ByRuntime)
	s := &Supply{injections, deps{write: w}}
	return s, append(faults, s.nameInjected()...)
}

// Has reports whether no model supplies the parameters of a type, but the runtime or
// the application.
func (s *Supply) Has(t types.Type) bool { return ByRuntime(t) || s.injection(t) != nil }

// Arg is what the parameters of a type get in a call of a tool, nil if a model writes
// it. The error says that generated code cannot name the type.
func (s *Supply) Arg(t types.Type, tool string) (*model.Arg, error) {
	if s.injection(t) != nil {
		dep, err := s.Dep(t, tool, needTaken)
		return &model.Arg{Source: model.FromDeps, Dep: dep}, err
	}
	if source, ok := supplier(t); ok {
		return &model.Arg{Source: source}, nil
	}
	return nil, nil
}

// Dep is the field of Deps for a type that a tool needs; need says what for.
func (s *Supply) Dep(t types.Type, tool, need string) (*model.Dep, error) {
	field := ""
	if in := s.injection(t); in != nil {
		field = in.Field
	}
	return s.deps.of(t, field, tool+" "+need)
}

// needTaken is what an injected type is needed for.
const needTaken = "takes it"

// Deps are the fields that tools need, in the order of first use.
func (s *Supply) Deps() []Dep { return s.deps.fields }

// Unused are the declarations of types that no tool takes.
func (s *Supply) Unused() (unused []annotate.Injection) {
	for _, in := range s.injections {
		if !s.deps.has(in.Type) {
			unused = append(unused, in)
		}
	}
	return unused
}

// injection is the declaration of a type as injected, nil if there is none.
func (s *Supply) injection(t types.Type) *annotate.Injection {
	for i, in := range s.injections {
		if types.Identical(in.Type, types.Unalias(t)) {
			return &s.injections[i]
		}
	}
	return nil
}

// supplied is a named type, or a pointer to one.
type supplied struct {
	path, name string
	pointer    bool
}

// suppliers are the types of parameters that the runtime supplies.
var suppliers = map[supplied]model.ArgSource{
	{"context", "Context", false}:      model.FromContext,
	{model.ToolPath, "Exchange", true}: model.FromExchange,
	{"log/slog", "Logger", true}:       model.FromLogger,
	{model.ToolPath, "Call", true}:     model.FromCall,
	{model.ToolPath, "Scope", true}:    model.FromScope,
	{model.MemoryPath, "Store", false}: model.FromMemory,
}

// ByRuntime reports whether the runtime supplies the parameters of a type, whatever the
// package declares as injected.
func ByRuntime(t types.Type) bool {
	_, ok := supplier(t)
	return ok
}

// supplier is what the runtime supplies for a type, whatever alias it has.
func supplier(t types.Type) (model.ArgSource, bool) {
	p, pointer := types.Unalias(t).(*types.Pointer)
	if pointer {
		t = p.Elem()
	}
	named, ok := types.Unalias(t).(*types.Named)
	if !ok || named.Obj().Pkg() == nil {
		return 0, false
	}
	source, ok := suppliers[supplied{named.Obj().Pkg().Path(), named.Obj().Name(), pointer}]
	return source, ok
}
