package contract_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"io"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/aiongen/aiongen/aion/diag"
	"github.com/aiongen/aiongen/gen/internal/contract"
)

var update = flag.Bool("update", false, "rewrite the expected output")

// TestPairs compares pairs of contracts, with one tool on each line, and checks the reported changes
// against those in each file.
func TestPairs(t *testing.T) {
	names, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(names) < 20 {
		t.Fatalf("%d pairs, %v", len(names), err)
	}
	for _, name := range names {
		t.Run(filepath.Base(name), func(t *testing.T) {
			archive, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			list := contract.Compare(promises(t, archive.Files[0].Data), promises(t, archive.Files[1].Data))
			var got bytes.Buffer
			if err := (diag.Printer{}).Print(&got, list); err != nil {
				t.Fatal(err)
			}
			if *update {
				archive.Files[2].Data = got.Bytes()
				if err := os.WriteFile(name, txtar.Format(archive), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if want := archive.Files[2].Data; !bytes.Equal(got.Bytes(), want) {
				t.Errorf("got\n%s\nwant\n%s", got.Bytes(), want)
			}
		})
	}
}

// promises reads tools, whose positions are those of their names, and prompts.
func promises(t *testing.T, lines []byte) (all contract.Promises) {
	t.Helper()
	for dec := json.NewDecoder(bytes.NewReader(lines)); ; {
		var tool struct {
			contract.Tool
			Prompt contract.Prompt
		}
		if err := dec.Decode(&tool); errors.Is(err, io.EOF) {
			return all
		} else if err != nil {
			t.Fatal(err)
		}
		if tool.Prompt.Name != "" {
			tool.Prompt.Place.File = "prompts.aion"
			all.Prompts = append(all.Prompts, tool.Prompt)
			continue
		}
		tool.Place.File = tool.Name + ".aion"
		tool.ResultPlace.File = tool.Name + ".aion"
		all.Tools = append(all.Tools, tool.Tool)
	}
}
