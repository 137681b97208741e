package schema_test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"testing"

	"github.com/aiongen/aiongen/runtime/schema"
	"github.com/aiongen/aiongen/runtime/tool"
	"github.com/aiongen/aiongen/testdata/golden/corpus"
)

// packagesEnv names the folder with packages that know the rules of providers: npm's openai,
// @anthropic-ai/sdk, @google/genai, ajv and ajv-formats, in the versions that .ci/run installs.
const packagesEnv = "NODE_PACKAGES"

// TestOfficialRules checks the types of the corpus, lowered for every target, with code of the
// providers.
func TestOfficialRules(t *testing.T) {
	folder := os.Getenv(packagesEnv)
	if folder == "" {
		t.Skip("no packages of npm: set " + packagesEnv + " to a folder of them, see .ci/run")
	}
	type definition struct {
		Target     schema.Target   `json:"target"`
		Tool       string          `json:"tool"`
		Generated  bool            `json:"generated"`
		Definition json.RawMessage `json:"definition"`
	}
	var all []definition
	definitions := corpusDefinitions(t)
	generated := len(definitions)
	for _, d := range definitionsByHand(t) {
		definitions = append(definitions, d.Definition)
	}
	for input := range oldSchemas {
		definitions = append(definitions, tool.Definition{Name: "old", Description: input, Input: json.RawMessage(input)})
	}
	for i, d := range definitions {
		for _, target := range schema.Targets() {
			lowered, err := schema.Lower(target, d)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, definition{target, d.Name, i < generated, lowered.JSON(target.Shape())})
		}
	}
	input, err := json.Marshal(all)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "node", "testdata/official.cjs", folder)
	cmd.Stdin = bytes.NewReader(input)
	cmd.Stderr = os.Stderr
	output, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var wrong []string
	if err := json.Unmarshal(output, &wrong); err != nil {
		t.Fatalf("%v: %s", err, output)
	}
	for _, text := range wrong {
		t.Error(text)
	}
	t.Logf("%d definitions", len(all))
}

// corpusDefinitions returns the definitions of the tools of package corpus, each of which takes and
// returns another Go type.
func corpusDefinitions(t testing.TB) []tool.Definition {
	t.Helper()
	r := tool.NewRegistry()
	if err := corpus.Register(r); err != nil {
		t.Fatal(err)
	}
	return r.All()
}
