package emit

import (
	"bytes"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/dave/jennifer/jen"
	"golang.org/x/sync/errgroup"

	"github.com/aiongen/aiongen/gen/internal/emit/code"
	"github.com/aiongen/aiongen/gen/internal/emit/codec"
	"github.com/aiongen/aiongen/gen/internal/model"
)

// A part prints declarations of a file, which stand together.
type part func(*emitter) error

// A source is a file that is about to be printed.
type source struct {
	name, from string
	parts      []part
	printed    []printed // of the parts
}

// emitter prints a part of a file: what it has of each tool and type, as lines.
type emitter struct {
	codec.Codec
	code.Lines // what is not laid out yet
	p          *model.Package
	laid       []byte
}

// comment begins a declaration with a comment on it.
func (e *emitter) comment(format string, args ...any) {
	e.Next()
	e.Add(code.Comment(format, args...))
}

// asIs prints declarations that are laid out already, behind those before them.
func (e *emitter) asIs(declarations string) {
	if e.laid = e.LayOut(e.laid); len(e.laid) > 0 {
		e.laid = append(e.laid, '\n')
	}
	e.laid = append(e.laid, declarations...)
}

// once prints what a file has once, by jennifer: it takes trees of tokens to print, and a
// syntax tree to lay out what it prints, of which those of a thousand tools would be half
// of all that a run does.
func (e *emitter) once(declare func(*jen.File)) error {
	f := jen.NewFilePathName(e.p.Path, e.p.Name)
	declare(f)
	var file bytes.Buffer
	if err := f.Render(&file); err != nil {
		return err
	}
	_, declarations, _ := strings.Cut(file.String(), "\n\n") // behind the package clause
	e.asIs(declarations)
	return nil
}

// printed is what came of a part: the imports that it needs, each a line, and its
// declarations.
type printed struct {
	imports []string
	text    []byte
	err     error
}

// printParts prints the parts of all files, several at a time. They need nothing of
// each other: the names of imports are settled.
func printParts(p *model.Package, all []*source) error {
	names := code.NamesOf(p)
	var several errgroup.Group
	several.SetLimit(runtime.GOMAXPROCS(0))
	for _, s := range all {
		s.printed = make([]printed, len(s.parts))
		for i, declare := range s.parts {
			several.Go(func() error {
				s.printed[i] = printPart(p, names, declare)
				return nil
			})
		}
	}
	_ = several.Wait() // what went wrong stands with each
	var errs []error
	for _, s := range all {
		for _, part := range s.printed {
			if part.err != nil {
				errs = append(errs, fmt.Errorf("printing %s: %w", s.name, part.err))
			}
		}
	}
	return errors.Join(errs...)
}

// emitters are those of parts that were printed, whose room others take.
var emitters = sync.Pool{New: func() any { return new(emitter) }}

func printPart(p *model.Package, names code.Names, declare part) printed {
	e := emitters.Get().(*emitter)
	defer emitters.Put(e)
	e.Codec, e.p, e.laid = codec.Codec{Names: names.Apart()}, p, e.laid[:0]
	err := declare(e)
	e.laid = e.LayOut(e.laid)
	return printed{e.Imports(), bytes.Clone(e.laid), err}
}

// text is the whole file, once its parts are printed.
func (s *source) text(header, pkg string) []byte {
	var imports []string
	size := 0
	for _, part := range s.printed {
		imports = append(imports, part.imports...)
		size += len("\n") + len(part.text)
	}
	slices.SortFunc(imports, func(a, b string) int { return strings.Compare(pathOf(a), pathOf(b)) })
	var out bytes.Buffer
	fmt.Fprintf(&out, "%s\n\npackage %s\n", header, pkg)
	writeImports(&out, slices.Compact(imports))
	out.Grow(size) // it is all of a large file
	for _, part := range s.printed {
		if len(part.text) > 0 {
			out.WriteByte('\n')
			out.Write(part.text)
		}
	}
	return out.Bytes()
}

// pathOf is the path of an import, of which the line may have a name, too.
func pathOf(line string) string {
	_, path, _ := strings.Cut(line, `"`)
	return strings.TrimSuffix(path, `"`)
}

// writeImports puts the imports of the standard library, whose paths begin with an
// element without a dot, before the others, with a line between them.
func writeImports(out *bytes.Buffer, imports []string) {
	if len(imports) == 1 {
		fmt.Fprintf(out, "\nimport %s\n", imports[0])
	}
	if len(imports) < 2 {
		return
	}
	var standard, others []string
	for _, line := range imports {
		if host, _, _ := strings.Cut(pathOf(line), "/"); strings.Contains(host, ".") {
			others = append(others, "\t"+line+"\n")
		} else {
			standard = append(standard, "\t"+line+"\n")
		}
	}
	if len(standard) > 0 && len(others) > 0 {
		standard = append(standard, "\n")
	}
	fmt.Fprintf(out, "\nimport (\n%s)\n", strings.Join(append(standard, others...), ""))
}
