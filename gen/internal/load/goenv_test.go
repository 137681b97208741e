package load_test

import (
	"context"
	"fmt"
	"log"
	"path/filepath"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/gen/internal/load"
)

func Example_goenv() {
	env, err := load.ReadEnv(context.Background(), ".")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(filepath.Base(env["GOMOD"]), strings.HasPrefix(env["GOVERSION"], "go1."))
	fmt.Println(load.Env{"GOFLAGS": "-tags=a,b --trimpath"}.ParseFlags())
	// Output:
	// go.mod true
	// map[tags:a,b trimpath:true]
}

// TestRead checks that errors have the words of the go command.
func TestRead(t *testing.T) {
	t.Setenv("GOTOOLCHAIN", "nonsense")
	if _, err := load.ReadEnv(t.Context(), t.TempDir()); err == nil || !strings.Contains(err.Error(), `invalid GOTOOLCHAIN "nonsense"`) {
		t.Errorf("the error is %v", err)
	}
}
