package tools

import (
	"testing"

	"github.com/shopspring/decimal"
)

func TestDecimal(t *testing.T) {
	r := newRegistry(t, Register)
	a, b := decimal.RequireFromString("12345678901234567890.10"), decimal.RequireFromString("-0.3")
	const both = `{"d":"12345678901234567890.10","d2":"-0.3"}`
	compare(t, r, "decimal_add", both, a.Add(b))
	compare(t, r, "decimal_mul", both, a.Mul(b))
	compare(t, r, "decimal_div", both, a.Div(b))
	compare(t, r, "decimal_cmp", both, a.Cmp(b))
	compare(t, r, "decimal_round", `{"d":"12345678901234567890.10","places":-2}`, a.Round(-2))
	compare(t, r, "sum", `{"first":"12345678901234567890.10","rest":["-0.3","1"]}`, decimal.Sum(a, b, decimal.NewFromInt(1)))
	compare(t, r, "avg", `{"first":"12345678901234567890.10","rest":["-0.3"]}`, decimal.Avg(a, b))
}
