package postgres_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/aiongen/aiongen/adapters/postgres"
	"github.com/aiongen/aiongen/runtime/journal"
)

// TestOpenAtOnce opens an empty database in several processes at the same time.
func TestOpenAtOnce(t *testing.T) {
	url := newSchema(t)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			db, err := postgres.Open(t.Context(), url)
			if err != nil {
				t.Error(err)
				return
			}
			db.Close()
		})
	}
	wg.Wait()
	if n := countRows(t, url, "SELECT count(*) FROM aion_migrations"); n != 3 {
		t.Errorf("%d migrations were made, want 3", n)
	}
}

// TestOpenAgain checks that existing data stays, and that a user who may not create tables can open the database.
func TestOpenAgain(t *testing.T) {
	url := newSchema(t)
	if err := openDB(t, url).Journal().Append(t.Context(), "r", 0, journal.Entry{By: "me"}); err != nil {
		t.Fatal(err)
	}
	reader := fmt.Sprint("reader", schemaCount.Add(1)) // roles exist in the whole server
	executeSQL(t, url, strings.ReplaceAll(`CREATE ROLE reader LOGIN;
		DO $$ BEGIN EXECUTE 'GRANT USAGE ON SCHEMA ' || current_schema || ' TO reader'; END $$;
		GRANT SELECT ON aion_migrations, aion_journal, aion_entries TO reader`, "reader", reader))
	entries := 0
	for _, err := range openDB(t, strings.Replace(url, "user=aion", "user="+reader, 1)).Journal().Read(t.Context(), "r", 0) {
		if entries++; err != nil {
			t.Error(err)
		}
	}
	if entries != 1 {
		t.Errorf("there are %d entries", entries)
	}
}

func TestOpenErrors(t *testing.T) {
	newer, latin := newSchema(t), fmt.Sprint("latin", schemaCount.Add(1))
	openDB(t, newer)
	executeSQL(t, newer, "INSERT INTO aion_migrations (version, name) VALUES (99, 'later')")
	executeSQL(t, sharedCluster.URL(), "CREATE DATABASE "+latin+" ENCODING 'LATIN1' TEMPLATE template0")
	for name, test := range map[string]struct{ url, want string }{
		"newer":     {newer, "the tables have version 99, but this program only supports versions up to 3"},
		"encoding":  {strings.Replace(sharedCluster.URL(), "/postgres?", "/"+latin+"?", 1), "the database has the encoding LATIN1"},
		"lossy":     {newSchema(t) + "&synchronous_commit=off", "add synchronous_commit=on to the URL"},
		"isolation": {newSchema(t) + "&default_transaction_isolation=serializable", "add default_transaction_isolation=read%20committed to the URL"},
		"nowhere":   {"postgres:///postgres?host=/nowhere", "/nowhere"},
		"no URL":    {"postgres://%", "postgres: invalid database URL: "},
		"no table":  {newSchema(t) + "none", "no schema has been selected to create in"},
	} {
		t.Run(name, func(t *testing.T) {
			db, err := postgres.Open(t.Context(), test.url)
			if err == nil {
				db.Close()
			}
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("%v, want %q", err, test.want)
			}
		})
	}
}
