package lsp

import (
	"bytes"
	"context"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strconv"
	"strings"

	modpath "golang.org/x/mod/module"

	"github.com/aiongen/aiongen/gen/lsp/internal/protocol"
)

// addImportable adds the functions of packages that have the given name, but that no Go file of the tool's
// package imports. Each item has a command that adds the import to a Go file, because a lambda cannot
// contain import paths.
func (c *completer) addImportable(document, name string) {
	files := c.module.session.GoFiles(document)
	if len(files) == 0 || !c.server.client.Workspace.ApplyEdit {
		return
	}
	for _, f := range c.module.session.PackageFunctions(document, name) {
		dot := strings.LastIndexByte(f.Name, '.')
		path := f.Name[:dot]
		f.Name = name + f.Name[dot:]
		f.Type += " from " + strconv.Quote(path)
		c.addFunction(f, functionItem)
		c.items[len(c.items)-1].Command = c.importCommand(files[0], path)
	}
}

// addImport is the command that adds an import to a Go file. Its argument has the URI of the file and
// the path of the package.
const addImport = "aiongen.addImport"

func (v *view) importCommand(file, path string) *protocol.Command {
	uri := uriOf(v.module.absolutePath(file))
	return &protocol.Command{
		Title: "import " + path, Command: addImport,
		Arguments: []protocol.CommandArgument{{Location: protocol.Location{URI: uri}, Import: path}},
	}
}

// executeCommand asks the client to show a tool or to change a Go file.
func (s *server) executeCommand(_ context.Context, p protocol.ExecuteCommandParams) (any, error) {
	if len(p.Arguments) != 1 {
		return nil, invalidParams("command %q with %d arguments, want 1", p.Command, len(p.Arguments))
	}
	arg := p.Arguments[0]
	switch p.Command {
	case openTool:
		s.request("window/showDocument", protocol.ShowDocumentParams{URI: arg.URI, TakeFocus: true, Selection: arg.Range})
	case addImport:
		d := s.anyDocument(arg.URI)
		if d == nil || filepath.Ext(d.path) != ".go" || modpath.CheckImportPath(arg.Import) != nil {
			return nil, invalidParams("cannot import %q into %s", arg.Import, arg.URI)
		}
		if edit := d.importEdit(arg.Import); edit != nil {
			changes := s.newEdit([]documentEdit{{d, *edit}})
			s.request("workspace/applyEdit", protocol.ApplyWorkspaceEditParams{Label: "import " + arg.Import, Edit: *changes})
		}
	default:
		return nil, invalidParams("unknown command %q", p.Command)
	}
	return nil, nil
}

// importEdit returns the edit that imports a package into a Go file, without a name because the file
// does not use it. It returns nil if the file already imports the package.
func (d *document) importEdit(path string) *protocol.TextEdit {
	fset := token.NewFileSet()
	file, _ := parser.ParseFile(fset, "", d.text, parser.ImportsOnly) // a file with errors is parsed as far as possible
	if file == nil || !file.Name.Pos().IsValid() {
		return nil
	}
	spec := "_ " + strconv.Quote(path) + " // for .aion files"
	offset, text := d.lineEnd(fset.File(file.FileStart).Offset(file.Name.End())), "\n\nimport "+spec
	for _, decl := range file.Decls {
		imports, ok := decl.(*ast.GenDecl)
		if !ok {
			continue
		}
		for _, s := range imports.Specs {
			if s, ok := s.(*ast.ImportSpec); ok && s.Path.Value == strconv.Quote(path) {
				return nil
			}
		}
		offset, text = d.lineEnd(fset.File(file.FileStart).Offset(imports.End()-1)), "\nimport "+spec
		if imports.Rparen.IsValid() {
			offset, text = fset.File(file.FileStart).Offset(imports.Rparen), "\t"+spec+"\n"
			if offset > 0 && d.text[offset-1] != '\n' {
				text = "\n" + text
			}
		}
	}
	return &protocol.TextEdit{Range: d.rangeOf(offset, offset), NewText: text}
}

// lineEnd returns the offset of the end of the line that contains an offset.
func (d *document) lineEnd(offset int) int {
	if i := bytes.IndexAny(d.text[offset:], "\r\n"); i >= 0 {
		return offset + i
	}
	return len(d.text)
}
