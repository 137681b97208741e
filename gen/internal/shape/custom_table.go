package shape

import (
	"go/types"
	"strconv"
	"strings"

	"github.com/aiongen/aiongen/gen/internal/goname"
	"github.com/aiongen/aiongen/gen/internal/model"
	"github.com/aiongen/aiongen/internal/jsonschema"
)

// A customForm holds the forms that a type accepts and writes; nil if unknown. All uses of a type share them, so
// callers copy them.
type customForm struct {
	argument, result *model.Type
	zeroIsNull       bool // the zero value is null, so arguments may be left out
}

// customTypes holds the well-known types by full name. They are not imported. They are listed
// in docs/reference/types.md.
var customTypes = map[string]customForm{
	"k8s.io/apimachinery/pkg/api/resource.Quantity":                      {argument: orType(patternType(quantity), numberType()), result: textType()},
	"k8s.io/apimachinery/pkg/util/intstr.IntOrString":                    {argument: orType(textType(), integerType(32)), result: orType(textType(), integerType(32))},
	"k8s.io/apimachinery/pkg/apis/meta/v1.Time":                          {argument: formatType("date-time"), result: nullType(textType())},
	"k8s.io/apimachinery/pkg/apis/meta/v1.MicroTime":                     {argument: microType(), result: nullType(textType())},
	"k8s.io/apimachinery/pkg/apis/meta/v1.Duration":                      {argument: patternType(duration), result: textType()},
	"k8s.io/apimachinery/pkg/apis/meta/v1.FieldsV1":                      {argument: objectType()},
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured.Unstructured":     {argument: objectType(), result: nullType(objectType())},
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured.UnstructuredList": {argument: objectType(), result: objectType()},
	"github.com/docker/docker/api/types/strslice.StrSlice":               {argument: orType(textType(), listType(textType()))},
	"github.com/slack-go/slack.Blocks":                                   {argument: listType(objectType()), result: nullType(listType(objectType()))},

	"github.com/oapi-codegen/runtime/types.Email":     {argument: formatType("email"), result: textType()},
	"github.com/oapi-codegen/runtime/types.Date":      {argument: formatType("date"), result: textType()},
	"github.com/deepmap/oapi-codegen/pkg/types.Email": {argument: formatType("email"), result: textType()},
	"github.com/deepmap/oapi-codegen/pkg/types.Date":  {argument: formatType("date"), result: textType()},

	"go.mongodb.org/mongo-driver/v2/bson.ObjectID":          {argument: patternType(objectID), result: textType()},
	"go.mongodb.org/mongo-driver/v2/bson.Decimal128":        {argument: textType(), result: textType()},
	"go.mongodb.org/mongo-driver/v2/bson.DateTime":          {argument: formatType("date-time"), result: textType()},
	"go.mongodb.org/mongo-driver/bson/primitive.ObjectID":   {argument: patternType(objectID), result: textType()},
	"go.mongodb.org/mongo-driver/bson/primitive.Decimal128": {argument: textType(), result: textType()},
	"go.mongodb.org/mongo-driver/bson/primitive.DateTime":   {argument: formatType("date-time"), result: textType()},

	"github.com/shopspring/decimal.NullDecimal": nullForm(patternType(jsonschema.DecimalPattern), textType()),

	"github.com/jackc/pgx/v5/pgtype.Bool":        nullForm(boolType(), boolType()),
	"github.com/jackc/pgx/v5/pgtype.Date":        nullForm(patternType(`^(`+calendarDate+`|`+infinity+`)$`), textType()),
	"github.com/jackc/pgx/v5/pgtype.Float4":      nullForm(floatType(32), floatType(64)),
	"github.com/jackc/pgx/v5/pgtype.Float8":      nullForm(floatType(64), floatType(64)),
	"github.com/jackc/pgx/v5/pgtype.Int2":        nullForm(integerType(16), integerType(16)),
	"github.com/jackc/pgx/v5/pgtype.Int4":        nullForm(integerType(32), integerType(32)),
	"github.com/jackc/pgx/v5/pgtype.Int8":        nullForm(integerType(64), integerType(64)),
	"github.com/jackc/pgx/v5/pgtype.Numeric":     nullForm(orType(patternType(`^(NaN|-?Infinity)$`), numberType()), orType(textType(), numberType())),
	"github.com/jackc/pgx/v5/pgtype.Text":        nullForm(textType(), textType()),
	"github.com/jackc/pgx/v5/pgtype.Timestamp":   nullForm(patternType(`^(`+calendarDate+`T`+clockTime+zone+`?|`+infinity+`)$`), textType()),
	"github.com/jackc/pgx/v5/pgtype.Timestamptz": nullForm(patternType(`^(`+calendarDate+`T`+clockTime+zone+`|`+infinity+`)$`), textType()),
	"github.com/jackc/pgx/v5/pgtype.UUID":        nullForm(formatType("uuid"), textType()),
	"github.com/jackc/pgx/v5/pgtype.Uint32":      nullForm(uintType(32), uintType(32)),
}

// nullPackages are the import paths of guregu/null. All versions have the types of nullForms.
var nullPackages = map[string]bool{
	"github.com/guregu/null": true, "github.com/guregu/null/v5": true, "github.com/guregu/null/v6": true,
	"gopkg.in/guregu/null.v3": true, "gopkg.in/guregu/null.v4": true,
}

// nullForms are the forms of the types in nullPackages, by name.
var nullForms = map[string]customForm{
	"Bool":   nullForm(boolType(), boolType()),
	"Byte":   nullForm(uintType(8), uintType(8)),
	"Float":  nullForm(floatType(64), floatType(64)),
	"Int":    nullForm(integerType(64), integerType(64)),
	"Int16":  nullForm(integerType(16), integerType(16)),
	"Int32":  nullForm(integerType(32), integerType(32)),
	"String": nullForm(textType(), textType()),
	"Time":   nullForm(formatType("date-time"), textType()),
}

// lookupCustom returns the form of a well-known type.
func lookupCustom(t *types.TypeName) (customForm, bool) {
	if f, ok := goname.LookupType(customTypes, t); ok {
		return f, true
	}
	if t.Pkg() != nil && nullPackages[t.Pkg().Path()] {
		f, ok := nullForms[t.Name()]
		return f, ok
	}
	return customForm{}, false
}

// nullableTypes are the generic types, by full name, whose JSON is that of their type argument or null.
// The value says whether the zero value is null.
var nullableTypes = map[string]bool{
	"github.com/oapi-codegen/nullable.Nullable": false,
	"github.com/guregu/null/v5.Value":           true,
	"github.com/guregu/null/v6.Value":           true,
}

// isOptionParam reports whether a generic type is param.Opt, the type of optional values in API clients that
// Stainless generates. Each client has its own copy.
func isOptionParam(t *types.TypeName) bool {
	return t.Name() == "Opt" && isInParamPackage(t)
}

// isInParamPackage reports whether a type belongs to the package param of a client of Stainless. Each
// client has its own copy.
func isInParamPackage(t *types.TypeName) bool {
	return t.Pkg() != nil && strings.HasSuffix(t.Pkg().Path(), "/packages/param")
}

// Patterns of texts that well-known types parse.
const (
	quantity = `^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([KMGTPE]i|[numkMGTPE]|[eE][+-]?[0-9]+)?$`
	duration = `^[+-]?(0|(([0-9]+\.?[0-9]*|\.[0-9]+)(ns|us|µs|μs|ms|s|m|h))+)$`
	objectID = `^([0-9a-fA-F]{24})?$`
	infinity = `-?infinity`

	calendarDate = `[0-9]{4}-[0-9]{2}-[0-9]{2}`
	clockTime    = `[0-9]{2}:[0-9]{2}:[0-9]{2}([.,][0-9]+)?`
	looseTime    = `[0-9]{1,2}:[0-9]{2}:[0-9]{2}([.,][0-9]+)?`
	zone         = `(Z|[+-][0-9]{2}:[0-9]{2})`

	microseconds = `\.[0-9]{6}(Z|[+-][0-9]{2}:[0-9]{2})$` // the end of a time with microseconds
)

func newBasicType(kind model.Kind, name string) *model.Type {
	return &model.Type{Kind: kind, Go: model.Basic(name)}
}

func textType() *model.Type { return newBasicType(model.String, "string") }
func floatType(bits int) *model.Type {
	return &model.Type{Kind: model.Float, Go: model.Basic("float" + strconv.Itoa(bits)), Bits: bits}
}
func anyType() *model.Type  { return newBasicType(model.Any, "any") }
func boolType() *model.Type { return newBasicType(model.Bool, "bool") }

func numberType() *model.Type {
	return &model.Type{Kind: model.Number, Go: model.GoType{Path: "encoding/json", Pkg: "json", Name: "Number"}}
}

func uintType(bits int) *model.Type {
	return &model.Type{Kind: model.Uint, Go: model.Basic("uint" + strconv.Itoa(bits)), Bits: bits}
}

func integerType(bits int) *model.Type {
	return &model.Type{Kind: model.Int, Go: model.Basic("int" + strconv.Itoa(bits)), Bits: bits}
}

func objectType() *model.Type {
	key, elem := textType(), anyType()
	return &model.Type{Kind: model.Map, Go: model.GoType{Kind: model.GoMap, Elems: []model.GoType{key.Go, elem.Go}}, Key: key, Elem: elem}
}

func listType(elem *model.Type) *model.Type {
	return &model.Type{Kind: model.Slice, Go: model.GoType{Kind: model.GoSlice, Elems: []model.GoType{elem.Go}}, Elem: elem}
}

func patternType(pattern string) *model.Type {
	t := textType()
	t.Pattern, t.Checked = pattern, true
	return t
}

func formatType(format string) *model.Type {
	t := textType()
	t.Format = format
	return t
}

func microType() *model.Type {
	t := patternType(microseconds)
	t.Format = "date-time"
	return t
}

// orType returns the form of a value that is either a text or of another type.
func orType(text, other *model.Type) *model.Type {
	text.Kind, text.Elem = model.TextOr, other
	return text
}

// nullForm returns the form of a type whose zero value is null.
func nullForm(argument, result *model.Type) customForm {
	return customForm{argument: orNull(argument), result: nullType(result), zeroIsNull: true}
}

// orNull returns the form of an argument that may be null.
func orNull(elem *model.Type) *model.Type {
	return &model.Type{Kind: model.NullOr, Go: elem.Go, Elem: elem}
}

// nullType returns the form of a result that may be null.
func nullType(elem *model.Type) *model.Type {
	return &model.Type{Kind: model.Pointer, Go: model.GoType{Kind: model.GoPointer, Elems: []model.GoType{elem.Go}}, Elem: elem}
}

// copyForm returns a copy of a form and its parts, or nil for nil.
func copyForm(t *model.Type) *model.Type {
	if t == nil {
		return nil
	}
	form := new(*t)
	form.Key, form.Elem = copyForm(t.Key), copyForm(t.Elem)
	return form
}
