package postgres_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/aiongen/aiongen/adapters/postgres"
	"github.com/aiongen/aiongen/runtime/journal"
)

// TestOpenAtOnce has several processes find no tables at the same time.
func TestOpenAtOnce(t *testing.T) {
	url := empty(t)
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
	if n := count(t, url, "SELECT count(*) FROM aion_migrations"); n != 3 {
		t.Errorf("%d migrations were made, want 3", n)
	}
}

// TestOpenAgain: what is there stays, also for who may not make tables.
func TestOpenAgain(t *testing.T) {
	url := empty(t)
	if err := open(t, url).Journal().Append(t.Context(), "r", 0, journal.Entry{By: "me"}); err != nil {
		t.Fatal(err)
	}
	reader := fmt.Sprint("reader", schemas.Add(1)) // for the whole server
	execute(t, url, strings.ReplaceAll(`CREATE ROLE reader LOGIN;
		DO $$ BEGIN EXECUTE 'GRANT USAGE ON SCHEMA ' || current_schema || ' TO reader'; END $$;
		GRANT SELECT ON aion_migrations, aion_journal, aion_entries TO reader`, "reader", reader))
	entries := 0
	for _, err := range open(t, strings.Replace(url, "user=aion", "user="+reader, 1)).Journal().Read(t.Context(), "r", 0) {
		if entries++; err != nil {
			t.Error(err)
		}
	}
	if entries != 1 {
		t.Errorf("there are %d entries", entries)
	}
}

func TestOpenWrong(t *testing.T) {
	newer, latin := empty(t), fmt.Sprint("latin", schemas.Add(1))
	open(t, newer)
	execute(t, newer, "INSERT INTO aion_migrations (version, name) VALUES (99, 'later')")
	execute(t, shared.URL(), "CREATE DATABASE "+latin+" ENCODING 'LATIN1' TEMPLATE template0")
	for name, test := range map[string]struct{ url, want string }{
		"newer":     {newer, "the tables are of version 99, and this program knows 3: it is too old for them"},
		"encoding":  {strings.Replace(shared.URL(), "/postgres?", "/"+latin+"?", 1), "the database has the encoding LATIN1"},
		"lossy":     {empty(t) + "&synchronous_commit=off", "add synchronous_commit=on to the URL"},
		"isolation": {empty(t) + "&default_transaction_isolation=serializable", "add default_transaction_isolation=read%20committed to the URL"},
		"nowhere":   {"postgres:///postgres?host=/nowhere", "/nowhere"},
		"no URL":    {"postgres://%", "postgres: the URL cannot be read: "},
		"no table":  {empty(t) + "none", "no schema has been selected to create in"},
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
