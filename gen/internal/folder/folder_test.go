package folder_test

import (
	"bytes"
	"testing"

	"github.com/aiongen/aiongen/gen/internal/emit"
	"github.com/aiongen/aiongen/gen/internal/folder"
)

// TestUnfinished: the mark of an unfinished run is a file of aiongen's own.
func TestUnfinished(t *testing.T) {
	text := emit.Unfinished("p", "../tools/")
	if source, ok := folder.Source(bytes.NewReader(text)); !ok || source != "../tools/*.aion" || !bytes.Contains(text, []byte("\npackage p\n")) {
		t.Errorf("%s", text)
	}
}
