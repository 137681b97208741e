package aion

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/aiongen/aiongen/aion/diag"
)

// sameDocument compares what two documents say: spans aside, and comments too,
// which move with what they are about.
var sameDocument = cmp.Options{
	cmpopts.IgnoreTypes(diag.Span{}),
	cmpopts.IgnoreFields(Document{}, "Comments"),
	cmpopts.EquateEmpty(),
}

func TestFormat(t *testing.T) {
	files, err := filepath.Glob("testdata/format/*.aion")
	if err != nil || len(files) == 0 {
		t.Fatal("no test data", err)
	}
	for _, file := range files {
		src, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		got := checkFormat(t, src)
		compareGolden(t, file[:len(file)-len(".aion")]+".want", got)
	}
}

// checkFormat formats a sound text and checks what Format promises.
func checkFormat(t *testing.T, src []byte) []byte {
	t.Helper()
	doc := parse(t, string(src))
	once, err := Format(doc)
	if err != nil {
		t.Skip(err)
	}
	again, list := Parse("test.aion", once)
	if list.Err() != nil {
		t.Fatalf("%v in\n%s", list.Err(), once)
	}
	if d := cmp.Diff(doc, again, sameDocument); d != "" {
		t.Errorf("the document is another (-before +after):\n%s", d)
	}
	if len(doc.Comments) != len(again.Comments) {
		t.Errorf("%d comments became %d", len(doc.Comments), len(again.Comments))
	}
	twice, err := Format(again)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(once), string(twice)); d != "" {
		t.Errorf("formatting is not stable:\n%s", d)
	}
	return once
}

func TestFormatRefuses(t *testing.T) {
	for _, value := range []string{`"""`, ` "`, "\n\"", "a\"\n \n"} {
		doc := &Document{SystemPrompt: &Text{Value: value}}
		if out, err := Format(doc); err == nil {
			t.Errorf("%q became %s", value, out)
		}
	}
	doc, _ := Parse("a", []byte("[ 5 ]"))
	if _, err := Format(doc); err == nil {
		t.Error("a document with faults was formatted")
	}
}

func FuzzFormat(f *testing.F) {
	files, _ := filepath.Glob("testdata/format/*.aion")
	for _, file := range files {
		src, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(src)
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		if _, list := Parse("fuzz.aion", src); len(list) == 0 {
			checkFormat(t, src)
		}
	})
}
