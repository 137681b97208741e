package corpus

import "context"

// Limits has fields with limits.
type Limits struct {
	Percent int       `json:"percent" jsonschema:"minimum=0,maximum=100"`
	Even    uint8     `json:"even" jsonschema:"multipleOf=2,exclusiveMaximum=200"`
	Ratio   float64   `json:"ratio" jsonschema:"exclusiveMinimum=0,maximum=1"`
	Step    float64   `json:"step" jsonschema:"multipleOf=0.5"`
	Code    string    `json:"code" jsonschema:"minLength=2,maxLength=4,pattern=^[a-zé]*$"`
	Order   string    `json:"order" jsonschema:"enum=asc,enum=desc,default=asc"`
	Size    int       `json:"size,omitempty" jsonschema:"enum=1,enum=2,enum=10,default=2"`
	Tags    []string  `json:"tags" jsonschema:"minItems=1,maxItems=3,uniqueItems=true"`
	Weights []float32 `json:"weights" jsonschema:"minimum=-1,uniqueItems=true"`
	Pair    [2]uint8  `json:"pair" jsonschema:"maximum=9"`
	Maybe   *string   `json:"maybe" jsonschema:"minLength=1"`
	ID      string    `json:"id" jsonschema:"format=uuid"`
	Day     string    `json:"day,omitempty" jsonschema:"format=date"`
	Mail    string    `json:"mail,omitempty" jsonschema:"format=email"`
	Link    string    `json:"link,omitempty" jsonschema:"format=uri"`
	When    string    `json:"when,omitempty" jsonschema:"format=date-time"`
}

// Constraints takes fields with limits.
func Constraints(ctx context.Context, v Limits) Limits { return pass(ctx, v) }
