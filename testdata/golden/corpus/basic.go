package corpus

import (
	"context"
	"time"
)

// Bool takes true or false.
func Bool(ctx context.Context, v bool) bool { return pass(ctx, v) }

// Int takes an int.
func Int(ctx context.Context, v int) int { return pass(ctx, v) }

// Int8 takes an int8.
func Int8(ctx context.Context, v int8) int8 { return pass(ctx, v) }

// Int16 takes an int16.
func Int16(ctx context.Context, v int16) int16 { return pass(ctx, v) }

// Int32 takes an int32.
func Int32(ctx context.Context, v int32) int32 { return pass(ctx, v) }

// Int64 takes an int64.
func Int64(ctx context.Context, v int64) int64 { return pass(ctx, v) }

// Uint takes a uint.
func Uint(ctx context.Context, v uint) uint { return pass(ctx, v) }

// Uint8 takes a uint8.
func Uint8(ctx context.Context, v uint8) uint8 { return pass(ctx, v) }

// Uint16 takes a uint16.
func Uint16(ctx context.Context, v uint16) uint16 { return pass(ctx, v) }

// Uint32 takes a uint32.
func Uint32(ctx context.Context, v uint32) uint32 { return pass(ctx, v) }

// Uint64 takes a uint64.
func Uint64(ctx context.Context, v uint64) uint64 { return pass(ctx, v) }

// Float32 takes a float32.
func Float32(ctx context.Context, v float32) float32 { return pass(ctx, v) }

// Float64 takes a float64.
func Float64(ctx context.Context, v float64) float64 { return pass(ctx, v) }

// String takes a string.
func String(ctx context.Context, v string) string { return pass(ctx, v) }

// Rune takes a character, an int32 by another name.
func Rune(ctx context.Context, v rune) rune { return pass(ctx, v) }

// Flag is a bool with a name.
type Flag bool

// NamedBool takes a Flag.
func NamedBool(ctx context.Context, v Flag) Flag { return pass(ctx, v) }

// Ratio is a number with a name, and with constants, which are no enum.
type Ratio float64

// The ratios that have names.
const (
	Half  Ratio = 0.5
	Whole Ratio = 1
)

// NamedFloat takes a Ratio.
func NamedFloat(ctx context.Context, v Ratio) Ratio { return pass(ctx, v) }

// UserID is a string with a name.
type UserID string

// NamedString takes a UserID.
func NamedString(ctx context.Context, v UserID) UserID { return pass(ctx, v) }

// Unit has a single constant, which makes no enum.
type Unit string

// Metre is the only unit.
const Metre Unit = "m"

// SingleConstant takes a Unit.
func SingleConstant(ctx context.Context, v Unit) Unit { return pass(ctx, v) }

// Color is a string with constants.
type Color string

// The colours.
const (
	Red   Color = "red"   // like blood
	Green Color = "green" // like "grass"
	Blue  Color = "blue"
	Plain Color = "" // none
)

// StringEnum takes a Color.
func StringEnum(ctx context.Context, v Color) Color { return pass(ctx, v) }

// Level is an integer with constants.
type Level int8

// The levels.
const (
	Low    Level = -1
	Middle Level = 0
	High   Level = 1
	Normal       = Middle
)

// IntEnum takes a Level.
func IntEnum(ctx context.Context, v Level) Level { return pass(ctx, v) }

// Port is a natural number with constants.
type Port uint16

// The ports.
const (
	HTTP  Port = 80
	HTTPS Port = 443
)

// UintEnum takes a Port.
func UintEnum(ctx context.Context, v Port) Port { return pass(ctx, v) }

// suit is not exported, and neither are its constants.
type suit string

const (
	hearts suit = "♥"
	spades suit = "♠"
)

var _ = []suit{hearts, spades}

// UnexportedEnum takes a suit.
func UnexportedEnum(ctx context.Context, v suit) suit { return pass(ctx, v) }

// Mode is a set of flags, so that its constants are no enum.
type Mode uint8

// The flags.
const (
	Read Mode = 1 << iota
	Write
)

// Flags takes a Mode.
func Flags(ctx context.Context, v Mode) Mode { return pass(ctx, v) }

// ImportedEnum takes a type of the standard library with constants.
func ImportedEnum(ctx context.Context, v time.Weekday) time.Weekday { return pass(ctx, v) }

// Shade is another name of Color.
type Shade = Color

// Alias takes a Shade.
func Alias(ctx context.Context, v Shade) Shade { return pass(ctx, v) }

// Variadic takes any number of strings.
func Variadic(ctx context.Context, v ...string) []string { return pass(ctx, v) }
