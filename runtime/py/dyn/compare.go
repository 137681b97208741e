package dyn

import (
	"cmp"
	"math"
	"reflect"
	"strings"

	"github.com/aiongen/aiongen/runtime/py"
)

// Equal is a == b. Go structs are compared field by field, pointers to structs by identity.
func Equal(a, b any) (bool, error) { return equalNested(a, b, 0) }

func equalNested(a, b any, depth int) (bool, error) {
	if depth > maxDepth {
		return false, recursionError("in comparison")
	}
	a, b = plainValue(a), plainValue(b)
	if isLarge(a) || isLarge(b) {
		return floatToInt(a) == floatToInt(b), nil
	}
	switch x := a.(type) {
	case nil, string:
		return isSame(a, b), nil
	case []any:
		y, ok := b.([]any)
		if !ok || len(x) != len(y) {
			return false, nil
		}
		for i := range x {
			if same, err := sameElement(x[i], y[i], depth+1); !same || err != nil {
				return false, err
			}
		}
		return true, nil
	case map[string]any, intDict:
		return equalDicts(a, b, depth+1)
	}
	if order, ok := compareNumbers(a, b); ok {
		return order == 0, nil
	}
	return isSame(a, b), nil
}

// sameElement is a == b for elements of lists and values of dicts. Like [py.Same], it treats NaN as equal to itself.
func sameElement(a, b any, depth int) (bool, error) {
	a, b = plainValue(a), plainValue(b)
	x, xFloat := a.(float64)
	y, yFloat := b.(float64)
	if xFloat && yFloat {
		return py.Same(x, y), nil
	}
	return equalNested(a, b, depth)
}

func equalDicts(a, b any, depth int) (bool, error) {
	keys, value, _ := dictEntries(a)
	others, other, ok := dictEntries(b)
	if !ok || len(keys) != len(others) {
		return false, nil
	}
	for _, key := range keys {
		x, _ := value(key)
		y, found := other(key)
		if !found {
			return false, nil
		}
		if same, err := sameElement(x, y, depth); !same || err != nil {
			return false, err
		}
	}
	return true, nil
}

// isSame compares two Go values of the same type.
func isSame(a, b any) bool {
	x, y := reflect.ValueOf(a), reflect.ValueOf(b)
	switch {
	case a == nil || b == nil || x.Type() != y.Type():
		return a == nil && b == nil
	case x.Comparable():
		return x.Equal(y)
	}
	return reflect.DeepEqual(a, b)
}

// compareNumbers compares two numbers. The order is negative, 0 or positive, or NaN if one of them is NaN. It
// returns false if a value is not a number.
func compareNumbers(a, b any) (order float64, ok bool) {
	m, mInt := asInt(a)
	n, nInt := asInt(b)
	x, xFloat := a.(float64)
	y, yFloat := b.(float64)
	switch {
	case mInt && nInt:
		return float64(cmp.Compare(m, n)), true
	case mInt && yFloat:
		return py.Compare(m, y), true
	case xFloat && nInt:
		return -py.Compare(n, x), true
	case xFloat && yFloat:
		switch {
		case x < y:
			return -1, true
		case x > y:
			return 1, true
		case x == y:
			return 0, true
		}
		return math.NaN(), true
	}
	return 0, false
}

// Less is a < b.
func Less(a, b any) (bool, error) {
	order, err := compareValues("<", a, b, 0)
	return order < 0, err
}

// LessEqual is a <= b.
func LessEqual(a, b any) (bool, error) {
	order, err := compareValues("<=", a, b, 0)
	return order <= 0, err
}

// Greater is a > b.
func Greater(a, b any) (bool, error) {
	order, err := compareValues(">", a, b, 0)
	return order > 0, err
}

// GreaterEqual is a >= b.
func GreaterEqual(a, b any) (bool, error) {
	order, err := compareValues(">=", a, b, 0)
	return order >= 0, err
}

// compareValues compares two values as compareNumbers does. The order is NaN if there is an error. symbol is the
// operator, for the error.
func compareValues(symbol string, a, b any, depth int) (order float64, err error) {
	if depth > maxDepth {
		return math.NaN(), recursionError("in comparison")
	}
	a, b = plainValue(a), plainValue(b)
	if isLarge(a) || isLarge(b) {
		return math.NaN(), overflowError()
	}
	switch x := a.(type) {
	case string:
		if y, ok := b.(string); ok {
			return float64(strings.Compare(x, y)), nil
		}
	case []any:
		if y, ok := b.([]any); ok {
			return compareLists(symbol, x, y, depth+1)
		}
	}
	order, ok := compareNumbers(a, b)
	if !ok {
		return math.NaN(), typeError("'%s' not supported between instances of '%s' and '%s'", symbol, typeName(a), typeName(b))
	}
	return order, nil
}

// compareLists compares the first elements that differ or, if none do, the lengths.
func compareLists(symbol string, a, b []any, depth int) (order float64, err error) {
	for i := range min(len(a), len(b)) {
		same, err := sameElement(a[i], b[i], depth)
		if err != nil {
			return math.NaN(), err
		}
		if !same {
			return compareValues(symbol, a[i], b[i], depth)
		}
	}
	return float64(cmp.Compare(len(a), len(b))), nil
}
