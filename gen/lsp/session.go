package lsp

import (
	"encoding/json"
	"path/filepath"
	"slices"

	"github.com/aiongen/aiongen/gen/lsp/internal/protocol"
)

func (s *server) initialize(p protocol.InitializeParams) (*protocol.InitializeResult, error) {
	if s.phase != starting {
		return nil, protocol.Errorf(protocol.InvalidRequest, "initialize was sent twice")
	}
	if len(p.InitializationOptions) > 0 {
		if err := json.Unmarshal(p.InitializationOptions, &s.options); err != nil {
			s.log.Warn("lsp: invalid initializationOptions", "error", err)
		}
	}
	s.client = p.Capabilities
	if slices.Contains(p.Capabilities.General.PositionEncodings, protocol.UTF8) {
		s.encoding = protocol.UTF8
	}
	folders := p.WorkspaceFolders
	if len(folders) == 0 && p.RootURI != "" {
		folders = []protocol.WorkspaceFolder{{URI: p.RootURI}}
	}
	s.phase = serving
	for _, f := range folders {
		s.addFolder(f.URI)
	}
	return &protocol.InitializeResult{
		ServerInfo:   protocol.ServerInfo{Name: "aiongen", Version: s.cfg.Version},
		Capabilities: s.capabilities(),
	}, nil
}

func (s *server) capabilities() (c protocol.ServerCapabilities) {
	c.PositionEncoding = s.encoding
	c.TextDocumentSync = protocol.TextDocumentSyncOptions{OpenClose: true, Change: 2, Save: true}
	c.Workspace.WorkspaceFolders.Supported = true
	c.Workspace.WorkspaceFolders.ChangeNotifications = true
	c.CodeActionProvider.CodeActionKinds = []string{quickFix, fixAll, organize}
	c.CompletionProvider.TriggerCharacters = []string{`"`, ".", "|", "=", ",", " "}
	c.HoverProvider = true
	c.DefinitionProvider, c.TypeDefinitionProvider, c.ReferencesProvider, c.DocumentHighlightProvider = true, true, true, true
	c.RenameProvider.PrepareProvider = true
	c.DocumentSymbolProvider, c.WorkspaceSymbolProvider = true, true
	c.FoldingRangeProvider, c.SelectionRangeProvider = true, true
	c.InlayHintProvider = true
	c.SignatureHelpProvider.TriggerCharacters = []string{"(", ","}
	c.SemanticTokensProvider.Legend.TokenTypes, c.SemanticTokensProvider.Legend.TokenModifiers = tokenTypes, []string{}
	c.SemanticTokensProvider.Full = true
	c.ExecuteCommandProvider.Commands = []string{addImport, openTool}
	c.DocumentFormattingProvider = true
	c.DocumentRangeFormattingProvider = true
	return c
}

// initialized asks the client to report changes of files on disk.
func (s *server) initialized(struct{}) {
	if !s.client.Workspace.DidChangeWatchedFiles.DynamicRegistration {
		return // the client reports saved documents only
	}
	s.request("client/registerCapability", protocol.RegistrationParams{Registrations: []protocol.Registration{{
		ID: "files", Method: "workspace/didChangeWatchedFiles",
		RegisterOptions: protocol.DidChangeWatchedFilesRegistrationOptions{
			Watchers: []protocol.FileSystemWatcher{{GlobPattern: "**/*.{aion,go}"}, {GlobPattern: "**/go.{mod,sum,work}"}},
		},
	}}})
}

func (s *server) shutdown() error {
	if s.phase != serving {
		return protocol.Errorf(protocol.InvalidRequest, "shutdown outside of a session")
	}
	s.phase = shutDown
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, cancel := range s.cancels {
		cancel()
	}
	return nil
}

func (s *server) cancelRequest(p protocol.CancelParams) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if cancel, ok := s.cancels[string(p.ID)]; ok {
		cancel()
	}
}

func (s *server) didOpen(p protocol.DidOpenTextDocumentParams) {
	if p.TextDocument.URI == "" {
		return
	}
	d := newDocument(s.encoding, p.TextDocument.URI, p.TextDocument.LanguageID, p.TextDocument.Version, p.TextDocument.Text)
	if d.path != "" {
		if dir := findModule(filepath.Dir(d.path)); dir != "" {
			s.addModule(dir)
		}
	}
	s.setDocument(d.key(), d)
}

func (s *server) didChange(p protocol.DidChangeTextDocumentParams) {
	d := s.openDocument(p.TextDocument.URI)
	if d == nil {
		return
	}
	d = d.edit(p.TextDocument.Version, p.ContentChanges)
	s.setDocument(d.key(), d)
}

func (s *server) didClose(p protocol.DocumentParams) {
	d := s.openDocument(p.TextDocument.URI)
	if d == nil {
		return
	}
	s.setDocument(d.key(), nil)
	if s.modulesOf(d.path) == nil {
		s.unpublish(d.uri)
	}
}

// setDocument replaces an open document, or closes it if d is nil, and recompiles the modules. A
// document outside of modules is only parsed.
func (s *server) setDocument(key string, d *document) {
	s.mu.Lock()
	if d == nil {
		delete(s.documents, key)
	} else {
		s.documents[key] = d
	}
	s.mu.Unlock()
	if d != nil && s.modulesOf(d.path) == nil && d.isAion {
		s.publishParsed(d)
	}
	s.recompileModules()
}

// didChangeFiles recompiles the modules after changes on disk. The sessions find out which files have changed.
func (s *server) didChangeFiles(struct{}) { s.recompileModules() }

func (s *server) didChangeFolders(p protocol.DidChangeWorkspaceFoldersParams) {
	for _, f := range p.Event.Removed {
		s.removeFolder(f.URI)
	}
	for _, f := range p.Event.Added {
		s.addFolder(f.URI)
	}
	s.recompileModules()
}
