package remote

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// pins is the content of the file of [Pinned]: the definitions that a person has accepted.
type pins struct {
	Server string                     `json:"server"` // description of the server, for people
	Tools  map[string]json.RawMessage `json:"tools"`  // definitions by name
}

// errNotPinned is the error for a tool whose definition nobody has accepted.
var errNotPinned = errors.New("its definition is new or has changed, and nobody has accepted it")

// checkPins returns the tools whose definitions are in the file of [Pinned], and calls leaveOut for the
// others. If the file does not exist, it writes the file with all tools and returns them.
func (s *Server) checkPins(offers []*serverTool, leaveOut func(name string, err error)) ([]*serverTool, error) {
	file := s.config.pinFile
	if file == "" {
		return offers, nil
	}
	current := pins{Server: s.describeServer(), Tools: map[string]json.RawMessage{}}
	for _, o := range offers {
		current.Tools[o.definition.Name] = o.fingerprint
	}
	accepted, err := readPins(file)
	if errors.Is(err, fs.ErrNotExist) {
		s.log.Info("mcp: wrote the definitions of the tools of a server", "file", file, "tools", len(offers))
		return offers, current.writeFile(file)
	}
	if err != nil {
		return nil, err
	}
	var unchanged []*serverTool
	for _, o := range offers {
		var pinned bytes.Buffer
		if json.Compact(&pinned, accepted.Tools[o.definition.Name]) == nil && bytes.Equal(pinned.Bytes(), o.fingerprint) {
			unchanged = append(unchanged, o)
			continue
		}
		leaveOut(o.definition.Name, fmt.Errorf("%w: compare %s with %s.new, and rename the latter to accept it", errNotPinned, file, file))
	}
	if len(unchanged) < len(offers) {
		if err := current.writeFile(file + ".new"); err != nil {
			return nil, err
		}
	}
	return unchanged, nil
}

// readPins reads a file of pins.
func readPins(file string) (p pins, err error) {
	f, err := os.Open(file)
	if err != nil {
		return p, fmt.Errorf("cannot read the accepted tools: %w", err)
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, 4*maxListBytes))
	if err == nil {
		err = json.Unmarshal(text, &p)
	}
	if err != nil {
		return p, fmt.Errorf("cannot read the accepted tools in %s: %w", file, err)
	}
	return p, nil
}

// writeFile replaces the file atomically.
func (p pins) writeFile(file string) error {
	text, err := json.MarshalIndent(p, "", "  ")
	if err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(file), filepath.Base(file)+".*")
	if err != nil {
		return fmt.Errorf("cannot write the tools of a server: %w", err)
	}
	defer os.Remove(f.Name()) // unless it was renamed
	_, err = f.Write(append(text, '\n'))
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), file)
	}
	if err != nil {
		return fmt.Errorf("cannot write the tools of a server: %w", err)
	}
	return nil
}
