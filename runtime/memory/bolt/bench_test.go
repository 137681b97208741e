package bolt_test

import (
	"fmt"
	"path/filepath"
	"sync/atomic"
	"testing"

	"go.etcd.io/bbolt"
)

// Benchmarks with the same name run on the same disk in the same run, so the ratio of this store to
// bbolt can be compared.

var benchValue = map[string]any{"result": "Closed the ticket.", "ticket": 42, "tags": []string{"printer", "paper"}}

const benchText = `{"result":"Closed the ticket.","tags":["printer","paper"],"ticket":42}`

// BenchmarkWriteAlone has one writer. The lower bound is one transaction of bbolt for each write; its
// Batch would make a single writer wait for others.
func BenchmarkWriteAlone(b *testing.B) {
	b.Run("store", func(b *testing.B) {
		s := open(b, filepath.Join(b.TempDir(), "memory.db"))
		for i := 0; b.Loop(); i++ {
			if err := s.Write(b.Context(), fmt.Sprint(i), benchValue); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("bbolt-update", func(b *testing.B) {
		db := openRaw(b)
		for i := 0; b.Loop(); i++ {
			if err := db.Update(put(i)); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("bbolt-batch", func(b *testing.B) {
		db := openRaw(b)
		for i := 0; b.Loop(); i++ {
			if err := db.Batch(put(i)); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkWrite64 has 64 writers.
func BenchmarkWrite64(b *testing.B) {
	var n atomic.Int64
	run := func(b *testing.B, write func(i int) error) {
		b.SetParallelism(32) // times the two processors of a small machine
		b.RunParallel(func(pb *testing.PB) {
			for pb.Next() {
				if err := write(int(n.Add(1))); err != nil {
					b.Error(err)
				}
			}
		})
	}
	b.Run("store", func(b *testing.B) {
		s := open(b, filepath.Join(b.TempDir(), "memory.db"))
		run(b, func(i int) error { return s.Write(b.Context(), fmt.Sprint(i), benchValue) })
	})
	b.Run("bbolt-update", func(b *testing.B) {
		db := openRaw(b)
		run(b, func(i int) error { return db.Update(put(i)) })
	})
	b.Run("bbolt-batch", func(b *testing.B) {
		db := openRaw(b)
		run(b, func(i int) error { return db.Batch(put(i)) })
	})
}

func openRaw(b *testing.B) *bbolt.DB {
	db, err := bbolt.Open(filepath.Join(b.TempDir(), "raw.db"), 0o600, nil)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { db.Close() })
	err = db.Update(func(tx *bbolt.Tx) error {
		_, err := tx.CreateBucket([]byte("entries"))
		return err
	})
	if err != nil {
		b.Fatal(err)
	}
	return db
}

func put(i int) func(tx *bbolt.Tx) error {
	return func(tx *bbolt.Tx) error {
		return tx.Bucket([]byte("entries")).Put([]byte(fmt.Sprint(i)), []byte(benchText))
	}
}
