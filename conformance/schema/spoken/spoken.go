// Package spoken provides a generated decoder for each schema of the edge cases that a Go type and its tags
// can express.
package spoken

//go:generate go run -C ../../.. ./cmd/aiongen -C conformance/schema/spoken

// Edges has a field for each of these schemas.
type Edges struct {
	Hostname     string  `json:"hostname,omitempty" jsonschema:"format=hostname"`
	Email        string  `json:"email,omitempty" jsonschema:"format=email"`
	IDNEmail     string  `json:"idn_email,omitempty" jsonschema:"format=idn-email"`
	DateTime     string  `json:"date_time,omitempty" jsonschema:"format=date-time"`
	Time         string  `json:"time,omitempty" jsonschema:"format=time"`
	Duration     string  `json:"duration,omitempty" jsonschema:"format=duration"`
	IRI          string  `json:"iri,omitempty" jsonschema:"format=iri"`
	IRIReference string  `json:"iri_reference,omitempty" jsonschema:"format=iri-reference"`
	URI          string  `json:"uri,omitempty" jsonschema:"format=uri"`
	URITemplate  string  `json:"uri_template,omitempty" jsonschema:"format=uri-template"`
	Pointer      string  `json:"pointer,omitempty" jsonschema:"format=json-pointer"`
	Relative     string  `json:"relative,omitempty" jsonschema:"format=relative-json-pointer"`
	Regex        string  `json:"regex,omitempty" jsonschema:"format=regex"`
	UUID         string  `json:"uuid,omitempty" jsonschema:"format=uuid"`
	IPv4         string  `json:"ipv4,omitempty" jsonschema:"format=ipv4"`
	IPv6         string  `json:"ipv6,omitempty" jsonschema:"format=ipv6"`
	Anything     any     `json:"anything,omitempty"`
	Cents        float64 `json:"cents,omitempty" jsonschema:"multipleOf=0.01"`
	Tenths       float64 `json:"tenths,omitempty" jsonschema:"multipleOf=0.1"`
	Threes       int64   `json:"threes,omitempty" jsonschema:"multipleOf=3"`
	Tiny         float64 `json:"tiny,omitempty" jsonschema:"multipleOf=1e-8"`
	Integer      int64   `json:"integer,omitempty"`
	Large        int64   `json:"large,omitempty" jsonschema:"minimum=9007199254740993"`
	Most         float64 `json:"most,omitempty" jsonschema:"maximum=1e3"`
	Above        float64 `json:"above,omitempty" jsonschema:"exclusiveMinimum=0"`
	Below        float64 `json:"below,omitempty" jsonschema:"exclusiveMaximum=0.3"`
	Two          string  `json:"two,omitempty" jsonschema:"minLength=2,maxLength=2"`
	Digits       string  `json:"digits,omitempty" jsonschema:"pattern=^\\d+$"`
	Unique       []any   `json:"unique,omitempty" jsonschema:"uniqueItems=true"`
}

// Hold takes the edge cases.
func Hold(Edges) {}
