package main

import (
	"bytes"
	"flag"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"github.com/aiongen/aiongen/aion"
	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen"
)

// A markdownFile is a page of the documentation, as text.
type markdownFile struct {
	name    string            // slash-separated, from the root of the repository
	text    string            //
	prose   string            // the text without blocks of code
	anchors map[string]bool   // of its headings
	fences  map[string]string // fenced blocks by language, joined
}

var (
	// indentedBlock matches lines of code that are indented: lists are indented less.
	indentedBlock = regexp.MustCompile(`(?m)^(?:    |\t).*$`)

	heading  = regexp.MustCompile(`(?m)^#+ (.+)$`)
	codeSpan = regexp.MustCompile("``(.+?)``|`([^`]+)`")
)

// readPage reads a page.
func readMarkdownFile(t *testing.T, root, name string) *markdownFile {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	p := &markdownFile{name: name, text: string(text), anchors: map[string]bool{}, fences: map[string]string{}}
	for _, m := range fence.FindAllStringSubmatch(p.text, -1) {
		p.fences[m[2]] += m[3] + "\n"
	}
	p.prose = indentedBlock.ReplaceAllString(fence.ReplaceAllString(p.text, ""), "")
	count := map[string]int{}
	for _, m := range heading.FindAllStringSubmatch(p.prose, -1) {
		slug := anchorOf(m[1])
		if n := count[slug]; n > 0 {
			p.anchors[slug+"-"+strconv.Itoa(n)] = true
		} else {
			p.anchors[slug] = true
		}
		count[slug]++
	}
	return p
}

// anchorOf returns the anchor that GitHub gives a heading.
func anchorOf(title string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case r == '-' || r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r):
			return unicode.ToLower(r)
		}
		return -1
	}, title)
}

// codeSpans returns the code in the prose of a page.
func (p *markdownFile) codeSpans() (spans []string) {
	for _, m := range codeSpan.FindAllStringSubmatch(p.prose, -1) {
		spans = append(spans, strings.TrimSpace(m[1]+m[2]))
	}
	return spans
}

// commandLines returns the commands of aiongen in a page, in code spans and in shell blocks, as
// their words.
func (p *markdownFile) commandLines() (commands [][]string) {
	for _, text := range append(p.codeSpans(), strings.ReplaceAll(p.fences["sh"], "\\\n", "")) {
		for _, m := range regexp.MustCompile(`go tool aiongen\b([^|&;\n>]*)`).FindAllStringSubmatch(text, -1) {
			commands = append(commands, strings.Fields(m[1]))
		}
	}
	return commands
}

// readPages returns all pages of the documentation.
func readMarkdown(t *testing.T) (root string, pages map[string]*markdownFile) {
	t.Helper()
	root = repositoryRoot(t)
	pages = map[string]*markdownFile{}
	for _, name := range []string{
		"README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "RELEASING.md", "SECURITY.md", "example/README.md", "llms.txt",
	} {
		pages[name] = readMarkdownFile(t, root, name)
	}
	err := fs.WalkDir(os.DirFS(root), "docs", func(name string, d fs.DirEntry, err error) error {
		if err == nil && path.Ext(name) == ".md" {
			pages[name] = readMarkdownFile(t, root, name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return root, pages
}

// TestLinkedPages checks that docs/README.md links to every page.
func TestLinkedPages(t *testing.T) {
	_, pages := readMarkdown(t)
	contents := pages["docs/README.md"]
	if contents == nil {
		t.Fatal("there is no docs/README.md")
	}
	for name := range pages {
		below, ok := strings.CutPrefix(name, "docs/")
		if ok && below != "README.md" && !strings.Contains(contents.prose, "]("+below+")") {
			t.Errorf("docs/README.md does not link to %s", name)
		}
	}
}

// pageName is a page in a comment or a path, but not in the JSON of a test.
var pageName = regexp.MustCompile(`[^"\w](docs/[a-z/-]+\.md)\b`)

// TestMentionedPages checks that the pages exist that source code mentions.
func TestMentionedPages(t *testing.T) {
	root := repositoryRoot(t)
	mentions := 0
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() && (d.Name() == ".git" || d.Name() == "node_modules") {
			return errOr(err, filepath.SkipDir)
		}
		if d.IsDir() || !slices.Contains([]string{".go", ".txtar", ".yml", ".yaml", ".aion", ".mod"}, filepath.Ext(name)) {
			return nil
		}
		text, err := os.ReadFile(name)
		for _, mention := range pageName.FindAllSubmatch(text, -1) {
			mentions++
			if _, err := os.Stat(filepath.Join(root, string(mention[1]))); err != nil {
				t.Errorf("%s mentions %s, which does not exist", strings.TrimPrefix(name, root), mention[1])
			}
		}
		return err
	})
	if err != nil || mentions < 5 {
		t.Errorf("found %d mentions of pages, %v", mentions, err)
	}
}

// sourceName is a file of the repository in a code span, but not an example such as codes/my-code.txtar.
var sourceName = regexp.MustCompile(`^[a-z0-9_./-]+/[a-z0-9_.-]+\.(?:go|md|txtar|txt|json|yml)$`)

// TestMentionedFiles checks that the files exist that the pages for contributors mention, by their paths or the
// ends of their paths.
func TestMentionedFiles(t *testing.T) {
	root, pages := readMarkdown(t)
	var files strings.Builder
	err := fs.WalkDir(os.DirFS(root), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() && (name == ".git" || d.Name() == "node_modules") {
			return errOr(err, fs.SkipDir)
		}
		files.WriteString("/" + name + "\n")
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	mentions := 0
	for _, name := range []string{"ARCHITECTURE.md", "CONTRIBUTING.md", "RELEASING.md", "SECURITY.md"} {
		for _, span := range pages[name].codeSpans() {
			if !sourceName.MatchString(span) || strings.Contains(span, "/my-") {
				continue
			}
			mentions++
			if !strings.Contains(files.String(), "/"+span+"\n") {
				t.Errorf("%s mentions %s, which does not exist", name, span)
			}
		}
	}
	if mentions < 20 {
		t.Errorf("found only %d files", mentions)
	}
}

func errOr(err, other error) error {
	if err != nil {
		return err
	}
	return other
}

// definedFlags returns the flags of a command: those that it defines itself, and those that all
// commands share.
func definedFlags(t *testing.T, name string) (names []string) {
	t.Helper()
	c := newCommand(strings.NewReader(""), &bytes.Buffer{}, &bytes.Buffer{})
	c.name = name
	help := []string{"-h"}
	status := exitUsage
	switch name {
	case "breaking":
		status = c.compareTools(t.Context(), help)
	case "doctor":
		status = c.examineSetup(t.Context(), help)
	case "fix":
		status = c.fixFiles(t.Context(), help)
	case "fmt":
		status = c.formatFiles(help)
	case "list":
		status = c.listTools(t.Context(), help)
	case "new":
		status = c.scaffoldFile(t.Context(), help)
	case "check":
		status = c.compilePackages(t.Context(), help, c.checkFiles, exitFindings)
	case "":
		status = c.compilePackages(t.Context(), help, c.writeFiles, exitOK)
	}
	if status != exitOK {
		t.Fatalf("%q -h exits with status %d", name, status)
	}
	c.flags.VisitAll(func(f *flag.Flag) { names = append(names, f.Name) })
	return names
}

// commandSections are the headings in the page about the command.
var commandSections = map[string]string{
	"": "Generate", "breaking": "breaking", "check": "check", "doctor": "doctor", "fix": "fix", "fmt": "fmt", "list": "list", "new": "new",
}

// TestFlags checks that the usage text, the command's own documentation and the page about the command
// have every flag and no others, and that the flags exist that other pages use.
func TestFlags(t *testing.T) {
	_, pages := readMarkdown(t)
	p := pages["docs/reference/command.md"]
	_, usage, _ := strings.Cut(p.text, "```text\naiongen compiles")
	if usage, _, _ = strings.Cut(usage, "```"); "aiongen compiles"+usage != usageText {
		t.Errorf("%s has another usage text than the command", p.name)
	}
	source, err := os.ReadFile("main.go")
	if err != nil {
		t.Fatal(err)
	}
	doc, _, _ := strings.Cut(string(source), "\npackage main\n")
	shared := flagNames(usageSection(sharedFlags))
	for name, title := range commandSections {
		inUsage := flagNames(usageSection(flagHeadings[name]))
		if name == "" {
			inUsage = append(flagNames(usageSection(flagHeadings["check"])), flagNames(usageSection("Flag for generating only:"))...)
		}
		inUsage = append(inUsage, shared...)
		defined := definedFlags(t, name)
		_, section, found := strings.Cut(p.prose, "\n## "+title+"\n")
		section, _, _ = strings.Cut(section, "\n## ")
		if !found {
			t.Errorf("%s has no section %s", p.name, title)
		}
		for _, flag := range defined {
			if !slices.Contains(inUsage, flag) {
				t.Errorf("the usage text of %q does not have -%s", name, flag)
			}
			if !strings.Contains(doc, "\n//\t-"+flag) && !strings.Contains(doc, ", -"+flag+" ") {
				t.Errorf("the doc comment of the command does not have -%s", flag)
			}
			if !slices.Contains(shared, flag) && !strings.Contains(section, "### -"+flag+"\n") && !strings.Contains(section, "`-"+flag+"`") {
				t.Errorf("section %s of %s does not have -%s", title, p.name, flag)
			}
		}
		for _, flag := range append(inUsage, flagNames(strings.ReplaceAll(section, "### -", "\t-"))...) {
			if !slices.Contains(defined, flag) {
				t.Errorf("%q has no flag -%s", name, flag)
			}
		}
	}
	for _, p := range pages {
		checkCommands(t, p)
	}
}

// flagNames returns the flags that lines of the usage text begin with.
func flagNames(text string) (names []string) {
	for line := range strings.Lines(text) {
		if flag, ok := strings.CutPrefix(line, "\t-"); ok {
			names = append(names, strings.Fields(flag)[0])
		}
	}
	return names
}

// checkCommands checks the commands of a page: their names, their flags, and that they are written
// as go tool aiongen.
func checkCommands(t *testing.T, p *markdownFile) {
	t.Helper()
	for _, span := range p.codeSpans() {
		if word, rest, _ := strings.Cut(span, " "); word == "aiongen" && rest != "" {
			t.Errorf("%s: write `go tool %s`", p.name, span)
		}
	}
	for _, words := range p.commandLines() {
		name := ""
		if len(words) > 0 && slices.Contains(commands, words[0]) {
			name, words = words[0], words[1:]
		}
		if name == "explain" && len(words) > 0 {
			if _, ok := gen.Explain(diag.Code(words[0])); !ok && words[0] != "CODE" && words[0] != "2" {
				t.Errorf("%s: there is no code %s", p.name, words[0])
			}
		}
		if _, hasFlags := commandSections[name]; !hasFlags {
			continue
		}
		defined := definedFlags(t, name)
		for _, word := range words {
			flag, _, _ := strings.Cut(strings.TrimLeft(word, "-"), "=")
			if strings.HasPrefix(word, "-") && flag != "h" && !slices.Contains(defined, flag) {
				t.Errorf("%s: %q has no flag %s", p.name, name, word)
			}
		}
	}
}

// namedCode is a code in a sentence, or in brackets after a diagnostic.
var namedCode = regexp.MustCompile("(?i:codes?|errors?|warnings?|notes?|reports|reported as) `([a-z]+(?:-[a-z0-9]+)+)`|(?m: \\[([a-z]+(?:-[a-z0-9]+)+)\\]$)")

// TestCodes checks that the page about diagnostics has every code, and that the codes exist that
// other pages name.
func TestCodes(t *testing.T) {
	_, pages := readMarkdown(t)
	for _, code := range gen.Codes() {
		if !pages["docs/reference/diagnostics.md"].anchors[string(code)] {
			t.Errorf("the page about diagnostics does not have %s", code)
		}
	}
	found := 0
	for _, p := range pages {
		for _, m := range namedCode.FindAllStringSubmatch(p.prose+p.fences["text"], -1) {
			found++
			if _, ok := gen.Explain(diag.Code(m[1] + m[2])); !ok {
				t.Errorf("%s: there is no code %s", p.name, m[1]+m[2])
			}
		}
	}
	if found < 10 {
		t.Errorf("found only %d codes in pages", found)
	}
}

// TestNotation parses the notation in all pages. Fragments may lack the array.
func TestNotation(t *testing.T) {
	_, pages := readMarkdown(t)
	found := 0
	for _, p := range pages {
		for _, m := range fence.FindAllStringSubmatch(p.text, -1) {
			if m[2] != "aion" {
				continue
			}
			found++
			text := strings.TrimSpace(m[3])
			if !strings.HasPrefix(text, "[") && !strings.HasPrefix(text, "//") {
				text = "[" + text + "]"
			}
			doc, faults := aion.Parse(p.name, []byte(text))
			faults = append(faults, aion.Check(doc)...)
			if len(faults) > 0 {
				t.Errorf("%s: %v\n%s", p.name, faults, m[3])
			}
		}
	}
	if found < 15 {
		t.Errorf("found only %d blocks of notation", found)
	}
}
