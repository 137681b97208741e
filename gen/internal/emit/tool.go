package emit

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

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
				e.declare(e.Functions(t)...)
			}
			return nil
		})
	}
	return append(parts, func(e *emitter) error {
		for _, t := range f.Enums {
			e.declare(codec.Values(t))
		}
		for _, t := range f.Matches {
			e.declare(e.Match(t))
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
	if err := e.schemas(t); err != nil {
		return err
	}
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
		e.declare(e.Functions(s.Type)...)
	}
	return nil
}

// declare prints declarations, with a line before each.
func (e *emitter) declare(list ...string) {
	for _, d := range list {
		e.Line().Id(d)
	}
}

func (e *emitter) structDecl(s model.Struct) {
	e.Line().Comment(code.Comment("%s", s.Doc))
	e.Type().Id(s.Type.Go.Name).Id(code.Struct(func(l *code.Lines) {
		for _, f := range s.Type.Fields {
			if f.Description != "" {
				l.Add(code.Comment("%s: %s", f.Path[0], f.Description))
			}
			tag := f.Name
			if f.Hidden {
				tag = "-"
			} else if f.Optional && f.Default == "" { // what is zero is no default
				tag += ",omitempty"
			}
			l.Add(f.Path[0], " ", e.GoType(f.Type.Go), " ", code.Literal("json:"+strconv.Quote(tag)))
		}
	}))
}

// schemas prints the schemas of a tool as they stand: they are the largest piece of it.
func (e *emitter) schemas(t *model.Tool) error {
	quote, input := code.Quoted(t.Input)
	if t.OutputName == "" {
		comment := code.Comment("%s is the JSON Schema of the arguments of the %s tool.", t.InputName, t.Name)
		return e.asIs(comment, "\nconst ", t.InputName, " = ", quote, input, quote)
	}
	mark, output := code.Quoted(t.Output)
	comment := code.Comment("%s and %s are the JSON Schemas of the %s tool.", t.InputName, t.OutputName, t.Name)
	width := max(utf8.RuneCountInString(t.InputName), utf8.RuneCountInString(t.OutputName))
	head := func(name string) string {
		return "\n\t" + name + strings.Repeat(" ", width-utf8.RuneCountInString(name)) + " = "
	}
	return e.asIs(comment, "\nconst (",
		head(t.InputName), quote, input, quote,
		head(t.OutputName), mark, output, mark,
		"\n)")
}

func (e *emitter) definition(t *model.Tool) {
	for _, note := range t.Notes {
		e.Comment(code.Comment("%s", note))
	}
	e.Var().Id(t.Definition).Op("=").Id(code.Values(e.Tool("Definition"), func(l *code.Lines) {
		set := func(field, value string) { l.Add(field, ": ", value, ",") }
		set("Name", strconv.Quote(t.Name))
		if t.Title != "" {
			set("Title", code.Literal(t.Title))
		}
		set("Description", code.Literal(t.Description))
		if t.Link != "" {
			set("Link", code.Literal(t.Link))
		}
		set("Input", code.Call("[]byte", t.InputName))
		if t.OutputName != "" {
			set("Output", code.Call("[]byte", t.OutputName))
		}
		if t.Example != "" {
			set("Example", code.Call("[]byte", code.Literal(t.Example)))
		}
		if t.Annotations != (model.Annotations{}) {
			set("Annotations", e.annotations(t.Annotations))
		}
		set("Package", strconv.Quote(e.p.Path))
	}))
}

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
	e.Line().Comment(code.Comment("The functions behind the tools, at their exact types: one that is gone or has"))
	e.Comment(code.Comment("changed fails the build here."))
	e.Id(code.Func("_()", func(l *code.Lines) {
		for _, fn := range referred {
			l.Add("var _ ", e.GoType(fn.Type), " = ", e.reference(fn))
		}
	}))
}
