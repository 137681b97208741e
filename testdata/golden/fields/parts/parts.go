// Package parts has types that other packages cannot name.
package parts

type mode string

type size struct {
	Width, Height int
}

type hidden struct {
	// Depth is promoted.
	Depth int `json:"depth"`
}

// Box has fields of types that have no name outside.
type Box struct {
	hidden
	Mode  mode   `json:"mode"`            // how it opens
	Size  size   `json:"size"`            // how large it is
	Inner *size  `json:"inner,omitempty"` // what is inside
	Modes []mode `json:"modes,omitempty"`
	Empty mode   `json:"empty,omitempty"`
}
