package described

import (
	"encoding/json"
	"errors"
	"time"

	"github.com/aiongen/aiongen/testdata/golden/described/packages/param"
)

type (
	paramObj   = param.APIObject
	paramUnion = param.APIUnion
)

// MessageParams are the parameters of a request as in clients of Stainless.
type MessageParams struct {
	Messages []ContentUnion    `json:"messages,omitzero" api:"required"`
	Model    string            `json:"model,omitzero,required"`
	Limit    param.Opt[int64]  `json:"limit,omitzero"`
	User     param.Opt[string] `json:"user,omitzero" api:"required"`
	Stop     ContentUnion      `json:"stop,omitzero"`
	Day      time.Time         `json:"day,omitzero" format:"date"`
	Nested   *NestedParam      `json:"nested,omitzero"`
	Level    Level             `json:"level,omitzero"`
	Include  []string          `query:"include,omitzero" json:"-"`
	text     string
	paramObj
}

// UnmarshalJSON keeps the text.
func (p *MessageParams) UnmarshalJSON(text []byte) error {
	p.text = string(text)
	return nil
}

// NestedParam is a part of the parameters.
type NestedParam struct {
	Name string `json:"name" api:"required"`
	paramObj
}

// UnmarshalJSON reads the fields.
func (p *NestedParam) UnmarshalJSON(text []byte) error {
	type plain NestedParam
	return json.Unmarshal(text, (*plain)(p))
}

// ContentUnion is a text or a list of texts.
type ContentUnion struct {
	OfString param.Opt[string] `json:",omitzero,inline"`
	OfTexts  []string          `json:",omitzero,inline"`
	text     string
	paramUnion
}

// UnmarshalJSON keeps the text, and rejects numbers.
func (u *ContentUnion) UnmarshalJSON(text []byte) error {
	var number float64
	if json.Unmarshal(text, &number) == nil {
		return errors.New("want a text or a list")
	}
	u.text = string(text)
	return nil
}

// ContentList is a list that reads itself.
type ContentList []ContentUnion

// UnmarshalJSON reads the elements.
func (l *ContentList) UnmarshalJSON(text []byte) error {
	return json.Unmarshal(text, (*[]ContentUnion)(l))
}

// WrappedParams have a single field, whose JSON is that of the whole.
type WrappedParams struct {
	Content ContentUnion
	Betas   []string `header:"betas" json:"-"`
	paramObj
}

// UnmarshalJSON reads the field.
func (p *WrappedParams) UnmarshalJSON(text []byte) error { return p.Content.UnmarshalJSON(text) }

// SendMessage returns what the parameters were read from.
func SendMessage(p MessageParams) string { return p.text }

// SendContent returns what the content was read from.
func SendContent(u ContentUnion, all ContentList) string {
	text := u.text
	for _, one := range all {
		text += " " + one.text
	}
	return text
}

// SendWrapped returns what the field was read from.
func SendWrapped(p WrappedParams) string { return p.Content.text }

// Level is an enum as in clients of OpenAPI Generator.
type Level string

// The levels.
const (
	LevelLow  Level = "low"
	LevelHigh Level = "high"
)

// UnmarshalJSON rejects the level "none".
func (l *Level) UnmarshalJSON(text []byte) error {
	var value string
	if err := json.Unmarshal(text, &value); err != nil {
		return err
	}
	if *l = Level(value); value == "none" {
		return errors.New("not a level")
	}
	return nil
}

// IsValid reports whether the level is known.
func (l Level) IsValid() bool { return l == LevelLow || l == LevelHigh }

// Ptr returns a pointer to a copy.
func (l Level) Ptr() *Level { return &l }

// Choice stands for one of several forms as in clients of OpenAPI Generator.
type Choice struct {
	Monitor        *Monitor
	Options        *Options
	UnparsedObject any
}

// UnmarshalJSON reads what it does not understand.
func (c *Choice) UnmarshalJSON(text []byte) error { return json.Unmarshal(text, &c.UnparsedObject) }

// GetActualInstance returns the form that is set.
func (c *Choice) GetActualInstance() any { return c.Monitor }

// Choose returns the JSON of what it takes.
func Choose(level Level, levels []Level, choice Choice) (string, error) {
	text, err := json.Marshal([]any{level, levels, choice.UnparsedObject})
	return string(text), err
}

//lint:file-ignore U1000 generated clients have such fields
