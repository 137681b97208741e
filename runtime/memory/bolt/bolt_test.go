package bolt_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"go.etcd.io/bbolt"

	"github.com/aiongen/aiongen/runtime/memory"
	"github.com/aiongen/aiongen/runtime/memory/bolt"
	"github.com/aiongen/aiongen/runtime/memory/memorytest"
)

// open opens a store, and closes it when the test ends.
func open(t testing.TB, path string) *bolt.Store {
	t.Helper()
	s, err := bolt.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func TestStore(t *testing.T) {
	memorytest.Run(t, func(t *testing.T) memory.Store {
		return open(t, filepath.Join(t.TempDir(), "memory.db"))
	})
}

func TestOpenAgain(t *testing.T) {
	path := filepath.Join(t.TempDir(), "memory.db")
	s := open(t, path)
	if err := s.Write(t.Context(), "k", 1); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	value, found, err := open(t, path).Read(t.Context(), "k")
	if string(value) != "1" || !found || err != nil {
		t.Errorf("%s, %t, %v", value, found, err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
}

func TestClosed(t *testing.T) {
	s := open(t, filepath.Join(t.TempDir(), "memory.db"))
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	_, _, readErr := s.Read(t.Context(), "k")
	var searchErr error
	for _, err := range s.Search(t.Context(), "") {
		searchErr = err
	}
	for call, err := range map[string]error{
		"Write": s.Write(t.Context(), "k", 1), "Delete": s.Delete(t.Context(), "k"), "Read": readErr, "Search": searchErr,
	} {
		var e *memory.Error
		if !errors.As(err, &e) || e.Code() != memory.Closed || e.Retryable() || !strings.HasSuffix(e.Error(), "the store is closed") {
			t.Errorf("%s: %v", call, err)
		}
	}
}

// TestOpenWrong opens every kind of file that is not a store or cannot be accessed.
func TestOpenWrong(t *testing.T) {
	good := filepath.Join(t.TempDir(), "good.db")
	s := open(t, good)
	for i := range 100 {
		if err := s.Write(t.Context(), fmt.Sprint(i), strings.Repeat("x", 5000)); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	content, err := os.ReadFile(good)
	if err != nil {
		t.Fatal(err)
	}
	damaged := bytes.Clone(content)
	for i := 2 * os.Getpagesize(); i < len(damaged); i++ { // after the two pages with checksums
		damaged[i] = 0xee
	}
	for name, test := range map[string]struct {
		make func(path string) error
		want string
	}{
		"text":     {file([]byte(strings.Repeat("Some text.\n", 10_000))), "it is not a memory file, or is incomplete"},
		"short":    {file([]byte("x")), "it is not a memory file, or is incomplete"},
		"cut":      {file(content[:len(content)/2]), "it is truncated"},
		"damaged":  {file(damaged), "damaged"},
		"folder":   {func(path string) error { return os.Mkdir(path, 0o700) }, "is a directory"},
		"nowhere":  {func(path string) error { return os.RemoveAll(filepath.Dir(path)) }, "no such file"},
		"open":     {func(path string) error { open(t, path); return nil }, "it is already open in this or another process"},
		"others'":  {database("shop", "", ""), "it is the database of another program"},
		"tomorrow": {database("meta", "format", "aiongen memory 2"), `its format is "aiongen memory 2", this version reads "aiongen memory 1"`},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "memory.db")
			if err := test.make(path); err != nil {
				t.Fatal(err)
			}
			before, _ := os.ReadFile(path)
			_, err := bolt.Open(path)
			var e *memory.Error
			if !errors.As(err, &e) || !strings.Contains(err.Error(), "open "+path) || !strings.Contains(err.Error(), test.want) {
				t.Errorf("%v, want %s", err, test.want)
			}
			if after, _ := os.ReadFile(path); !bytes.Equal(before, after) {
				t.Error("the file was changed")
			}
		})
	}
}

func file(content []byte) func(path string) error {
	return func(path string) error { return os.WriteFile(path, content, 0o600) }
}

// database creates a bbolt database with one bucket and an entry in it.
func database(bucket, key, value string) func(path string) error {
	return func(path string) error {
		db, err := bbolt.Open(path, 0o600, nil)
		if err != nil {
			return err
		}
		return errors.Join(db.Update(func(tx *bbolt.Tx) error {
			b, err := tx.CreateBucket([]byte(bucket))
			if err != nil || key == "" {
				return err
			}
			return b.Put([]byte(key), []byte(value))
		}), db.Close())
	}
}

// TestCancelled cancels waiting writers. Each write either succeeded, or failed without an effect.
func TestCancelled(t *testing.T) {
	s := open(t, filepath.Join(t.TempDir(), "memory.db"))
	for round := range 20 {
		ctx, cancel := context.WithCancel(t.Context())
		var wg sync.WaitGroup
		errs := make([]error, 32)
		for i := range errs {
			wg.Go(func() {
				errs[i] = s.Write(ctx, fmt.Sprint(round, "/", i), i)
				if i == round {
					cancel()
				}
			})
		}
		wg.Wait()
		cancel()
		for i, err := range errs {
			_, found, readErr := s.Read(t.Context(), fmt.Sprint(round, "/", i))
			if readErr != nil || found != (err == nil) || err != nil && !errors.Is(err, context.Canceled) {
				t.Errorf("written %t, but the error is %v (%v)", found, err, readErr)
			}
		}
	}
}

func Example() {
	folder, err := os.MkdirTemp("", "memory")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(folder)
	store, err := bolt.Open(filepath.Join(folder, "memory.db"))
	if err != nil {
		fmt.Println(err)
		return
	}
	defer store.Close()
	if err := store.Write(context.Background(), "answer", 42); err != nil {
		fmt.Println(err)
		return
	}
	value, found, err := store.Read(context.Background(), "answer")
	fmt.Println(string(value), found, err)
	// Output:
	// 42 true <nil>
}
