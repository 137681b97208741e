// Package protodesc reads the descriptors of Protocol Buffers that protoc-gen-go writes to Go source.
//
// Read returns the messages and enums of a Go package by the names of their Go types. The package does not
// import the Go module of Protocol Buffers, so that the compiler does not depend on it.
package protodesc

import (
	"cmp"
	"go/ast"
	"go/token"
	"strconv"
	"strings"
)

// Package holds the descriptors in a Go package.
type Package struct {
	Messages map[string]*Message // by Go type
	Enums    map[string]*Enum    // by Go type
	entries  map[string]*Message // entry messages of maps, by full name
}

// Message is the descriptor of a message.
type Message struct {
	Name   string // full name, such as google.protobuf.Timestamp
	Fields []*Field
}

// Field is the descriptor of a field.
type Field struct {
	Name      string // in the .proto file
	JSONName  string
	TextName  string // Name or, for a group, the name of its type
	GoName    string // of the field in Go
	CamelName string // of the field in the builder of an opaque message
	Type      Type
	Repeated  bool
	Required  bool
	Behavior  Behavior
	Oneof     string // name of the oneof that contains it, "" for none and for an optional field
	Key       *Field // nil unless the field is a map
	Value     *Field // nil unless the field is a map
	typeName  string // full name of a message
}

// Behavior holds the annotation google.api.field_behavior of a field.
type Behavior struct {
	Required   bool // requests must set the field
	OutputOnly bool // only responses set the field
}

// Enum is the descriptor of an enum.
type Enum struct {
	Name   string // full name
	Values []EnumValue
}

// EnumValue is one value of an enum.
type EnumValue struct {
	Name     string // in JSON
	Constant string // in Go
}

// Type is the type of a field, with the numbers of descriptor.proto.
type Type int

// The types of fields.
const (
	Double Type = iota + 1
	Float
	Int64
	Uint64
	Int32
	Fixed64
	Fixed32
	Bool
	String
	Group
	MessageType
	Bytes
	Uint32
	EnumType
	Sfixed32
	Sfixed64
	Sint32
	Sint64
)

// Read parses descriptors. Each is the value of a variable or constant for which IsDescriptor returns
// true.
func Read(descriptors []ast.Expr) *Package {
	p := &Package{Messages: map[string]*Message{}, Enums: map[string]*Enum{}, entries: map[string]*Message{}}
	for _, e := range descriptors {
		p.readFile(appendConstant(nil, e))
	}
	for _, m := range p.Messages {
		for _, f := range m.Fields {
			if entry := p.entries[f.typeName]; entry != nil && len(entry.Fields) == 2 {
				f.Key, f.Value = entry.Fields[0], entry.Fields[1]
			}
		}
	}
	return p
}

// IsDescriptor reports whether name is one that protoc-gen-go gives to the descriptor of a file,
// such as file_shop_proto_rawDesc.
func IsDescriptor(name string) bool {
	return strings.HasPrefix(name, "file_") && strings.HasSuffix(name, "_rawDesc")
}

// appendConstant appends the bytes of a constant expression: strings joined by +, or a list of bytes,
// possibly inside a conversion.
func appendConstant(b []byte, e ast.Expr) []byte {
	switch e := e.(type) {
	case *ast.BinaryExpr:
		var right []ast.Expr // the strings after the first, last one first
		var left ast.Expr = e
		for sum, ok := left.(*ast.BinaryExpr); ok && sum.Op == token.ADD; sum, ok = left.(*ast.BinaryExpr) {
			right, left = append(right, sum.Y), sum.X
		}
		b = appendConstant(b, left)
		for i := len(right) - 1; i >= 0; i-- {
			b = appendConstant(b, right[i])
		}
	case *ast.BasicLit:
		if text, err := strconv.Unquote(e.Value); err == nil {
			return append(b, text...)
		}
	case *ast.CallExpr:
		if len(e.Args) == 1 {
			return appendConstant(b, e.Args[0])
		}
	case *ast.ParenExpr:
		return appendConstant(b, e.X)
	case *ast.CompositeLit:
		for _, element := range e.Elts {
			if digit, ok := element.(*ast.BasicLit); ok {
				if n, err := strconv.ParseUint(digit.Value, 0, 8); err == nil {
					b = append(b, byte(n))
				}
			}
		}
	}
	return b
}

// The numbers of fields in descriptor.proto.
const (
	filePackage, fileMessage, fileEnum                                       = 2, 4, 5
	messageName, messageField, messageNested, messageEnum                    = 1, 2, 3, 4
	messageOptions, messageOneof, optionMapEntry                             = 7, 8, 7
	fieldName, fieldLabel, fieldType, fieldTypeName, fieldOptions            = 1, 4, 5, 6, 8
	fieldOneof, fieldJSONName, fieldOptional                                 = 9, 10, 17
	optionFeatures, featurePresence, legacyRequired, required, repeatedLabel = 21, 1, 3, 2, 3
	enumName, enumValue, oneofName                                           = 1, 2, 1
	optionBehavior, behaviorRequired, behaviorOutputOnly                     = 1052, 2, 3
)

func (p *Package) readFile(b []byte) {
	fields := parseFields(b)
	scope := findText(fields, filePackage)
	for _, f := range fields {
		switch f.number {
		case fileMessage:
			p.readMessage(f.bytes, scope, "")
		case fileEnum:
			p.readEnum(f.bytes, scope, "")
		}
	}
}

// findText returns the text of the last field with the given number, because in Protocol Buffers the last
// value of a field counts.
func findText(fields []wireField, number int) (text string) {
	for _, f := range fields {
		if f.number == number {
			text = string(f.bytes)
		}
	}
	return text
}

// joinNames returns the full name of a declaration in a scope, such as a package or message.
func joinNames(scope, name string) string { return strings.TrimPrefix(scope+"."+name, ".") }

// readMessage reads a message. Scope is the full name of the package or message that contains it.
// Outer is the name of the containing message without the package, or empty.
func (p *Package) readMessage(b []byte, scope, outer string) {
	fields := parseFields(b)
	name := findText(fields, messageName)
	m := &Message{Name: joinNames(scope, name)}
	outer = joinNames(outer, name)
	var oneofs []string
	isEntry := false
	for _, f := range fields {
		switch f.number {
		case messageOneof:
			oneofs = append(oneofs, findText(parseFields(f.bytes), oneofName))
		case messageNested:
			p.readMessage(f.bytes, m.Name, outer)
		case messageEnum:
			p.readEnum(f.bytes, m.Name, outer)
		case messageOptions:
			for _, o := range parseFields(f.bytes) {
				isEntry = isEntry || o.number == optionMapEntry && o.value != 0
			}
		}
	}
	for _, f := range fields {
		if f.number == messageField {
			m.Fields = append(m.Fields, readField(f.bytes, oneofs))
		}
	}
	m.renameClashing()
	if isEntry {
		p.entries[m.Name] = m
	} else {
		p.Messages[goName(outer)] = m
	}
}

func readField(b []byte, oneofs []string) *Field {
	var f Field
	oneof, optional := -1, false
	for _, w := range parseFields(b) {
		switch w.number {
		case fieldName:
			f.Name = string(w.bytes)
		case fieldLabel:
			f.Repeated, f.Required = w.value == repeatedLabel, w.value == required
		case fieldType:
			f.Type = Type(w.value)
		case fieldTypeName:
			f.typeName = strings.TrimPrefix(string(w.bytes), ".")
		case fieldOneof:
			oneof = int(w.value)
		case fieldJSONName:
			f.JSONName = string(w.bytes)
		case fieldOptional:
			optional = w.value != 0
		case fieldOptions:
			f.Required = f.Required || isLegacyRequired(w.bytes)
			f.Behavior = readBehavior(w.bytes)
		}
	}
	f.TextName, f.CamelName = f.Name, goName(f.Name)
	f.GoName = f.CamelName
	f.JSONName = cmp.Or(f.JSONName, jsonName(f.Name))
	if f.Type == Group {
		f.TextName = f.typeName[strings.LastIndexByte(f.typeName, '.')+1:]
	}
	if !optional && 0 <= oneof && oneof < len(oneofs) {
		f.Oneof = oneofs[oneof]
	}
	return &f
}

// isLegacyRequired reports whether the options of a field make it required. Files that declare an
// edition use this option instead of a label.
func isLegacyRequired(options []byte) bool {
	for _, o := range parseFields(options) {
		if o.number != optionFeatures {
			continue
		}
		for _, feature := range parseFields(o.bytes) {
			if feature.number == featurePresence && feature.value == legacyRequired {
				return true
			}
		}
	}
	return false
}

// readEnum reads an enum. Scope and outer are as for readMessage.
func (p *Package) readEnum(b []byte, scope, outer string) {
	fields := parseFields(b)
	name := findText(fields, enumName)
	e := &Enum{Name: joinNames(scope, name)}
	prefix := goName(cmp.Or(outer, name))
	for _, f := range fields {
		if f.number == enumValue {
			value := findText(parseFields(f.bytes), enumName)
			e.Values = append(e.Values, EnumValue{Name: value, Constant: prefix + "_" + value})
		}
	}
	p.Enums[goName(joinNames(outer, name))] = e
}

// readBehavior reads google.api.field_behavior, a list of enum values, from the options of a field.
func readBehavior(options []byte) (b Behavior) {
	add := func(value uint64) {
		b.Required = b.Required || value == behaviorRequired
		b.OutputOnly = b.OutputOnly || value == behaviorOutputOnly
	}
	for _, o := range parseFields(options) {
		if o.number != optionBehavior {
			continue
		}
		if o.bytes == nil {
			add(o.value)
		}
		for packed := o.bytes; len(packed) > 0; {
			value, n := parseVarint(packed)
			if n == 0 {
				break
			}
			add(value)
			packed = packed[n:]
		}
	}
	return b
}

// IsFieldMask reports whether the field is a google.protobuf.FieldMask, which lists the fields of a
// request that apply.
func (f *Field) IsFieldMask() bool {
	return f.Type == MessageType && f.typeName == "google.protobuf.FieldMask"
}
