// Package bolt is a memory store in one file, a bbolt database, which one process
// has open at a time. What Write or Delete acknowledged is on disk, and survives
// the end of the process and of the machine.
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

// The file has two buckets: the entries, and under the key "format" in the other
// one what they are.
var (
	entriesBucket = []byte("entries")
	metaBucket    = []byte("meta")
	formatKey     = []byte("format")
	format        = []byte("aiongen memory 1")
)

// Store is a [memory.Store] in a file. It is made by [Open].
type Store struct {
	db      *bbolt.DB
	commits commits
}

var _ memory.Store = (*Store)(nil)

// Open opens the file of a store, or makes one that only its owner may read. It
// is an error, a [*memory.Error], if another store has the file open, in this
// process or another one, or if the file holds something else.
func Open(path string) (*Store, error) {
	s := &Store{}
	if err := guard(func() error { return s.open(path) }); err != nil {
		if _, named := errors.AsType[*fs.PathError](err); !named {
			err = fmt.Errorf("open %s: %w", path, err)
		}
		return nil, &memory.Error{Kind: memory.Failed, Err: err}
	}
	s.commits.turn = make(chan struct{}, 1)
	return s, nil
}

func (s *Store) open(path string) error {
	db, err := bbolt.Open(path, 0o600, &bbolt.Options{Timeout: time.Nanosecond}) // do not wait for its lock
	switch {
	case errors.Is(err, bolterrors.ErrTimeout):
		return errors.New("it is open already, here or in another process")
	case errors.Is(err, bolterrors.ErrInvalid), errors.Is(err, bolterrors.ErrVersionMismatch), errors.Is(err, bolterrors.ErrChecksum):
		return fmt.Errorf("it is no memory file, or one that was never finished: %w", err)
	case err != nil:
		return err
	}
	s.db = db
	if err := guard(func() error { return s.prepare(path) }); err != nil {
		return errors.Join(err, s.db.Close())
	}
	return nil
}

// prepare makes a new database a store. It is an error if the file holds something else.
func (s *Store) prepare(path string) error {
	fresh := false
	err := s.db.View(func(tx *bbolt.Tx) (err error) {
		fresh, err = inspect(tx, path)
		return err
	})
	if err == nil && fresh {
		err = s.initialise(path)
	}
	return err
}

// inspect tells whether the database is a new one. It is an error if it holds
// something that is not ours, or less than it says.
func inspect(tx *bbolt.Tx, path string) (fresh bool, err error) {
	info, err := os.Stat(path)
	if err != nil {
		return false, err
	}
	if info.Size() < tx.Size() { // reading it would end the process
		return false, fmt.Errorf("it is cut off: it has %d bytes of %d", info.Size(), tx.Size())
	}
	meta := tx.Bucket(metaBucket)
	if meta == nil {
		if name, _ := tx.Cursor().First(); name != nil {
			return false, errors.New("it is the database of another program")
		}
		return true, nil
	}
	if found := meta.Get(formatKey); !bytes.Equal(found, format) {
		return false, fmt.Errorf("its format is %q, this version reads %q", found, format)
	}
	return false, nil
}

// initialise makes the buckets, and sees to it that the file's name is on disk.
func (s *Store) initialise(path string) error {
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
	if err != nil || runtime.GOOS == "windows" { // where folders cannot be synced
		return err
	}
	folder, err := os.Open(filepath.Dir(path))
	if err != nil {
		return err
	}
	return errors.Join(folder.Sync(), folder.Close())
}

// Close waits for calls under way and closes the file. Later calls of other
// methods fail, later ones of Close do nothing.
func (s *Store) Close() error {
	if err := s.db.Close(); err != nil {
		return failed("", err)
	}
	return nil
}

// Write is [memory.Store]'s. It takes as long as the disk needs; writes that come
// in the meantime go to disk together.
func (s *Store) Write(ctx context.Context, key string, value any) error {
	if err := memory.Check(ctx, key); err != nil {
		return err
	}
	text, err := memory.Marshal(key, value)
	if err != nil {
		return err
	}
	return s.commit(ctx, &change{key: key, value: text})
}

// Delete is [memory.Store]'s. It takes as long as a write. The file keeps its
// size, later writes use what became free.
func (s *Store) Delete(ctx context.Context, key string) error {
	if err := memory.Check(ctx, key); err != nil {
		return err
	}
	return s.commit(ctx, &change{key: key})
}

// Read is [memory.Store]'s.
func (s *Store) Read(ctx context.Context, key string) (value json.RawMessage, found bool, err error) {
	if err := memory.Check(ctx, key); err != nil {
		return nil, false, err
	}
	err = s.view(func(entries *bbolt.Bucket) {
		value = slices.Clone(entries.Get([]byte(key)))
	})
	if err != nil {
		return nil, false, failed(key, err)
	}
	return value, value != nil, nil
}

// A search reads so much at a time: it must not keep a transaction open while the
// loop runs, for a write that the loop waits for may have to wait for that.
const (
	pageEntries = 256
	pageBytes   = 1 << 20
)

// Search is [memory.Store]'s.
func (s *Store) Search(ctx context.Context, prefix string) iter.Seq2[memory.Entry, error] {
	return func(yield func(memory.Entry, error) bool) {
		from := []byte(prefix)
		for from != nil {
			if err := ctx.Err(); err != nil {
				yield(memory.Entry{}, failed(prefix, err))
				return
			}
			page, next, err := s.page(from, []byte(prefix))
			if err != nil {
				yield(memory.Entry{}, failed(prefix, err))
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

// page returns entries from a key on that begin with prefix, and the key from
// which to go on, nil at the end.
func (s *Store) page(from, prefix []byte) (page []memory.Entry, next []byte, err error) {
	err = s.view(func(entries *bbolt.Bucket) {
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

func (s *Store) view(read func(entries *bbolt.Bucket)) error {
	return guard(func() error {
		return s.db.View(func(tx *bbolt.Tx) error {
			read(tx.Bucket(entriesBucket))
			return nil
		})
	})
}
