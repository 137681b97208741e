// Package tags has structs whose tags limit what arguments may be.
package tags

import (
	"database/sql"
	"net/netip"
)

// Level has constants, which a tag may narrow.
type Level string

// The levels.
const (
	Low  Level = "low"  // not much
	Mid  Level = "mid"  // enough
	High Level = "high" // a lot
)

// Order is what the shop takes.
type Order struct {
	Slug     string         `json:"slug" jsonschema:"pattern=^[a-z]{1\\,8}(-[a-z]+)*$,title=Slug,example=blue-hat"`
	Count    int            `json:"count" jsonschema:"minimum=1,exclusiveMaximum=100,multipleOf=3,default=3"`
	Price    float64        `json:"price" jsonschema:"exclusiveMinimum=0,maximum=1e6,multipleOf=0.01" jsonschema_description:"price, in euros"`
	Discount *float32       `json:"discount" jsonschema:"exclusiveMaximum=1,nullable"`
	Sizes    []string       `json:"sizes" jsonschema:"minItems=1,maxItems=3,uniqueItems=true,enum=S,enum=M,enum=L"`
	Codes    [2]int8        `json:"codes" jsonschema:"minimum=0,uniqueItems"`
	Level    Level          `json:"level" jsonschema:"enum=low,enum=high"` // how much of it
	Any      Level          `json:"any,omitempty" jsonschema:"default=mid"`
	Mail     string         `json:"mail,omitempty" jsonschema:"required,format=email,minLength=3,maxLength=40,description=where to write\\, if at all"`
	Host     netip.Addr     `json:"host,omitzero" jsonschema:"pattern=^10[.]"`
	Nick     sql.NullString `json:"nick" jsonschema:"maxLength=4"`
	Note     string         `json:"note" jsonschema:"minLength=2"` // overruled
	Set      []any          `json:"set,omitempty" jsonschema:"uniqueItems=true"`
	Internal string         `json:"internal" jsonschema:"-"`
	Port     uint16         `json:"port,omitempty" jsonschema:"minimum=1024,example=8080"`
}

// Place takes an order.
func Place(o Order) Order { return o }

// Again takes an order with a note.
func Again(o Order) Order { return o }

// Forest is made of pointers to forests.
type Forest []*Forest

// Land has one that is not empty.
type Land struct {
	Woods Forest `json:"woods" jsonschema:"minItems=1"`
}

// Plant plants one.
func Plant(in Land) int { return len(in.Woods) }

// Tree has few branches.
type Tree struct {
	Branches []Tree `json:"branches" jsonschema:"maxItems=3"`
	Twin     *Tree  `json:"twin" jsonschema:"nullable"`
}

// Sow sows trees.
func Sow(trees []Tree, twin *Tree) int { return len(trees) }

// Guest has tags in the dialect of google/jsonschema-go, which are descriptions.
type Guest struct {
	Name string   `json:"name" jsonschema:"the name of the person, with a title if there is one"`
	Sort string   `json:"sort,omitempty" jsonschema:"the order, such as by=name\\, by=age"`
	City string   `json:"city,omitempty" jsonschema:"City"` // overruled
	Tags []string `json:"tags,omitempty" jsonschema:"words" jsonschema_description:"words, or nothing"`
}

// Greet greets a guest.
func Greet(g Guest) Guest { return g }
