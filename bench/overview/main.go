// Overview draws docs/images/overview-light.svg and overview-dark.svg: an .aion file, its Go function, the code that aiongen
// generates from them, and what it reports when the function is gone. The files are in testdata, and the
// rest is output of the compiler. Run it in the folder of the module:
//
//	go run ./overview
package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// imageDir is where the images are.
const imageDir = "../docs/images"

func main() {
	log.SetFlags(0)
	images, err := drawImages(context.Background(), "overview/testdata", "..")
	if err != nil {
		log.Fatal(err)
	}
	for name, image := range images {
		if err := os.WriteFile(filepath.Join(imageDir, name), image, 0o666); err != nil {
			log.Fatal(err)
		}
	}
}

// drawImages returns the images by file name.
func drawImages(ctx context.Context, sources, root string) (map[string][]byte, error) {
	texts, err := compileTexts(ctx, sources, root)
	if err != nil {
		return nil, err
	}
	images := map[string][]byte{}
	for name, colors := range palettes {
		images["overview-"+name+".svg"] = drawImage(texts, colors)
	}
	return images, nil
}

// texts are the texts in an image.
type texts struct{ notation, function, generated, report string }

// compileTexts compiles the files in sources, then once more without the function.
func compileTexts(ctx context.Context, sources, root string) (*texts, error) {
	dir, err := os.MkdirTemp("", "overview")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	command := filepath.Join(dir, "aiongen")
	build := exec.CommandContext(ctx, "go", "build", "-o", command, "./cmd/aiongen")
	build.Dir = root
	if out, err := build.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%w\n%s", err, out)
	}
	if err := os.CopyFS(filepath.Join(dir, "users"), os.DirFS(sources)); err != nil {
		return nil, err
	}
	dir = filepath.Join(dir, "users")
	root, err = filepath.Abs(root)
	if err != nil {
		return nil, err
	}
	const module = "github.com/aiongen/aiongen"
	goMod := fmt.Sprintf("module example.com/users\n\ngo 1.26.0\n\nrequire %s v0.0.0\n\nreplace %s => %s\n", module, module, root)
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte(goMod), 0o666); err != nil {
		return nil, err
	}
	if out, err := runCompiler(ctx, command, dir); err != nil {
		return nil, fmt.Errorf("%w\n%s", err, out)
	}
	t := &texts{}
	for name, text := range map[string]*string{"users.aion": &t.notation, "users.go": &t.function, "users.aion.go": &t.generated} {
		content, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			return nil, err
		}
		*text = string(content)
	}
	renamed := strings.ReplaceAll(t.function, "FindUser", "FindUsers")
	if err := os.WriteFile(filepath.Join(dir, "users.go"), []byte(renamed), 0o666); err != nil {
		return nil, err
	}
	t.report, err = runCompiler(ctx, command, dir)
	if err == nil {
		return nil, errors.New("the compiler does not report that the function is gone")
	}
	return t, nil
}

// runCompiler runs the compiler and returns what it prints.
func runCompiler(ctx context.Context, command, dir string) (string, error) {
	run := exec.CommandContext(ctx, command)
	run.Dir, run.Env = dir, append(os.Environ(), "GOWORK=off", "GOFLAGS=", "NO_COLOR=1")
	out, err := run.CombinedOutput()
	return string(out), err
}
