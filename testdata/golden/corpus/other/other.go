// Package other has types of the same names as package corpus.
package other

// Point is another Point.
type Point struct {
	Lat float64 `json:"lat"`
	Lon float64 `json:"lon"`
}

// Tree is another Tree.
type Tree struct {
	Value    float64 `json:"value"`
	Children []Tree  `json:"children"`
}

// Box has fields of types that are not exported.
type Box struct {
	Mode  mode    `json:"mode"`
	Size  size    `json:"size"`
	Inner *size   `json:"inner,omitempty"`
	Modes [2]mode `json:"modes"`
}

type mode string

type size struct {
	Width  uint8 `json:"width"`
	Height uint8 `json:"height"`
}
