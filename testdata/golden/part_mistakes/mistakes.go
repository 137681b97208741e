// Package mistakes has entries with paths that lead nowhere.
package mistakes

// Config configures a stream.
type Config struct {
	Name string `json:"name"`
	Age  int    `json:"age"`
	Done chan int
}

// Create creates a stream.
func Create(c Config, note string) *Config { return &c }
