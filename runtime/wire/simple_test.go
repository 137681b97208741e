package wire

import (
	"encoding/json"
	"errors"
	"math"
	"math/big"
	"net/netip"
	"testing"
	"time"
)

type brokenText struct{}

func (brokenText) MarshalText() ([]byte, error) { return nil, errors.New("no text") }

func TestFormatSimple(t *testing.T) {
	type name string
	for _, tt := range []struct {
		value any
		want  string
	}{
		{true, "true"}, {name("a\n"), `"a\n"`}, {int8(-1), "-1"}, {uint64(math.MaxUint64), "18446744073709551615"},
		{float32(0.1), "0.1"}, {1e21, "1e+21"}, {math.NaN(), ""}, {json.Number("1.50"), "1.50"}, {json.Number("x"), ""}, {json.Number(""), "0"},
		{big.NewInt(7), "7"}, {netip.MustParseAddr("::1"), `"::1"`}, {time.Second, `"1s"`}, {brokenText{}, ""},
		{json.RawMessage("1"), ""}, {nil, ""}, {(*big.Int)(nil), ""}, {[]int{1}, ""}, {struct{}{}, ""}, {map[string]int(nil), ""},
	} {
		if got := formatSimple(tt.value); got != tt.want {
			t.Errorf("%T %v: %s, want %s", tt.value, tt.value, got, tt.want)
		}
	}
}
