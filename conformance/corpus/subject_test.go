package corpus_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/big"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/aiongen/aiongen/runtime/tool"
	"github.com/aiongen/aiongen/testdata/golden/corpus"
)

// subject is a tool of package corpus whose argument and result have one type, together with what its
// generated code is compared with.
type subject struct {
	row
	tool          tool.Tool
	result        reflect.Type // also the schema of the argument, as far as a model sees it
	goType        reflect.Type // the same type in Go
	arguments     reflect.Type // the type into which encoding/json decodes arguments
	wrapped       bool         // the argument is a field of the arguments object, not the whole object
	input, output *jsonschema.Schema
}

var registry = func() *tool.Registry {
	r := tool.NewRegistry()
	if err := corpus.Register(r); err != nil {
		panic(err)
	}
	return r
}()

func newSubject(t testing.TB, r row) *subject {
	t.Helper()
	generated, ok := registry.Get(r.name)
	if !ok {
		t.Fatalf("there is no tool %s", r.name)
	}
	s := &subject{row: r, tool: generated, goType: reflect.TypeOf(r.function).Out(0)}
	if s.result = s.goType; r.view != nil {
		s.result = reflect.TypeOf(r.view)
	}
	s.input = compileSchema(t, generated.Definition().Input)
	s.output = compileSchema(t, generated.Definition().Output)
	_, s.wrapped = s.input.Properties["v"]
	switch {
	case r.given != nil:
		s.arguments = reflect.TypeOf(r.given)
	case s.wrapped:
		s.arguments = reflect.StructOf([]reflect.StructField{{Name: "V", Type: s.result, Tag: `json:"v"`}})
	case s.result.Kind() == reflect.Pointer:
		s.arguments = s.result.Elem()
	default:
		s.arguments = s.result
	}
	return s
}

// compileSchema returns a validator that asserts formats and contents.
func compileSchema(t testing.TB, schema []byte) *jsonschema.Schema {
	t.Helper()
	return compileWith(t, schema, customFormats)
}

func compileWith(t testing.TB, schema []byte, formats []*jsonschema.Format) *jsonschema.Schema {
	t.Helper()
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	c.AssertContent()
	for _, format := range formats {
		c.RegisterFormat(format)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(schema))
	if err != nil {
		t.Fatal(err)
	}
	if err := c.AddResource("schema.json", doc); err != nil {
		t.Fatal(err)
	}
	compiled, err := c.Compile("schema.json")
	if err != nil {
		t.Fatalf("%v in %s", err, schema)
	}
	return compiled
}

// randomDocument returns arguments as encoding/json writes them from a random value, under the given
// rules.
func (s *subject) randomDocument(t testing.TB, g generator, rules jsonv2.Options) string {
	text, err := jsonv2.Marshal(g.randomValue(s.arguments).Addr().Interface(), rules)
	if err != nil {
		t.Fatalf("%s: %v", s.name, err)
	}
	return string(text)
}

// verdict is the outcome for one document of arguments.
type verdict struct {
	accepted bool         // accepted by generated code
	valid    bool         // accepted by the schema, after intended deviations were corrected
	refused  []difference // why it is valid but rejected
	softened []byte       // the corrected document
}

// judgeDocument lets generated code, the validator and encoding/json read arguments, and generated
// code and encoding/json write them again. It returns an error if they disagree outside the closed
// list.
func (s *subject) judgeDocument(text string) (v verdict, err error) {
	x := &corpus.Exchange{}
	call := registry.Call(corpus.With(context.Background(), x), tool.Request{Name: s.name, Arguments: []byte(text)})
	v.accepted = call.Err == nil
	faults, ok := errors.AsType[*tool.ArgumentError](call.Err)
	if call.Err != nil && !ok {
		return v, call.Err
	}
	if !isInteroperable(text) {
		if v.accepted {
			return v, errors.New("accepted, but it is no JSON, or beyond a limit")
		}
		return v, nil
	}
	doc := s.correctArguments(text)
	v.softened = mustValue(marshalStandard(doc))
	invalid := s.input.Validate(capExponents(doc))
	v.valid = invalid == nil
	if v.accepted != v.valid && slices.Contains(s.but, throughJSON) && v.accepted == (readPlain([]byte(text), reflect.New(s.arguments).Interface()) == nil) {
		v.refused = []difference{throughJSON}
		return v, nil
	}
	switch {
	case v.accepted && !v.valid:
		return v, fmt.Errorf("accepted, but by its schema %v", invalid)
	case !v.accepted && v.valid:
		v.refused, err = s.explainRefusal(doc, v.softened, faults)
		return v, err
	case v.accepted:
		return v, s.compareValues(v.softened, x.Argument, call.Output)
	}
	return v, nil
}

// compareValues compares an argument that was read, and the result that was written from it, with
// those of encoding/json.
func (s *subject) compareValues(text []byte, argument any, output []byte) error {
	want := reflect.New(s.arguments)
	if err := s.readOurs(text, want.Interface()); err != nil {
		return fmt.Errorf("accepted, but not by encoding/json: %v", err)
	}
	switch {
	case s.wrapped:
		want = want.Elem().Field(0).Addr()
	case s.result.Kind() == reflect.Pointer:
		p := reflect.New(s.result)
		p.Elem().Set(want)
		want = p
	}
	argument = s.viewOf(argument)
	got := reflect.ValueOf(argument).Elem()
	if s.given != nil {
		got = reflect.New(s.arguments).Elem()
		copyFields(got, reflect.ValueOf(argument).Elem())
	}
	if !isSame(want.Elem().Interface(), got.Interface()) {
		return fmt.Errorf("read as another value: %s", cmp.Diff(want.Elem().Interface(), got.Interface(), equalOptions...))
	}
	return s.checkOutput(argument, output)
}

// checkOutput checks the result that was written from *value against encoding/json and the output
// schema.
func (s *subject) checkOutput(value any, output []byte) error {
	want, err := jsonv2.Marshal(value, resultRules)
	if err != nil {
		return fmt.Errorf("written, but not by encoding/json: %v", err)
	}
	if !bytes.Equal(want, output) && (s.view == nil || !cmp.Equal(decodeNumbers(want), decodeNumbers(output))) { // bytes may not be text
		return fmt.Errorf("the result is written as %s, want %s", output, want)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(output))
	if err != nil {
		return fmt.Errorf("the result is no JSON: %v", err)
	}
	if err := s.output.Validate(doc); err != nil {
		return fmt.Errorf("the result %s is not valid: %v", output, err)
	}
	return nil
}

// viewOf returns a pointer to the value that a model sees instead of *value, with the same JSON form.
func (s *subject) viewOf(value any) any {
	if s.view == nil {
		return value
	}
	seen := reflect.New(s.result)
	copyFields(seen.Elem(), reflect.ValueOf(value).Elem())
	return seen.Interface()
}

// copyFields copies a value to one of another type, field by field according to their names. An error
// becomes a pointer to its text.
func copyFields(to, from reflect.Value) {
	switch {
	case from.Type() == reflect.TypeFor[error]():
		if !from.IsNil() {
			to.Set(reflect.ValueOf(new(from.Interface().(error).Error())))
		}
	case from.Kind() == reflect.Interface && to.Kind() == reflect.Struct: // a union
		if x := reflect.Indirect(from.Elem()); x.IsValid() {
			field := to.FieldByName(x.Type().Name())
			field.Set(reflect.New(field.Type().Elem()))
			copyFields(field.Elem(), x)
		}
	case to.Type() == from.Type() || to.Kind() == reflect.String:
		to.Set(from.Convert(to.Type()))
	case to.Kind() == from.Kind() && from.CanConvert(to.Type()): // represented types
		to.Set(from.Convert(to.Type()))
	case to.Kind() == reflect.Struct:
		for i := range to.NumField() {
			copyFields(to.Field(i), from.FieldByName(to.Type().Field(i).Name))
		}
	case to.Kind() == reflect.Array:
		for i := range from.Len() {
			copyFields(to.Index(i), from.Index(i))
		}
	case from.IsNil():
	case to.Kind() == reflect.Pointer:
		to.Set(reflect.New(to.Type().Elem()))
		copyFields(to.Elem(), from.Elem())
	case to.Kind() == reflect.Slice:
		to.Set(reflect.MakeSlice(to.Type(), from.Len(), from.Len()))
		for i := range from.Len() {
			copyFields(to.Index(i), from.Index(i))
		}
	case to.Kind() == reflect.Map:
		to.Set(reflect.MakeMap(to.Type()))
		for k, v := range from.Seq2() {
			key, elem := reflect.New(to.Type().Key()).Elem(), reflect.New(to.Type().Elem()).Elem()
			copyFields(key, k)
			copyFields(elem, v)
			to.SetMapIndex(key, elem)
		}
	}
}

// equalOptions are the options for comparing values that were read in two ways.
var equalOptions = cmp.Options{
	cmpopts.EquateEmpty(),
	cmp.Exporter(func(reflect.Type) bool { return true }),
	cmp.FilterValues(func(a, b json.RawMessage) bool { return len(a)+len(b) > 0 }, cmp.Comparer(func(a, b json.RawMessage) bool {
		return len(a) > 0 && len(b) > 0 && cmp.Equal(decodeNumbers(a), decodeNumbers(b)) // null is not empty
	})),
	cmp.Comparer(func(a, b corpus.Kept) bool { // the members of an object may be in another order
		return (a == corpus.Kept{}) == (b == corpus.Kept{}) && cmp.Equal(keptValue(a), keptValue(b))
	}),
	cmp.Comparer(func(a, b big.Int) bool { return a.Cmp(&b) == 0 }),
	cmp.Comparer(func(a, b big.Float) bool { return a.Cmp(&b) == 0 }),
	cmp.Transformer("text", func(m map[time.Time]int) map[string]int {
		texts := map[string]int{}
		for k, v := range m {
			texts[k.String()] = v
		}
		return texts
	}),
}

func keptValue(k corpus.Kept) any { return decodeNumbers(mustValue(k.MarshalJSON())) }

func decodeNumbers(raw json.RawMessage) any {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var x any
	if err := d.Decode(&x); err != nil && len(raw) > 0 {
		panic(err) // it was read from JSON
	}
	return x
}

// isSame is cmp.Equal, but fast if the values are identical.
func isSame(a, b any) bool { return reflect.DeepEqual(a, b) || cmp.Equal(a, b, equalOptions...) }

// The defaults of tool.MaxDepth and tool.MaxArguments.
const maxDepth, maxArguments = 64, 1 << 20

// isInteroperable reports whether a text is JSON as restricted by RFC 7493 (UTF-8, no repeated keys, no
// lone surrogates), within the limits.
func isInteroperable(text string) bool {
	if text == "" {
		text = "{}" // for tools
	}
	if len(text) > maxArguments {
		return false
	}
	d := jsontext.NewDecoder(strings.NewReader(text))
	for {
		_, err := d.ReadToken()
		if err != nil || d.StackDepth() > maxDepth {
			return false
		}
		if d.StackDepth() == 0 {
			_, err := d.ReadToken()
			return err == io.EOF
		}
	}
}
