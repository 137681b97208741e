package emit

import (
	"bytes"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/aiongen/aiongen/gen/internal/budget"
	"github.com/aiongen/aiongen/gen/internal/model"
)

// A part prints declarations of a file that belong together.
type part func(*emitter) error

// A fileSource is a file that is being printed.
type fileSource struct {
	name, sourcePath string
	parts            []part

	imports []string // lines of import specs
	text    []byte   // declarations after the imports
}

// An emitter prints one part of a file.
type emitter struct {
	Codec
	Lines     // not formatted yet
	p         *model.Package
	formatted []byte
}

// emitComment begins a declaration with a comment.
func (e *emitter) emitComment(format string, args ...any) {
	e.addBlank()
	e.add(Comment(format, args...))
}

// emitFormatted appends declarations that package go/format has printed.
func (e *emitter) emitFormatted(declarations []byte) {
	if e.formatted = e.LayOut(e.formatted); len(e.formatted) > 0 {
		e.formatted = append(e.formatted, '\n')
	}
	e.formatted = append(e.formatted, declarations...)
}

// A partJob is the printing of one part of a file. When it is done, result receives the printed part.
type partJob struct {
	file   *fileSource
	result chan *emitter
	err    error // valid after result was received
}

// printParts prints the parts of all files concurrently and appends them in order. Parts are
// independent of each other, because the names of imports are already chosen.
func printParts(limit *budget.Budget, names Names, p *model.Package, all []*fileSource) error {
	jobs := make(chan *partJob, runtime.GOMAXPROCS(0))
	go func() {
		for _, s := range all {
			for _, declare := range s.parts {
				t := &partJob{file: s, result: make(chan *emitter, 1)}
				jobs <- t
				go t.printPart(limit, p, names, declare)
			}
		}
		close(jobs)
	}()
	var errs []error
	for t := range jobs {
		e := <-t.result
		if t.err != nil {
			errs = append(errs, fmt.Errorf("printing %s: %w", t.file.name, t.err))
			continue // its content is undefined
		}
		t.file.appendPart(e)
		e.Codec, e.p = Codec{}, nil // free memory
		emitters.Put(e)
	}
	return errors.Join(append(errs, limit.Err())...)
}

// emitters holds unused emitters, whose buffers are reused.
var emitters = sync.Pool{New: func() any { return new(emitter) }}

// bytesPerStep is the number of bytes of a file that count as one step of the budget, about
// one line.
const bytesPerStep = 40

// printPart prints a part unless the budget is used up.
func (j *partJob) printPart(limit *budget.Budget, p *model.Package, names Names, declare part) {
	e := emitters.Get().(*emitter)
	e.Codec, e.p, e.formatted = Codec{Names: names.WithOwnImports()}, p, e.formatted[:0]
	if limit.Err() == nil {
		panicked := budget.Catch(func() {
			j.err = declare(e)
			e.formatted = e.LayOut(e.formatted)
		})
		j.err = errors.Join(j.err, panicked)
		limit.UseSteps(1 + len(e.formatted)/bytesPerStep)
		limit.UseBytes(len(e.formatted))
	}
	j.result <- e
}

// appendPart appends a printed part.
func (s *fileSource) appendPart(e *emitter) {
	s.imports = append(s.imports, e.Imports()...)
	if len(e.formatted) > 0 {
		s.text = append(append(s.text, '\n'), e.formatted...)
	}
}

// assembleFile returns the whole file after its parts are printed.
func (s *fileSource) assembleFile(header, pkg string) []byte {
	slices.SortFunc(s.imports, func(a, b string) int { return strings.Compare(importPath(a), importPath(b)) })
	var head bytes.Buffer
	fmt.Fprintf(&head, "%s\n\npackage %s\n", header, pkg)
	writeImports(&head, slices.Compact(s.imports))
	return slices.Insert(s.text, 0, head.Bytes()...)
}

// importPath returns the path of an import, which may follow a name.
func importPath(line string) string {
	_, path, _ := strings.Cut(line, `"`)
	return strings.TrimSuffix(path, `"`)
}

// writeImports writes the imports of the standard library, whose paths begin with an element
// without a dot, before the others.
func writeImports(out *bytes.Buffer, imports []string) {
	if len(imports) == 1 {
		fmt.Fprintf(out, "\nimport %s\n", imports[0])
	}
	if len(imports) < 2 {
		return
	}
	var standard, others []string
	for _, line := range imports {
		if host, _, _ := strings.Cut(importPath(line), "/"); strings.Contains(host, ".") {
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
