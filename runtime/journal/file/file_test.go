package file_test

import (
	"testing"

	"github.com/aiongen/aiongen/runtime/journal"
	"github.com/aiongen/aiongen/runtime/journal/file"
	"github.com/aiongen/aiongen/runtime/journal/journaltest"
)

func open(t *testing.T, folder string) *file.Journal {
	t.Helper()
	j, err := file.Open(folder)
	if err != nil {
		t.Fatal(err)
	}
	return j
}

func TestJournal(t *testing.T) {
	journaltest.Run(t, func(t *testing.T) journal.Journal { return open(t, t.TempDir()) })
}

func TestKilled(t *testing.T) {
	journaltest.Durable(t, func(place string) (journal.Journal, error) { return file.Open(place) })
}
