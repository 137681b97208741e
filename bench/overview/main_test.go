package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// TestCurrent checks that the images show what the compiler does now.
func TestCurrent(t *testing.T) {
	images, err := drawImages(t.Context(), "testdata", "../..")
	if err != nil {
		t.Fatal(err)
	}
	for name, image := range images {
		file, err := os.ReadFile(filepath.Join("..", imageDir, name))
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(file, image) {
			t.Errorf("%s is stale: run go run ./overview in bench", name)
		}
	}
}
