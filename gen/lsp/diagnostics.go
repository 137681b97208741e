package lsp

import (
	"path/filepath"
	"reflect"
	"strings"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/lsp/internal/protocol"
)

// diagnosticsPage describes the codes of diagnostics.
const diagnosticsPage = "https://github.com/aiongen/aiongen/blob/main/docs/reference/diagnostics.md#"

// publishModule publishes the diagnostics of the last compilation of a module: for open .aion files, and
// for all files that have diagnostics or had some before.
func (s *server) publishModule(m *module) {
	byPath := map[string]diag.List{}
	for path := range m.published {
		byPath[path] = nil
	}
	compiled := map[string]bool{}
	for _, doc := range m.session.Documents() {
		compiled[m.absolutePath(doc.Name)] = true
	}
	for path, d := range m.shown {
		if owners := s.modulesOf(path); !d.isAion || len(owners) == 0 || owners[0] != m {
			continue
		}
		byPath[path] = nil
		if !compiled[path] { // the go command ignores its directory, or there are no Go files
			byPath[path] = d.parse().faults
		}
	}
	for _, d := range m.faults {
		path := m.faultPath(d)
		byPath[path] = append(byPath[path], d)
	}
	for path, list := range byPath {
		p := (&view{server: s, document: m.document(path), module: m, faults: list}).newDiagnostics()
		if last, ok := m.published[path]; !ok || !reflect.DeepEqual(last, p) {
			s.notify("textDocument/publishDiagnostics", p)
		}
		m.published[path] = p
		if len(list) == 0 && m.shown[path] == nil {
			delete(m.published, path)
		}
	}
}

// faultPath returns the file in which a diagnostic is shown. Diagnostics about the whole module are
// shown in go.mod.
func (m *module) faultPath(d *diag.Diagnostic) string {
	if d.Span.File == "" {
		return filepath.Join(m.dir, "go.mod")
	}
	return m.absolutePath(d.Span.File)
}

// publishParsed publishes the diagnostics of a document outside of modules.
func (s *server) publishParsed(d *document) {
	v := &view{server: s, document: d, faults: d.parse().faults}
	s.notify("textDocument/publishDiagnostics", v.newDiagnostics())
}

// unpublish removes the diagnostics of a document.
func (s *server) unpublish(uri protocol.URI) {
	s.notify("textDocument/publishDiagnostics", protocol.PublishDiagnosticsParams{URI: uri, Diagnostics: []protocol.Diagnostic{}})
}

// newDiagnostics returns the message with the diagnostics of a document.
func (v *view) newDiagnostics() protocol.PublishDiagnosticsParams {
	list := v.convertDiagnostics(v.faults)
	if list == nil {
		list = []protocol.Diagnostic{} // not null
	}
	return protocol.PublishDiagnosticsParams{URI: v.uri, Version: v.version, Diagnostics: list}
}

// convertDiagnostics converts diagnostics of a document.
func (v *view) convertDiagnostics(list diag.List) (all []protocol.Diagnostic) {
	for _, fault := range list {
		p := protocol.Diagnostic{
			Range: v.spanRange(fault.Span), Severity: protocol.SeverityError + int(fault.Severity), Source: "aiongen",
			Code: string(fault.Code), Message: strings.Join(append([]string{fault.Message}, fault.Help...), "\n"),
			CodeDescription: &protocol.CodeDescription{Href: diagnosticsPage + string(fault.Code)},
		}
		for _, r := range fault.Related {
			if r.Span.File == "" || !v.server.client.TextDocument.PublishDiagnostics.RelatedInformation {
				continue
			}
			other := v.open(r.Span.File)
			p.RelatedInformation = append(p.RelatedInformation, protocol.DiagnosticRelatedInformation{
				Location: protocol.Location{URI: other.uri, Range: other.spanRange(r.Span)}, Message: r.Message,
			})
		}
		all = append(all, p)
	}
	return all
}
