package convert_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/big"
	"net/netip"
	"strconv"
	"testing"
	"time"

	"github.com/aiongen/aiongen/internal/jsontext"

	"github.com/aiongen/aiongen/runtime/wire/internal/convert"
)

func Example_write() {
	b, err := jsontext.AppendFloat(nil, 1e-7, 64)
	fmt.Println(string(b), err, convert.FormatSimple(time.Minute))
	// Output: 1e-7 <nil> "1m0s"
}

type broken struct{}

func (broken) MarshalText() ([]byte, error) { return nil, errors.New("no text") }

func TestSimple(t *testing.T) {
	type name string
	for _, tt := range []struct {
		value any
		want  string
	}{
		{true, "true"}, {name("a\n"), `"a\n"`}, {int8(-1), "-1"}, {uint64(math.MaxUint64), "18446744073709551615"},
		{float32(0.1), "0.1"}, {1e21, "1e+21"}, {math.NaN(), ""}, {json.Number("1.50"), "1.50"}, {json.Number("x"), ""}, {json.Number(""), "0"},
		{big.NewInt(7), "7"}, {netip.MustParseAddr("::1"), `"::1"`}, {time.Second, `"1s"`}, {broken{}, ""},
		{json.RawMessage("1"), ""}, {nil, ""}, {(*big.Int)(nil), ""}, {[]int{1}, ""}, {struct{}{}, ""}, {map[string]int(nil), ""},
	} {
		if got := convert.FormatSimple(tt.value); got != tt.want {
			t.Errorf("%T %v: %s, want %s", tt.value, tt.value, got, tt.want)
		}
	}
}

// FuzzFloat checks that the text is that of encoding/json and represents the number.
func FuzzFloat(f *testing.F) {
	for _, x := range []float64{0, -1, 0.1, 1e-6, 9.999e-7, 1e20, 1e21, math.MaxFloat64, math.SmallestNonzeroFloat64, math.Inf(1)} {
		f.Add(x)
	}
	f.Fuzz(func(t *testing.T, x float64) {
		want, refused := json.Marshal(x)
		b, err := jsontext.AppendFloat(nil, x, 64)
		if (err != nil) != (refused != nil) || string(b) != string(want) {
			t.Errorf("%v is written as %s, %v, by encoding/json as %s, %v", x, b, err, want, refused)
		}
		if y, _ := strconv.ParseFloat(string(b), 64); err == nil && y != x {
			t.Errorf("%v is read again as %v", x, y)
		}
	})
}
