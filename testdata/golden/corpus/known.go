package corpus

import (
	"context"
	"database/sql"
	"encoding/json"
	"log/slog"
	"math/big"
	"net"
	"net/netip"
	"net/url"
	"time"
)

// Time takes a time.
func Time(ctx context.Context, v time.Time) time.Time { return pass(ctx, v) }

// Duration takes a duration.
func Duration(ctx context.Context, v time.Duration) time.Duration { return pass(ctx, v) }

// Any takes any value.
func Any(ctx context.Context, v any) any { return pass(ctx, v) }

// SliceOfAny takes any values.
func SliceOfAny(ctx context.Context, v []any) []any { return pass(ctx, v) }

// MapOfAny takes any object.
func MapOfAny(ctx context.Context, v map[string]any) map[string]any { return pass(ctx, v) }

// Raw takes any value as it is written.
func Raw(ctx context.Context, v json.RawMessage) json.RawMessage { return pass(ctx, v) }

// Number takes a number as it is written.
func Number(ctx context.Context, v json.Number) json.Number { return pass(ctx, v) }

// URL takes a URL.
func URL(ctx context.Context, v url.URL) url.URL { return pass(ctx, v) }

// Addr takes an address of the internet.
func Addr(ctx context.Context, v netip.Addr) netip.Addr { return pass(ctx, v) }

// Prefix takes a block of addresses.
func Prefix(ctx context.Context, v netip.Prefix) netip.Prefix { return pass(ctx, v) }

// IP takes an address of the internet, of the older type.
func IP(ctx context.Context, v net.IP) net.IP { return pass(ctx, v) }

// LogLevel takes a level, which writes itself both as text and as JSON.
func LogLevel(ctx context.Context, v slog.Level) slog.Level { return pass(ctx, v) }

// NullInt takes an integer, or none.
func NullInt(ctx context.Context, v sql.Null[int]) sql.Null[int] { return pass(ctx, v) }

// NullString takes a string, or none.
func NullString(ctx context.Context, v sql.NullString) sql.NullString { return pass(ctx, v) }

// BigInt takes an integer of any length.
func BigInt(ctx context.Context, v *big.Int) *big.Int { return pass(ctx, v) }

// BigFloat takes a number of any precision, as text.
func BigFloat(ctx context.Context, v *big.Float) *big.Float { return pass(ctx, v) }

// AddrPort takes an address and a port.
func AddrPort(ctx context.Context, v netip.AddrPort) netip.AddrPort { return pass(ctx, v) }

// NullTime takes a time, or none.
func NullTime(ctx context.Context, v sql.NullTime) sql.NullTime { return pass(ctx, v) }

// Stamp has the methods of the time that it embeds, and so is text.
type Stamp struct {
	time.Time
	Note string
}

// PromotedTime takes a Stamp.
func PromotedTime(ctx context.Context, v Stamp) Stamp { return pass(ctx, v) }
