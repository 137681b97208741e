package lsp

import (
	"cmp"
	"slices"

	"github.com/aiongen/aiongen/gen/lsp/internal/protocol"
)

// A documentEdit replaces a part of a document.
type documentEdit struct {
	document *document
	edit     protocol.TextEdit
}

// newEdit returns edits of documents in the form that the client supports. A client that supports versions
// does not apply the edits to documents that have changed in the meantime.
func (s *server) newEdit(edits []documentEdit) *protocol.WorkspaceEdit {
	changes, versions := map[protocol.URI][]protocol.TextEdit{}, map[protocol.URI]*int32{}
	for _, e := range edits {
		changes[e.document.uri] = append(changes[e.document.uri], e.edit)
		versions[e.document.uri] = e.document.version
	}
	if !s.client.Workspace.WorkspaceEdit.DocumentChanges {
		return &protocol.WorkspaceEdit{Changes: changes}
	}
	result := &protocol.WorkspaceEdit{}
	for uri, list := range changes {
		id := protocol.VersionedTextDocumentIdentifier{URI: uri, Version: versions[uri]}
		result.DocumentChanges = append(result.DocumentChanges, protocol.TextDocumentEdit{TextDocument: id, Edits: list})
	}
	slices.SortFunc(result.DocumentChanges, func(a, b protocol.TextDocumentEdit) int {
		return cmp.Compare(a.TextDocument.URI, b.TextDocument.URI)
	})
	return result
}
