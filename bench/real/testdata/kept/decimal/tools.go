package tools

import "github.com/shopspring/decimal"

var _ decimal.Decimal // so that the module requires the package
