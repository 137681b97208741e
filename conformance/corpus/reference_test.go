package corpus_test

import (
	"bytes"
	"database/sql"
	"encoding/json"
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"time"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	jsonv1 "github.com/go-json-experiment/json/v1"
)

// Package json/v2 is encoding/json rewritten, with options. It stands for
// encoding/json where section 4 of binding.md differs from that.

// encodingJSON are the rules by which encoding/json writes, without HTML escapes.
// TestReference holds them against it.
var encodingJSON = jsonv2.JoinOptions(
	jsonv1.DefaultOptionsV1(),
	jsontext.EscapeForHTML(false),
	jsonv2.WithMarshalers(marshalNumber),
)

// plain are its rules as far as they are ours for every type: nil slices and maps
// are empty.
var plain = jsonv2.JoinOptions(
	encodingJSON,
	jsonv2.FormatNilSliceAsNull(false),
	jsonv2.FormatNilMapAsNull(false),
)

// ours are plain, but for the types that have another form.
var ours = jsonv2.JoinOptions(
	plain,
	jsonv2.WithMarshalers(jsonv2.JoinMarshalers(
		marshalNumber,
		jsonv2.MarshalFunc(func(x time.Duration) ([]byte, error) { return json.Marshal(x.String()) }),
		jsonv2.MarshalFunc(func(x url.URL) ([]byte, error) { return standard(x.Redacted()) }),
		jsonv2.MarshalToFunc(func(e *jsontext.Encoder, x sql.Null[int]) error { return marshalNull(e, x.V, x.Valid) }),
		jsonv2.MarshalToFunc(func(e *jsontext.Encoder, x sql.NullString) error { return marshalNull(e, x.String, x.Valid) }),
		jsonv2.MarshalToFunc(func(e *jsontext.Encoder, x sql.NullTime) error { return marshalNull(e, x.Time, x.Valid) }),
	)),
	jsonv2.WithUnmarshalers(jsonv2.JoinUnmarshalers(
		jsonv2.UnmarshalFromFunc(unmarshalTime),
		jsonv2.UnmarshalFromFunc(unmarshalDuration),
		jsonv2.UnmarshalFromFunc(unmarshalURL),
		jsonv2.UnmarshalFromFunc(func(d *jsontext.Decoder, x *sql.Null[int]) error { return unmarshalNull(d, &x.V, &x.Valid) }),
		jsonv2.UnmarshalFromFunc(func(d *jsontext.Decoder, x *sql.NullString) error { return unmarshalNull(d, &x.String, &x.Valid) }),
		jsonv2.UnmarshalFromFunc(func(d *jsontext.Decoder, x *sql.NullTime) error { return unmarshalNull(d, &x.Time, &x.Valid) }),
	)),
)

// marshalNumber is needed since json/v2 does not know the Number of encoding/json.
var marshalNumber = jsonv2.MarshalFunc(func(x json.Number) ([]byte, error) { return json.Marshal(x) })

func marshalNull(e *jsontext.Encoder, x any, valid bool) error {
	if !valid {
		return e.WriteToken(jsontext.Null)
	}
	return jsonv2.MarshalEncode(e, x)
}

func unmarshalNull(d *jsontext.Decoder, x any, valid *bool) error {
	*valid = true
	return jsonv2.UnmarshalDecode(d, x)
}

// timeParts matches the parts of a date-time of RFC 3339, in either case.
var timeParts = regexp.MustCompile(`^(?i)(\d{4}-\d\d-\d\d)t(\d\d:\d\d):(\d\d)(\.\d+)?(z|[+-]\d\d:\d\d)$`)

// unmarshalTime reads date-times as encoding/json does, and in addition those with a
// lower-case t or z or with a leap second, which is the second after 59.
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

// unmarshalDuration reads durations as Go writes them, and ISO 8601 as far as
// that is the same but for the PT before it and the case.
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

// readPlain reads as encoding/json does, but knows all members.
func readPlain(text []byte, x any) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	d.DisallowUnknownFields()
	return d.Decode(x)
}

// readOurs reads by our rules, which are plain unless the type says otherwise.
func (s *subject) readOurs(text []byte, x any) error {
	if s.loose == "" {
		return readPlain(text, x)
	}
	return jsonv2.Unmarshal(text, x, ours)
}

// standard is what encoding/json itself writes, without HTML escapes.
func standard(x any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(x)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}
