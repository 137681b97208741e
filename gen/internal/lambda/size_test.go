package lambda

import (
	"fmt"
	"strings"

	"github.com/aiongen/aiongen/gen/internal/lambda/pysyntax"
)

// The number of copies of the arguments in the result is limited; the size of the arguments is not.
func Example_checkSize() {
	for _, times := range []int{100, 1000} {
		l, faults := pysyntax.Parse("lambda s: s"+strings.Repeat(" + s", times-1), nothing{}.At)
		if err := faults.Err(); err != nil {
			fmt.Println(err)
			return
		}
		names := &nameResolver{faultReport: &faultReport{Scope: nothing{}}}
		checkSize(l.Body, names)
		fmt.Println(times, "times:", names.Faults.Err())
	}
	// Output:
	// 100 times: <nil>
	// 1000 times: users.aion: error: the result may contain more than 256 copies of the arguments [too-large]
}
