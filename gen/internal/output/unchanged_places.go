package output

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/gen/internal/load"
)

// Places are the files and directories on which a run depends.
type Places struct{ items map[inputItem]bool }

// NewPlaces returns the places for a configuration, and for the directories of the packages that a run has
// read.
func NewPlaces(cfg RunConfig, packages []string) Places {
	env, _ := readEnvironment() // settings that cannot be read are missing
	r := CachedRun{cfg: cfg, work: env.readSetting("GOWORK")}
	in, _ := r.findInputs() // the other inputs are in packages
	for _, dir := range packages {
		in.addSources(dir)
	}
	in.followFiles()
	return Places{in.items}
}

// followFiles adds the targets of linked files, which can change in other directories.
func (in *inputs) followFiles() {
	for _, i := range in.allItems() {
		if i.kind != fileContent {
			continue
		}
		if info, err := os.Lstat(i.name); err == nil && info.Mode()&os.ModeSymlink != 0 {
			in.addItem(fileContent, load.ResolveLinks(i.name))
		}
	}
}

// Dirs returns the directories of the places, whether or not they exist.
func (p Places) Dirs() []string {
	dirs := map[string]bool{}
	for i := range p.items {
		switch i.kind {
		case dirNames:
			dirs[i.name] = true
		case fileContent:
			dirs[filepath.Dir(i.name)] = true
		}
	}
	return slices.Sorted(maps.Keys(dirs))
}

// Contains reports whether a change at path affects the places.
func (p Places) Contains(path string) bool {
	if p.items[inputItem{fileContent, path}] || p.items[inputItem{dirNames, path}] {
		return true
	}
	if !p.items[inputItem{dirNames, filepath.Dir(path)}] {
		return p.leadsToMissing(path)
	}
	switch name := filepath.Base(path); strings.ToLower(filepath.Ext(name)) {
	case ".go", ".mod", load.AionSuffix:
		return name[0] != '.'
	}
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// leadsToMissing reports whether the places contain a directory below path. If path has just been created,
// that directory may exist now.
func (p Places) leadsToMissing(path string) bool {
	for i := range p.items {
		if i.kind == dirNames && strings.HasPrefix(i.name, path+string(filepath.Separator)) {
			return true
		}
	}
	return false
}
