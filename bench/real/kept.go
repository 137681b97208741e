package main

import (
	"bytes"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/aion"
)

//go:embed kept.txt
var keptPackages string

// A keptSubject is a package whose tools a person edited after aiongen new had drafted them. The folder
// testdata/kept/<name> has the draft, the edited file and, if the tools need them, Go files with tests.
type keptSubject struct {
	subject
	functions []string // given to aiongen new
	server    string   // what the tests of the tools call, or "" if there are none
	testing   []string // modules that only the tests need, with versions
}

const keptDir = "testdata/kept"

// chooseKept returns the kept subjects with the given names, or all.
func chooseKept(names []string) (chosen []keptSubject, err error) {
	for line := range strings.Lines(keptPackages) {
		f := strings.Fields(line)
		if strings.HasPrefix(line, "#") || len(f) == 0 {
			continue
		}
		if len(f) < 5 {
			return nil, fmt.Errorf("kept.txt: %q is not a name, module, version, package and functions", line)
		}
		if len(names) == 0 || slices.Contains(names, f[0]) {
			chosen = append(chosen, parseKept(f))
		}
	}
	if len(names) > 0 && len(chosen) != len(names) {
		return nil, fmt.Errorf("kept.txt does not have all of %s", strings.Join(names, ", "))
	}
	return chosen, nil
}

// parseKept returns the subject of a line of kept.txt with these words.
func parseKept(words []string) keptSubject {
	s := keptSubject{subject: subject{name: words[0], module: words[1], version: words[2], path: words[3]}}
	for _, word := range words[4:] {
		if server, ok := strings.CutPrefix(word, "with="); ok {
			s.server = server
		} else if required, ok := strings.CutPrefix(word, "test="); ok {
			s.testing = append(s.testing, strings.Replace(required, "@", " ", 1))
		} else {
			s.functions = append(s.functions, word)
		}
	}
	return s
}

// processKept drafts the tools of each package again, compares the drafts, generates and builds the edited files,
// tests their tools, and prints the edited lines. With update it replaces the drafts. It reports whether all steps
// succeeded.
func processKept(out io.Writer, subjects []keptSubject, m module, update bool) (ok bool, err error) {
	ok = true
	var details strings.Builder
	fmt.Fprintln(out, "| package | version | tools | edited lines | most in one tool | end to end with | equal results | step that fails |\n| --- | --- | --- | --- | --- | --- | --- | --- |")
	for _, s := range subjects {
		equal, err := m.inFolder(s.name).testKept(s, update)
		outcome := "none"
		if f, isFailure := errors.AsType[*failure](err); isFailure {
			ok, outcome = false, f.Step
			fmt.Fprintf(&details, "\n%s: %s:\n\n    %s\n", s.name, f.Step, strings.Join(strings.Split(strings.TrimSpace(f.Output), "\n"), "\n    "))
		} else if err != nil {
			return false, err
		}
		tools, err := countEdits(m.keptFolder(s))
		if err != nil {
			return false, err
		}
		total, most := 0, 0
		for _, t := range tools {
			total, most = total+t.edits, max(most, t.edits)
		}
		fmt.Fprintf(out, "| %s | %s | %d | %d | %d | %s | %d | %s |\n", s.name, s.version, len(tools), total, most, s.server, equal, outcome)
	}
	_, err = io.WriteString(out, details.String())
	return ok, err
}

// keptFolder returns the folder with the draft and the edited file of a package.
func (m module) keptFolder(s keptSubject) string {
	return filepath.Join(m.root, "bench", "real", filepath.FromSlash(keptDir), s.name)
}

// testKept drafts, generates, builds, checks and tests the tools of a package in a new module. It returns how many
// results of tools equal the results of direct calls.
func (m module) testKept(s keptSubject, update bool) (equal int, err error) {
	if err := m.createModule(append(s.requirements(), s.testing...)); err != nil {
		return 0, err
	}
	if err := m.writeFile("tools.go", fmt.Sprintf("package tools\n\nimport _ %q\n", s.path)); err != nil {
		return 0, err
	}
	folders := []string{m.keptFolder(s)}
	if s.server != "" {
		folders = append(folders, filepath.Dir(m.keptFolder(s))) // with functions for all tests
	}
	if err := m.copyGoFiles(folders); err != nil {
		return 0, err
	}
	// The go command adds requirements of the packages that it loads, which aiongen does not.
	if _, err := m.runCommand("download", "go", "list", "-test", "-deps", "-f", "", "."); err != nil {
		return 0, err
	}
	if err := m.checkDraft(s, update); err != nil {
		return 0, err
	}
	kept, err := os.ReadFile(filepath.Join(m.keptFolder(s), "kept.aion"))
	if err != nil {
		return 0, err
	}
	if err := m.writeFile(aionFile, string(kept)); err != nil {
		return 0, err
	}
	if err := m.runSilent("fmt", m.program, "fmt", "-l", aionFile); err != nil {
		return 0, err
	}
	for _, step := range [][]string{
		{"generate", m.program}, {"build", "go", "build", "."}, {"vet", "go", "vet", "."},
		{"check", m.program, "check", "-lint", "mcp,openai,anthropic,gemini"},
	} {
		if _, err := m.runCommand(step[0], step[1], step[2:]...); err != nil {
			return 0, err
		}
	}
	if s.server == "" {
		return 0, nil
	}
	out, err := m.runCommand("test", "go", "test", "-count=1", "-vet=off", "-v", ".")
	equal = bytes.Count(out, []byte(": as with Go alone\n"))
	if err == nil && equal == 0 {
		err = &failure{"test", "the tests compare nothing"}
	}
	return equal, err
}

// copyGoFiles copies the Go files of folders into the module.
func (m module) copyGoFiles(folders []string) error {
	for _, folder := range folders {
		files, err := filepath.Glob(filepath.Join(folder, "*.go"))
		if err != nil {
			return err
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				return err
			}
			if err := m.writeFile(filepath.Base(file), string(text)); err != nil {
				return err
			}
		}
	}
	return nil
}

// checkDraft drafts the tools again. It compares the draft with the committed one, or replaces the committed one.
func (m module) checkDraft(s keptSubject, update bool) error {
	draft, err := m.runCommand("new", m.program, slices.Concat([]string{"new", s.path}, s.functions)...)
	if err != nil {
		return err
	}
	file := filepath.Join(m.keptFolder(s), "draft.aion")
	if update {
		return os.WriteFile(file, draft, 0o666)
	}
	committed, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	if !bytes.Equal(committed, draft) {
		return &failure{"new", "the draft is not the committed one; -update replaces it"}
	}
	return nil
}

// A keptTool is a tool of an edited file.
type keptTool struct {
	name  string
	edits int // lines that differ from the draft
}

// countEdits compares the edited file in a folder with its draft.
func countEdits(dir string) (tools []keptTool, err error) {
	draft, drafted, err := readTools(filepath.Join(dir, "draft.aion"))
	if err != nil {
		return nil, err
	}
	kept, left, err := readTools(filepath.Join(dir, "kept.aion"))
	if err != nil {
		return nil, err
	}
	for i, el := range left.Elements {
		j := slices.IndexFunc(drafted.Elements, func(d *aion.Element) bool {
			return d.Name.Value == el.Name.Value || d.Function.Text.Value == el.Function.Text.Value
		})
		if j < 0 {
			return nil, fmt.Errorf("%s: the draft has no tool %s", dir, el.Name.Value)
		}
		tools = append(tools, keptTool{el.Name.Value, countHunks(draft[j], kept[i])})
	}
	return tools, nil
}

// readTools returns the lines of each tool of a file.
func readTools(name string) (tools [][]string, doc *aion.Document, err error) {
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, nil, err
	}
	doc, faults := aion.Parse(name, text)
	if err := faults.Err(); err != nil {
		return nil, nil, err
	}
	lines := strings.Split(string(text), "\n")
	for _, el := range doc.Elements {
		tools = append(tools, lines[el.Span.Start.Line-1:el.Span.End.Line])
	}
	return tools, doc, nil
}

// countHunks returns how many lines were written to change a into b. Consecutive lines that were deleted
// without replacement count as one.
func countHunks(a, b []string) (edits int) {
	common := longestCommon(a, b)
	i, j := 0, 0
	for _, c := range append(common, [2]int{len(a), len(b)}) {
		if removed, added := c[0]-i, c[1]-j; removed > 0 || added > 0 {
			edits += max(added, 1)
		}
		i, j = c[0]+1, c[1]+1
	}
	return edits
}

// longestCommon returns the indexes of a longest common subsequence.
func longestCommon(a, b []string) (pairs [][2]int) {
	length := make([][]int, len(a)+1)
	for i := range length {
		length[i] = make([]int, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			length[i][j] = max(length[i+1][j], length[i][j+1])
			if a[i] == b[j] {
				length[i][j] = length[i+1][j+1] + 1
			}
		}
	}
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case a[i] == b[j]:
			pairs = append(pairs, [2]int{i, j})
			i, j = i+1, j+1
		case length[i+1][j] >= length[i][j+1]:
			i++
		default:
			j++
		}
	}
	return pairs
}
