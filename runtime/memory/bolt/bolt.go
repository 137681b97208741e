// Package bolt implements a [memory.Store] in a file, which is a bbolt database. Only one process
// at a time can open the file. When Write or Delete has returned, the change is on disk, and survives
// a crash of the process or the machine.
package bolt

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"

	"github.com/aiongen/aiongen/runtime/memory"
)

// The file has two buckets: the entries, and metadata with the key "format".
var (
	entriesBucket = []byte("entries")
	metaBucket    = []byte("meta")
	formatKey     = []byte("format")
	format        = []byte("aiongen memory 1")
)

// Store is a [memory.Store] in a file. Create it with [Open].
type Store struct {
	db      *bbolt.DB
	commits commits
}

var _ memory.Store = (*Store)(nil)

// Open opens the file of a store. If the file does not exist, Open creates it with access only for
// its owner. It returns a [*memory.Error], for example if the file is already open in this or
// another process, or if it is not a memory file.
func Open(path string) (*Store, error) {
	s := &Store{}
	if err := recoverPanic(func() error { return s.openDatabase(path) }); err != nil {
		if _, hasPath := errors.AsType[*fs.PathError](err); !hasPath {
			err = fmt.Errorf("open %s: %w", path, err)
		}
		return nil, &memory.Error{Kind: memory.Failed, Err: err}
	}
	s.commits.turn = make(chan struct{}, 1)
	return s, nil
}

func (s *Store) openDatabase(path string) error {
	db, err := bbolt.Open(path, 0o600, &bbolt.Options{Timeout: time.Nanosecond}) // do not wait for the lock
	switch {
	case errors.Is(err, bolterrors.ErrTimeout):
		return errors.New("it is already open in this or another process")
	case errors.Is(err, bolterrors.ErrInvalid), errors.Is(err, bolterrors.ErrVersionMismatch), errors.Is(err, bolterrors.ErrChecksum):
		return fmt.Errorf("it is not a memory file, or is incomplete: %w", err)
	case err != nil:
		return err
	}
	s.db = db
	if err := recoverPanic(func() error { return s.prepareDatabase(path) }); err != nil {
		return errors.Join(err, s.db.Close())
	}
	return nil
}

// prepareDatabase initializes a new database. It returns an error if the file is not a memory
// file.
func (s *Store) prepareDatabase(path string) error {
	fresh := false
	err := s.db.View(func(tx *bbolt.Tx) (err error) {
		fresh, err = inspectDatabase(tx, path)
		return err
	})
	if err == nil && fresh {
		err = s.initializeDatabase(path)
	}
	return err
}

// inspectDatabase reports whether the database is new. It returns an error if the file is truncated,
// belongs to another program, or has another format.
func inspectDatabase(tx *bbolt.Tx, path string) (fresh bool, err error) {
	info, err := os.Stat(path)
	if err != nil {
		return false, err
	}
	if info.Size() < tx.Size() { // reading it would crash the process
		return false, fmt.Errorf("it is truncated: it has %d of %d bytes", info.Size(), tx.Size())
	}
	meta := tx.Bucket(metaBucket)
	if meta == nil {
		if name, _ := tx.Cursor().First(); name != nil {
			return false, errors.New("it is the database of another program")
		}
		return true, nil
	}
	if value := meta.Get(formatKey); !bytes.Equal(value, format) {
		return false, fmt.Errorf("its format is %q, this version reads %q", value, format)
	}
	return false, nil
}

// initializeDatabase creates the buckets, and syncs the folder so that the new directory entry of the
// file is on disk.
func (s *Store) initializeDatabase(path string) error {
	err := s.db.Update(func(tx *bbolt.Tx) error {
		if _, err := tx.CreateBucket(entriesBucket); err != nil {
			return err
		}
		meta, err := tx.CreateBucket(metaBucket)
		if err != nil {
			return err
		}
		return meta.Put(formatKey, format)
	})
	if err != nil || runtime.GOOS == "windows" { // Windows cannot sync folders
		return err
	}
	folder, err := os.Open(filepath.Dir(path))
	if err != nil {
		return err
	}
	return errors.Join(folder.Sync(), folder.Close())
}

// Close waits for running calls and closes the file. Afterward, other methods fail, and Close does
// nothing.
func (s *Store) Close() error {
	if err := s.db.Close(); err != nil {
		return newFailure("", err)
	}
	return nil
}

// Write implements [memory.Store]. It returns after the file was synced to disk. Concurrent writes
// share a sync.
func (s *Store) Write(ctx context.Context, key string, value any) error {
	if err := memory.Check(ctx, key); err != nil {
		return err
	}
	text, err := memory.Marshal(key, value)
	if err != nil {
		return err
	}
	return s.commitChange(ctx, &change{key: key, value: text})
}

// Delete implements [memory.Store]. It syncs the file like Write. The file does not shrink, but later
// writes reuse the space.
func (s *Store) Delete(ctx context.Context, key string) error {
	if err := memory.Check(ctx, key); err != nil {
		return err
	}
	return s.commitChange(ctx, &change{key: key})
}

// Read implements [memory.Store].
func (s *Store) Read(ctx context.Context, key string) (value json.RawMessage, found bool, err error) {
	if err := memory.Check(ctx, key); err != nil {
		return nil, false, err
	}
	err = s.viewEntries(func(entries *bbolt.Bucket) {
		value = slices.Clone(entries.Get([]byte(key)))
	})
	if err != nil {
		return nil, false, newFailure(key, err)
	}
	return value, value != nil, nil
}

// Search reads pages of limited size, each in its own transaction. It cannot keep a transaction open
// during the loop over its results, because writes in the loop might wait for the transaction.
const (
	pageEntries = 256
	pageBytes   = 1 << 20
)

// Search implements [memory.Store].
func (s *Store) Search(ctx context.Context, prefix string) iter.Seq2[memory.Entry, error] {
	return func(yield func(memory.Entry, error) bool) {
		from := []byte(prefix)
		for from != nil {
			if err := ctx.Err(); err != nil {
				yield(memory.Entry{}, newFailure(prefix, err))
				return
			}
			page, next, err := s.readPage(from, []byte(prefix))
			if err != nil {
				yield(memory.Entry{}, newFailure(prefix, err))
				return
			}
			for _, entry := range page {
				if !yield(entry, nil) {
					return
				}
			}
			from = next
		}
	}
}

// readPage returns entries whose keys begin with prefix, starting with the key from. It also returns
// the first key of the next page, or nil if there is none.
func (s *Store) readPage(from, prefix []byte) (page []memory.Entry, next []byte, err error) {
	err = s.viewEntries(func(entries *bbolt.Bucket) {
		size := 0
		cursor := entries.Cursor()
		for key, value := cursor.Seek(from); key != nil && bytes.HasPrefix(key, prefix); key, value = cursor.Next() {
			if len(page) == pageEntries || size >= pageBytes {
				next = slices.Clone(key)
				return
			}
			page = append(page, memory.Entry{Key: string(key), Value: slices.Clone(value)})
			size += len(key) + len(value)
		}
	})
	return page, next, err
}

func (s *Store) viewEntries(read func(entries *bbolt.Bucket)) error {
	return recoverPanic(func() error {
		return s.db.View(func(tx *bbolt.Tx) error {
			read(tx.Bucket(entriesBucket))
			return nil
		})
	})
}
