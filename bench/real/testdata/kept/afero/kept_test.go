package tools

import (
	"testing"

	"github.com/aiongen/aiongen/runtime/tool"
	"github.com/spf13/afero"
)

func TestAfero(t *testing.T) {
	files := afero.Afero{Fs: afero.NewMemMapFs()}
	r := newRegistry(t, func(r *tool.Registry) error { return Register(r, Deps{Afero: &files}) })
	call(t, r, "afero_mkdir_all", `{"path":"a/b"}`)
	call(t, r, "afero_write_file", `{"filename":"a/b/c.txt","data":"grüße <&>\n"}`)
	if info, err := files.Stat("a/b/c.txt"); err != nil || info.Mode().Perm() != 0o644 {
		t.Fatalf("%v %v", info, err)
	}
	compare(t, r, "afero_read_file", `{"filename":"a/b/c.txt"}`, string(firstResult(files.ReadFile("a/b/c.txt"))))
	compare(t, r, "afero_exists", `{"path":"a/b/c.txt"}`, firstResult(files.Exists("a/b/c.txt")))
	compare(t, r, "afero_exists", `{"path":"a/d"}`, firstResult(files.Exists("a/d")))
	compare(t, r, "afero_file_contains_bytes", `{"filename":"a/b/c.txt","subslice":"ße"}`, firstResult(files.FileContainsBytes("a/b/c.txt", []byte("ße"))))
	compare(t, r, "afero_read_dir", `{"dirname":"a"}`, firstResult(ReadDir(&files, "a")))
	call(t, r, "afero_rename", `{"oldname":"a/b/c.txt","newname":"a/d.txt"}`)
	compare(t, r, "afero_exists", `{"path":"a/d.txt"}`, true)
	call(t, r, "afero_remove", `{"name":"a/d.txt"}`)
	_, err := files.ReadFile("a/d.txt")
	compareError(t, r, "afero_read_file", `{"filename":"a/d.txt"}`, err)
}
