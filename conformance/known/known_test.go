package known

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"cloud.google.com/go/civil"
	"github.com/guregu/null/v6"
	"github.com/jackc/pgx/v5/pgtype"
	"github.com/oapi-codegen/nullable"
	openapi "github.com/oapi-codegen/runtime/types"
	"github.com/openai/openai-go/v3/packages/param"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/shopspring/decimal"
	"go.mongodb.org/mongo-driver/v2/bson"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/aiongen/aiongen/runtime/tool"
)

// samples are the documents that every type is given. Each type accepts some and rejects others.
var samples = []string{
	`null`, `true`, `false`, `0`, `-1`, `3`, `255`, `256`, `32768`, `2147483648`, `-2147483649`, `1e3`, `5.0`, `1.5`, `-0.25`, `9007199254740993`, `18446744073709551615`,
	`1e39`, `1e400`, `12345678901234567890.123`, `""`, `"a"`, `"5"`, `"1.50"`, `"-7e3"`, `"NaN"`, `"Infinity"`, `"-Infinity"`, `"infinity"`, `"-infinity"`, `"500m"`, `"1Gi"`,
	`"2024-02-29"`, `"2023-02-29"`, `"0000-00-00"`, `"2024-2-3"`, `"2024-02-29T03:04:05Z"`, `"2024-02-29T03:04:05.123456789+02:00"`, `"2024-02-29T03:04:05"`,
	`"2024-02-29T03:04:05.5"`, `"2024-02-29t03:04:05"`, `"2024-02-30T03:04:05Z"`, `"03:04:05"`, `"03:04:05.25"`, `"3:04:05"`, `"25:00:00"`,
	`"123e4567-e89b-12d3-a456-426614174000"`, `"123e4567e89b12d3a456426614174000"`, `"123E4567-E89B-12D3-A456-42661417400Z"`,
	`"507f1f77bcf86cd799439011"`, `"507f1f77bcf86cd79943901"`, `"ada@example.com"`, `"Ada <ada@example.com>"`, `"ada@"`, `[]`, `["a"]`, `{}`, `{"$oid":"507f1f77bcf86cd799439011"}`,
}

// A subject is a tool with the type of its argument.
type subject struct {
	name   string
	goType reflect.Type
}

func newSubject[T any](name string) subject {
	return subject{name, reflect.TypeFor[T]()}
}

var subjects = []subject{
	newSubject[pgtype.Text]("pg_text"), newSubject[pgtype.Bool]("pg_bool"), newSubject[pgtype.Int2]("pg_int2"),
	newSubject[pgtype.Int4]("pg_int4"), newSubject[pgtype.Int8]("pg_int8"), newSubject[pgtype.Uint32]("pg_uint32"),
	newSubject[pgtype.Float4]("pg_float4"), newSubject[pgtype.Float8]("pg_float8"), newSubject[pgtype.Numeric]("pg_numeric"),
	newSubject[pgtype.UUID]("pg_uuid"), newSubject[pgtype.Date]("pg_date"), newSubject[pgtype.Timestamp]("pg_timestamp"),
	newSubject[pgtype.Timestamptz]("pg_timestamptz"),
	newSubject[openapi.Email]("openapi_email"), newSubject[openapi.Date]("openapi_date"), newSubject[openapi.UUID]("openapi_uuid"),
	newSubject[civil.Date]("civil_date"), newSubject[civil.Time]("civil_time"), newSubject[civil.DateTime]("civil_date_time"),
	newSubject[null.String]("null_string"), newSubject[null.Int]("null_int"), newSubject[null.Int16]("null_int16"),
	newSubject[null.Int32]("null_int32"), newSubject[null.Byte]("null_byte"), newSubject[null.Float]("null_float"),
	newSubject[null.Bool]("null_bool"), newSubject[null.Time]("null_time"), newSubject[null.Value[int]]("null_value"),
	newSubject[nullable.Nullable[string]]("nullable"), newSubject[bson.ObjectID]("object_id"),
	newSubject[bson.Decimal128]("decimal128"), newSubject[bson.DateTime]("bson_date_time"),
	newSubject[decimal.Decimal]("decimal"), newSubject[decimal.NullDecimal]("null_decimal"),
	newSubject[resource.Quantity]("quantity"), newSubject[param.Opt[string]]("param_string"), newSubject[param.Opt[int64]]("param_int"),
}

var registry = func() *tool.Registry {
	r := tool.NewRegistry()
	if err := Register(r); err != nil {
		panic(err)
	}
	return r
}()

// TestKnown gives each tool all samples. The generated code must accept exactly the samples that its
// schema allows and encoding/json reads, and write what encoding/json writes.
func TestKnown(t *testing.T) {
	for _, s := range subjects {
		t.Run(s.name, func(t *testing.T) {
			if s.name == "" {
				t.Fatal("a type has no tool")
			}
			definition, _ := registry.Get(s.name)
			input, output := compile(t, definition.Definition().Input), compile(t, definition.Definition().Output)
			var accepted, loose, narrow []string
			for _, sample := range samples {
				document := []byte(`{"v":` + sample + `}`)
				if input.Properties["list"] != nil {
					document = []byte(`{"v":` + sample + `,"list":[],"by":{}}`)
				}
				want := reflect.New(reflect.StructOf([]reflect.StructField{{Name: "V", Type: s.goType, Tag: `json:"v"`}}))
				readErr := json.Unmarshal([]byte(`{"v":`+sample+`}`), want.Interface())
				valid := input.Validate(parse(document)) == nil
				if sample == "null" && !slices.Contains(input.Required, "v") {
					valid = true // null is absent
				}
				call := registry.Call(context.Background(), tool.Request{Name: s.name, Arguments: document})
				if _, isFault := errors.AsType[*tool.ArgumentError](call.Err); call.Err != nil && !isFault {
					if readErr == nil {
						if _, err := json.Marshal(want.Interface()); err != nil {
							continue // the type reads it, but does not write it
						}
					}
					t.Errorf("%s: %v", sample, call.Err)
					continue
				}
				switch ours := call.Err == nil; {
				case ours && (!valid || readErr != nil):
					t.Errorf("%s: accepted, valid %t, encoding/json: %v", sample, valid, readErr)
				case !ours && valid && readErr == nil:
					t.Errorf("%s: rejected, but valid and read by encoding/json: %v", sample, call.Err)
				case valid && readErr != nil:
					loose = append(loose, sample)
				case !valid && readErr == nil && sample != "null":
					narrow = append(narrow, sample)
				case ours:
					accepted = append(accepted, sample)
					checkOutput(t, sample, output, call.Output, want.Elem().Field(0))
				}
			}
			if len(accepted) == 0 || len(accepted) > 3*len(samples)/4 {
				t.Errorf("%d samples are accepted", len(accepted))
			}
			t.Logf("accepted %s\nvalid, but rejected by the type %s\nread by the type, but invalid %s", accepted, loose, narrow)
		})
	}
	if names := registry.Names(); len(names) != len(subjects)+len(fields) {
		t.Errorf("there are %d tools and %d subjects", len(names), len(subjects)+len(fields))
	}
}

// checkOutput compares what was written with encoding/json and the schema.
func checkOutput(t *testing.T, sample string, schema *jsonschema.Schema, output []byte, want reflect.Value) {
	t.Helper()
	text := new(bytes.Buffer)
	e := json.NewEncoder(text)
	e.SetEscapeHTML(false)
	if err := e.Encode(want.Addr().Interface()); err != nil {
		t.Errorf("%s: %v", sample, err)
		return
	}
	var got struct{ V json.RawMessage }
	if err := json.Unmarshal(output, &got); err != nil || string(got.V) != strings.TrimSpace(text.String()) {
		t.Errorf("%s: written as %s, want %s", sample, got.V, text)
	}
	if err := schema.Validate(parse(output)); err != nil {
		t.Errorf("%s: the result %s is invalid: %v", sample, output, err)
	}
}

// TestZero writes the zero value of each type, and reads arguments without it.
func TestZero(t *testing.T) {
	for _, s := range subjects {
		definition, _ := registry.Get(s.name)
		input, output := compile(t, definition.Definition().Input), compile(t, definition.Definition().Output)
		text, err := json.Marshal(reflect.Zero(s.goType).Interface())
		isNull := err == nil && string(text) == "null"
		if required := slices.Contains(input.Required, "v"); required == isNull && s.name != "nullable" {
			t.Errorf("%s: required %t, but its zero value is %s", s.name, required, text)
		}
		if !isNull {
			continue
		}
		document := `{}`
		if input.Properties["list"] != nil {
			document = `{"list":[null],"by":{"a":null}}`
		}
		call := registry.Call(context.Background(), tool.Request{Name: s.name, Arguments: []byte(document)})
		if call.Err != nil {
			t.Errorf("%s: %v", s.name, call.Err)
			continue
		}
		var got struct {
			V    json.RawMessage
			List []json.RawMessage
		}
		if err := json.Unmarshal(call.Output, &got); err != nil || string(got.V) != "null" {
			t.Errorf("%s: %s, %v", s.name, call.Output, err)
		}
		if err := output.Validate(parse(call.Output)); err != nil {
			t.Errorf("%s: the result %s is invalid: %v", s.name, call.Output, err)
		}
	}
}

func compile(t *testing.T, schema []byte) *jsonschema.Schema {
	t.Helper()
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	if err := c.AddResource("schema.json", parse(schema)); err != nil {
		t.Fatal(err)
	}
	compiled, err := c.Compile("schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return compiled
}

func parse(text []byte) any {
	x, err := jsonschema.UnmarshalJSON(io.Reader(bytes.NewReader(text)))
	if err != nil {
		panic(err)
	}
	return x
}

// fields are the tools whose arguments are in structs that say whether there is a value, with the type of the value.
var fields = []subject{
	newSubject[string]("field_string"), newSubject[int64]("field_int"), newSubject[bool]("field_bool"),
	newSubject[[]string]("field_list"), newSubject[time.Time]("field_time"), newSubject[openapi.UUID]("field_uuid"),
}

// integers are samples that JSON Schema calls integers, in the form that encoding/json reads.
var integers = map[string]string{"1e3": "1000", "5.0": "5"}

// TestFields gives the tools of fields all samples, as a required and as an optional argument. They must accept exactly
// the samples that their schema allows and encoding/json reads. Null is only for the optional argument. The result is
// what is present.
func TestFields(t *testing.T) {
	for _, s := range fields {
		definition, _ := registry.Get(s.name)
		input := compile(t, definition.Definition().Input)
		accepted, first := 0, ""
		check := func(document, want string, readErr error) {
			valid := input.Validate(parse([]byte(document))) == nil
			call := registry.Call(context.Background(), tool.Request{Name: s.name, Arguments: []byte(document)})
			if got := call.Err == nil; got != (valid && readErr == nil) {
				t.Errorf("%s(%s): %v, valid %t, encoding/json: %v", s.name, document, call.Err, valid, readErr)
			} else if got && string(call.Output) != want {
				t.Errorf("%s(%s) = %s, want %s", s.name, document, call.Output, want)
			}
			if call.Err == nil {
				accepted++
			}
		}
		for _, sample := range samples {
			value := reflect.New(s.goType)
			readErr := json.Unmarshal([]byte(cmp.Or(integers[sample], sample)), value.Interface())
			written, err := json.Marshal(value.Interface())
			if err != nil {
				t.Fatal(err)
			}
			if before := accepted; sample != "null" {
				check(`{"need":`+sample+`}`, `{"need":`+string(written)+`}`, readErr)
				if first == "" && accepted > before {
					first = string(written)
				}
				check(`{"v":`+sample+`,"need":`+sample+`}`, `{"need":`+string(written)+`,"v":`+string(written)+`}`, readErr)
			}
		}
		check(`{"need":null}`, "", errors.New("null is not a value"))
		check(`{"need":`+first+`,"v":null}`, `{"need":`+first+`,"v":null}`, nil)
		if accepted < 3 {
			t.Errorf("%s: %d arguments are accepted", s.name, accepted)
		}
	}
}
