package scan_test

import (
	"fmt"

	"github.com/aiongen/aiongen/runtime/repair/internal/scan"
)

func ExampleSource_OpensKey() {
	s := scan.Source{Text: `{"a": 1, "b"}`, End: 13}
	fmt.Println(s.OpensKey(1), s.OpensKey(9), s.ByteAfterBlanks(5) == '1')
	// Output: true false true
}
