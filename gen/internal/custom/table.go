package custom

import "github.com/aiongen/aiongen/gen/internal/model"

// A form is what JSON a type takes, and what it writes; nil is not known.
type form struct{ argument, result func() *model.Type }

// table has the well-known types, by full name: matched, not imported. It is listed in
// docs/notation.md.
var table = map[string]form{
	"k8s.io/apimachinery/pkg/api/resource.Quantity":        {or(matching(quantity), float), text},
	"k8s.io/apimachinery/pkg/util/intstr.IntOrString":      {or(text, integer32), or(text, integer32)},
	"k8s.io/apimachinery/pkg/apis/meta/v1.Time":            {formatted("date-time"), null(text)},
	"k8s.io/apimachinery/pkg/apis/meta/v1.MicroTime":       {micro, null(text)},
	"k8s.io/apimachinery/pkg/apis/meta/v1.Duration":        {matching(duration), text},
	"k8s.io/apimachinery/pkg/apis/meta/v1.FieldsV1":        {object, nil},
	"github.com/docker/docker/api/types/strslice.StrSlice": {or(text, list(text)), nil},
	"github.com/slack-go/slack.Blocks":                     {list(object), null(list(object))},
}

// The patterns of what types parse from text.
const (
	quantity = `^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([KMGTPE]i|[numkMGTPE]|[eE][+-]?[0-9]+)?$`
	duration = `^[+-]?(0|(([0-9]+\.?[0-9]*|\.[0-9]+)(ns|us|µs|μs|ms|s|m|h))+)$`
	sixth    = `\.[0-9]{6}(Z|[+-][0-9]{2}:[0-9]{2})$` // a time to the microsecond
)

func basic(kind model.Kind, name string) *model.Type {
	return &model.Type{Kind: kind, Go: model.Basic(name)}
}

func text() *model.Type      { return basic(model.String, "string") }
func float() *model.Type     { return &model.Type{Kind: model.Float, Go: model.Basic("float64"), Bits: 64} }
func anything() *model.Type  { return basic(model.Any, "any") }
func integer32() *model.Type { return integer(32) }

func integer(bits int) *model.Type {
	name := "int64"
	if bits == 32 {
		name = "int32"
	}
	return &model.Type{Kind: model.Int, Go: model.Basic(name), Bits: bits}
}

func object() *model.Type {
	key, elem := text(), anything()
	return &model.Type{Kind: model.Map, Go: model.GoType{Kind: model.GoMap, Elems: []model.GoType{key.Go, elem.Go}}, Key: key, Elem: elem}
}

func list(of func() *model.Type) func() *model.Type {
	return func() *model.Type {
		elem := of()
		return &model.Type{Kind: model.Slice, Go: model.GoType{Kind: model.GoSlice, Elems: []model.GoType{elem.Go}}, Elem: elem}
	}
}

func matching(pattern string) func() *model.Type {
	return func() *model.Type {
		t := text()
		t.Pattern, t.Checked = pattern, true
		return t
	}
}

func formatted(format string) func() *model.Type {
	return func() *model.Type {
		t := text()
		t.Format = format
		return t
	}
}

func micro() *model.Type {
	t := matching(sixth)()
	t.Format = "date-time"
	return t
}

// or is the form of what is a text or something else.
func or(text, other func() *model.Type) func() *model.Type {
	return func() *model.Type {
		t := text()
		t.Kind, t.Elem = model.TextOr, other()
		return t
	}
}

// null is the form of a result that may be null.
func null(of func() *model.Type) func() *model.Type {
	return func() *model.Type {
		elem := of()
		return &model.Type{Kind: model.Pointer, Go: model.GoType{Kind: model.GoPointer, Elems: []model.GoType{elem.Go}}, Elem: elem}
	}
}
