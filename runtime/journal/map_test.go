package journal_test

import (
	"testing"

	"github.com/aiongen/aiongen/runtime/journal"
	"github.com/aiongen/aiongen/runtime/journal/journaltest"
)

func TestMap(t *testing.T) {
	journaltest.Run(t, func(*testing.T) journal.Journal { return new(journal.Map) })
}
