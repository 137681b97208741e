package emit

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/aiongen/aiongen/gen/internal/budget"
	"github.com/aiongen/aiongen/gen/internal/model"
)

// A registerPrinter prints the file that is generated once for each package. It uses package jen, which
// builds and formats a syntax tree. For the files of the tools, jen would be too slow.
type registerPrinter struct {
	Names
	p    *model.Package
	file *jen.File
}

// printRegisterFile prints the file that registers the tools of a package.
func printRegisterFile(limit *budget.Budget, names Names, p *model.Package) (File, error) {
	r := registerPrinter{names.WithOwnImports(), p, jen.NewFilePathName(p.Path, p.Name)}
	var out bytes.Buffer
	var err error
	panicked := budget.Catch(func() {
		r.addDeclarations()
		err = r.file.Render(&out)
	})
	limit.UseSteps(1 + out.Len()/bytesPerStep)
	limit.UseBytes(out.Len())
	if err = errors.Join(err, panicked); err != nil {
		return File{}, fmt.Errorf("printing %s: %w", model.RegisterFile, err)
	}
	return File{model.RegisterFile, out.Bytes()}, nil
}

func (r *registerPrinter) addDeclarations() {
	r.file.HeaderComment(HeaderLine(r.p.Source + "*.aion"))
	r.file.Const().Id("_").Op("=").Id(r.wire(model.Generated))
	if len(r.p.Deps) > 0 {
		r.addDeps()
	}
	r.addRegister()
	r.addTools()
	if r.p.Prompts != nil {
		r.addPrompts()
	}
	r.addImports()
}

// addImports adds the imports that Names has collected. Package jen only imports a package when it renders
// a name from it, so addImports renders one for each package and discards it.
func (r *registerPrinter) addImports() {
	for _, path := range slices.Sorted(maps.Keys(r.prefixes)) {
		name := strings.TrimSuffix(r.prefixes[path], ".")
		if r.imports[path].Renamed {
			r.file.ImportAlias(path, name)
		} else {
			r.file.ImportName(path, name)
		}
		_ = jen.Qual(path, "X").RenderWithFile(io.Discard, r.file)
	}
}

// addComment adds the comment of the next declaration.
func (r *registerPrinter) addComment(format string, args ...any) {
	r.file.Line().Comment(Comment(format, args...))
}

func (r *registerPrinter) addDeps() {
	r.addComment("Deps holds what the application supplies to the tools. No field may be nil.")
	r.file.Type().Id("Deps").StructFunc(func(fields *jen.Group) {
		for _, d := range r.p.Deps {
			fields.Id(d.Field).Id(r.GoType(d.Type))
		}
	})
}

func (r *registerPrinter) addRegister() {
	variable := r.Local("r")
	r.addComment("Register mounts every tool of this package on %s. It mounts all or none.", variable)
	registry := jen.Id(variable).Op("*").Id(r.tool("Registry"))
	if len(r.p.Deps) == 0 {
		r.file.Func().Id("Register").Params(registry).Error().Block(
			r.converterChecks(jen.Id(r.Local("err"))),
			jen.Return(jen.Id(variable).Dot("Register").Call(jen.Id("Tools").Call().Op("..."))))
		return
	}
	all, err, d := jen.Id(r.Local("all")), jen.Id(r.Local("err")), jen.Id(r.Local("d"))
	r.file.Func().Id("Register").Params(registry, jen.Add(d).Id("Deps")).Error().Block(
		jen.List(all, err).Op(":=").Id("Tools").Call(d),
		jen.If(jen.Add(err).Op("!=").Nil()).Block(jen.Return(err)),
		jen.Return(jen.Id(variable).Dot("Register").Call(jen.Add(all).Op("..."))))
}

// addTools adds the function Tools.
func (r *registerPrinter) addTools() {
	r.addComment("Tools returns the tools in the order of the .aion files, for choosing among them.")
	list := jen.Index().Id(r.tool("Tool"))
	tools := jen.Add(list).ValuesFunc(func(values *jen.Group) {
		for _, t := range r.p.Tools() {
			values.Line().Add(r.toolCode(t))
		}
		values.Line()
	})
	if len(r.p.Deps) == 0 {
		r.file.Func().Id("Tools").Params().Add(list).Block(jen.Return(tools))
		return
	}
	r.file.Func().Id("Tools").Params(jen.Id(r.Local("d")).Id("Deps")).Params(list, jen.Error()).BlockFunc(func(body *jen.Group) {
		for _, d := range r.p.Deps {
			if d.Nilable {
				r.addNilCheck(body, d.Field, d.Need)
			}
		}
		body.Add(r.converterChecks(jen.Nil(), jen.Id(r.Local("err"))))
		r.addWalkChecks(body)
		body.Return(tools, jen.Nil())
	})
}

// converterChecks returns an if statement that fails if the conversion function of a represented type is
// not declared. The parameter returned holds the operands of its return statement. If no type is
// represented, the statement is empty.
func (r *registerPrinter) converterChecks(returned ...jen.Code) jen.Code {
	var all []jen.Code
	for _, f := range r.p.Files {
		for _, v := range f.Converters {
			all = append(all, jen.Op("&").Id(v.Name))
		}
	}
	if all == nil {
		return jen.Null()
	}
	err := jen.Id(r.Local("err"))
	check := jen.Add(err).Op(":=").Id(r.wire("CheckConverters")).Call(all...)
	return jen.If(check, jen.Add(err).Op("!=").Nil()).Block(jen.Return(returned...))
}

// addWalkChecks adds nil checks for the fields that lead from Deps to receivers, such as App and App.Store
// for a tool that calls d.App.Store.Find.
func (r *registerPrinter) addWalkChecks(body *jen.Group) {
	visited := map[string]bool{}
	for _, t := range r.p.Tools() {
		if t.Func == nil || t.Func.Dep == nil {
			continue
		}
		names := t.Func.Dep.Field
		for _, s := range t.Func.Walk {
			if names += "." + s.Name; !s.Nilable || visited[names] {
				continue
			}
			visited[names] = true
			r.addNilCheck(body, names, t.Name+" calls a method of one of its fields")
		}
	}
}

// addNilCheck adds a check that a field of Deps is not nil. The error says which tool needs the field.
func (r *registerPrinter) addNilCheck(body *jen.Group, names, need string) {
	message := fmt.Sprintf("%s: Deps.%s is nil, but %s", r.p.Name, names, need)
	body.If(jen.Id(r.Member("d", names)).Op("==").Nil()).Block(
		jen.Return(jen.Nil(), jen.Id(r.qualify("errors", "New")).Call(jen.Id(strconv.Quote(message)))))
}

// toolCode returns an expression for a tool of the registry. Tools that need a scope are created by their
// constructors.
func (r *registerPrinter) toolCode(t *model.Tool) *jen.Statement {
	injected := r.injectedArgs(t)
	if t.UsesScope() {
		return jen.Id(t.Constructor).Call(injected...).Dot("Tool")
	}
	invoke := jen.Id(t.Invoke)
	if injected != nil {
		ctx, in := jen.Id(r.Local("ctx")), jen.Id(r.Local("in"))
		params := []jen.Code{jen.Add(ctx).Id(r.qualify("context", "Context")), jen.Add(in).Op("*").Id(r.tool("Invocation"))}
		invoke = jen.Func().Params(params...).Block(invoke.Call(append([]jen.Code{ctx, in}, injected...)...))
	}
	return jen.Id(r.tool("Generated")).Call(jen.Id(r.definitionExpr(t)), invoke)
}

// injectedArgs returns the arguments for the parameters that injectedParams declares. They come from Deps.
func (r *registerPrinter) injectedArgs(t *model.Tool) []jen.Code {
	switch {
	case t.Func.TakesInjected():
		return []jen.Code{jen.Id(r.Local("d"))}
	case t.Func != nil && t.Func.Dep != nil:
		return []jen.Code{jen.Id(r.Member("d", t.Func.Dep.Field))}
	}
	return nil
}
