package emit

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/aiongen/aiongen/gen/internal/model"
)

// declarationsPerPart is the number of tools or types in one part.
const declarationsPerPart = 16

// listParts returns the parts of the file that is generated for one .aion file: the tools, the
// readers and writers of their types, and everything else that they use.
func listParts(f *model.File) (parts []part) {
	for tools := range slices.Chunk(f.Tools, declarationsPerPart) {
		parts = append(parts, func(e *emitter) error { return e.emitTools(tools) })
	}
	for types := range slices.Chunk(f.Types, declarationsPerPart) {
		parts = append(parts, func(e *emitter) error {
			for _, t := range types {
				e.AddFunctions(&e.Lines, t)
			}
			return nil
		})
	}
	return append(parts, func(e *emitter) error {
		for _, t := range f.Enums {
			e.addBlank()
			e.add(enumTable(t))
		}
		for _, t := range f.Matches {
			e.addBlank()
			e.add("var ", t.Match, " = ", e.wire("Pattern"), "{Text: ", Literal(t.Pattern), "}")
		}
		for _, v := range f.Converters {
			e.addBlank()
			e.add(e.declareConverter(v, e.p.Name == "main"))
		}
		e.emitGuard(f)
		return e.emitLiterals(f)
	})
}

func (e *emitter) emitTools(tools []*model.Tool) error {
	for _, t := range tools {
		if err := e.emitTool(t); err != nil {
			return fmt.Errorf("printing tool %s: %w", t.Name, err)
		}
	}
	return nil
}

func (e *emitter) emitTool(t *model.Tool) error {
	for _, s := range t.Declare {
		e.emitStruct(s)
	}
	e.emitSchemas(t)
	e.emitDefinition(t)
	if t.Func != nil && t.Func.Literal != nil && t.Func.Literal.Lambda != nil {
		if err := e.emitLambda(t.Func); err != nil {
			return err
		}
	}
	e.emitConstructor(t)
	e.emitRun(t)
	e.emitInvoke(t)
	for _, s := range t.Declare {
		e.AddFunctions(&e.Lines, s.Type)
	}
	return nil
}

func (e *emitter) emitStruct(s model.Struct) {
	e.emitComment("%s", s.Doc)
	open := " struct {"
	if len(s.Type.Fields) == 0 {
		open = " struct{"
	}
	e.addBlock("type "+s.Type.Go.Name+open, func() {
		for _, f := range s.Type.Fields {
			if f.Description != "" {
				e.add(Comment("%s: %s", f.Path[0], f.Description))
			}
			tag := f.Name
			if f.Hidden {
				tag = "-"
			} else if f.Optional && f.Default == "" { // encoding/json omits only zero values
				tag += ",omitempty"
			}
			e.add(f.Path[0], "\t", e.GoType(f.Type.Go), "\t", Literal("json:"+strconv.Quote(tag)))
		}
	}, "}")
}

func (e *emitter) emitSchemas(t *model.Tool) {
	inputQuote, input := quoteLiteral(t.Input)
	if t.OutputName == "" {
		e.emitComment("%s is the JSON Schema of the arguments of the %s tool.", t.InputName, t.Name)
		e.add("const ", t.InputName, " = ", inputQuote, input, inputQuote)
		return
	}
	outputQuote, output := quoteLiteral(t.Output)
	e.emitComment("%s and %s are the JSON Schemas of the %s tool.", t.InputName, t.OutputName, t.Name)
	e.addBlock("const (", func() {
		e.add(t.InputName, "\t= ", inputQuote, input, inputQuote)
		e.add(t.OutputName, "\t= ", outputQuote, output, outputQuote)
	}, ")")
}

func (e *emitter) emitDefinition(t *model.Tool) {
	e.addBlank()
	e.add("const ", t.Binding.LineName, " = ", lineExpr(t.Binding))
	e.addBlank()
	for _, note := range t.Notes {
		e.add(Comment("%s", note))
	}
	e.addBlock("var "+t.Definition+" = "+e.tool("Definition")+"{", func() {
		e.setField("Name", strconv.Quote(t.Name))
		if t.Title != "" {
			e.setField("Title", Literal(t.Title))
		}
		e.setField("Description", Literal(t.Description))
		if t.Link != "" {
			e.setField("Link", Literal(t.Link))
		}
		e.setField("Input", Call("[]byte", t.InputName))
		if t.OutputName != "" {
			e.setField("Output", Call("[]byte", t.OutputName))
		}
		if t.Example != "" {
			e.setField("Example", Call("[]byte", Literal(t.Example)))
		}
		if t.Annotations != (model.Annotations{}) {
			e.setField("Annotations", e.annotationsLiteral(t.Annotations))
		}
		e.setField("Package", strconv.Quote(e.p.Path))
		e.setField("Binding", "&"+e.tool("Binding")+"{File: "+strconv.Quote(t.Binding.File)+", Line: "+t.Binding.LineName+"}")
	}, "}")
}

// lineExpr returns the Go expression for the line of a tool. It is relative to the line of the
// previous tool, so that an edit of the .aion file changes one or two expressions, and not those
// of all tools below the edit.
func lineExpr(b model.Binding) string {
	if b.Previous == nil {
		return strconv.Itoa(b.Line) + " " + Comment("in %s", path.Base(b.File))
	}
	from := b.Previous.Binding
	return from.LineName + " + " + strconv.Itoa(b.Line-from.Line)
}

// definitionExpr returns an expression for a pointer to the definition of a tool. The expression
// also binds the function. The declaration of the definition cannot refer to the function: if the
// function uses the generated code, that would be an initialization cycle.
func (n Names) definitionExpr(t *model.Tool) string {
	if t.Binding.Declared == nil {
		return "&" + t.Definition
	}
	return t.Definition + Call(".BindFunction", n.functionExpr(t.Binding.Declared))
}

// setField adds a field of a composite literal. gofmt does not align values longer than
// maxColumnWidth.
func (e *emitter) setField(field, value string) {
	gap := "\t"
	if len(field)+len(value) > maxColumnWidth {
		gap = " "
	}
	e.add(field, ":", gap, value, ",")
}

const maxColumnWidth = 1_000_000 - len(": ")

// annotationsLiteral returns the literal of the annotations. It omits those that ReadOnly implies.
func (e *emitter) annotationsLiteral(a model.Annotations) string {
	var set []string
	for _, x := range []struct {
		name  string
		holds bool
	}{{"ReadOnly", a.ReadOnly}, {"Additive", a.Additive && !a.ReadOnly}, {"Idempotent", a.Idempotent && !a.ReadOnly}, {"ClosedWorld", a.ClosedWorld}} {
		if x.holds {
			set = append(set, x.name+": true")
		}
	}
	return e.tool("Annotations") + "{" + strings.Join(set, ", ") + "}"
}

// emitGuard prints an unused function that compiles only if the functions still have the same
// types, the structs the same definitions and the constants the same values as now.
func (e *emitter) emitGuard(f *model.File) {
	var functions []*model.Func
	for _, t := range f.Tools {
		switch {
		case t.Func == nil:
		case t.Func.Literal == nil:
			functions = append(functions, t.Func)
		case t.Func.Literal.Lambda != nil:
			functions = append(functions, t.Func.Literal.Lambda.Calls...)
		}
	}
	if len(functions)+len(f.Structs)+len(f.Constants) == 0 {
		return
	}
	e.emitComment("The functions of the tools, and the structs and constants that schemas repeat: the build")
	e.add(Comment("fails here if one is removed or changes. To generate again: go tool aiongen"))
	e.addBlock("func _() {", func() {
		for _, fn := range functions {
			e.add("var _ ", e.GoType(fn.Type), " = ", e.functionExpr(fn))
		}
		for _, s := range f.Structs {
			e.add("var _ ", e.GoType(s.Definition), " = ", e.GoType(s.Go), "{}")
		}
		for _, c := range f.Constants {
			e.add("_ = map[bool]int{false: 0, ", e.qualify(c.Path, c.Name), " == ", constantLiteral(c.Value), ": 1}")
		}
	}, "}")
}
