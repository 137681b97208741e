package protodesc_test

import (
	"encoding/binary"
	"fmt"
	"go/ast"
	"go/parser"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/aiongen/aiongen/gen/internal/protodesc"
)

// field returns a field of a message in the binary format.
func field(number int, value any) []byte {
	if n, ok := value.(int); ok {
		return binary.AppendUvarint(binary.AppendUvarint(nil, uint64(number<<3)), uint64(n))
	}
	text := value.(string)
	return append(binary.AppendUvarint(binary.AppendUvarint(nil, uint64(number<<3|2)), uint64(len(text))), text...)
}

func message(fields ...[]byte) string { return string(slices.Concat(fields...)) }

// descriptor describes a file with an enum and a message that has a map, a oneof and a nested enum.
var descriptor = message(
	field(1, "a.proto"),
	field(2, "shop.v1"),
	field(5, message(field(1, "state"), field(2, message(field(1, "ON"), field(2, 0))), field(2, message(field(1, "OFF"), field(2, 1))))),
	field(4, message(
		field(1, "Item"),
		field(2, message(field(1, "display_name"), field(3, 1), field(4, 1), field(5, 9), field(10, "displayName"))),
		field(2, message(field(1, "small"), field(3, 2), field(4, 1), field(5, 5), field(9, 0))),
		field(2, message(field(1, "note_2"), field(3, 3), field(4, 1), field(5, 9), field(9, 1), field(17, 1))),
		field(2, message(field(1, "stock"), field(3, 4), field(4, 3), field(5, 11), field(6, ".shop.v1.Item.StockEntry"))),
		field(2, message(field(1, "id"), field(3, 5), field(4, 2), field(5, 3))),
		field(2, message(field(1, "line"), field(3, 6), field(4, 3), field(5, 10), field(6, ".shop.v1.Item.Line"))),
		field(3, message(field(1, "StockEntry"), field(7, message(field(7, 1))),
			field(2, message(field(1, "key"), field(5, 9))), field(2, message(field(1, "value"), field(5, 3))))),
		field(3, message(field(1, "Line"))),
		field(4, message(field(1, "Kind"), field(2, message(field(1, "NONE"))))),
		field(8, message(field(1, "size"))),
		field(8, message(field(1, "_note_2"))),
	)),
)

func parse(t *testing.T, expression string) ast.Expr {
	t.Helper()
	e, err := parser.ParseExpr(expression)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// summary lists what a package contains.
func summary(p *protodesc.Package) (lines []string) {
	for name, m := range p.Messages {
		line := name + " = " + m.Name + ":"
		for _, f := range m.Fields {
			line += fmt.Sprintf(" %s/%s/%s type %d", f.JSONName, f.TextName, f.GoName, f.Type)
			if f.Value != nil {
				line += fmt.Sprintf(" map %d to %d", f.Key.Type, f.Value.Type)
			}
			if f.Repeated || f.Required || f.Oneof != "" {
				line += fmt.Sprintf(" repeated %t required %t oneof %q", f.Repeated, f.Required, f.Oneof)
			}
			line += ";"
		}
		lines = append(lines, line)
	}
	for name, e := range p.Enums {
		lines = append(lines, fmt.Sprintf("%s = %s: %v", name, e.Name, e.Values))
	}
	slices.Sort(lines)
	return lines
}

// TestRead reads a descriptor in the three forms in which versions of protoc-gen-go write it.
func TestRead(t *testing.T) {
	var text, list []string
	for i := 0; i < len(descriptor); i += 10 {
		text = append(text, fmt.Sprintf("%q", descriptor[i:min(i+10, len(descriptor))]))
	}
	for _, b := range []byte(descriptor) {
		list = append(list, fmt.Sprintf("0x%x", b))
	}
	bytes := "[]byte{" + strings.Join(list, ", ") + "}"
	want := []string{
		`Item = shop.v1.Item: displayName/display_name/DisplayName type 9; small/small/Small type 5 repeated false required false oneof "size"; ` +
			`note2/note_2/Note_2 type 9; stock/stock/Stock type 11 map 9 to 3 repeated true required false oneof ""; ` +
			`id/id/Id type 3 repeated false required true oneof ""; line/Line/Line type 10 repeated true required false oneof "";`,
		`Item_Kind = shop.v1.Item.Kind: [{NONE Item_NONE}]`,
		`Item_Line = shop.v1.Item.Line:`,
		`State = shop.v1.state: [{ON State_ON} {OFF State_OFF}]`,
	}
	for _, expression := range []string{`"" + ` + strings.Join(text, " + "), bytes, "string(" + bytes + ")"} {
		got := summary(protodesc.Read([]ast.Expr{parse(t, expression)}))
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s\n%s", expression[:20], diff)
		}
	}
}

// TestReadDamaged checks that damaged descriptors do not end the compiler.
func TestReadDamaged(t *testing.T) {
	for i := range len(descriptor) {
		for _, b := range []byte{0, 0x7f, 0x80, 0xff} {
			damaged := descriptor[:i] + string([]byte{b}) + descriptor[i+1:]
			protodesc.Read([]ast.Expr{&ast.BasicLit{Value: fmt.Sprintf("%q", damaged)}})
			protodesc.Read([]ast.Expr{&ast.BasicLit{Value: fmt.Sprintf("%q", descriptor[:i]+strings.Repeat(string([]byte{b}), 20))}})
		}
	}
}

// TestBehavior reads google.api.field_behavior, with one value in each field or all of them in one.
func TestBehavior(t *testing.T) {
	for options, want := range map[string]protodesc.Behavior{
		"\xe0\x41\x02": {Required: true}, "\xe0\x41\x05\xe0\x41\x03": {OutputOnly: true}, "\xe2\x41\x02\x02\x05": {Required: true},
		"\xe2\x41\x02\x03\xff": {OutputOnly: true}, "\xe0\x41\x01": {}, "\xe2\x41\x00": {},
	} {
		field := fmt.Sprintf("\x0a\x01f\x42%c%s", len(options), options)
		message := fmt.Sprintf("\x0a\x01M\x12%c%s", len(field), field)
		file := fmt.Sprintf("\x22%c%s", len(message), message)
		got := protodesc.Read([]ast.Expr{&ast.BasicLit{Value: strconv.Quote(file)}}).Messages["M"].Fields[0].Behavior
		if got != want {
			t.Errorf("%q: %+v, want %+v", options, got, want)
		}
	}
}

func TestIsDescriptor(t *testing.T) {
	for name, want := range map[string]bool{"file_shop_v1_shop_proto_rawDesc": true, "file_shop_proto_rawDescData": false, "rawDesc": false} {
		if got := protodesc.IsDescriptor(name); got != want {
			t.Errorf("IsDescriptor(%q) = %t", name, got)
		}
	}
}

// TestClashingNames checks the Go names that protoc-gen-go gives to fields whose names clash with methods, with
// getters and with oneofs. The expected names are those of the struct that protoc-gen-go v1.36.11 generates.
func TestClashingNames(t *testing.T) {
	var fields []byte
	for _, name := range []string{"string", "descriptor", "x", "get_x", "get_y", "y", "reset", "choice", "choose"} {
		var oneof []byte
		if name == "choose" {
			oneof = field(9, 0)
		}
		fields = append(fields, field(2, message(field(1, name), field(4, 1), field(5, 9), oneof))...)
	}
	file := message(field(4, message(field(1, "M"), fields, field(8, message(field(1, "choose"))))))
	var got []string
	for _, f := range protodesc.Read([]ast.Expr{parse(t, fmt.Sprintf("%q", file))}).Messages["M"].Fields {
		got = append(got, f.GoName)
	}
	want := []string{"String_", "Descriptor_", "X", "GetX_", "GetY", "Y_", "Reset_", "Choice", "Choose"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
