package postgres

import (
	"context"
	"encoding/json"
	"errors"
	"iter"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/aiongen/aiongen/runtime/memory"
)

// Store returns the store of a database.
func (db *DB) Store() memory.Store { return store{db} }

type store struct{ db *DB }

const write = `INSERT INTO aion_memory (key, value) VALUES ($1, $2) ON CONFLICT (key) DO UPDATE SET value = excluded.value`

// Write is [memory.Store]'s.
func (s store) Write(ctx context.Context, key string, value any) error {
	if err := memory.Check(ctx, key); err != nil {
		return err
	}
	text, err := memory.Marshal(key, value)
	if err != nil {
		return err
	}
	return s.change(ctx, key, write, []byte(key), string(text))
}

// Delete is [memory.Store]'s.
func (s store) Delete(ctx context.Context, key string) error {
	if err := memory.Check(ctx, key); err != nil {
		return err
	}
	return s.change(ctx, key, "DELETE FROM aion_memory WHERE key = $1", []byte(key))
}

// changeTime is how long a change that has begun may take.
const changeTime = 10 * time.Second

// change makes a change. Once it has begun, the end of its context does not end it:
// an error that is the context's says that nothing was changed.
func (s store) change(ctx context.Context, key, sql string, args ...any) error {
	err := again(ctx, untouched, func() error {
		conn, err := s.db.pool.Acquire(ctx)
		if err != nil {
			return err
		}
		defer conn.Release()
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), changeTime)
		defer cancel()
		_, err = conn.Exec(ctx, sql, args...)
		return err
	})
	return storeError(key, err)
}

// Read is [memory.Store]'s.
func (s store) Read(ctx context.Context, key string) (json.RawMessage, bool, error) {
	if err := memory.Check(ctx, key); err != nil {
		return nil, false, err
	}
	var value []byte
	err := again(ctx, passing, func() error {
		return s.db.pool.QueryRow(ctx, "SELECT value FROM aion_memory WHERE key = $1", []byte(key)).Scan(&value)
	})
	if errors.Is(err, pgx.ErrNoRows) {
		return nil, false, nil
	}
	return value, err == nil, storeError(key, err)
}

// A search reads so much at a time: it must not hold a connection while the loop
// runs, which may need one itself.
const search = `
SELECT key, value FROM (
	SELECT key, value, sum(octet_length(value)) OVER (ORDER BY key) - octet_length(value) AS before
	FROM (SELECT key, value FROM aion_memory WHERE key >= $1 AND key < $2 ORDER BY key LIMIT 256) page
) page WHERE before < 1048576 ORDER BY key`

// Search is [memory.Store]'s.
func (s store) Search(ctx context.Context, prefix string) iter.Seq2[memory.Entry, error] {
	return func(yield func(memory.Entry, error) bool) {
		for from, end := []byte(prefix), successor(prefix); ; {
			page, err := s.page(ctx, from, end)
			if err != nil {
				yield(memory.Entry{}, storeError(prefix, err))
				return
			}
			for _, entry := range page {
				if !yield(entry, nil) {
					return
				}
			}
			if len(page) == 0 {
				return
			}
			from = append([]byte(page[len(page)-1].Key), 0)
		}
	}
}

func (s store) page(ctx context.Context, from, end []byte) (page []memory.Entry, err error) {
	err = again(ctx, passing, func() error {
		rows, err := s.db.pool.Query(ctx, search, from, end)
		if err != nil {
			return err
		}
		page, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) (e memory.Entry, err error) {
			var key, value []byte
			err = row.Scan(&key, &value)
			return memory.Entry{Key: string(key), Value: value}, err
		})
		return err
	})
	return page, err
}

// successor returns what is behind all keys that begin with a prefix.
func successor(prefix string) []byte {
	end := []byte(prefix)
	for len(end) > 0 && end[len(end)-1] == 0xff {
		end = end[:len(end)-1]
	}
	if len(end) == 0 { // behind every key, for none is so long
		return []byte(strings.Repeat("\xff", memory.MaxKey+1))
	}
	end[len(end)-1]++
	return end
}

func storeError(key string, err error) error {
	switch {
	case err == nil:
		return nil
	case closed(err):
		return &memory.Error{Kind: memory.Closed, Key: key, Err: errors.New("the database is closed")}
	}
	return &memory.Error{Kind: memory.Failed, Key: key, Err: err}
}
