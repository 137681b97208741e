// Package protocol reads and writes the messages of the Language Server Protocol 3.18: messages of
// JSON-RPC 2.0, each after a header with its length. Create a Reader and a Writer with NewReader and
// NewWriter. The other types have the same names as in the specification. They contain only the
// fields that the server reads or writes.
package protocol

import "encoding/json"

// A URI identifies a document.
type URI = string

// A Position is a place between two characters. Line and Character start at 0. Character counts code
// units of the encoding that the client and the server agreed on.
type Position struct {
	Line      uint32 `json:"line"`
	Character uint32 `json:"character"`
}

// A Range is a part of a document.
type Range struct {
	Start Position `json:"start"`
	End   Position `json:"end"`
}

// A Location is a range in a document.
type Location struct {
	URI   URI   `json:"uri"`
	Range Range `json:"range"`
}

// The encodings in whose code units positions can be counted.
const (
	UTF8  = "utf-8"
	UTF16 = "utf-16"
)

// InitializeParams are the parameters of the first request.
type InitializeParams struct {
	RootURI               URI                `json:"rootUri"`
	WorkspaceFolders      []WorkspaceFolder  `json:"workspaceFolders"`
	Capabilities          ClientCapabilities `json:"capabilities"`
	InitializationOptions json.RawMessage    `json:"initializationOptions"`
}

// A WorkspaceFolder is a directory that the client has opened.
type WorkspaceFolder struct {
	URI URI `json:"uri"`
}

// ClientCapabilities says what the client supports.
type ClientCapabilities struct {
	Window struct {
		ShowDocument struct {
			Support bool `json:"support"`
		} `json:"showDocument"`
	} `json:"window"`
	General struct {
		PositionEncodings []string `json:"positionEncodings"`
	} `json:"general"`
	Workspace struct {
		DidChangeWatchedFiles struct {
			DynamicRegistration bool `json:"dynamicRegistration"`
		} `json:"didChangeWatchedFiles"`
		ApplyEdit     bool `json:"applyEdit"`
		WorkspaceEdit struct {
			DocumentChanges bool `json:"documentChanges"`
		} `json:"workspaceEdit"`
		InlayHint RefreshCapabilities `json:"inlayHint"`
		CodeLens  RefreshCapabilities `json:"codeLens"`
	} `json:"workspace"`
	TextDocument struct {
		Completion struct {
			CompletionItem struct {
				SnippetSupport bool `json:"snippetSupport"`
			} `json:"completionItem"`
		} `json:"completion"`
		Hover struct {
			ContentFormat []string `json:"contentFormat"`
		} `json:"hover"`
		PublishDiagnostics struct {
			RelatedInformation bool `json:"relatedInformation"`
		} `json:"publishDiagnostics"`
	} `json:"textDocument"`
}

// RefreshCapabilities says whether the server may ask the client to send requests again.
type RefreshCapabilities struct {
	RefreshSupport bool `json:"refreshSupport"`
}

// InitializeResult is the response to the first request.
type InitializeResult struct {
	Capabilities ServerCapabilities `json:"capabilities"`
	ServerInfo   ServerInfo         `json:"serverInfo"`
}

// ServerInfo names the server.
type ServerInfo struct {
	Name    string `json:"name"`
	Version string `json:"version,omitempty"`
}

// ServerCapabilities says what the server supports.
type ServerCapabilities struct {
	PositionEncoding string                  `json:"positionEncoding"`
	TextDocumentSync TextDocumentSyncOptions `json:"textDocumentSync"`
	Workspace        WorkspaceOptions        `json:"workspace"`

	CodeActionProvider              CodeActionOptions     `json:"codeActionProvider"`
	CompletionProvider              CompletionOptions     `json:"completionProvider"`
	DocumentFormattingProvider      bool                  `json:"documentFormattingProvider"`
	HoverProvider                   bool                  `json:"hoverProvider"`
	DefinitionProvider              bool                  `json:"definitionProvider"`
	TypeDefinitionProvider          bool                  `json:"typeDefinitionProvider"`
	ReferencesProvider              bool                  `json:"referencesProvider"`
	DocumentHighlightProvider       bool                  `json:"documentHighlightProvider"`
	RenameProvider                  RenameOptions         `json:"renameProvider"`
	DocumentSymbolProvider          bool                  `json:"documentSymbolProvider"`
	WorkspaceSymbolProvider         bool                  `json:"workspaceSymbolProvider"`
	FoldingRangeProvider            bool                  `json:"foldingRangeProvider"`
	SelectionRangeProvider          bool                  `json:"selectionRangeProvider"`
	InlayHintProvider               bool                  `json:"inlayHintProvider"`
	CodeLensProvider                struct{}              `json:"codeLensProvider"`
	SignatureHelpProvider           CompletionOptions     `json:"signatureHelpProvider"`
	SemanticTokensProvider          SemanticTokensOptions `json:"semanticTokensProvider"`
	ExecuteCommandProvider          CommandOptions        `json:"executeCommandProvider"`
	DocumentRangeFormattingProvider bool                  `json:"documentRangeFormattingProvider"`
}

// RenameOptions says that the server checks whether something can be renamed.
type RenameOptions struct {
	PrepareProvider bool `json:"prepareProvider"`
}

// CommandOptions lists the commands of the server.
type CommandOptions struct {
	Commands []string `json:"commands"`
}

// SemanticTokensOptions lists the types of tokens.
type SemanticTokensOptions struct {
	Legend struct {
		TokenTypes     []string `json:"tokenTypes"`
		TokenModifiers []string `json:"tokenModifiers"`
	} `json:"legend"`
	Full bool `json:"full"`
}

// CompletionOptions lists the characters after which the client asks for completion, or for
// signature help.
type CompletionOptions struct {
	TriggerCharacters []string `json:"triggerCharacters"`
}

// CodeActionOptions lists the kinds of code actions.
type CodeActionOptions struct {
	CodeActionKinds []string `json:"codeActionKinds"`
}

// TextDocumentSyncOptions says which changes of documents the client reports.
type TextDocumentSyncOptions struct {
	OpenClose bool `json:"openClose"`
	Change    int  `json:"change"` // 2: only the changed parts
	Save      bool `json:"save"`
}

// WorkspaceOptions says that the server supports several folders.
type WorkspaceOptions struct {
	WorkspaceFolders struct {
		Supported           bool `json:"supported"`
		ChangeNotifications bool `json:"changeNotifications"`
	} `json:"workspaceFolders"`
}

// DidOpenTextDocumentParams reports an opened document.
type DidOpenTextDocumentParams struct {
	TextDocument struct {
		URI        URI    `json:"uri"`
		LanguageID string `json:"languageId"`
		Version    int32  `json:"version"`
		Text       string `json:"text"`
	} `json:"textDocument"`
}

// DidChangeTextDocumentParams reports edits of an open document.
type DidChangeTextDocumentParams struct {
	TextDocument struct {
		URI     URI   `json:"uri"`
		Version int32 `json:"version"`
	} `json:"textDocument"`
	ContentChanges []TextDocumentContentChangeEvent `json:"contentChanges"`
}

// A TextDocumentContentChangeEvent replaces a range of a document, or all of it.
type TextDocumentContentChangeEvent struct {
	Range *Range `json:"range"`
	Text  string `json:"text"`
}

// DocumentParams are parameters that only name a document.
type DocumentParams struct {
	TextDocument struct {
		URI URI `json:"uri"`
	} `json:"textDocument"`
}

// URI returns the name of the document.
func (p DocumentParams) URI() URI { return p.TextDocument.URI }

// DidChangeWorkspaceFoldersParams reports folders that the client has opened or closed.
type DidChangeWorkspaceFoldersParams struct {
	Event struct {
		Added   []WorkspaceFolder `json:"added"`
		Removed []WorkspaceFolder `json:"removed"`
	} `json:"event"`
}

// CancelParams names a request that the client no longer needs.
type CancelParams struct {
	ID json.RawMessage `json:"id"`
}

// PublishDiagnosticsParams are all diagnostics of a document.
type PublishDiagnosticsParams struct {
	URI         URI          `json:"uri"`
	Version     *int32       `json:"version,omitempty"`
	Diagnostics []Diagnostic `json:"diagnostics"`
}

// A Diagnostic describes a fault in a document.
type Diagnostic struct {
	Range              Range                          `json:"range"`
	Severity           int                            `json:"severity"`
	Code               string                         `json:"code,omitempty"`
	CodeDescription    *CodeDescription               `json:"codeDescription,omitempty"`
	Source             string                         `json:"source"`
	Message            string                         `json:"message"`
	RelatedInformation []DiagnosticRelatedInformation `json:"relatedInformation,omitempty"`
}

// A CodeDescription links a diagnostic to the documentation of its code.
type CodeDescription struct {
	Href URI `json:"href"`
}

// DiagnosticRelatedInformation describes another place that the fault involves.
type DiagnosticRelatedInformation struct {
	Location Location `json:"location"`
	Message  string   `json:"message"`
}

// The severities of diagnostics.
const (
	SeverityError = iota + 1
	SeverityWarning
	SeverityInformation
)

// RegistrationParams ask the client for notifications.
type RegistrationParams struct {
	Registrations []Registration `json:"registrations"`
}

// A Registration requests one kind of notification.
type Registration struct {
	ID              string `json:"id"`
	Method          string `json:"method"`
	RegisterOptions any    `json:"registerOptions"`
}

// DidChangeWatchedFilesRegistrationOptions says which files the client watches.
type DidChangeWatchedFilesRegistrationOptions struct {
	Watchers []FileSystemWatcher `json:"watchers"`
}

// A FileSystemWatcher selects files by a pattern of paths.
type FileSystemWatcher struct {
	GlobPattern string `json:"globPattern"`
}

// RangeParams name a range of a document.
type RangeParams struct {
	DocumentParams
	Range Range `json:"range"`
}

// CodeActionParams ask for the code actions in a range.
type CodeActionParams struct {
	RangeParams
	Context struct {
		Only []string `json:"only"`
	} `json:"context"`
}

// A CodeAction is an edit with a title.
type CodeAction struct {
	Title       string         `json:"title"`
	Kind        string         `json:"kind"`
	Diagnostics []Diagnostic   `json:"diagnostics,omitempty"`
	IsPreferred bool           `json:"isPreferred,omitempty"`
	Edit        *WorkspaceEdit `json:"edit,omitempty"`
}

// A WorkspaceEdit changes documents. Only one of its fields is set.
type WorkspaceEdit struct {
	Changes         map[URI][]TextEdit `json:"changes,omitempty"`
	DocumentChanges []TextDocumentEdit `json:"documentChanges,omitempty"`
}

// A TextDocumentEdit changes a version of a document.
type TextDocumentEdit struct {
	TextDocument VersionedTextDocumentIdentifier `json:"textDocument"`
	Edits        []TextEdit                      `json:"edits"`
}

// A VersionedTextDocumentIdentifier names a version of a document. The version of a file that is not
// open is nil.
type VersionedTextDocumentIdentifier struct {
	URI     URI    `json:"uri"`
	Version *int32 `json:"version"`
}

// A TextEdit replaces a range.
type TextEdit struct {
	Range   Range  `json:"range"`
	NewText string `json:"newText"`
}

// PositionParams name a position in a document.
type PositionParams struct {
	DocumentParams
	Position Position `json:"position"`
}

// TriggerCharacter is the trigger kind of a completion that the client requests because the user
// typed a trigger character.
const TriggerCharacter = 2

// CompletionParams ask for completions at a position.
type CompletionParams struct {
	PositionParams
	Context struct {
		TriggerKind int `json:"triggerKind"`
	} `json:"context"`
}

// A CompletionList holds the completions at a position.
type CompletionList struct {
	IsIncomplete bool             `json:"isIncomplete"`
	Items        []CompletionItem `json:"items"`
}

// A CompletionItem is a completion.
type CompletionItem struct {
	Label            string         `json:"label"`
	Kind             int            `json:"kind"`
	Detail           string         `json:"detail,omitempty"`
	Documentation    *MarkupContent `json:"documentation,omitempty"`
	SortText         string         `json:"sortText"`
	FilterText       string         `json:"filterText,omitempty"`
	InsertTextFormat int            `json:"insertTextFormat,omitempty"` // 2: a snippet
	TextEdit         *TextEdit      `json:"textEdit"`
	Command          *Command       `json:"command,omitempty"` // runs after the text was inserted
}

// MarkupContent is plain text or Markdown, depending on Kind.
type MarkupContent struct {
	Kind  string `json:"kind"`
	Value string `json:"value"`
}

// A Hover describes a part of a document.
type Hover struct {
	Contents *MarkupContent `json:"contents"`
	Range    Range          `json:"range"`
}

// A DocumentSymbol is a named part of a document.
type DocumentSymbol struct {
	Name           string           `json:"name"`
	Detail         string           `json:"detail,omitempty"`
	Kind           int              `json:"kind"`
	Range          Range            `json:"range"`
	SelectionRange Range            `json:"selectionRange"`
	Children       []DocumentSymbol `json:"children,omitempty"`
}

// WorkspaceSymbolParams ask for the symbols whose names match a query.
type WorkspaceSymbolParams struct {
	Query string `json:"query"`
}

// A WorkspaceSymbol is a named part of one of the documents of the workspace.
type WorkspaceSymbol struct {
	Name          string   `json:"name"`
	Kind          int      `json:"kind"`
	ContainerName string   `json:"containerName,omitempty"`
	Location      Location `json:"location"`
}

// A FoldingRange is a range of lines that an editor can collapse.
type FoldingRange struct {
	StartLine uint32 `json:"startLine"`
	EndLine   uint32 `json:"endLine"`
	Kind      string `json:"kind,omitempty"`
}

// SelectionRangeParams ask for the selection ranges at several positions.
type SelectionRangeParams struct {
	DocumentParams
	Positions []Position `json:"positions"`
}

// A SelectionRange is a range that an editor can select. Parent is the next larger one.
type SelectionRange struct {
	Range  Range           `json:"range"`
	Parent *SelectionRange `json:"parent,omitempty"`
}

// ReferenceParams ask for the references to the symbol at a position.
type ReferenceParams struct {
	PositionParams
	Context struct {
		IncludeDeclaration bool `json:"includeDeclaration"`
	} `json:"context"`
}

// RenameParams ask the server to rename the symbol at a position.
type RenameParams struct {
	PositionParams
	NewName string `json:"newName"`
}

// PrepareRenameResult is the range and the text of a name that can be changed.
type PrepareRenameResult struct {
	Range       Range  `json:"range"`
	Placeholder string `json:"placeholder"`
}

// A DocumentHighlight is a range to highlight because it belongs to the symbol at the cursor.
type DocumentHighlight struct {
	Range Range `json:"range"`
}

// An InlayHint is text that an editor shows between characters of a document.
type InlayHint struct {
	Position    Position `json:"position"`
	Label       string   `json:"label"`
	Kind        int      `json:"kind"`
	PaddingLeft bool     `json:"paddingLeft"`
}

// A CodeLens is a command that an editor shows above a line.
type CodeLens struct {
	Range   Range   `json:"range"`
	Command Command `json:"command"`
}

// A Command is a command of the server with its arguments.
type Command struct {
	Title     string            `json:"title"`
	Command   string            `json:"command"`
	Arguments []CommandArgument `json:"arguments"`
}

// ExecuteCommandParams run a command.
type ExecuteCommandParams struct {
	Command   string            `json:"command"`
	Arguments []CommandArgument `json:"arguments"`
}

// A CommandArgument is the only argument of every command of the server.
type CommandArgument struct {
	Location
	Import string `json:"import,omitempty"` // the path of a package
}

// ApplyWorkspaceEditParams ask the client to change documents.
type ApplyWorkspaceEditParams struct {
	Label string        `json:"label"`
	Edit  WorkspaceEdit `json:"edit"`
}

// ShowDocumentParams ask the client to show a part of a document.
type ShowDocumentParams struct {
	URI       URI   `json:"uri"`
	TakeFocus bool  `json:"takeFocus"`
	Selection Range `json:"selection"`
}

// SemanticTokens classify the tokens of a document. Data holds five numbers for each token: its line
// and character relative to the token before, its length, its type, and 0 for no modifiers.
type SemanticTokens struct {
	Data []uint32 `json:"data"`
}

// SignatureHelp describes the functions that a call may mean.
type SignatureHelp struct {
	Signatures      []SignatureInformation `json:"signatures"`
	ActiveParameter int                    `json:"activeParameter"`
}

// SignatureInformation describes a function.
type SignatureInformation struct {
	Label         string                 `json:"label"`
	Documentation *MarkupContent         `json:"documentation,omitempty"`
	Parameters    []ParameterInformation `json:"parameters"`
}

// ParameterInformation is a part of the label of a function.
type ParameterInformation struct {
	Label string `json:"label"`
}
