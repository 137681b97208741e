// Package parts has arguments and results of which entries with paths describe parts.
package parts

import (
	"encoding/json"
	"errors"
	"fmt"
)

// Retention says what a stream keeps.
type Retention int

// MarshalJSON writes the name.
func (r Retention) MarshalJSON() ([]byte, error) { return json.Marshal(retentions[r]) }

// UnmarshalJSON reads the name.
func (r *Retention) UnmarshalJSON(text []byte) error {
	for i, name := range retentions {
		if string(text) == `"`+name+`"` {
			*r = Retention(i)
			return nil
		}
	}
	return errors.New("unknown retention")
}

var retentions = []string{"limits", "interest", "workqueue"}

// Config configures a stream.
type Config struct {
	Name      string         `json:"name"`
	Retention Retention      `json:"retention"`
	MaxAge    int            `json:"max_age,omitempty"`
	Subjects  []string       `json:"subjects,omitempty"`
	Placement *Placement     `json:"placement,omitempty"`
	Metadata  map[string]any `json:"metadata,omitempty"`
	Secret    string         `json:"secret,omitempty"`
}

// Placement says where a stream is.
type Placement struct {
	Cluster string `json:"cluster"`
	Tags    []Tag  `json:"tags,omitempty"`
}

// Tag is a label of a server.
type Tag struct {
	Key   string `json:"key"`
	Value any    `json:"value"`
}

// Create creates a stream.
func Create(c Config) string { return fmt.Sprintf("%+v %+v", c, c.Placement) }

// Update updates a stream.
func Update(name string, config Config, hints map[string]Tag) string {
	return fmt.Sprintf("%s %d %d %T", name, config.Retention, config.MaxAge, hints["a"].Value)
}

// Info describes a stream.
type Info struct {
	Config Config `json:"config"`
	State  any    `json:"state"`
	Tags   []Tag  `json:"tags"`
}

// Get returns a stream.
func Get(state string) (Info, error) {
	info := Info{Config: Config{Name: "n", Secret: "s"}, Tags: []Tag{{Key: "k", Value: 7}}}
	switch state {
	case "int":
		info.State = 1
	case "map":
		info.State = map[string]int{"a": 1}
	}
	return info, nil
}
