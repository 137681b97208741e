// Package emit prints a model.Package as Go files; see Files. The output depends only on the model,
// because package bind has made all decisions.
package emit

import (
	"bytes"
	"errors"
	"fmt"
	"sync"

	"github.com/aiongen/aiongen/gen/internal/budget"
	"github.com/aiongen/aiongen/gen/internal/model"
)

// File is one generated file.
type File struct {
	Name    string
	Content []byte
}

// Files prints a package: one file for each .aion file, and one that registers all tools. It
// charges the output to the budget.
func Files(limit *budget.Budget, p *model.Package) ([]File, error) {
	names := NewNames(p)
	var register File
	var registerErr error
	var printing sync.WaitGroup
	printing.Go(func() { register, registerErr = printRegisterFile(limit, names, p) })

	var all []*fileSource
	for i := range p.Files {
		f := &p.Files[i]
		all = append(all, &fileSource{name: f.Name, sourcePath: f.Source, parts: listParts(f), text: newBuffer(f)})
	}
	err := printParts(limit, names, p, all)
	printing.Wait()
	if err = errors.Join(err, registerErr); err != nil {
		return nil, err
	}
	var files []File
	for _, s := range all {
		files = append(files, File{Name: s.name, Content: s.assembleFile(HeaderLine(s.sourcePath), p.Name)})
	}
	return append(files, register), nil
}

// newBuffer returns a buffer with the approximate size of a file. Growing the buffer of a
// large file would copy it several times.
func newBuffer(f *model.File) []byte {
	const perTool = 2560 // without the schemas
	size := 0
	for _, t := range f.Tools {
		size += perTool + len(t.Input) + len(t.Output)
	}
	return make([]byte, 0, size)
}

// HeaderLine returns the first line of a generated file. The source is the slash-separated path
// of the .aion files, relative to the generated file.
func HeaderLine(source string) string {
	return model.HeaderStart + joinLines(source) + "; DO NOT EDIT."
}

// HasNote reports whether a generated file contains a note on a tool.
func HasNote(file []byte, note string) bool {
	return bytes.Contains(file, []byte("\n"+Comment("%s", note)+"\n"))
}

// UnfinishedFile returns the file that replaces model.RegisterFile while the other files of a
// package are written. It does not compile, so an interrupted run is noticed.
func UnfinishedFile(name, source string) []byte {
	return fmt.Appendf(nil, `%s

package %s

// A run of aiongen was ended while it wrote the files of this package.
var _ = aiongenWasEndedRunItAgain
`, HeaderLine(source+"*.aion"), name)
}
