package words_test

import (
	"fmt"
	"strings"

	"github.com/aiongen/aiongen/internal/words"
)

func ExampleToolName() {
	taken := map[string]bool{}
	for _, name := range []string{"get user", "get.user", "2nd", "ä", strings.Repeat("x", 70)} {
		if sound := words.ToolName(name); sound != "" {
			fmt.Println(words.FreeToolName(sound, taken))
		}
	}
	fmt.Println(len(words.FreeToolName(strings.Repeat("x", 70), taken)))
	// Output:
	// get_user
	// get_user_2
	// _2nd
	// xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
	// 64
}
