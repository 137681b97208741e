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

	"github.com/aiongen/aiongen/gen/internal/emit/code"
	"github.com/aiongen/aiongen/gen/internal/emit/codec"
	"github.com/aiongen/aiongen/gen/internal/failure"
	"github.com/aiongen/aiongen/gen/internal/model"
	"github.com/aiongen/aiongen/internal/budget"
)

// A part prints declarations of a file, which stand together.
type part func(*emitter) error

// A source is a file that is being printed.
type source struct {
	name, from string
	parts      []part

	imports []string // of what is printed, each a line
	text    []byte   // behind the imports
}

// An emitter prints a part of a file: what it has of each tool and type, as lines.
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
func (e *emitter) asIs(declarations []byte) {
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
	_, declarations, _ := bytes.Cut(file.Bytes(), []byte("\n\n")) // behind the package clause
	e.asIs(declarations)
	return nil
}

// A turn is that of a part to be put behind those before it in its file.
type turn struct {
	in      *source
	printed chan *emitter
	err     error // once it is printed
}

// printParts prints the parts of all files, several at a time, and puts them behind one
// another. They need nothing of each other: the names of imports are settled.
func printParts(limit *budget.Budget, p *model.Package, all []*source) error {
	names := code.NamesOf(p)
	turns := make(chan *turn, runtime.GOMAXPROCS(0))
	go func() {
		for _, s := range all {
			for _, declare := range s.parts {
				t := &turn{in: s, printed: make(chan *emitter, 1)}
				turns <- t
				go t.print(limit, p, names, declare)
			}
		}
		close(turns)
	}()
	var errs []error
	for t := range turns {
		e := <-t.printed
		if t.err != nil {
			errs = append(errs, fmt.Errorf("printing %s: %w", t.in.name, t.err))
			continue // nobody knows what is in it
		}
		t.in.take(e)
		e.Codec, e.p = codec.Codec{}, nil // which are large, and nobody needs any more
		emitters.Put(e)
	}
	return errors.Join(append(errs, limit.Err())...)
}

// emitters are those of parts that were printed, whose room others take.
var emitters = sync.Pool{New: func() any { return new(emitter) }}

// bytesPerStep is how much of a file a step prints: about a line.
const bytesPerStep = 40

// print prints a part, unless the budget is used up.
func (t *turn) print(limit *budget.Budget, p *model.Package, names code.Names, declare part) {
	e := emitters.Get().(*emitter)
	e.Codec, e.p, e.laid = codec.Codec{Names: names.Apart()}, p, e.laid[:0]
	if limit.Err() == nil {
		panicked := failure.Catch(func() {
			t.err = declare(e)
			e.laid = e.LayOut(e.laid)
		})
		t.err = errors.Join(t.err, panicked)
		limit.Step(1 + len(e.laid)/bytesPerStep)
		limit.Text(len(e.laid))
	}
	t.printed <- e
}

// take puts what a part declares behind what is there.
func (s *source) take(e *emitter) {
	s.imports = append(s.imports, e.Imports()...)
	if len(e.laid) > 0 {
		s.text = append(append(s.text, '\n'), e.laid...)
	}
}

// content is the whole file, once its parts are printed.
func (s *source) content(header, pkg string) []byte {
	slices.SortFunc(s.imports, func(a, b string) int { return strings.Compare(pathOf(a), pathOf(b)) })
	var head bytes.Buffer
	fmt.Fprintf(&head, "%s\n\npackage %s\n", header, pkg)
	writeImports(&head, slices.Compact(s.imports))
	return slices.Insert(s.text, 0, head.Bytes()...)
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
