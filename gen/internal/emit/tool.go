package emit

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/aiongen/aiongen/gen/internal/emit/code"
	"github.com/aiongen/aiongen/gen/internal/emit/codec"
	"github.com/aiongen/aiongen/gen/internal/model"
)

// together is how many declarations that are much alike a part has.
const together = 16

// partsOf are those of one .aion file: its tools, and the types that they read and
// write.
func partsOf(f *model.File) (parts []part) {
	for tools := range slices.Chunk(f.Tools, together) {
		parts = append(parts, func(e *emitter) error { return e.tools(tools) })
	}
	for types := range slices.Chunk(f.Types, together) {
		parts = append(parts, func(e *emitter) error {
			for _, t := range types {
				e.Functions(&e.Lines, t)
			}
			return nil
		})
	}
	return append(parts, func(e *emitter) error {
		for _, t := range f.Enums {
			e.Next()
			e.Add(codec.Values(t))
		}
		for _, t := range f.Matches {
			e.Next()
			e.Add(e.Match(t))
		}
		e.guard(f)
		return e.literals(f)
	})
}

func (e *emitter) tools(tools []*model.Tool) error {
	for _, t := range tools {
		if err := e.tool(t); err != nil {
			return fmt.Errorf("printing tool %s: %w", t.Name, err)
		}
	}
	return nil
}

func (e *emitter) tool(t *model.Tool) error {
	for _, s := range t.Declare {
		e.structDecl(s)
	}
	e.schemas(t)
	e.definition(t)
	if t.Func != nil && t.Func.Literal != nil && t.Func.Literal.Lambda != nil {
		if err := e.lambda(t.Func); err != nil {
			return err
		}
	}
	e.constructor(t)
	e.run(t)
	e.invoke(t)
	for _, s := range t.Declare {
		e.Functions(&e.Lines, s.Type)
	}
	return nil
}

func (e *emitter) structDecl(s model.Struct) {
	e.comment("%s", s.Doc)
	open := " struct {"
	if len(s.Type.Fields) == 0 {
		open = " struct{"
	}
	e.In("type "+s.Type.Go.Name+open, func() {
		for _, f := range s.Type.Fields {
			if f.Description != "" {
				e.Add(code.Comment("%s: %s", f.Path[0], f.Description))
			}
			tag := f.Name
			if f.Hidden {
				tag = "-"
			} else if f.Optional && f.Default == "" { // what is zero is no default
				tag += ",omitempty"
			}
			e.Add(f.Path[0], "\t", e.GoType(f.Type.Go), "\t", code.Literal("json:"+strconv.Quote(tag)))
		}
	}, "}")
}

func (e *emitter) schemas(t *model.Tool) {
	quote, input := code.Quoted(t.Input)
	if t.OutputName == "" {
		e.comment("%s is the JSON Schema of the arguments of the %s tool.", t.InputName, t.Name)
		e.Add("const ", t.InputName, " = ", quote, input, quote)
		return
	}
	mark, output := code.Quoted(t.Output)
	e.comment("%s and %s are the JSON Schemas of the %s tool.", t.InputName, t.OutputName, t.Name)
	e.In("const (", func() {
		e.Add(t.InputName, "\t= ", quote, input, quote)
		e.Add(t.OutputName, "\t= ", mark, output, mark)
	}, ")")
}

func (e *emitter) definition(t *model.Tool) {
	e.Next()
	for _, note := range t.Notes {
		e.Add(code.Comment("%s", note))
	}
	e.In("var "+t.Definition+" = "+e.Tool("Definition")+"{", func() {
		e.set("Name", strconv.Quote(t.Name))
		if t.Title != "" {
			e.set("Title", code.Literal(t.Title))
		}
		e.set("Description", code.Literal(t.Description))
		if t.Link != "" {
			e.set("Link", code.Literal(t.Link))
		}
		e.set("Input", code.Call("[]byte", t.InputName))
		if t.OutputName != "" {
			e.set("Output", code.Call("[]byte", t.OutputName))
		}
		if t.Example != "" {
			e.set("Example", code.Call("[]byte", code.Literal(t.Example)))
		}
		if t.Annotations != (model.Annotations{}) {
			e.set("Annotations", e.annotations(t.Annotations))
		}
		e.set("Package", strconv.Quote(e.p.Path))
	}, "}")
}

// set adds a field of a composite literal. One that is longer than inColumn gofmt puts
// neither below those before it nor above those behind.
func (e *emitter) set(field, value string) {
	gap := "\t"
	if len(field)+len(value) > inColumn {
		gap = " "
	}
	e.Add(field, ":", gap, value, ",")
}

const inColumn = 1_000_000 - len(": ")

// annotations prints those that hold, without what follows from others.
func (e *emitter) annotations(a model.Annotations) string {
	var set []string
	for _, x := range []struct {
		name  string
		holds bool
	}{{"ReadOnly", a.ReadOnly}, {"Additive", a.Additive && !a.ReadOnly}, {"Idempotent", a.Idempotent && !a.ReadOnly}, {"ClosedWorld", a.ClosedWorld}} {
		if x.holds {
			set = append(set, x.name+": true")
		}
	}
	return e.Tool("Annotations") + "{" + strings.Join(set, ", ") + "}"
}

// guard prints a function that nobody calls and the compiler checks: it refers
// to every bound function at its exact type.
func (e *emitter) guard(f *model.File) {
	var referred []*model.Func
	for _, t := range f.Tools {
		switch {
		case t.Func == nil:
		case t.Func.Literal == nil:
			referred = append(referred, t.Func)
		case t.Func.Literal.Lambda != nil:
			referred = append(referred, t.Func.Literal.Lambda.Calls...)
		}
	}
	if len(referred) == 0 {
		return
	}
	e.comment("The functions behind the tools, at their exact types: one that is gone or has")
	e.Add(code.Comment("changed fails the build here."))
	e.In("func _() {", func() {
		for _, fn := range referred {
			e.Add("var _ ", e.GoType(fn.Type), " = ", e.reference(fn))
		}
	}, "}")
}
