package load_test

import (
	"bytes"
	"testing"

	"github.com/aiongen/aiongen/gen/internal/emit"
	"github.com/aiongen/aiongen/gen/internal/load"
)

// TestUnfinished checks that the mark of an unfinished run is one of aiongen's own files.
func TestUnfinished(t *testing.T) {
	text := emit.UnfinishedFile("p", "../tools/")
	if source, ok := load.ParseOrigin(bytes.NewReader(text)); !ok || source != "../tools/*.aion" || !bytes.Contains(text, []byte("\npackage p\n")) {
		t.Errorf("%s", text)
	}
}
