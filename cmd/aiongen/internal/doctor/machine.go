package doctor

import (
	"debug/buildinfo"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
)

// findPrograms finds the programs called aiongen in PATH. Links to the same file count once.
func (e *examiner) findPrograms() {
	name := "aiongen"
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	var seen []string
	for _, dir := range filepath.SplitList(os.Getenv("PATH")) {
		path := filepath.Join(dir, name)
		info, err := os.Stat(path)
		if err != nil || !info.Mode().IsRegular() || runtime.GOOS != "windows" && info.Mode()&0o111 == 0 {
			continue
		}
		real, err := filepath.EvalSymlinks(path)
		if err != nil || slices.Contains(seen, real) {
			continue
		}
		seen = append(seen, real)
		found := Build{Path: e.shown.hide(path), Version: "unknown version"}
		if built, err := buildinfo.ReadFile(path); err == nil {
			found.Version, found.Go = e.shown.hide(built.Main.Version), e.shown.hide(built.GoVersion)
		}
		e.Programs = append(e.Programs, found)
	}
	if len(e.Programs) > 1 {
		e.addProblem("remove all but one of them; go tool aiongen needs none of them", "PATH has %d programs called aiongen; a shell runs the first one, %s", len(e.Programs), e.Programs[0].Path)
	}
}

// A Cache is a folder that aiongen writes to. Deleting its files is safe: later
// runs write those that they need again.
type Cache struct {
	Dir      string `json:"dir"`
	Files    int    `json:"files"`
	Bytes    int64  `json:"bytes"`
	Writable bool   `json:"writable"`
}

// cacheNames are the folders in the user's cache folder that aiongen writes to.
var cacheNames = []string{"aiongen/exports", "aiongen/runs"}

// examineCaches examines the caches of aiongen. It only checks whether the cache of the go command
// is writable, because counting the files in that cache would take long.
func (e *examiner) examineCaches() {
	root, err := os.UserCacheDir()
	if err != nil {
		e.addProblem("set HOME or, on Windows, LocalAppData", "there is no cache folder, so each run compiles everything: %v", err)
	} else {
		for _, name := range cacheNames {
			e.Caches = append(e.Caches, e.examineCache(filepath.Join(root, filepath.FromSlash(name))))
		}
	}
	if dir := e.settings["GOCACHE"]; dir != "" && dir != "off" && !isWritable(dir) {
		e.addProblem("change its owner, or set GOCACHE to another folder", "the go command cannot write to its cache, %s", dir)
	}
}

// examineCache counts the files of a cache. A cache that does not exist yet is empty.
func (e *examiner) examineCache(dir string) Cache {
	c := Cache{Dir: e.shown.hide(dir), Writable: isWritable(dir)}
	_ = filepath.WalkDir(dir, func(_ string, entry fs.DirEntry, err error) error { // files that cannot be read are not counted
		if err != nil || !entry.Type().IsRegular() {
			return nil
		}
		if info, err := entry.Info(); err == nil {
			c.Files, c.Bytes = c.Files+1, c.Bytes+info.Size()
		}
		return nil
	})
	if !c.Writable {
		e.addProblem("change its owner or permissions, or set XDG_CACHE_HOME to another folder", "aiongen cannot write to its cache, %s", dir)
	}
	return c
}

// isWritable reports whether files can be created in a directory. If the directory does not exist,
// isWritable checks its closest existing parent.
func isWritable(dir string) bool {
	for {
		_, err := os.Stat(dir)
		if !errors.Is(err, fs.ErrNotExist) || dir == filepath.Dir(dir) {
			break
		}
		dir = filepath.Dir(dir)
	}
	f, err := os.CreateTemp(dir, "doctor-*")
	if err != nil {
		return false
	}
	return errors.Join(f.Close(), os.Remove(f.Name())) == nil
}
