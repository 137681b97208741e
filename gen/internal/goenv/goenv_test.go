package goenv_test

import (
	"context"
	"fmt"
	"log"
	"path/filepath"
	"strings"
	"testing"

	"github.com/aiongen/aiongen/gen/internal/goenv"
)

func Example() {
	env, err := goenv.Read(context.Background(), ".")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(filepath.Base(env["GOMOD"]), strings.HasPrefix(env["GOVERSION"], "go1."))
	fmt.Println(goenv.Env{"GOFLAGS": "-tags=a,b --trimpath"}.Flags())
	// Output:
	// go.mod true
	// map[tags:a,b trimpath:true]
}

// TestRead says what is wrong in the words of the go command.
func TestRead(t *testing.T) {
	t.Setenv("GOTOOLCHAIN", "nonsense")
	if _, err := goenv.Read(t.Context(), t.TempDir()); err == nil || !strings.Contains(err.Error(), `invalid GOTOOLCHAIN "nonsense"`) {
		t.Errorf("the error is %v", err)
	}
}
