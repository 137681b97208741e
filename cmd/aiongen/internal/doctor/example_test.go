package doctor_test

import (
	"context"
	"fmt"
	"log"
	"os"

	"github.com/aiongen/aiongen/cmd/aiongen/internal/doctor"
)

func ExampleExamine() {
	dir, err := os.MkdirTemp("", "empty")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)

	report := doctor.Examine(context.Background(), doctor.Config{Dir: dir, Version: "v1.2.3"})
	fmt.Println(report.Aiongen.Version)
	fmt.Println(report.Problems[0].Message)
	// Output:
	// v1.2.3
	// the folder does not belong to a module: there is no go.mod
}
