package doctor

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/aiongen/aiongen/internal/words"
)

// WriteText writes the report as text for people.
func (r *Report) WriteText(w io.Writer) error {
	var b bytes.Buffer
	line := func(name, format string, args ...any) {
		fmt.Fprintf(&b, "%-12s%s\n", name+":", fmt.Sprintf(format, args...))
	}
	line("aiongen", "%s", r.Aiongen)
	line("go command", "%s", cmp.Or(r.Go, "unknown"))
	line("module", "%s", r.Module)
	line("workspace", "%s", cmp.Or(r.Workspace, "none"))
	for _, p := range r.Programs {
		line("in PATH", "%s", p)
	}
	writeList(&b, "environment", r.Environment)
	writeList(&b, "caches", r.Caches)
	writeList(&b, "language server", r.Server)
	if len(r.Problems) == 0 {
		line("problems", "none")
	} else {
		fmt.Fprintln(&b, "problems:")
	}
	for i, p := range r.Problems {
		fmt.Fprintf(&b, "  %d. %s\n     fix: %s\n", i+1, p.Message, p.Fix)
	}
	_, err := w.Write(b.Bytes())
	return err
}

// writeList writes the elements of a list, if it has any.
func writeList[T any](b *bytes.Buffer, name string, list []T) {
	if len(list) > 0 {
		fmt.Fprintln(b, name+":")
	}
	for _, element := range list {
		fmt.Fprintf(b, "  %v\n", element)
	}
}

// String returns the path, if any, the version and how the program was built.
func (p Build) String() string {
	text := strings.TrimSpace(p.Path + " " + p.Version)
	if p.Go != "" {
		text += ", built with " + p.Go
	}
	if p.Commit != "" {
		text += ", commit " + p.Commit
	}
	return text
}

// String returns the module with its versions on one line, or "none".
func (m *Module) String() string {
	if m == nil {
		return "none"
	}
	parts := []string{m.Path + " in " + m.Dir}
	if m.Go != "" {
		parts = append(parts, "go "+m.Go)
	}
	if m.Toolchain != "" {
		parts = append(parts, "toolchain "+m.Toolchain)
	}
	aiongen := "aiongen " + cmp.Or(m.Aiongen, "not required")
	if m.IsTool {
		aiongen += " as a tool"
	}
	return strings.Join(append(parts, aiongen), ", ")
}

// String returns the folder and its size on one line.
func (c Cache) String() string {
	access := "writable"
	if !c.Writable {
		access = "not writable"
	}
	return fmt.Sprintf("%s: %s, %.1f MB, %s", c.Dir, words.Count(c.Files, "file"), float64(c.Bytes)/1e6, access)
}

// maxPackages limits the packages of a module that the text lists.
const maxPackages = 20

// String returns the module on one line, and a line for each package.
func (s ServedModule) String() string {
	text := fmt.Sprintf("%s: %s, %s, %s, %s, loaded in %d ms", s.Dir, words.Count(s.Documents, "document"),
		words.Count(s.Tools, "tool"), words.Count(s.Errors, "error"), words.Count(s.Warnings, "warning"), s.Load)
	for i, p := range s.Packages {
		if i == maxPackages {
			return text + fmt.Sprintf("\n    and %s", words.Count(len(s.Packages)-i, "other package"))
		}
		generated := "no go:generate line"
		if len(p.Directives) > 0 {
			generated = "go:generate in " + strings.Join(p.Directives, ", ")
		}
		text += fmt.Sprintf("\n    %s: %s, %s", p.Path, words.Count(p.Documents, "document"), generated)
	}
	return text
}
