package bind

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/aion"
	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/goname"
	"github.com/aiongen/aiongen/gen/internal/model"
	"github.com/aiongen/aiongen/gen/internal/resolve"
	"github.com/aiongen/aiongen/gen/internal/shape"
	"github.com/aiongen/aiongen/gen/internal/source"
	"github.com/aiongen/aiongen/internal/words"
)

// An element is an element of a document together with the results of binding it.
type element struct {
	*aion.Element
	fn                resolve.Function // empty if the element is only a link
	tool              *model.Tool
	params            []*types.Var             // those that arg-1, arg-2 and so on refer to, see listParams
	args              *model.Type              // the arguments as the notes describe them
	resultDescription string                   // the description of the whole result
	mentions          []types.Object           // objects that generated code refers to
	literal           *resolve.DeclaredLiteral // nil if the function is declared

	parts      map[string][]aion.Entry // entries with paths, by the argument or result; set by pathEntries
	references []Reference
	faults     diag.List
	budgetErr  error // the error that used up the budget, if known
}

func (el *element) addFaults(list diag.List) { el.faults = append(el.faults, list...) }

// entryOfParam returns the entry for a parameter in the interface block or in args_schema, or nil
// if there is none.
func (el *element) entryOfParam(i int) *aion.Entry {
	if entries := el.Function.Args; len(entries) == len(el.params) {
		return &entries[i]
	}
	if el.Schema != nil {
		name := words.FoldName(paramJSONName(el, el.params[i], i))
		for j, e := range el.Schema.Fields {
			if words.FoldName(e.Name.Value) == name {
				return &el.Schema.Fields[j]
			}
		}
	}
	return nil
}

// noteOfParam returns the note on a parameter, nil if there is none.
func (el *element) noteOfParam(i int) *aion.Note {
	if e := el.entryOfParam(i); e != nil {
		return &e.Note
	}
	return nil
}

// omitsParam reports whether a note hides a parameter from the model.
func (el *element) omitsParam(i int) bool {
	n := el.noteOfParam(i)
	return n != nil && n.Omit
}

// isVariadic reports whether a parameter is the variadic one.
func (el *element) isVariadic(v *types.Var) bool {
	params := el.fn.Sig.Params()
	return el.fn.Sig.Variadic() && v == params.At(params.Len()-1)
}

// functionSpan returns the span of the function property.
func (el *element) functionSpan() diag.Span { return el.Function.Text.Span }

// startSpan returns the position of the brace that begins an element, where errors about the
// whole element are reported.
func startSpan(el *aion.Element) diag.Span {
	at := el.Span
	at.End = at.Start
	at.End.Offset++
	at.End.Column++
	return at
}

// readArgumentType reads the shape of a type for arguments.
func (b *binder) readArgumentType(el *element, t types.Type) (*model.Type, error) {
	typ, faults, err := b.shapes.ReadArgument(t, el.functionSpan())
	el.addFaults(faults)
	return typ, err
}

// readResultType reads the shape of a type for results.
func (b partBinder) readResultType(el *element, t types.Type) (*model.Type, error) {
	typ, faults, err := b.shapes.ReadResult(t, el.functionSpan())
	el.addFaults(faults)
	return typ, err
}

// docOfVar returns the description of a parameter or result in the doc comment of the function.
func (b *binder) docOfVar(el *element, v *types.Var) string {
	return b.docs.PackageDoc(el.fn.Pkg()).Functions[el.fn.DocKey].Params[v.Name()]
}

// isFromNote reports whether a description comes from a note.
func isFromNote(el *element, description string) bool {
	notes := slices.Concat(el.Function.Args, el.Function.Paths)
	if el.Schema != nil {
		notes = slices.Concat(notes, el.Schema.Fields, el.Schema.Paths)
	}
	return slices.ContainsFunc(notes, func(e aion.Entry) bool {
		isPath := func(p aion.Path) bool { return p.Text == description }
		return e.Note.Description == description || slices.ContainsFunc(e.Note.Paths("describe"), isPath)
	})
}

// addMention records an object that generated code refers to. It returns an error if
// generated code cannot import the package.
func (el *element) addMention(w shape.TypeWriter, obj types.Object) error {
	if err := w.CheckImport(obj.Pkg()); err != nil {
		return err
	}
	el.mentions = append(el.mentions, obj)
	return nil
}

// paramJSONName returns the name of a parameter in the arguments object. A parameter without a name
// gets that of its type or, if that is taken, a name such as arg_1.
func paramJSONName(el *element, v *types.Var, i int) string {
	switch {
	case el.fn.Literal != nil && el.fn.Literal.Lambda != nil:
		return el.fn.Literal.Lambda.Params[i]
	case varName(v) != "":
		return goname.SnakeCase(varName(v))
	}
	name := nameOfType(v.Type())
	isTaken := func(other *types.Var) bool {
		return other != v && (goname.SnakeCase(varName(other)) == name || varName(other) == "" && nameOfType(other.Type()) == name)
	}
	if name == "" || slices.ContainsFunc(el.params, isTaken) {
		return fmt.Sprintf("arg_%d", i+1)
	}
	return name
}

// nameOfType returns a name for a parameter without one: the last word of the name of its type, in
// lower case, such as "request" for *GetUserRequest. It returns "" for unnamed and predeclared
// types.
func nameOfType(t types.Type) string {
	named := source.NamedOf(t)
	if named == nil || named.Obj().Pkg() == nil {
		return ""
	}
	name := strings.Trim(goname.SnakeCase(named.Obj().Name()), "_0123456789")
	return name[strings.LastIndex(name, "_")+1:]
}

// varName returns the name of a parameter or result, "" if it has none. In export data, an unnamed result may
// have a name such as #rv1, which the compiler chose.
func varName(v *types.Var) string {
	if v.Name() == "_" || strings.HasPrefix(v.Name(), "#") {
		return ""
	}
	return v.Name()
}
