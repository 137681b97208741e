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
	err       error // its content is then undefined
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

// printParts prints the parts of all files concurrently and appends them in order. Parts are
// independent of each other, because the names of imports are already chosen.
func printParts(limit *budget.Budget, names Names, p *model.Package, all []*fileSource) error {
	var printed []*emitter // the parts of all files
	var printing sync.WaitGroup
	slots := make(chan struct{}, runtime.GOMAXPROCS(0))
	for _, s := range all {
		for _, declare := range s.parts {
			e := &emitter{Codec: Codec{Names: names.WithOwnImports()}, p: p}
			printed = append(printed, e)
			slots <- struct{}{}
			printing.Go(func() {
				e.printPart(limit, declare)
				<-slots
			})
		}
	}
	printing.Wait()
	var errs []error
	for _, s := range all {
		for _, e := range printed[:len(s.parts)] {
			if e.err != nil {
				errs = append(errs, fmt.Errorf("printing %s: %w", s.name, e.err))
				continue
			}
			s.appendPart(e)
		}
		printed = printed[len(s.parts):]
	}
	return errors.Join(append(errs, limit.Err())...)
}

// bytesPerStep is the number of bytes of a file that count as one step of the budget, about
// one line.
const bytesPerStep = 40

// printPart prints a part unless the budget is used up.
func (e *emitter) printPart(limit *budget.Budget, declare part) {
	if limit.Err() != nil {
		return
	}
	panicked := budget.Catch(func() {
		e.err = declare(e)
		e.formatted = e.LayOut(e.formatted)
	})
	e.err = errors.Join(e.err, panicked)
	limit.UseSteps(1 + len(e.formatted)/bytesPerStep)
	limit.UseBytes(len(e.formatted))
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
