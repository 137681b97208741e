package content_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/runtime/content"
)

func Example() {
	parts := []content.Part{
		content.Text("Sales of May:"),
		content.Image("image/png", []byte("…")),
		content.Link("https://example.com/may", "all numbers"),
	}
	for _, p := range parts {
		fmt.Println(p.Kind(), "-", p)
	}
	// Output:
	// text - Sales of May:
	// image - image (image/png, 3 bytes)
	// link - link (all numbers, https://example.com/may)
}

// TestKinds checks the kind of each part, and the faults of invalid ones.
func TestKinds(t *testing.T) {
	for _, test := range []struct {
		part  content.Part
		kind  content.Kind
		wrong string
		text  string
	}{
		{content.Text("a\nb"), content.KindText, "", "a\nb"},
		{content.Image("image/png", []byte{1}), content.KindImage, "", "image (image/png, 1 byte)"},
		{content.Image("image/*", []byte{}), content.KindImage, "", "image (image/*, 0 bytes)"},
		{content.Audio("audio/wav", []byte{1, 2}), content.KindAudio, "", "audio (audio/wav, 2 bytes)"},
		{content.File("file:///a.txt", "text/plain", []byte("hello")), content.KindFile, "", "file (file:///a.txt, text/plain, 5 bytes)"},
		{content.File("file:///a.png", "image/png", []byte{1}), content.KindFile, "", "file (file:///a.png, image/png, 1 byte)"},
		{content.Part{Media: "application/pdf", Data: []byte{1}, Name: "a.pdf"}, content.KindFile, "", "file (a.pdf, application/pdf, 1 byte)"},
		{content.Link("https://x/y", "y\x1b[2J\n"), content.KindLink, "", "link (y [2J , https://x/y)"},
		{content.Part{URL: "https://x/y.png", Media: "image/png", Description: "A y.\nB"}, content.KindLink, "", "link (https://x/y.png, image/png): A y. B"},
		{content.Part{}, content.KindText, "it has no text, URL or data", ""},
		{content.Part{Text: "x", URL: "https://x"}, content.KindLink, "it has a text and also a URL or data", "link (https://x)"},
		{content.Part{Data: []byte{1}}, content.KindFile, `invalid media type "", expected one such as image/png`, "file (1 byte)"},
		{content.Image("png", []byte{1}), content.KindFile, `invalid media type "png", expected one such as image/png`, "file (png, 1 byte)"},
		{content.Image("image/png\r\nX: y", []byte{1}), content.KindImage, `invalid media type "image/png\r\nX: y", expected one such as image/png`, "image (image/png  X: y, 1 byte)"},
		{content.Image("image/p ng", []byte{1}), content.KindImage, `invalid media type "image/p ng", expected one such as image/png`, "image (image/p ng, 1 byte)"},
		{content.Image("image/a/b", []byte{1}), content.KindImage, `invalid media type "image/a/b", expected one such as image/png`, "image (image/a/b, 1 byte)"},
		{content.File("file:///a", "text/plain; charset=utf-8", []byte{1}), content.KindFile, "", "file (file:///a, text/plain; charset=utf-8, 1 byte)"},
		{content.File("file:///a", "text/plain; charset=\n", []byte{1}), content.KindFile, `invalid media type "text/plain; charset=\n", expected one such as image/png`, "file (file:///a, text/plain; charset= , 1 byte)"},
		{content.File("file:///a", "application/vnd.api+json", []byte{1}), content.KindFile, "", "file (file:///a, application/vnd.api+json, 1 byte)"},
		{content.Link("::", "y"), content.KindLink, `invalid URL "::"`, "link (y, ::)"},
		{content.Link("https://x/\r\ny", ""), content.KindLink, `invalid URL "https://x/\r\ny"`, "link (https://x/  y)"},
		{content.Link("https://x/%zz", ""), content.KindLink, `invalid URL "https://x/%zz"`, "link (https://x/%zz)"},
		{content.Link("ticket:7", ""), content.KindLink, "", "link (ticket:7)"},
	} {
		if got := test.part.Kind(); got != test.kind {
			t.Errorf("%+v is %s, want %s", test.part, got, test.kind)
		}
		if err := test.part.Check(); (err != nil) != (test.wrong != "") || err != nil && err.Error() != test.wrong {
			t.Errorf("%+v: got %v, want %q", test.part, err, test.wrong)
		}
		if got := test.part.String(); got != test.text {
			t.Errorf("got %q, want %q", got, test.text)
		}
	}
	long := content.Part{URL: strings.Repeat("x", 10_000), Description: strings.Repeat("y", 10_000)}
	if n := len(long.String()); n > 1000 || long.Size() != 20_000 {
		t.Errorf("%d bytes of words for %d", n, long.Size())
	}
}

// TestJSON checks that a part survives JSON unchanged.
func TestJSON(t *testing.T) {
	for _, p := range []content.Part{
		{Media: "image/png", URL: "https://x", Data: []byte{0, 255}, Name: "n", Description: "d"},
		content.File("file:///empty", "text/plain", []byte{}),
		content.Link("https://x", "n"),
		content.Text("t"),
	} {
		text, err := json.Marshal(p)
		var back content.Part
		if err == nil {
			err = json.Unmarshal(text, &back)
		}
		if err != nil || !reflect.DeepEqual(back, p) {
			t.Errorf("%s: got %+v, %v", text, back, err)
		}
	}
}
