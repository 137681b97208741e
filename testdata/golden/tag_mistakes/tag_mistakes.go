// Package tags is sound Go whose tags are not.
package tags

import (
	"time"

	"github.com/aiongen/aiongen/testdata/golden/tag_mistakes/parts"
)

// Bad has a mistake in each tag.
type Bad struct {
	Name   string    `json:"name" jsonschema:"minimum=1"`
	Count  int       `json:"count" jsonschema:"minLength=1,minimum=x"`
	Small  int8      `json:"small" jsonschema:"maximum=200"`
	Slug   string    `json:"slug" jsonschema:"pattern=(?=x)"`
	Tags   []string  `json:"tags" jsonschema:"minItems=-1,multipleOf=2"`
	Level  string    `json:"level" jsonschema:"enum=a,enum=b,default=c"`
	Kind   float64   `json:"kind" jsonschema:"enum=1"`
	Step   float64   `json:"step" jsonschema:"multipleOf=0"`
	Unique int       `json:"unique" jsonschema:"uniqueItems=true"`
	Twice  []string  `json:"twice" jsonschema:"uniqueItems=2"`
	Type   string    `json:"type" jsonschema:"type=integer"`
	Near   string    `json:"near" jsonschema:"minlength=2"`
	Null   string    `json:"null" jsonschema:"nullable"`
	Ptr    *int      `json:"ptr" jsonschema:"default=1"`
	Low    int       `json:"low" jsonschema:"minimum=3,default=2"`
	At     time.Time `json:"at" jsonschema:"default=now"`
	Ex     int       `json:"ex" jsonschema:"example=one"`
	Cross  int       `json:"cross" jsonschema:"minimum=3,maximum=2"`
	Full   uint8     `json:"full" jsonschema:"exclusiveMinimum=x"`
	Big    int64     `json:"big" jsonschema:"maximum=9007199254740992,default=9007199254740993"`
	Even   float64   `json:"even" jsonschema:"multipleOf=0.1,default=0.25"`
	Lower  string    `json:"lower" jsonschema:"pattern=^[a-z]+$,default=A"`
	Tenths float64   `json:"tenths" jsonschema:"multipleOf=0.1,default=0.3"`
	Among  int       `json:"among" jsonschema:"maximum=2,enum=1,enum=3"`
	Above  float64   `json:"above" jsonschema:"exclusiveMinimum=1,default=1.0"`
	Sample string    `json:"sample" jsonschema:"enum=a,enum=b,example=c"`
}

// List holds itself.
type List []List

// Deep has a tag that fits nothing of it, however deep.
type Deep struct {
	List List       `json:"list" jsonschema:"minimum=1"`
	All  [][]string `json:"all" jsonschema:"maxLength=x"`
}

// Dig takes it.
func Dig(d Deep, e parts.Bad) {}

// Do takes it.
func Do(b Bad) {}

// Mixed mixes the dialects of tags.
type Mixed struct {
	City  string `json:"city" jsonschema:"the city,required"`
	Name  string `json:"name" jsonschema:"required,the name of a person"`
	Text  string `json:"text" jsonschema:"description=Hello, world,minLength=2"`
	Slug  string `json:"slug" jsonschema:"pattern=^a{1,3}$"`
	Sort  string `json:"sort" jsonschema:"enum=asc,desc"`
	Flag  string `json:"flag" jsonschema:"requird"`
	Other string `json:"other" jsonschema:"x-order=1"`
	Least int    `json:"least" jsonschema:"required,minimum"`
	Old   string `json:"old" jsonschema:"deprecated=true"`
}

// Mix takes it.
func Mix(m Mixed) {}
