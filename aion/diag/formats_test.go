package diag

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// sources are the files of the diagnostics below. The first line of a.aion has a byte
// order mark, an é of two bytes and an emoji of four.
var sources = map[string]string{
	"a.aion":       "\ufeffé👍 x\r\n\tsecond line\r\n",
	"dir b/f:1.go": "package b\n",
}

func newTestPrinter() Printer {
	return Printer{
		Read: func(file string) ([]byte, error) {
			src, ok := sources[file]
			if !ok {
				return nil, fs.ErrNotExist
			}
			return []byte(src), nil
		},
		Tool: Tool{
			Name: "aiongen", Version: "v1.2.3", URL: "https://example.com",
			Describe: func(c Code) (Description, bool) {
				return Description{Summary: "Summary of " + string(c) + ".", Text: "Text with {0} of " + string(c) + ".", More: "More."}, true
			},
		},
	}
}

// sampleList returns diagnostics of all kinds: with and without a position, on one line and on two, in
// readable and in unreadable files.
func sampleList() List {
	var list List
	list.Errorf("first", Span{"a.aion", Pos{10, 1, 11}, Pos{11, 1, 12}}, "a %q, 100%%", "{0}: [x](1), \x1b[0m").
		WithRelated(Span{"dir b/f:1.go", Pos{8, 1, 9}, Pos{9, 1, 10}}, "b is here").
		WithRelated(Span{}, "from nowhere").
		WithHelp("write:\n  {\n  }").
		WithHelp("or not").
		WithCause(errors.New("the cause")).
		WithFix(Edit{Span{"a.aion", Pos{10, 1, 11}, Pos{11, 1, 12}}, `"<y>"`}, Span{"dir b/f:1.go", Pos{0, 1, 1}, Pos{7, 1, 8}}.Insert(" c")).
		WithGuess(Edit{Span{"a.aion", Pos{10, 1, 11}, Pos{11, 1, 12}}, ""})
	list.Warnf("second", Span{"a.aion", Pos{3, 1, 4}, Pos{15, 2, 2}}, "over two lines").
		WithFix(Span{"gone.aion", Pos{4, 2, 3}, Pos{5, 2, 4}}.Insert("in a file that cannot be read"))
	list.Errorf("first", Span{"a.aion", Pos{13, 2, 1}, Pos{13, 2, 1}}, "an insertion point")
	list.Errorf("first", Span{"a.aion", Pos{3, 1, 4}, Pos{}}, "without an end")
	list.Errorf("third", Span{"gone.aion", Pos{4, 2, 3}, Pos{5, 2, 4}}, "cannot be read")
	list.Errorf("third", Span{File: "/abs/%41.aion"}, "a file as a whole")
	list.Warnf("fourth", Span{}, "no place").WithRelated(Span{File: "a.aion"}, "but this one")
	list.Errorf("fifth", Span{}, "no place,\r\nand a line end")
	list.Notef("sixth", Span{File: "a.aion"}, "nothing to change")
	return list
}

func TestGitHub(t *testing.T) {
	want := strings.Join([]string{
		`::error file=a.aion,line=1,endLine=1,col=5,endColumn=6,title=first::a "{0}: [x](1), \x1b[0m", 100%25%0Adir b/f:1.go:1:9: note: b is here%0Anote: from nowhere%0Ahelp: write:%0A  {%0A  }%0Ahelp: or not`,
		`::warning file=a.aion,line=1,endLine=2,title=second::over two lines`,
		`::error file=a.aion,line=2,endLine=2,col=1,endColumn=1,title=first::an insertion point`,
		`::error file=a.aion,line=1,title=first::without an end`,
		`::error file=gone.aion,line=2,endLine=2,title=third::cannot be read`,
		`::error file=/abs/%2541.aion,title=third::a file as a whole`,
		`::warning title=fourth::no place%0Aa.aion: note: but this one`,
		`::error title=fifth::no place,\x0d\nand a line end`,
		`::notice file=a.aion,title=sixth::nothing to change`,
		``,
	}, "\n")
	var got bytes.Buffer
	if err := newTestPrinter().GitHub(&got, sampleList()); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, got.String()); d != "" {
		t.Error(d)
	}
	var list List
	list.Errorf("c", Span{File: "a,b:c%\r\n.aion"}, "m")
	got.Reset()
	if err := newTestPrinter().GitHub(&got, list); err != nil || got.String() != "::error file=a%2Cb%3Ac%25%0D%0A.aion,title=c::m\n" {
		t.Errorf("%v, %q", err, got.String())
	}
}

// TestJSON reads back the JSON under the documented names.
func TestJSON(t *testing.T) {
	type pos struct{ Offset, Line, Column int }
	type span struct {
		File       string
		Start, End pos
	}
	type related struct {
		Span    span
		Message string
	}
	type edit struct {
		Span span
		Text string
	}
	type fix struct {
		Guess bool
		Edits []edit
	}
	type diagnostic struct {
		Code, Severity, Message string
		Span                    span
		Help                    []string
		Related                 []related
		Fixes                   []fix
	}
	toSpan := func(s Span) span { return span{s.File, pos(s.Start), pos(s.End)} }
	var want []diagnostic
	for _, d := range sampleList() {
		w := diagnostic{string(d.Code), d.Severity.String(), d.Message, toSpan(d.Span), d.Help, nil, nil}
		for _, r := range d.Related {
			w.Related = append(w.Related, related{toSpan(r.Span), r.Message})
		}
		for _, f := range d.Fixes {
			edits := []edit{}
			for _, e := range f.Edits {
				edits = append(edits, edit{toSpan(e.Span), e.Text})
			}
			w.Fixes = append(w.Fixes, fix{f.Guess, edits})
		}
		want = append(want, w)
	}
	var out bytes.Buffer
	if err := newTestPrinter().JSON(&out, sampleList()); err != nil {
		t.Fatal(err)
	}
	var got []diagnostic
	if err := json.Unmarshal(out.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	for _, absent := range []string{"null", `"line": 0`, `"file": ""`, `\u003c`} {
		if strings.Contains(out.String(), absent) {
			t.Errorf("%s in\n%s", absent, &out)
		}
	}
}

// TestEmpty checks that an empty list becomes a valid document.
func TestEmpty(t *testing.T) {
	var out bytes.Buffer
	if err := (Printer{}).JSON(&out, nil); err != nil || out.String() != "[]\n" {
		t.Errorf("%v, %q", err, out.String())
	}
	out.Reset()
	if err := (Printer{}).GitHub(&out, nil); err != nil || out.String() != "" {
		t.Errorf("%v, %q", err, out.String())
	}
}

// TestSARIF compares documents with golden files. The module conformance checks these
// against the schema of SARIF and reads them with another library.
func TestSARIF(t *testing.T) {
	for name, list := range map[string]List{"everything": sampleList(), "nothing": nil} {
		var got bytes.Buffer
		if err := newTestPrinter().SARIF(&got, list); err != nil {
			t.Fatal(err)
		}
		golden := filepath.Join("testdata", name+".sarif")
		if *update {
			if err := os.WriteFile(golden, got.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(string(want), got.String()); d != "" {
			t.Errorf("%s, or run with -update: %s", golden, d)
		}
	}
}

// TestColor checks that colors only add control sequences, and that the text of a
// diagnostic cannot add others.
func TestColor(t *testing.T) {
	p := newTestPrinter()
	var plain, painted bytes.Buffer
	if err := p.Print(&plain, sampleList()); err != nil {
		t.Fatal(err)
	}
	p.Color = true
	if err := p.Print(&painted, sampleList()); err != nil {
		t.Fatal(err)
	}
	const head = "\x1b[1ma.aion:1:11:\x1b[0m \x1b[1;31merror:\x1b[0m "
	if !strings.HasPrefix(painted.String(), head) {
		t.Errorf("%q", painted.String())
	}
	text := painted.String()
	for _, s := range []style{"0", bold, red, green, yellow, blue, cyan} {
		sequence := "\x1b[" + string(s) + "m"
		if !strings.Contains(text, sequence) {
			t.Errorf("%q is not used", sequence)
		}
		text = strings.ReplaceAll(text, sequence, "")
	}
	if d := cmp.Diff(plain.String(), text); d != "" {
		t.Error(d)
	}
}
