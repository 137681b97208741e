package protobuf

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/gen"
)

// TestLambda passes messages through lambdas. TestRandom does so with random messages.
func TestLambda(t *testing.T) {
	registry, _ := newRegistry(t)
	item := compact(t, sampleItem())
	for _, x := range []struct{ tool, arguments, want string }{
		{"echo_item_by_lambda", sampleText, item},
		{"echo_items", sampleText, "[" + item + "," + item + "]"},
		{"state_of_item", sampleText, "2"},
	} {
		if got, err := call(registry, x.tool, x.arguments); err != nil || got != x.want {
			t.Errorf("%s = %s, %v, want %s", x.tool, got, err, x.want)
		}
	}
	if _, err := call(registry, "echo_item_by_lambda", `{"state":"SOLD"}`); !strings.Contains(fmt.Sprint(err), "/state: expected one of") {
		t.Error(err)
	}
}

// TestLostForm checks that a lambda cannot put a message into an any, where encoding/json would write it.
func TestLostForm(t *testing.T) {
	path, err := filepath.Abs("shop.aion")
	if err != nil {
		t.Fatal(err)
	}
	const element = `{ name --> "f%d", function --> "lambda item: %s" --> { arg-1 --> "*shoppb.Item" }, description --> "d" }`
	mapped, listed := fmt.Sprintf(element, 1, "{'item': item, 'count': 1}"), fmt.Sprintf(element, 2, "[item, 1]")
	session := gen.NewSession(gen.Config{Dir: "."})
	if err := session.Show(path, []byte("["+mapped+",\n"+listed+"]")); err != nil {
		t.Fatal(err)
	}
	lost := map[int]bool{} // by line
	_, faults := session.Generate(t.Context())
	for _, d := range faults {
		lost[d.Span.Start.Line] = lost[d.Span.Start.Line] || strings.Contains(d.Message, "would differ from that of *shoppb.Item")
	}
	if !lost[1] || !lost[2] {
		t.Error(faults)
	}
}
