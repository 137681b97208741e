package file

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/journal"
)

// An entry is two lines: its data, which may be nothing, and its head. Data is JSON
// without line breaks, and so never looks like a head or a tombstone:
//
//	{"any":"data"}
//	=1 89abcdef {"n":7,"kind":"call","run":"42",…,"bytes":14,"sum":305419896,"part":0,"of":1}
//
// The number after the sign is the version of this form, the next one the check sum
// of what follows it.
const (
	headPrefix = "=1 "
	headSign   = '='
	tombstone  = "!deleted\n" // the last line of a run that was deleted
)

// longestHead bounds, in bytes, how long the line of a head can be: six texts, of
// which each byte may be written as six.
const longestHead = 6*6*journal.MaxText + 1024

// head is all of an entry but its data, and where in the file that is.
type head struct {
	journal.Entry
	Run   string `json:"run"`
	Bytes int64  `json:"bytes"` // of the data
	Sum   uint32 `json:"sum"`   // of the data
	Part  int    `json:"part"`  // which of the entries that were appended at once this is
	Of    int    `json:"of"`    // how many those are
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func sum(b []byte) uint32 { return crc32.Checksum(b, castagnoli) }

// writeEntry writes an entry, of whose head it fills in what is about the data.
func writeEntry(w *bufio.Writer, h head) error {
	data := h.Data
	h.Data, h.Bytes, h.Sum = nil, int64(len(data)), sum(data)
	text, err := jsontext.Marshal(h, "")
	if err != nil {
		return err
	}
	text = bytes.TrimSuffix(text, []byte("\n"))
	if _, err := w.Write(data); err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "\n%s%08x %s\n", headPrefix, sum(text), text)
	return err
}

// errNewer says that a file was written by a program that knows more than this one.
var errNewer = errors.New("the file was written by a newer version")

// parseHead reads the line of a head. It is not ok if that is none, or not whole.
func parseHead(line []byte) (h head, ok bool, err error) {
	text, whole := bytes.CutSuffix(line, []byte("\n"))
	text, ours := bytes.CutPrefix(text, []byte(headPrefix))
	switch {
	case !ours && whole && len(line) > 0 && line[0] == headSign && line[len(line)-2] == '}':
		return h, false, errNewer
	case !ours || !whole || len(text) < 9 || text[8] != ' ':
		return h, false, nil
	}
	check, text := text[:8], text[9:]
	if fmt.Sprintf("%08x", sum(text)) != string(check) || json.Unmarshal(text, &h) != nil {
		return h, false, nil
	}
	return h, h.Bytes >= 0 && 0 <= h.Part && h.Part < h.Of, nil
}
