package lsp

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"

	"github.com/aiongen/aiongen/gen"
	"github.com/aiongen/aiongen/gen/lsp/internal/protocol"
	"github.com/aiongen/aiongen/internal/regularfile"
	"github.com/aiongen/aiongen/runtime/schema"
)

// addFolder adds the modules of a folder of the workspace.
func (s *server) addFolder(uri protocol.URI) {
	if root := pathOf(uri); root != "" {
		for _, dir := range FindModules(root) {
			s.addModule(dir)
		}
	}
}

// FindModules returns the directories of the modules that the server compiles if an editor opens a
// folder: those that its go.work file uses, or the module that the folder belongs to. The path of
// the folder must be absolute. A go.work file that cannot be parsed counts as missing.
func FindModules(folder string) (dirs []string) {
	text, err := regularfile.ReadFile(filepath.Join(folder, "go.work"))
	if err == nil {
		if work, err := modfile.ParseWork("go.work", text, nil); err == nil {
			for _, use := range work.Use {
				dir := filepath.FromSlash(use.Path)
				if !filepath.IsAbs(dir) {
					dir = filepath.Join(folder, dir)
				}
				dirs = append(dirs, filepath.Clean(dir))
			}
			return dirs
		}
	}
	if dir := findModule(folder); dir != "" {
		dirs = []string{dir}
	}
	return dirs
}

// removeFolder closes the modules of a folder, except those with open documents.
func (s *server) removeFolder(uri protocol.URI) {
	root := pathOf(uri)
	if root == "" {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for dir, m := range s.modules {
		hasDocuments := false
		for path := range s.documents {
			hasDocuments = hasDocuments || isWithin(dir, path)
		}
		if isWithin(root, dir) && !hasDocuments {
			m.close()
			delete(s.modules, dir)
		}
	}
}

// findModule returns the directory of the module that a directory belongs to, or "".
func findModule(dir string) string {
	for {
		if info, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil && info.Mode().IsRegular() {
			return dir
		}
		if dir == filepath.Dir(dir) {
			return ""
		}
		dir = filepath.Dir(dir)
	}
}

// addModule begins to compile the packages of the module in a directory.
func (s *server) addModule(dir string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.modules[dir] != nil {
		return
	}
	cfg := gen.Config{Dir: dir, Patterns: []string{"./..."}, Tags: s.options.Tags}
	for _, name := range s.options.Lint {
		if target := schema.Target(name); slices.Contains(schema.Targets(), target) {
			cfg.Lint = append(cfg.Lint, target)
		}
	}
	m := &module{
		dir: dir, encoding: s.encoding, session: gen.NewSession(cfg), compiled: -1,
		wake: make(chan struct{}, 1), holder: make(chan struct{}, 1),
		shown: map[string]*document{}, published: map[string]protocol.PublishDiagnosticsParams{},
	}
	m.ctx, m.close = context.WithCancel(s.ctx)
	s.modules[dir] = m
	m.wake <- struct{}{}
	s.running.Go(func() { s.compileInBackground(m) })
}

// compileInBackground compiles a module whenever something may have changed, until the module is closed.
func (s *server) compileInBackground(m *module) {
	for {
		select {
		case <-m.wake:
			if err := s.useCompiled(m.ctx, m, func() {}); err != nil && m.ctx.Err() == nil {
				s.log.Error("lsp: cannot compile", "module", m.dir, "error", err)
			}
		case <-m.ctx.Done():
			if s.ctx.Err() == nil {
				_ = s.protect("close", func() error {
					for path := range m.published {
						s.unpublish(uriOf(path))
					}
					return nil
				})
			}
			return
		}
	}
}

// recompileModules makes all modules compile in the background, because a file has changed. Their
// sessions compile only the packages that depend on the file.
func (s *server) recompileModules() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.changes++
	for _, m := range s.modules {
		select {
		case m.wake <- struct{}{}:
		default: // the compilation that is already pending includes this change
		}
	}
}

// useCompiled compiles a module if something has changed, then calls do. Only the function do may use the
// session of the module, and the fields of the module that belong to the session.
func (s *server) useCompiled(ctx context.Context, m *module, do func()) error {
	select {
	case m.holder <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	defer func() { <-m.holder }()
	return s.protect("compile", func() error {
		s.compile(m)
		do()
		return nil
	})
}

// compile compiles a module and publishes its diagnostics if something has changed since the last
// run. A canceled run would lose what the session has loaded, so only closing the module ends it.
func (s *server) compile(m *module) {
	s.mu.Lock()
	changes, documents := s.changes, maps.Clone(s.documents)
	s.mu.Unlock()
	if m.compiled == changes {
		return
	}
	m.show(documents)
	result, faults := m.session.Generate(m.ctx)
	if m.ctx.Err() != nil {
		return
	}
	m.compiled, m.faults = changes, result.Fresh(faults)
	s.publishModule(m)
	s.refresh(m)
}

// refresh asks the client to request inlay hints and code lenses again if they may have changed
// because of another document.
func (s *server) refresh(m *module) {
	var b strings.Builder
	for _, binding := range m.session.Bindings() {
		fmt.Fprintln(&b, binding.Tool, binding.Type, binding.Declared)
	}
	if b.String() == m.bound {
		return
	}
	m.bound = b.String()
	if s.client.Workspace.InlayHint.RefreshSupport {
		s.request("workspace/inlayHint/refresh", nil)
	}
	if s.client.Workspace.CodeLens.RefreshSupport {
		s.request("workspace/codeLens/refresh", nil)
	}
}

// view calls do with a view of a document. It does nothing if the document cannot be read.
func (s *server) view(ctx context.Context, uri protocol.URI, do func(*view)) error {
	d := s.anyDocument(uri)
	if d == nil {
		return nil
	}
	modules := s.modulesOf(d.path)
	if len(modules) == 0 {
		do(&view{server: s, document: d, faults: d.parse().faults})
		return nil
	}
	m := modules[0]
	return s.useCompiled(ctx, m, func() { do(s.viewOf(m, d.path)) })
}

// eachView calls do with a view of a document in each module, because other modules may use the Go code of the
// document. The module of the document comes first. eachView does nothing if the document cannot be read.
func (s *server) eachView(ctx context.Context, uri protocol.URI, do func(*view)) error {
	d := s.anyDocument(uri)
	if d == nil {
		return nil
	}
	modules := s.modulesOf(d.path)
	modules = append(modules[:min(len(modules), 1)], slices.DeleteFunc(s.allModules(), func(m *module) bool { return len(modules) > 0 && m == modules[0] })...)
	for _, m := range modules {
		if err := s.useCompiled(ctx, m, func() { do(s.viewOf(m, d.path)) }); err != nil {
			return err
		}
	}
	return nil
}

// allModules returns the modules, sorted by directory.
func (s *server) allModules() []*module {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.SortedFunc(maps.Values(s.modules), func(a, b *module) int { return strings.Compare(a.dir, b.dir) })
}

// viewOf returns a view of a file. Call it only from a function that useCompiled calls.
func (s *server) viewOf(m *module, path string) *view {
	return &view{server: s, document: m.document(path), module: m, faults: m.faultsOf(path, m.faults)}
}
