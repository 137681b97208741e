package file

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash/crc32"
	"slices"
	"strconv"

	"github.com/aiongen/aiongen/internal/jsontext"
	"github.com/aiongen/aiongen/runtime/journal"
)

// A file is a sequence of appends. An append is its header and its entries. An entry is
// two lines: its data, which may be empty, and its head. Data is JSON without line breaks,
// so it never looks like a header, a head or a tombstone:
//
//	+00000000000000a1 89abcdef
//	{"any":"data"}
//	=2 89abcdef {"n":7,"kind":"call","run":"42",…,"bytes":14,"sum":305419896,"part":0,"of":1}
//
// A header has the number of bytes that follow it in its append, and a checksum. With them, a
// reader can distinguish an append that was not written to its end from one that was damaged
// later. A head has the version of the format, a checksum of the version and the text, and the
// text. Later versions must not change these parts, so that older programs recognize a head.
//
// Version 1 has no headers, and its checksums do not cover the version. This program reads it,
// and adds appends of version 2 to the same file.
const (
	headSign    = '='
	headerSign  = '+'
	headerBytes = int64(1 + 16 + 1 + 8 + 1)
	version     = 2
	tombstone   = "!deleted\n" // the last line of a deleted run
)

// Limits of the length of a head, in bytes. Each byte of its six texts may be escaped as six bytes.
const (
	shortestHead = int64(len(`=2 89abcdef {"format":0,"n":0,"kind":"","by":"","run":"","bytes":0,"sum":0,"part":0,"of":1}`))
	longestHead  = 6*6*journal.MaxText + 1024
)

// head is an entry without its data, and a description of the data.
type head struct {
	journal.Entry
	Run   string `json:"run"`
	Bytes int64  `json:"bytes"` // of the data
	Sum   uint32 `json:"sum"`   // of the data
	Part  int    `json:"part"`  // index of the entry in its append
	Of    int    `json:"of"`    // number of entries of the append

	version int // of the format
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func checksum(b []byte) uint32 { return crc32.Checksum(b, castagnoli) }

// formatHead returns the line of a head. It sets the fields that describe h.Data.
func formatHead(h head) ([]byte, error) {
	h.Bytes, h.Sum, h.Data = int64(len(h.Data)), checksum(h.Data), nil
	text, err := jsontext.Marshal(h, "")
	if err != nil {
		return nil, err
	}
	text = bytes.TrimSuffix(text, []byte("\n"))
	return fmt.Appendf(nil, "=%d %s %s\n", version, formatSum(versionSum(version, text)), text), nil
}

// versionSum returns the checksum in a head.
func versionSum(version int, text []byte) uint32 {
	if version == 1 {
		return checksum(text)
	}
	return crc32.Update(checksum([]byte("="+strconv.Itoa(version)+" ")), castagnoli, text)
}

// formatSum returns a checksum as eight lower-case digits. Readers compare the digits, not the numbers, so that a
// digit that has become upper case counts as damage.
func formatSum(sum uint32) []byte {
	return hex.AppendEncode(nil, binary.BigEndian.AppendUint32(nil, sum))
}

// newerFormatError reports that a newer program wrote a file.
type newerFormatError struct{ version int }

func (e newerFormatError) Error() string {
	return fmt.Sprintf("a newer version of this program wrote the file, in format %d; this one reads formats up to %d", e.version, version)
}

// parseHead parses the line of a head. It reports false if the line is not a valid head. It returns
// a newerFormatError if a newer program wrote the line.
func parseHead(line []byte) (h head, ok bool, err error) {
	text, complete := bytes.CutSuffix(line, []byte("\n"))
	number, text, found := bytes.Cut(text, []byte(" "))
	if !complete || !found || len(number) < 2 || number[0] != headSign || len(text) < 9 || text[8] != ' ' {
		return h, false, nil
	}
	v, err := strconv.Atoi(string(number[1:]))
	check, text := text[:8], text[9:]
	if err != nil || v < 1 || !bytes.Equal(formatSum(versionSum(v, text)), check) {
		return h, false, nil
	}
	if v > version {
		return h, false, newerFormatError{v}
	}
	if h, err = parseHeadText(text); err != nil {
		return h, false, nil
	}
	h.version = v
	return h, 0 <= h.Bytes && h.Bytes <= journal.MaxEntry && 0 <= h.Part && h.Part < h.Of, nil
}

// formatHeader returns the header of an append of n bytes.
func formatHeader(n int64) []byte {
	digits := hex.AppendEncode(nil, binary.BigEndian.AppendUint64(nil, uint64(n)))
	return slices.Concat([]byte{headerSign}, digits, []byte(" "), formatSum(checksum(digits)), []byte("\n"))
}

// parseHeader returns the number of bytes that follow a header. It reports false if the
// header is damaged.
func parseHeader(line []byte) (n int64, ok bool) {
	if int64(len(line)) != headerBytes || line[0] != headerSign {
		return 0, false
	}
	n, err := strconv.ParseInt(string(line[1:17]), 16, 64)
	return n, err == nil && bytes.Equal(line, formatHeader(n))
}

// beginsHeader reports whether b may be the beginning of a header.
func beginsHeader(b []byte) bool {
	for i, c := range b {
		hex := '0' <= c && c <= '9' || 'a' <= c && c <= 'f'
		if i == 0 && c != headerSign || i == 17 && c != ' ' || i > 0 && i != 17 && !hex {
			return false
		}
	}
	return true
}
