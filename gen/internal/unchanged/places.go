package unchanged

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/aiongen/aiongen/gen/internal/folder"
)

// Places are where what a run depends on lies.
type Places struct{ items map[item]bool }

// PlacesOf returns those that can be told from a Config, and of packages that a run read.
func PlacesOf(cfg Config, packages []string) Places {
	env, _ := readEnvironment() // what there is of it
	r := Run{cfg: cfg, work: env.setting("GOWORK")}
	in, _ := r.inputs() // what patterns mean that are no directories is among the packages
	for _, dir := range packages {
		in.sources(dir)
	}
	in.followFiles()
	return Places{in.items}
}

// followFiles adds the files that others are links to: these may change elsewhere.
func (in *inputs) followFiles() {
	for _, i := range in.list() {
		if i.kind != content {
			continue
		}
		if info, err := os.Lstat(i.name); err == nil && info.Mode()&os.ModeSymlink != 0 {
			in.add(content, folder.Resolved(i.name))
		}
	}
}

// Dirs returns the directories that they are in, whether or not these exist.
func (p Places) Dirs() []string {
	dirs := map[string]bool{}
	for i := range p.items {
		switch i.kind {
		case names:
			dirs[i.name] = true
		case content:
			dirs[filepath.Dir(i.name)] = true
		}
	}
	return slices.Sorted(maps.Keys(dirs))
}

// Concern reports whether a change at a path is one of these places, or makes one.
func (p Places) Concern(path string) bool {
	if p.items[item{content, path}] || p.items[item{names, path}] {
		return true
	}
	if !p.items[item{names, filepath.Dir(path)}] {
		return p.leadsToMissing(path)
	}
	switch name := filepath.Base(path); strings.ToLower(filepath.Ext(name)) {
	case ".go", ".mod", folder.Suffix:
		return name[0] != '.'
	}
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// leadsToMissing reports whether a directory that is not there would be below a path.
func (p Places) leadsToMissing(path string) bool {
	for i := range p.items {
		if i.kind == names && strings.HasPrefix(i.name, path+string(filepath.Separator)) {
			return true
		}
	}
	return false
}
