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
	"github.com/aiongen/aiongen/gen/internal/gofmt"
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

// emitter prints a part of a file.
type emitter struct {
	*jen.File // what is not laid out yet
	codec.Codec
	p    *model.Package
	laid *layout
}

// begin begins with another file of jennifer's.
func (e *emitter) begin() {
	e.File = jen.NewFilePathName(e.p.Path, e.p.Name)
	e.NoFormat = true
}

// layOut lays out what was declared until now.
func (e *emitter) layOut() error {
	err := e.Render(e.laid)
	e.begin()
	return err
}

// asIs prints a declaration that is laid out already, behind those before it.
func (e *emitter) asIs(text ...string) error {
	if err := e.layOut(); err != nil {
		return err
	}
	e.laid.next()
	for _, part := range text {
		*e.laid = append(*e.laid, part...)
	}
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

// layouts are those of parts that were printed, whose room others take.
var layouts = sync.Pool{New: func() any { return new(layout) }}

func printPart(p *model.Package, names code.Names, declare part) printed {
	laid := layouts.Get().(*layout)
	defer layouts.Put(laid)
	*laid = (*laid)[:0]
	e := &emitter{Codec: codec.Codec{Names: names.Apart()}, p: p, laid: laid}
	e.begin()
	err := declare(e)
	if err == nil {
		err = e.layOut()
	}
	return printed{e.Imports(), bytes.Clone(*laid), err}
}

// layout is what is written, laid out: a file at once, without its package clause.
type layout []byte

func (l *layout) Write(file []byte) (int, error) {
	_, declarations, _ := bytes.Cut(file, []byte("\n\n"))
	if len(declarations) == 0 {
		return len(file), nil
	}
	l.next()
	text, err := gofmt.Append(*l, declarations)
	if err == nil {
		*l = text
	}
	return len(file), err
}

// next begins a declaration behind others.
func (l *layout) next() {
	if len(*l) > 0 {
		*l = append(*l, "\n\n"...)
	}
}

// text is the whole file, once its parts are printed.
func (s *source) text(header, pkg string) []byte {
	var imports []string
	size := 0
	for _, part := range s.printed {
		imports = append(imports, part.imports...)
		size += len("\n\n") + len(part.text)
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
			out.WriteByte('\n')
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
