package toolname_test

import (
	"fmt"
	"strings"

	"github.com/aiongen/aiongen/internal/toolname"
)

func Example() {
	taken := map[string]bool{}
	for _, name := range []string{"get user", "get.user", "2nd", "ä", strings.Repeat("x", 70)} {
		if sound := toolname.Sound(name); sound != "" {
			fmt.Println(toolname.Free(sound, taken))
		}
	}
	fmt.Println(len(toolname.Free(strings.Repeat("x", 70), taken)))
	// Output:
	// get_user
	// get_user_2
	// _2nd
	// xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
	// 64
}
