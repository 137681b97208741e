package lsp

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen"
	"github.com/aiongen/aiongen/gen/lsp/internal/protocol"
	"github.com/aiongen/aiongen/internal/regularfile"
)

// A module is a Go module whose packages are compiled together.
type module struct {
	dir      string
	encoding string          // of positions
	ctx      context.Context // of background work; done when the module is closed
	close    context.CancelFunc
	wake     chan struct{} // holds an element while a compilation is pending
	holder   chan struct{} // holds an element while a goroutine uses the fields below

	session   *gen.Session
	compiled  int                                          // server.changes at the last compilation; -1 before the first one
	shown     map[string]*document                         // open documents that the session uses instead of the files
	bound     string                                       // describes the bindings of the last compilation
	faults    diag.List                                    // of the last compilation
	published map[string]protocol.PublishDiagnosticsParams // by path
}

// isWithin reports whether a path is in a directory or below it.
func isWithin(dir, path string) bool {
	return path == dir || strings.HasPrefix(path, strings.TrimSuffix(dir, string(filepath.Separator))+string(filepath.Separator))
}

// show makes the session use the texts of open documents.
func (m *module) show(documents map[string]*document) {
	for path := range m.shown {
		if documents[path] == nil {
			_ = m.session.Hide(path) // the path is absolute
			delete(m.shown, path)
		}
	}
	for path, d := range documents {
		if suffix := filepath.Ext(path); d.path != "" && (suffix == ".aion" || suffix == ".go") && m.shown[path] != d {
			_ = m.session.Show(path, d.text)
			m.shown[path] = d
		}
	}
}

// tryText compiles the module with another text of a file and returns the diagnostics of the file.
// Call restoreText afterwards, so that the next run compiles the current text.
func (m *module) tryText(path string, text []byte) diag.List {
	m.compiled = -1
	_ = m.session.Show(path, text) // the path is absolute
	result, faults := m.session.Generate(m.ctx)
	return m.faultsOf(path, result.Fresh(faults))
}

// restoreText makes the session use the current text of a file again.
func (m *module) restoreText(path string) {
	_ = m.session.Hide(path) // the path is absolute
	delete(m.shown, path)
}

// faultsOf returns the diagnostics that are shown in a file.
func (m *module) faultsOf(path string, all diag.List) (faults diag.List) {
	for _, d := range all {
		if m.faultPath(d) == path {
			faults = append(faults, d)
		}
	}
	return faults
}

// modulesOf returns the modules that a file belongs to, the innermost one first.
func (s *server) modulesOf(path string) (found []*module) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for dir, m := range s.modules {
		if path != "" && isWithin(dir, path) {
			found = append(found, m)
		}
	}
	slices.SortFunc(found, func(a, b *module) int { return len(b.dir) - len(a.dir) })
	return found
}

// absolutePath returns the path of a file that a diagnostic names.
func (m *module) absolutePath(name string) string {
	path := filepath.FromSlash(name)
	if !filepath.IsAbs(path) {
		path = filepath.Join(m.dir, path)
	}
	return path
}

// absoluteSpan returns a span with an absolute path, which is the same in all modules. It returns the
// zero Span unchanged.
func (m *module) absoluteSpan(at diag.Span) diag.Span {
	if at.File != "" {
		at.File = m.absolutePath(at.File)
	}
	return at
}

// document returns the version of a file that the session uses.
func (m *module) document(path string) *document {
	if d := m.shown[path]; d != nil {
		return d
	}
	text, _ := regularfile.ReadFile(path) // a diagnostic may name a file that does not exist
	return newFile(m.encoding, path, text)
}

// A view is a document together with the results of the last compilation of its module.
type view struct {
	server *server
	*document
	module *module // nil if the document does not belong to a module
	faults diag.List
}

// open returns the document that a diagnostic names.
func (v *view) open(name string) *document {
	if v.module == nil {
		return v.document
	}
	return v.module.document(v.module.absolutePath(name))
}
