package tool

import (
	"maps"
	"sync"
	"sync/atomic"
)

// toolMap holds tools by name. It is optimized for many reads and few changes: reading takes no lock, and each
// change publishes a new copy. It is safe for concurrent use.
type toolMap struct {
	mu      sync.Mutex // held during a change
	current atomic.Pointer[toolMapVersion]
}

// toolMapVersion is an immutable version of a toolMap.
type toolMapVersion struct {
	tools   map[string]*registeredTool
	changed chan struct{} // closed when there is a newer version
}

// newToolMap returns an empty map.
func newToolMap() *toolMap {
	m := new(toolMap)
	m.current.Store(&toolMapVersion{map[string]*registeredTool{}, make(chan struct{})})
	return m
}

// change calls edit with a copy of the map that has capacity for more additional tools, and publishes the copy
// unless edit returns an error.
func (m *toolMap) change(more int, edit func(tools map[string]*registeredTool) error) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	old := m.current.Load().tools
	tools := make(map[string]*registeredTool, len(old)+more)
	maps.Copy(tools, old)
	if err := edit(tools); err != nil {
		return err
	}
	close(m.current.Swap(&toolMapVersion{tools, make(chan struct{})}).changed)
	return nil
}
