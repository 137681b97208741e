package corpus_test

import (
	"bytes"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"time"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	jsonv1 "github.com/go-json-experiment/json/v1"

	"github.com/aiongen/aiongen/testdata/golden/corpus"
)

// Package json/v2 implements encoding/json with options. It stands for encoding/json where section 4 of
// binding.md differs from that.

// encodingJSON are the rules by which encoding/json writes, without HTML escapes. TestReference checks
// them.
var encodingJSON = jsonv2.JoinOptions(
	jsonv1.DefaultOptionsV1(),
	jsontext.EscapeForHTML(false),
	jsonv2.WithMarshalers(marshalNumber),
)

// plainRules are the rules of encoding/json with the changes that we make for every type: nil slices
// and maps are empty.
var plainRules = jsonv2.JoinOptions(
	encodingJSON,
	jsonv2.FormatNilSliceAsNull(false),
	jsonv2.FormatNilMapAsNull(false),
)

// resultRules and plainResultRules are ourRules and plainRules for results, in which nil bytes are null,
// as in encoding/json.
var (
	resultRules      = jsonv2.JoinOptions(ourRules, jsonv2.WithMarshalers(jsonv2.JoinMarshalers(marshalNilBytes, ourMarshalers)))
	plainResultRules = jsonv2.JoinOptions(plainRules, jsonv2.WithMarshalers(jsonv2.JoinMarshalers(marshalNilBytes, marshalNumber)))
)

var marshalNilBytes = jsonv2.JoinMarshalers(
	jsonv2.MarshalToFunc(func(e *jsontext.Encoder, x []byte) error { return marshalIfNil(e, x == nil) }),
	jsonv2.MarshalToFunc(func(e *jsontext.Encoder, x corpus.Blob) error { return marshalIfNil(e, x == nil) }),
	jsonv2.MarshalToFunc(func(e *jsontext.Encoder, x []corpus.Octet) error { return marshalIfNil(e, x == nil) }),
)

func marshalIfNil(e *jsontext.Encoder, isNil bool) error {
	if !isNil {
		return errors.ErrUnsupported // it is not special
	}
	return e.WriteToken(jsontext.Null)
}

// ourMarshalers write the types that have another form.
var ourMarshalers = jsonv2.JoinMarshalers(
	marshalNumber,
	jsonv2.MarshalFunc(func(x time.Duration) ([]byte, error) { return json.Marshal(x.String()) }),
	jsonv2.MarshalFunc(func(x url.URL) ([]byte, error) { return marshalStandard(x.Redacted()) }),
	jsonv2.MarshalToFunc(func(e *jsontext.Encoder, x sql.Null[int]) error { return marshalNull(e, x.V, x.Valid) }),
	jsonv2.MarshalToFunc(func(e *jsontext.Encoder, x sql.NullString) error { return marshalNull(e, x.String, x.Valid) }),
	jsonv2.MarshalToFunc(func(e *jsontext.Encoder, x sql.NullTime) error { return marshalNull(e, x.Time, x.Valid) }),
)

// ourRules are plainRules with the types that have another form.
var ourRules = jsonv2.JoinOptions(
	plainRules,
	jsonv2.WithMarshalers(ourMarshalers),
	jsonv2.WithUnmarshalers(jsonv2.JoinUnmarshalers(
		jsonv2.UnmarshalFromFunc(unmarshalTime),
		jsonv2.UnmarshalFromFunc(unmarshalDuration),
		jsonv2.UnmarshalFromFunc(unmarshalURL),
		jsonv2.UnmarshalFromFunc(func(d *jsontext.Decoder, x *sql.Null[int]) error { return unmarshalNull(d, &x.V, &x.Valid) }),
		jsonv2.UnmarshalFromFunc(func(d *jsontext.Decoder, x *sql.NullString) error { return unmarshalNull(d, &x.String, &x.Valid) }),
		jsonv2.UnmarshalFromFunc(func(d *jsontext.Decoder, x *sql.NullTime) error { return unmarshalNull(d, &x.Time, &x.Valid) }),
	)),
)

// marshalNumber is needed because json/v2 does not support the Number of encoding/json.
var marshalNumber = jsonv2.MarshalFunc(func(x json.Number) ([]byte, error) { return json.Marshal(x) })

func marshalNull(e *jsontext.Encoder, x any, valid bool) error {
	if !valid {
		return e.WriteToken(jsontext.Null)
	}
	return jsonv2.MarshalEncode(e, x)
}

func unmarshalNull(d *jsontext.Decoder, x any, valid *bool) error {
	if d.PeekKind() == 'n' {
		*valid = false
		return d.SkipValue()
	}
	*valid = true
	return jsonv2.UnmarshalDecode(d, x)
}

// timeParts matches the parts of a date-time of RFC 3339, in upper or lower case.
var timeParts = regexp.MustCompile(`^(?i)(\d{4}-\d\d-\d\d)t(\d\d:\d\d):(\d\d)(\.\d+)?(z|[+-]\d\d:\d\d)$`)

// unmarshalTime reads date-times as encoding/json does, and in addition those with a lower-case t or z
// or with a leap second, which becomes the second after 59.
func unmarshalTime(d *jsontext.Decoder, x *time.Time) error {
	var text string
	if err := jsonv2.UnmarshalDecode(d, &text); err != nil {
		return err
	}
	m := timeParts.FindStringSubmatch(text)
	if m == nil {
		return fmt.Errorf("%q is not a date-time", text)
	}
	second, leap := m[3], m[3] == "60"
	if leap {
		second = "59"
	}
	err := x.UnmarshalText([]byte(m[1] + "T" + m[2] + ":" + second + m[4] + strings.ToUpper(m[5])))
	if err != nil || !leap {
		return err
	}
	if clock := x.UTC().Format("15:04"); clock != "23:59" {
		return fmt.Errorf("%q has a leap second within a day of UTC", text)
	}
	*x = x.Add(time.Second)
	return nil
}

// unmarshalDuration reads durations as Go writes them, and ISO 8601 durations that only differ in the
// leading PT and in case.
func unmarshalDuration(d *jsontext.Decoder, x *time.Duration) (err error) {
	var text string
	if err := jsonv2.UnmarshalDecode(d, &text); err != nil {
		return err
	}
	if iso, ok := strings.CutPrefix(text, "PT"); ok {
		text = strings.ToLower(iso)
	}
	*x, err = time.ParseDuration(text)
	return err
}

func unmarshalURL(d *jsontext.Decoder, x *url.URL) error {
	var text string
	if err := jsonv2.UnmarshalDecode(d, &text); err != nil {
		return err
	}
	parsed, err := url.Parse(text)
	if err == nil {
		*x = *parsed
	}
	return err
}

// readPlain reads like encoding/json, but rejects unknown members.
func readPlain(text []byte, x any) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	d.DisallowUnknownFields()
	return d.Decode(x)
}

// readOurs reads by our rules, which are plainRules unless the type has others.
func (s *subject) readOurs(text []byte, x any) error {
	if s.loose == "" {
		return readPlain(text, x)
	}
	return jsonv2.Unmarshal(text, x, ourRules)
}

// marshalStandard returns what encoding/json itself writes, without HTML escapes.
func marshalStandard(x any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(x)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}
