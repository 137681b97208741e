package output

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

	"github.com/aiongen/aiongen/internal/regularfile"
)

// An environment is what a run depends on in addition to its input files.
type environment struct {
	Program   string              // build ID of aiongen
	Go        []string            // path, time, size and versions of the go command
	Compilers []string            // paths of C compilers, without which cgo is disabled
	Variables []string            // variables that affect the go command
	files     []map[string]string // settings in files, by precedence
	Files     []string            // texts of these files
	roots     []string            // possible values of GOROOT, unless the go command selects another toolchain
}

// readEnvironment reads the environment like the go command. It reports false if the
// behavior of the go command cannot be predicted.
func readEnvironment() (environment, bool) {
	var env environment
	if !env.findGo() {
		return env, false
	}
	for _, v := range os.Environ() {
		name, _, _ := strings.Cut(v, "=")
		if affectsGo(name) {
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
	for _, name := range []string{cmp.Or(env.readSetting("CC"), "gcc"), "clang"} {
		path, _ := exec.LookPath(strings.Fields(name + " -")[0]) // "" if not found
		env.Compilers = append(env.Compilers, path)
	}
	env.Program = readProgramID()
	return env, env.Program != "" && env.usesPlainFlags()
}

// affectsGo reports whether a variable can affect the go command. The home directory
// contains the module cache. The variables that go generate sets differ from line to line
// and do not count.
func affectsGo(name string) bool {
	switch name {
	case "GOFILE", "GOLINE", "GOPACKAGE":
		return false
	case "HOME", "USERPROFILE":
		return true
	}
	return strings.HasPrefix(name, "GO") || strings.HasPrefix(name, "CGO_") || name == "CC"
}

// findGo finds the toolchain. It reports false if the toolchain has no VERSION file: its go command may
// only select another toolchain.
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
		version, err := regularfile.ReadFile(filepath.Join(root, "VERSION"))
		if err != nil || !bytes.HasPrefix(version, []byte("go")) {
			return false
		}
		env.Go = append(env.Go, string(version))
	}
	return true
}

// readSettings reads a file that go env -w has written.
func (env *environment) readSettings(path string) {
	text, _ := regularfile.ReadFile(path) // an unreadable file has no settings
	settings := map[string]string{}
	for line := range strings.Lines(string(text)) {
		if name, value, ok := strings.Cut(strings.TrimSpace(line), "="); ok {
			settings[name] = value
		}
	}
	env.Files, env.files = append(env.Files, string(text)), append(env.files, settings)
}

// readSetting returns the value that the go command uses for a variable.
func (env *environment) readSetting(name string) string {
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

// plainFlags are the flags with which the go command reads no additional files.
var plainFlags = []string{"-tags", "-mod=mod", "-mod=readonly", "-mod=vendor", "-buildvcs", "-trimpath", "-v", "-x", "-p", "-race"}

// usesPlainFlags reports whether the go command works in module mode, with only plainFlags and without
// another driver of packages.
func (env *environment) usesPlainFlags() bool {
	if env.readSetting("GO111MODULE") == "off" {
		return false
	}
	for flag := range strings.FieldsSeq(env.readSetting("GOFLAGS")) {
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

// readProgramID returns the build ID of the running program, or a hash of its file, or ""
// if it cannot be read.
func readProgramID() string {
	path, err := os.Executable()
	if err != nil {
		return ""
	}
	if runtime.GOOS == "linux" {
		path = "/proc/self/exe" // the running program, even if the file was replaced
	}
	file, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer file.Close()
	head := make([]byte, 64<<10)
	n, _ := io.ReadFull(file, head)
	if id := findBuildID(head[:n]); id != "" {
		return id
	}
	hash := sha256.New()
	hash.Write(head[:n])
	if _, err := io.Copy(hash, file); err != nil {
		return ""
	}
	return hex.EncodeToString(hash.Sum(nil))
}

// findBuildID returns the build ID in the head of an executable, either an ELF note or text
// before the code, or "".
func findBuildID(head []byte) string {
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
