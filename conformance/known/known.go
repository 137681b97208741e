// Package known has a tool for each type of other modules whose form the compiler knows. The tests
// compare the tools with encoding/json and a validator.
package known

import (
	"time"

	"cloud.google.com/go/civil"
	"github.com/guregu/null/v6"
	"github.com/jackc/pgx/v5/pgtype"
	"github.com/oapi-codegen/nullable"
	openapi "github.com/oapi-codegen/runtime/types"
	"github.com/openai/openai-go/v3/packages/param"
	"github.com/shopspring/decimal"
	"go.mongodb.org/mongo-driver/v2/bson"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/aiongen/aiongen/conformance/known/client"
)

//go:generate go run -C ../.. ./cmd/aiongen -C conformance/known

// Field is an object with a value.
type Field[T any] struct {
	V T `json:"v"`
}

// Places has a value in several places.
type Places[T any] struct {
	V    T            `json:"v"`
	Omit T            `json:"omit,omitzero"`
	List []T          `json:"list"`
	By   map[string]T `json:"by"`
	Ptr  *T           `json:"ptr"`
}

// PgText returns its argument.
func PgText(x Places[pgtype.Text]) Places[pgtype.Text] { return x }

// PgBool returns its argument.
func PgBool(x Field[pgtype.Bool]) Field[pgtype.Bool] { return x }

// PgInt2 returns its argument.
func PgInt2(x Field[pgtype.Int2]) Field[pgtype.Int2] { return x }

// PgInt4 returns its argument.
func PgInt4(x Field[pgtype.Int4]) Field[pgtype.Int4] { return x }

// PgInt8 returns its argument.
func PgInt8(x Field[pgtype.Int8]) Field[pgtype.Int8] { return x }

// PgUint32 returns its argument.
func PgUint32(x Field[pgtype.Uint32]) Field[pgtype.Uint32] { return x }

// PgFloat4 returns its argument.
func PgFloat4(x Field[pgtype.Float4]) Field[pgtype.Float4] { return x }

// PgFloat8 returns its argument.
func PgFloat8(x Field[pgtype.Float8]) Field[pgtype.Float8] { return x }

// PgNumeric returns its argument.
func PgNumeric(x Places[pgtype.Numeric]) Places[pgtype.Numeric] { return x }

// PgUUID returns its argument.
func PgUUID(x Places[pgtype.UUID]) Places[pgtype.UUID] { return x }

// PgDate returns its argument.
func PgDate(x Field[pgtype.Date]) Field[pgtype.Date] { return x }

// PgTimestamp returns its argument.
func PgTimestamp(x Field[pgtype.Timestamp]) Field[pgtype.Timestamp] { return x }

// PgTimestamptz returns its argument.
func PgTimestamptz(x Field[pgtype.Timestamptz]) Field[pgtype.Timestamptz] { return x }

// OpenapiEmail returns its argument.
func OpenapiEmail(x Places[openapi.Email]) Places[openapi.Email] { return x }

// OpenapiDate returns its argument.
func OpenapiDate(x Places[openapi.Date]) Places[openapi.Date] { return x }

// OpenapiUUID returns its argument.
func OpenapiUUID(x Field[openapi.UUID]) Field[openapi.UUID] { return x }

// CivilDate returns its argument.
func CivilDate(x Places[civil.Date]) Places[civil.Date] { return x }

// CivilTime returns its argument.
func CivilTime(x Field[civil.Time]) Field[civil.Time] { return x }

// CivilDateTime returns its argument.
func CivilDateTime(x Field[civil.DateTime]) Field[civil.DateTime] { return x }

// NullString returns its argument.
func NullString(x Places[null.String]) Places[null.String] { return x }

// NullInt returns its argument.
func NullInt(x Field[null.Int]) Field[null.Int] { return x }

// NullInt16 returns its argument.
func NullInt16(x Field[null.Int16]) Field[null.Int16] { return x }

// NullInt32 returns its argument.
func NullInt32(x Field[null.Int32]) Field[null.Int32] { return x }

// NullByte returns its argument.
func NullByte(x Field[null.Byte]) Field[null.Byte] { return x }

// NullFloat returns its argument.
func NullFloat(x Field[null.Float]) Field[null.Float] { return x }

// NullBool returns its argument.
func NullBool(x Field[null.Bool]) Field[null.Bool] { return x }

// NullTime returns its argument.
func NullTime(x Field[null.Time]) Field[null.Time] { return x }

// NullValue returns its argument.
func NullValue(x Field[null.Value[int]]) Field[null.Value[int]] { return x }

// Nullable returns its argument.
func Nullable(x Field[nullable.Nullable[string]]) Field[nullable.Nullable[string]] { return x }

// ObjectID returns its argument.
func ObjectID(x Places[bson.ObjectID]) Places[bson.ObjectID] { return x }

// Decimal128 returns its argument.
func Decimal128(x Field[bson.Decimal128]) Field[bson.Decimal128] { return x }

// BsonDateTime returns its argument.
func BsonDateTime(x Field[bson.DateTime]) Field[bson.DateTime] { return x }

// Decimal returns its argument.
func Decimal(x Places[decimal.Decimal]) Places[decimal.Decimal] { return x }

// NullDecimal returns its argument.
func NullDecimal(x Field[decimal.NullDecimal]) Field[decimal.NullDecimal] { return x }

// Quantity returns its argument.
func Quantity(x Field[resource.Quantity]) Field[resource.Quantity] { return x }

// ParamString returns its argument.
func ParamString(x Field[param.Opt[string]]) Field[param.Opt[string]] { return x }

// ParamInt returns its argument.
func ParamInt(x Field[param.Opt[int64]]) Field[param.Opt[int64]] { return x }

// FieldString returns its argument.
func FieldString(x client.Params[string]) (client.Params[string], error) { return x, nil }

// FieldInt returns its argument.
func FieldInt(x client.Params[int64]) (client.Params[int64], error) { return x, nil }

// FieldBool returns its argument.
func FieldBool(x client.Params[bool]) (client.Params[bool], error) { return x, nil }

// FieldList returns its argument.
func FieldList(x client.Params[[]string]) (client.Params[[]string], error) { return x, nil }

// FieldTime returns its argument.
func FieldTime(x client.Params[time.Time]) (client.Params[time.Time], error) { return x, nil }

// FieldUUID returns its argument.
func FieldUUID(x client.Params[openapi.UUID]) (client.Params[openapi.UUID], error) { return x, nil }
