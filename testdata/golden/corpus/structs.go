package corpus

import (
	"context"

	"github.com/aiongen/aiongen/testdata/golden/corpus/other"
)

// Empty has no fields.
type Empty struct{}

// EmptyStruct takes no arguments.
func EmptyStruct(ctx context.Context, v Empty) Empty { return pass(ctx, v) }

// Untagged has fields without tags.
type Untagged struct {
	Name  string
	Age   uint8
	URL   string
	Score float64
}

// UntaggedFields takes fields without tags.
func UntaggedFields(ctx context.Context, v Untagged) Untagged { return pass(ctx, v) }

// Renamed has fields whose tags name them.
type Renamed struct {
	First  string `json:"first"`
	Second bool   `json:"Second"`
	Third  int    `json:"a-b.c/d $e"`
	Fourth int    `json:"größe"`
	Fifth  int    `json:"<html>&"`
	//lint:ignore SA5008 encoding/json overlooks options that it does not know
	Sixth int `json:",omitted"`
}

// RenamedFields takes fields whose tags name them.
func RenamedFields(ctx context.Context, v Renamed) Renamed { return pass(ctx, v) }

// Twins has names that differ in their case only.
type Twins struct {
	Upper int `json:"NAME"`
	Lower int `json:"name"`
	Camel int `json:"Name"`
}

// CaseTwins takes names that differ in their case only.
func CaseTwins(ctx context.Context, v Twins) Twins { return pass(ctx, v) }

// OmitsEmpty leaves out what is empty.
type OmitsEmpty struct {
	Bool   bool            `json:"bool,omitempty"`
	Int    int             `json:"int,omitempty"`
	Uint   uint16          `json:"uint,omitempty"`
	Float  float64         `json:"float,omitempty"`
	String string          `json:"string,omitempty"`
	Enum   Color           `json:"enum,omitempty"`
	Slice  []int           `json:"slice,omitempty"`
	Bytes  []byte          `json:"bytes,omitempty"`
	Map    map[string]bool `json:"map,omitempty"`
	Array  [2]int          `json:"array,omitempty"`
	None   [0]int          `json:"none,omitempty"`
	Struct Point           `json:"struct,omitempty"`
	Ptr    *Point          `json:"ptr,omitempty"`
	Any    any             `json:"any,omitempty"`
}

// OmitEmpty takes what may be left out.
func OmitEmpty(ctx context.Context, v OmitsEmpty) OmitsEmpty { return pass(ctx, v) }

// Even is zero when it is odd, for the sake of IsZero.
type Even int

// IsZero reports whether it is odd.
func (e Even) IsZero() bool { return e%2 != 0 }

// OmitsZero leaves out what is zero.
type OmitsZero struct {
	Bool   bool           `json:"bool,omitzero"`
	Float  float32        `json:"float,omitzero"`
	String string         `json:"string,omitzero"`
	Slice  []int          `json:"slice,omitzero"`
	Map    map[string]int `json:"map,omitzero"`
	Both   []int          `json:"both,omitempty,omitzero"`
	Array  [2]int         `json:"array,omitzero"`
	Struct Point          `json:"struct,omitzero"`
	Ptr    *int           `json:"ptr,omitzero"`
	Even   Even           `json:"even,omitzero"`
	Listed Listing        `json:"listed,omitzero"`
}

// Listing is no type for ==.
type Listing struct {
	Names []string `json:"names"`
}

// OmitZero takes what may be left out.
func OmitZero(ctx context.Context, v OmitsZero) OmitsZero { return pass(ctx, v) }

// Skips has fields that JSON does not see, and one that is named by a dash.
type Skips struct {
	Seen    string `json:"seen"`
	Skipped string `json:"-"`
	//lint:ignore SA5008 encoding/json takes the dash as the name
	Dash    string   `json:"-,"`
	Channel chan int `json:"-"`
	hidden  string
}

// SkippedFields takes what JSON sees of a struct.
func SkippedFields(ctx context.Context, v Skips) Skips {
	v.hidden = ""
	return pass(ctx, v)
}

// Nested has structs without names.
type Nested struct {
	Inner struct {
		Deep struct {
			Value int `json:"value"`
		} `json:"deep"`
	} `json:"inner"`
	List []struct {
		Point
		Name string `json:"name"`
	} `json:"list"`
}

// NestedStructs takes structs without names.
func NestedStructs(ctx context.Context, v Nested) Nested { return pass(ctx, v) }

// Base is embedded.
type Base struct {
	ID   int    `json:"id"`
	Note string `json:"note"`
}

// Embeds has the fields of Base, and of what is not exported.
type Embeds struct {
	Base
	unexported
	Title string `json:"title"`
}

type unexported struct {
	Inner bool `json:"inner"`
}

// Embedded takes the fields of all.
func Embedded(ctx context.Context, v Embeds) Embeds { return pass(ctx, v) }

// Shadows has fields that hide those of what it embeds: one by its name in Go,
// one by its name in JSON.
type Shadows struct {
	Base
	Note  string `json:"remark"`
	Other string `json:"id"`
}

// Shadowed takes what is not hidden.
func Shadowed(ctx context.Context, v Shadows) Shadows { return pass(ctx, v) }

// Left and Right have a field of one name.
type (
	Left  struct{ A, Same, Tagged int }
	Right struct {
		B, Same int
		Number  int `json:"Tagged"`
	}
)

// Conflicts embeds two fields of one name, which both are left out of results, and
// two of which only one has a tag, which stays.
type Conflicts struct {
	Left
	Right
}

// ConflictingFields takes what is left.
func ConflictingFields(ctx context.Context, v Conflicts) Conflicts { return pass(ctx, v) }

// Deeper embeds what embeds, and gives a name to what it embeds.
type Deeper struct {
	Embeds
	Point `json:"at"`
	UserID
	Flag `json:"flag,omitempty"`
}

// DeeplyEmbedded takes all that.
func DeeplyEmbedded(ctx context.Context, v Deeper) Deeper { return pass(ctx, v) }

// Optional has pointers.
type Optional struct {
	Int    *int            `json:"int"`
	String **string        `json:"string,omitempty"`
	Point  *Point          `json:"point"`
	Slice  *[]int          `json:"slice,omitempty"`
	Map    *map[string]int `json:"map"`
	Enum   *Color          `json:"enum,omitzero"`
}

// PointerFields takes what may be left out, or null.
func PointerFields(ctx context.Context, v Optional) Optional { return pass(ctx, v) }

// Places has two types of one name.
type Places struct {
	Here  Point       `json:"here"`
	There other.Point `json:"there"`
}

// SameName takes a Point of each of two packages.
func SameName(ctx context.Context, v Places) Places { return pass(ctx, v) }

// Team has structs in all kinds of containers.
type Team struct {
	Lead    Base              `json:"lead"`
	Members []Base            `json:"members"`
	ByRole  map[Color]Base    `json:"by_role"`
	Pair    [2]Base           `json:"pair"`
	Deputy  *Base             `json:"deputy,omitempty"`
	Grid    [][]Point         `json:"grid"`
	Scores  map[string]IDs    `json:"scores"`
	History []map[string]int8 `json:"history"`
}

// Structs takes a Team.
func Structs(ctx context.Context, v Team) Team { return pass(ctx, v) }

// Linked embeds pointers.
type Linked struct {
	*Base
	*Point
	Title string `json:"title"`
}

// EmbeddedPointers takes the fields of all, or only some.
func EmbeddedPointers(ctx context.Context, v Linked) Linked { return pass(ctx, v) }

// Diamond embeds one struct by two ways, so that its fields are left out of results.
type Diamond struct {
	First
	Second
}

// First and Second embed Left.
type (
	First struct {
		Left
		One int `json:"one"`
	}
	Second struct {
		Left
		Two int `json:"two"`
	}
)

// EmbeddedTwice takes what is left.
func EmbeddedTwice(ctx context.Context, v Diamond) Diamond { return pass(ctx, v) }

// Quotes has the tag option ",string".
type Quotes struct {
	Bool    bool    `json:"bool,string"`
	Int     int64   `json:"int,string"`
	Uint    uint8   `json:"uint,string"`
	Float   float64 `json:"float,string"`
	Single  float32 `json:"single,string"`
	String  string  `json:"string,string"`
	Pointer *int    `json:"pointer,string"`
	Left    *int8   `json:"left,omitempty,string"`
	Zero    int     `json:"zero,omitempty,string"`
	Level   Level   `json:"level,string"`
}

// QuotedFields takes values in strings.
func QuotedFields(ctx context.Context, v Quotes) Quotes { return pass(ctx, v) }

// OpaqueFields takes fields of types that have no name here.
func OpaqueFields(ctx context.Context, v other.Box) other.Box { return pass(ctx, v) }
