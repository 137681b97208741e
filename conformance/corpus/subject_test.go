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

// subject is a tool of package corpus, whose argument and result are of one
// type, with what its generated code is held against.
type subject struct {
	row
	tool          tool.Tool
	result        reflect.Type // also that of the argument, as far as a model sees it
	goType        reflect.Type // the same in Go
	arguments     reflect.Type // what encoding/json reads arguments into
	wrapped       bool         // the argument is a field of the arguments, not all of them
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
	s.input = compile(t, generated.Definition().Input)
	s.output = compile(t, generated.Definition().Output)
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

// compile returns a validator that asserts formats and contents.
func compile(t testing.TB, schema []byte) *jsonschema.Schema {
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

// document returns arguments as encoding/json writes them from a random value,
// under the given rules.
func (s *subject) document(t testing.TB, g generator, rules jsonv2.Options) string {
	text, err := jsonv2.Marshal(g.value(s.arguments).Addr().Interface(), rules)
	if err != nil {
		t.Fatalf("%s: %v", s.name, err)
	}
	return string(text)
}

// verdict is what came of one document of arguments.
type verdict struct {
	accepted bool         // by generated code
	valid    bool         // by the schema, after what we accept on purpose was put right
	refused  []difference // why it is valid but not accepted
	softened []byte       // the document, put right
}

// judge lets generated code, the validator and encoding/json read arguments, and
// generated code and encoding/json write them again. The error is what they
// disagree on, but for the closed list.
func (s *subject) judge(text string) (v verdict, err error) {
	x := &corpus.Exchange{}
	call := registry.Call(corpus.With(context.Background(), x), tool.Request{Name: s.name, Arguments: []byte(text)})
	v.accepted = call.Err == nil
	faults, ok := errors.AsType[*tool.ArgumentError](call.Err)
	if call.Err != nil && !ok {
		return v, call.Err
	}
	if !interoperable(text) {
		if v.accepted {
			return v, errors.New("accepted, but it is no JSON, or beyond a limit")
		}
		return v, nil
	}
	doc := s.soften(text)
	v.softened = must(standard(doc))
	invalid := s.input.Validate(tame(doc))
	v.valid = invalid == nil
	if v.accepted != v.valid && slices.Contains(s.but, throughJSON) && v.accepted == (readPlain([]byte(text), reflect.New(s.arguments).Interface()) == nil) {
		v.refused = []difference{throughJSON}
		return v, nil
	}
	switch {
	case v.accepted && !v.valid:
		return v, fmt.Errorf("accepted, but by its schema %v", invalid)
	case !v.accepted && v.valid:
		v.refused, err = s.explain(doc, v.softened, faults)
		return v, err
	case v.accepted:
		return v, s.compare(v.softened, x.Argument, call.Output)
	}
	return v, nil
}

// compare holds an argument that was read, and the result that was written from
// it, against encoding/json.
func (s *subject) compare(text []byte, argument any, output []byte) error {
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
	argument = s.seen(argument)
	got := reflect.ValueOf(argument).Elem()
	if s.given != nil {
		got = reflect.New(s.arguments).Elem()
		copySeen(got, reflect.ValueOf(argument).Elem())
	}
	if !same(want.Elem().Interface(), got.Interface()) {
		return fmt.Errorf("read as another value: %s", cmp.Diff(want.Elem().Interface(), got.Interface(), equal...))
	}
	return s.checkOutput(argument, output)
}

// checkOutput holds the result that was written from *value against encoding/json
// and the output schema.
func (s *subject) checkOutput(value any, output []byte) error {
	want, err := jsonv2.Marshal(value, ours)
	if err != nil {
		return fmt.Errorf("written, but not by encoding/json: %v", err)
	}
	if !bytes.Equal(want, output) && (s.view == nil || !cmp.Equal(canonical(want), canonical(output))) { // bytes may be no text
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

// seen is what a model sees of a value that a pointer points to: a pointer to another,
// of the same form as JSON.
func (s *subject) seen(value any) any {
	if s.view == nil {
		return value
	}
	seen := reflect.New(s.result)
	copySeen(seen.Elem(), reflect.ValueOf(value).Elem())
	return seen.Interface()
}

// copySeen copies what one value has of another, by the names of fields.
func copySeen(to, from reflect.Value) {
	switch {
	case to.Type() == from.Type() || to.Kind() == reflect.String:
		to.Set(from.Convert(to.Type()))
	case to.Kind() == reflect.Struct:
		for i := range to.NumField() {
			copySeen(to.Field(i), from.FieldByName(to.Type().Field(i).Name))
		}
	case from.IsNil():
	case to.Kind() == reflect.Pointer:
		to.Set(reflect.New(to.Type().Elem()))
		copySeen(to.Elem(), from.Elem())
	case to.Kind() == reflect.Slice:
		to.Set(reflect.MakeSlice(to.Type(), from.Len(), from.Len()))
		for i := range from.Len() {
			copySeen(to.Index(i), from.Index(i))
		}
	case to.Kind() == reflect.Map:
		to.Set(reflect.MakeMap(to.Type()))
		for k, v := range from.Seq2() {
			elem := reflect.New(to.Type().Elem()).Elem()
			copySeen(elem, v)
			to.SetMapIndex(k, elem)
		}
	}
}

// equal are the options under which values that were read in two ways are equal.
var equal = cmp.Options{
	cmpopts.EquateEmpty(),
	cmp.Exporter(func(reflect.Type) bool { return true }),
	cmp.Comparer(func(a, b json.RawMessage) bool { return cmp.Equal(canonical(a), canonical(b)) }),
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

func canonical(raw json.RawMessage) any {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var x any
	if err := d.Decode(&x); err != nil && len(raw) > 0 {
		panic(err) // it was read from JSON
	}
	return x
}

// same is cmp.Equal, but fast where the values are equal in every bit.
func same(a, b any) bool { return reflect.DeepEqual(a, b) || cmp.Equal(a, b, equal...) }

// The defaults of tool.MaxDepth and tool.MaxArguments.
const maxDepth, maxArguments = 64, 1 << 20

// interoperable reports whether a text is JSON as RFC 7493 narrows it down (in
// UTF-8, no key twice, no lone surrogates), within the limits.
func interoperable(text string) bool {
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
