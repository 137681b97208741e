package corpus

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/aiongen/aiongen/runtime/tool"
)

// Figure is a Disk, a pointer to a Cluster, a Tag or Sizes.
type Figure interface{ isFigure() }

// Disk is a figure.
type Disk struct {
	R     float64 `json:"r"`
	Thick *bool   `json:"thick,omitempty"`
}

// Cluster is a figure of figures.
type Cluster struct {
	Of    []Figure          `json:"of"`
	By    map[string]Figure `json:"by,omitempty"`
	First Figure            `json:"first,omitempty"`
	Note  string            `json:"note,omitempty"`
}

// Tag is a figure without fields.
type Tag string

// Sizes is a figure with a list.
type Sizes []string

func (Disk) isFigure()     {}
func (*Cluster) isFigure() {}
func (Tag) isFigure()      {}
func (Sizes) isFigure()    {}

// Entry is an Amount or a pointer to an Item.
type Entry interface{ Text() string }

// Quantity is an entry without fields.
type Quantity float64

// Item is an entry.
type Item struct {
	Type string `json:"type"`
}

// Text returns an empty text.
func (Quantity) Text() string { return "" }

// Text returns the type.
func (i *Item) Text() string { return i.Type }

var _ = tool.Union[Entry](Quantity(0), &Item{}).Member("kind").Name("thing", &Item{})

// Drawing has figures at every depth.
type Drawing struct {
	Main    Figure              `json:"main"`
	Second  Figure              `json:"second,omitempty"`
	Fixed   [2]Figure           `json:"fixed"`
	Layers  map[string][]Figure `json:"layers"`
	Entries []Entry             `json:"entries"`
	Disk    Disk                `json:"disk"`
	Cluster *Cluster            `json:"cluster"`
}

// Union takes a Figure.
func Union(ctx context.Context, v Figure) Figure { return pass(ctx, v) }

// UnionList takes a list of entries.
func UnionList(ctx context.Context, v []Entry) []Entry { return pass(ctx, v) }

// UnionParts takes a Drawing.
func UnionParts(ctx context.Context, v Drawing) Drawing { return pass(ctx, v) }

// The types that follow are the same with methods for encoding/json.

// FigureView is what is seen of a Figure. At most one field is not nil.
type FigureView struct {
	Disk    *Disk
	Cluster *ClusterView
	Tag     *Tag
	Sizes   *Sizes
}

// ClusterView is what is seen of a Cluster.
type ClusterView struct {
	Of    []FigureView          `json:"of"`
	By    map[string]FigureView `json:"by,omitempty"`
	First FigureView            `json:"first,omitzero"`
	Note  string                `json:"note,omitempty"`
}

// MarshalJSON writes no list as an empty one.
func (v ClusterView) MarshalJSON() ([]byte, error) {
	type plain ClusterView
	v.Of = append([]FigureView{}, v.Of...)
	return json.Marshal(plain(v))
}

// The objects of variants.
type (
	diskObject struct {
		Type string `json:"type"`
		Disk
	}
	clusterFields ClusterView
	clusterObject struct {
		Type string `json:"type"`
		clusterFields
	}
	valueObject[T any] struct {
		Type  string `json:"type"`
		Value T      `json:"value"`
	}
)

// MarshalJSON writes the figure.
func (v FigureView) MarshalJSON() ([]byte, error) {
	switch {
	case v.Disk != nil:
		return json.Marshal(diskObject{"disk", *v.Disk})
	case v.Cluster != nil:
		fields := clusterFields(*v.Cluster)
		fields.Of = append([]FigureView{}, fields.Of...)
		return json.Marshal(clusterObject{"cluster", fields})
	case v.Tag != nil:
		return json.Marshal(valueObject[Tag]{"tag", *v.Tag})
	case v.Sizes != nil:
		return json.Marshal(valueObject[Sizes]{"sizes", append(Sizes{}, *v.Sizes...)})
	}
	return []byte("null"), nil
}

// UnmarshalJSON reads the figure.
func (v *FigureView) UnmarshalJSON(text []byte) error {
	var named struct {
		Type string `json:"type"`
	}
	if err := json.Unmarshal(text, &named); err != nil {
		return err
	}
	var err error
	switch named.Type {
	case "disk":
		var x diskObject
		err = readObject(text, &x)
		v.Disk = &x.Disk
	case "cluster":
		var x clusterObject
		err = readObject(text, &x)
		v.Cluster = (*ClusterView)(&x.clusterFields)
	case "tag":
		var x valueObject[Tag]
		err = readObject(text, &x)
		v.Tag = &x.Value
	case "sizes":
		var x valueObject[Sizes]
		err = readObject(text, &x)
		v.Sizes = &x.Value
	}
	return err
}

// readObject reads an object without other members.
func readObject(text []byte, x any) error {
	decoder := json.NewDecoder(strings.NewReader(string(text)))
	decoder.DisallowUnknownFields()
	return decoder.Decode(x)
}

// EntryView is what is seen of an Entry. At most one field is not nil.
type EntryView struct {
	Quantity *Quantity
	Item     *Item
}

type entryObject struct {
	Kind  string    `json:"kind"`
	Value *Quantity `json:"value,omitempty"`
	Type  *string   `json:"type,omitempty"`
}

// MarshalJSON writes the entry.
func (v EntryView) MarshalJSON() ([]byte, error) {
	switch {
	case v.Quantity != nil:
		return json.Marshal(entryObject{Kind: "quantity", Value: v.Quantity})
	case v.Item != nil:
		return json.Marshal(entryObject{Kind: "thing", Type: &v.Item.Type})
	}
	return []byte("null"), nil
}

// UnmarshalJSON reads the entry.
func (v *EntryView) UnmarshalJSON(text []byte) error {
	var x entryObject
	err := readObject(text, &x)
	v.Quantity = x.Value
	if x.Type != nil {
		v.Item = &Item{*x.Type}
	}
	return err
}

// DrawingView is what is seen of a Drawing.
type DrawingView struct {
	Main    FigureView              `json:"main"`
	Second  FigureView              `json:"second,omitzero"`
	Fixed   [2]FigureView           `json:"fixed"`
	Layers  map[string][]FigureView `json:"layers"`
	Entries []EntryView             `json:"entries"`
	Disk    Disk                    `json:"disk"`
	Cluster *ClusterView            `json:"cluster"`
}
