package jsontext_test

import (
	"encoding/json"
	"math"
	"strconv"
	"testing"

	"github.com/aiongen/aiongen/internal/jsontext"
)

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
