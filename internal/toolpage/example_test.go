package toolpage_test

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"github.com/aiongen/aiongen/internal/toolpage"
)

func Example() {
	body, err := toolpage.ToolBody(toolpage.Tool{
		Name:        "find_user",
		Description: "Finds a user by <name>.",
		Input:       json.RawMessage(`{"type":"object","properties":{"name":{"type":"string"}},"required":["name"]}`),
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	var page strings.Builder
	err = toolpage.WritePage(&page, toolpage.Page{Title: "find_user", Site: "Tools", Home: "index.html", Style: "style.css", Body: body})
	if err != nil {
		fmt.Println(err)
		return
	}
	for line := range strings.Lines(page.String()) {
		if strings.Contains(line, "<title>") || strings.Contains(line, "Finds") {
			fmt.Fprint(os.Stdout, line)
		}
	}
	// Output:
	// <title>find_user · Tools</title>
	// <p class="description" dir="auto">Finds a user by &lt;name&gt;.</p>
}
