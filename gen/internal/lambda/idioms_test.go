package lambda_test

import (
	"go/types"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/gen/internal/lambda"
	"github.com/aiongen/aiongen/gen/internal/lambda/pysyntax"
)

// idiomFile lists idioms of Python in the format of testdata/python, each after two signs: whether it
// was accepted at first, and whether it is accepted now.
const idiomFile = "testdata/idioms/idioms.txt"

// readIdioms returns the idioms, without their signs, and the signs.
func readIdioms(t *testing.T) (list []expression, signs []string) {
	t.Helper()
	list = readFile(t, idiomFile)
	for i := range list {
		sign, text, ok := strings.Cut(list[i].text, " ")
		if !ok || strings.Trim(sign, "+-") != "" || len(sign) != 2 {
			t.Fatalf("no signs before %s", list[i].text)
		}
		list[i].text = text
		signs = append(signs, sign)
	}
	return list, signs
}

// acceptedIdioms returns the idioms that are accepted according to their signs.
func acceptedIdioms(t *testing.T) (list []expression) {
	t.Helper()
	all, signs := readIdioms(t)
	for i, e := range all {
		if signs[i][1] == '+' {
			list = append(list, e)
		}
	}
	return list
}

// TestIdioms checks that the file says which idioms are accepted.
func TestIdioms(t *testing.T) {
	list, signs := readIdioms(t)
	before, after := 0, 0
	for i, e := range list {
		sign := "-"
		if err := compileIdiom(t, e); err == nil {
			sign = "+"
			after++
		} else if testing.Verbose() {
			t.Logf("refused: %s: %v", e.text, err)
		}
		if signs[i][0] == '+' {
			before++
		}
		if sign != signs[i][1:] {
			t.Errorf("%s with %v: want %s, got %s", e.text, e.params, signs[i][1:], sign)
		}
	}
	t.Logf("%d idioms: %d refused at first, %d now", len(list), len(list)-before, len(list)-after)
}

// compileIdiom compiles an idiom and returns its faults.
func compileIdiom(t *testing.T, e expression) error {
	t.Helper()
	s := names{}
	l, faults := pysyntax.Parse(e.lambda(), s.At)
	if faults.Err() != nil {
		return faults.Err()
	}
	var list []lambda.Param
	for _, p := range e.params {
		note, optional := strings.CutSuffix(p.note, " | optional")
		list = append(list, lambda.Param{Type: noteType(t, note), Optional: optional, Origin: "by a note"})
	}
	_, faults = lambda.Compile(l, list, nil, s)
	return faults.Err()
}

// noteType returns the type of a note.
func noteType(t *testing.T, note string) types.Type {
	t.Helper()
	anyType := types.Universe.Lookup("any").Type()
	switch note {
	case "str":
		return types.Typ[types.String]
	case "int":
		return types.Typ[types.Int]
	case "float":
		return types.Typ[types.Float64]
	case "bool":
		return types.Typ[types.Bool]
	case "any":
		return anyType
	case "dict":
		return types.NewMap(types.Typ[types.String], anyType)
	}
	if elem, ok := strings.CutPrefix(note, "list["); ok {
		return types.NewSlice(noteType(t, strings.TrimSuffix(elem, "]")))
	}
	elem, ok := strings.CutPrefix(note, "dict[string,")
	if !ok {
		t.Fatalf("unknown note %s", note)
	}
	return types.NewMap(types.Typ[types.String], noteType(t, strings.TrimSuffix(elem, "]")))
}
