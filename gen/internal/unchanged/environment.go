package unchanged

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/internal/regular"
)

// An environment is what a run depends on beside its input.
type environment struct {
	Program   string              // which build of aiongen this is
	Go        []string            // which build of the go command, by its place, time and version
	Compilers []string            // for C, where they are: without the right one cgo is off
	Variables []string            // that the go command looks at
	files     []map[string]string // settings in files, those that count more first
	Files     []string            // their text
	roots     []string            // of the toolchain, unless it chooses another
}

// readEnvironment reads it, as the go command would. It is false where the go command
// may do what cannot be told from here.
func readEnvironment() (environment, bool) {
	var env environment
	if !env.findGo() {
		return env, false
	}
	for _, v := range os.Environ() {
		name, _, _ := strings.Cut(v, "=")
		if concernsGo(name) {
			env.Variables = append(env.Variables, v)
		}
	}
	slices.Sort(env.Variables)
	if os.Getenv("GOENV") != "off" {
		dir, _ := os.UserConfigDir() // without one, there is no such file
		env.readSettings(cmp.Or(os.Getenv("GOENV"), filepath.Join(dir, "go", "env")))
	}
	for _, root := range env.roots {
		env.readSettings(filepath.Join(root, "go.env"))
	}
	for _, name := range []string{cmp.Or(env.setting("CC"), "gcc"), "clang"} {
		path, _ := exec.LookPath(strings.Fields(name + " -")[0]) // "" if there is none
		env.Compilers = append(env.Compilers, path)
	}
	env.Program = program()
	return env, env.Program != "" && env.isPlain()
}

// concernsGo reports whether the go command looks at a variable, or may: that of the
// home has the module cache in it. Those aside that go generate sets, which have other
// values for each line.
func concernsGo(name string) bool {
	switch name {
	case "GOFILE", "GOLINE", "GOPACKAGE":
		return false
	case "HOME", "USERPROFILE":
		return true
	}
	return strings.HasPrefix(name, "GO") || strings.HasPrefix(name, "CGO_") || name == "CC"
}

// findGo finds the toolchain. A program that only chooses among some does not lie in
// one, and goes by what cannot be told from here.
func (env *environment) findGo() (ok bool) {
	path, err := exec.LookPath("go")
	if err != nil {
		return false
	}
	if path, err = filepath.EvalSymlinks(path); err != nil {
		return false
	}
	info, err := os.Stat(path)
	if err != nil {
		return false
	}
	env.roots = []string{filepath.Dir(filepath.Dir(path))}
	if root := os.Getenv("GOROOT"); root != "" && root != env.roots[0] {
		env.roots = append(env.roots, root)
	}
	env.Go = []string{path, info.ModTime().UTC().String(), hex.EncodeToString(binary.AppendVarint(nil, info.Size()))}
	for _, root := range env.roots {
		version, err := regular.ReadFile(filepath.Join(root, "VERSION"))
		if err != nil || !bytes.HasPrefix(version, []byte("go")) {
			return false
		}
		env.Go = append(env.Go, string(version))
	}
	return true
}

// readSettings reads a file of settings, as go env -w writes them.
func (env *environment) readSettings(path string) {
	text, _ := regular.ReadFile(path) // one that cannot be read says nothing
	settings := map[string]string{}
	for line := range strings.Lines(string(text)) {
		if name, value, ok := strings.Cut(strings.TrimSpace(line), "="); ok {
			settings[name] = value
		}
	}
	env.Files, env.files = append(env.Files, string(text)), append(env.files, settings)
}

// setting is what the go command takes a variable to be.
func (env *environment) setting(name string) string {
	if value := os.Getenv(name); value != "" {
		return value
	}
	for _, file := range env.files {
		if value := file[name]; value != "" {
			return value
		}
	}
	return ""
}

// plainFlags are those that make the go command read no other files.
var plainFlags = []string{"-tags", "-mod=mod", "-mod=readonly", "-mod=vendor", "-buildvcs", "-trimpath", "-v", "-x", "-p", "-race"}

// isPlain reports whether modules are all that the go command goes by.
func (env *environment) isPlain() bool {
	if env.setting("GO111MODULE") == "off" {
		return false
	}
	for flag := range strings.FieldsSeq(env.setting("GOFLAGS")) {
		flag = "-" + strings.TrimLeft(flag, "-")
		name, _, _ := strings.Cut(flag, "=")
		if !slices.Contains(plainFlags, flag) && !slices.Contains(plainFlags, name) {
			return false
		}
	}
	switch os.Getenv("GOPACKAGESDRIVER") {
	case "off":
		return true
	case "":
		_, err := exec.LookPath("gopackagesdriver")
		return err != nil
	}
	return false
}

// program says which build of aiongen this is: the build ID that the linker put into
// the head of the file, or a sum of all of it; "" if it cannot be read.
func program() string {
	path, err := os.Executable()
	if err != nil {
		return ""
	}
	if runtime.GOOS == "linux" {
		path = "/proc/self/exe" // what runs, even where its place holds another by now
	}
	file, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer file.Close()
	head := make([]byte, 64<<10)
	n, _ := io.ReadFull(file, head)
	if id := buildID(head[:n]); id != "" {
		return id
	}
	hash := sha256.New()
	hash.Write(head[:n])
	if _, err := io.Copy(hash, file); err != nil {
		return ""
	}
	return hex.EncodeToString(hash.Sum(nil))
}

// buildID finds the build ID in the head of an executable: in a note of ELF, or where
// the code of other formats begins. An empty one is none.
func buildID(head []byte) string {
	note := []byte("\x04\x00\x00\x00Go\x00\x00") // its type and name
	if i := bytes.Index(head, note); i >= 4 {
		size := int(binary.LittleEndian.Uint32(head[i-4:]))
		if id := head[i+len(note):]; 0 < size && size <= min(len(id), 1<<10) {
			return string(id[:size])
		}
	}
	if _, rest, ok := bytes.Cut(head, []byte("\xff Go build ID: \"")); ok {
		id, _, ended := bytes.Cut(rest, []byte("\"\n \xff"))
		if ended {
			return string(id)
		}
	}
	return ""
}
