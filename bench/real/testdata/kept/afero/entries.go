package tools

import "github.com/spf13/afero"

// An Entry is a file or folder.
type Entry struct {
	Name   string `json:"name"`
	Folder bool   `json:"folder"`
	Size   int64  `json:"size"` // in bytes
}

// ReadDir returns the entries of a folder, sorted by name.
func ReadDir(files *afero.Afero, dirname string) ([]Entry, error) {
	infos, err := files.ReadDir(dirname)
	entries := []Entry{}
	for _, info := range infos {
		entries = append(entries, Entry{info.Name(), info.IsDir(), info.Size()})
	}
	return entries, err
}
