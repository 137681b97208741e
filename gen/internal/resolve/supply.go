package resolve

import (
	"go/types"

	"golang.org/x/tools/go/types/typeutil"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/model"
	"github.com/aiongen/aiongen/gen/internal/shape"
	"github.com/aiongen/aiongen/gen/internal/source"
)

// A Supply knows which parameters and fields the runtime and the application supply, and
// collects the fields of Deps.
type Supply struct {
	write          shape.TypeWriter
	injections     []source.Injection
	contextOptions []*contextOption
	deps           []Dep        // in the order of first use
	depByType      typeutil.Map // to *model.Dep
}

// NewSupply reads the declarations of injected types and of context options in the package of w.
// The list reports errors in these declarations.
func NewSupply(w shape.TypeWriter) (*Supply, diag.List) {
	injections, faults := source.ReadInjections(w.Package, IsRuntimeSupplied)
	s := &Supply{injections: injections, write: w}
	faults = append(faults, s.nameInjected()...)
	return s, append(faults, s.readContextOptions()...)
}

// HasType reports whether the runtime or the application supplies parameters of type t.
func (s *Supply) HasType(t types.Type) bool { return IsRuntimeSupplied(t) || s.findInjection(t) != nil }

// NewArg returns the argument for parameters of a type in a call of a tool, or nil if the model
// provides it. It fails if generated code cannot name the type.
func (s *Supply) NewArg(t types.Type, tool string) (*model.Arg, error) {
	if s.findInjection(t) != nil {
		dep, err := s.FieldFor(t, tool, injectedNeed)
		return &model.Arg{Source: model.FromDeps, Dep: dep}, err
	}
	if source, ok := findSupplier(t); ok {
		return &model.Arg{Source: source}, nil
	}
	return nil, nil
}

// FieldFor returns the field of Deps for a type that a tool needs. The first call for a type creates the field. The
// name of the tool and need are then its reason: for the tool find and the need "takes it", it is "find takes it".
func (s *Supply) FieldFor(t types.Type, tool, need string) (*model.Dep, error) {
	if dep, ok := s.depByType.At(t).(*model.Dep); ok {
		return dep, nil
	}
	goType, err := s.write.GoType(t)
	if err != nil {
		return nil, err
	}
	d := Dep{&model.Dep{Type: goType, Need: tool + " " + need, Nilable: shape.IsNilable(t)}, s.proposeNames(t)}
	if in := s.findInjection(t); in != nil {
		d.Field = in.Field
	}
	s.depByType.Set(t, d.Dep)
	s.deps = append(s.deps, d)
	return d.Dep, nil
}

// injectedNeed is the argument need of FieldFor for injected parameters.
const injectedNeed = "takes it"

// Deps returns the fields that tools need, in the order of first use.
func (s *Supply) Deps() []Dep { return s.deps }

// UnusedInjections returns the declarations of injected types that no tool takes.
func (s *Supply) UnusedInjections() (unused []source.Injection) {
	for _, in := range s.injections {
		if s.depByType.At(in.Type) == nil {
			unused = append(unused, in)
		}
	}
	return unused
}

// findInjection returns the declaration of an injected type, nil if there is none.
func (s *Supply) findInjection(t types.Type) *source.Injection {
	for i, in := range s.injections {
		if types.Identical(in.Type, types.Unalias(t)) {
			return &s.injections[i]
		}
	}
	return nil
}

// suppliedType is a named type, or a pointer to one.
type suppliedType struct {
	path, name string
	pointer    bool
}

// suppliers lists the types of parameters that the runtime supplies.
var suppliers = map[suppliedType]model.ArgSource{
	{"context", "Context", false}:      model.FromContext,
	{model.ToolPath, "Exchange", true}: model.FromExchange,
	{"log/slog", "Logger", true}:       model.FromLogger,
	{model.ToolPath, "Call", true}:     model.FromCall,
	{model.ToolPath, "Scope", true}:    model.FromScope,
	{model.MemoryPath, "Store", false}: model.FromMemory,
}

// IsRuntimeSupplied reports whether the runtime supplies parameters of a type. It ignores injected
// types.
func IsRuntimeSupplied(t types.Type) bool {
	_, ok := findSupplier(t)
	return ok
}

// findSupplier returns the source of a type, or of an alias of one, that the runtime supplies.
func findSupplier(t types.Type) (model.ArgSource, bool) {
	named := source.NamedOf(t)
	if named == nil || named.Obj().Pkg() == nil {
		return 0, false
	}
	supplier, ok := suppliers[suppliedType{named.Obj().Pkg().Path(), named.Obj().Name(), isPointer(t)}]
	return supplier, ok
}
