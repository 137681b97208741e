package corpus_test

import "github.com/aiongen/aiongen/testdata/golden/corpus"

// row is a type of the corpus, identified by the function of package corpus that takes and returns it.
// It lists all differences between its schema and encoding/json; each of them must occur.
type row struct {
	name     string
	function any
	view     any          // the type as other types see it; nil if they see all of it
	given    any          // the type into which encoding/json decodes arguments, if it drops clashing fields; otherwise nil
	unsound  reason       // the schema rejects what encoding/json writes
	loose    reason       // the schema accepts what encoding/json rejects
	but      []difference // the schema accepts what generated code rejects, as in the closed list
	rare     difference   // like those in but, in one of a million documents
}

// conflicts and diamond have the fields of corpus.Conflicts and corpus.Diamond in arguments.
type (
	conflicts struct {
		Left  corpus.Left
		Right corpus.Right
	}
	diamond struct {
		First  corpus.First
		Second corpus.Second
	}
)

// reason explains why a schema differs from encoding/json.
type reason string

const (
	durationText reason = "a duration is text, to encoding/json a number"
	urlText      reason = "a URL is text, to encoding/json an object"
	nullValue    reason = "it is its value or null, to encoding/json an object"
	nullElement  reason = "an element cannot be null"
	leapTime     reason = "a date-time may have a leap second or a lower-case t or z, to encoding/json it may not"
)

var corpusRows = []row{
	{name: "shaped_omit", function: corpus.ShapedOmit, view: corpus.OmitView{}, rare: ownParser},
	{name: "shaped_only", function: corpus.ShapedOnly, view: &corpus.OnlyView{}},
	{name: "shaped_optional", function: corpus.ShapedOptional, view: corpus.OptionsView{}},
	{name: "bool", function: corpus.Bool},
	{name: "int", function: corpus.Int},
	{name: "int8", function: corpus.Int8},
	{name: "int16", function: corpus.Int16},
	{name: "int32", function: corpus.Int32},
	{name: "int64", function: corpus.Int64},
	{name: "uint", function: corpus.Uint},
	{name: "uint8", function: corpus.Uint8},
	{name: "uint16", function: corpus.Uint16},
	{name: "uint32", function: corpus.Uint32},
	{name: "uint64", function: corpus.Uint64},
	{name: "float32", function: corpus.Float32},
	{name: "float64", function: corpus.Float64},
	{name: "string", function: corpus.String},
	{name: "rune", function: corpus.Rune},
	{name: "named_bool", function: corpus.NamedBool},
	{name: "named_float", function: corpus.NamedFloat},
	{name: "named_string", function: corpus.NamedString},
	{name: "single_constant", function: corpus.SingleConstant},
	{name: "string_enum", function: corpus.StringEnum},
	{name: "int_enum", function: corpus.IntEnum},
	{name: "uint_enum", function: corpus.UintEnum},
	{name: "unexported_enum", function: corpus.UnexportedEnum},
	{name: "flags", function: corpus.Flags},
	{name: "imported_enum", function: corpus.ImportedEnum},
	{name: "alias", function: corpus.Alias},
	{name: "variadic", function: corpus.Variadic},
	{name: "slice", function: corpus.Slice},
	{name: "slice_of_slices", function: corpus.SliceOfSlices},
	{name: "slice_of_enums", function: corpus.SliceOfEnums},
	{name: "slice_of_structs", function: corpus.SliceOfStructs},
	{name: "slice_of_pointers", function: corpus.SliceOfPointers, unsound: nullElement},
	{name: "slice_of_maps", function: corpus.SliceOfMaps},
	{name: "named_slice", function: corpus.NamedSlice},
	{name: "bytes", function: corpus.Bytes},
	{name: "named_bytes", function: corpus.NamedBytes},
	{name: "slice_of_bytes", function: corpus.SliceOfBytes},
	{name: "array", function: corpus.Array},
	{name: "array_of_arrays", function: corpus.ArrayOfArrays},
	{name: "array_of_structs", function: corpus.ArrayOfStructs},
	{name: "byte_array", function: corpus.ByteArray},
	{name: "empty_array", function: corpus.EmptyArray},
	{name: "named_array", function: corpus.NamedArray},
	{name: "map", function: corpus.Map},
	{name: "int_map", function: corpus.IntMap, but: []difference{mapKey}},
	{name: "map_of_named", function: corpus.MapOfNamed},
	{name: "map_of_maps", function: corpus.MapOfMaps},
	{name: "map_of_slices", function: corpus.MapOfSlices},
	{name: "map_of_arrays", function: corpus.MapOfArrays},
	{name: "map_of_structs", function: corpus.MapOfStructs},
	{name: "named_map", function: corpus.NamedMap},
	{name: "pointer", function: corpus.Pointer},
	{name: "pointer_to_pointer", function: corpus.PointerToPointer},
	{name: "pointer_to_struct", function: corpus.PointerToStruct},
	{name: "pointer_to_slice", function: corpus.PointerToSlice},
	{name: "pointer_to_map", function: corpus.PointerToMap},
	{name: "pointer_to_array", function: corpus.PointerToArray},
	{name: "pointer_to_enum", function: corpus.PointerToEnum},
	{name: "slice_of_octets", function: corpus.SliceOfOctets},
	{name: "uint_map", function: corpus.UintMap, but: []difference{mapKey}},
	{name: "enum_map", function: corpus.EnumMap},
	{name: "text_map", function: corpus.TextMap, but: []difference{mapKey}},
	{name: "time_map", function: corpus.TimeMap, but: []difference{mapKey}},
	{name: "empty_struct", function: corpus.EmptyStruct},
	{name: "untagged_fields", function: corpus.UntaggedFields},
	{name: "renamed_fields", function: corpus.RenamedFields},
	{name: "case_twins", function: corpus.CaseTwins},
	{name: "omit_empty", function: corpus.OmitEmpty},
	{name: "omit_zero", function: corpus.OmitZero},
	{name: "skipped_fields", function: corpus.SkippedFields},
	{name: "nested_structs", function: corpus.NestedStructs},
	{name: "embedded", function: corpus.Embedded},
	{name: "shadowed", function: corpus.Shadowed},
	{name: "conflicting_fields", function: corpus.ConflictingFields, given: conflicts{}},
	{name: "deeply_embedded", function: corpus.DeeplyEmbedded},
	{name: "pointer_fields", function: corpus.PointerFields},
	{name: "same_name", function: corpus.SameName},
	{name: "structs", function: corpus.Structs},
	{name: "embedded_pointers", function: corpus.EmbeddedPointers},
	{name: "embedded_twice", function: corpus.EmbeddedTwice, given: diamond{}},
	{name: "quoted_fields", function: corpus.QuotedFields},
	{name: "opaque_fields", function: corpus.OpaqueFields, but: []difference{throughJSON}},
	{name: "constraints", function: corpus.Constraints},
	{name: "time", function: corpus.Time, loose: leapTime},
	{name: "duration", function: corpus.Duration, unsound: durationText, loose: durationText, but: []difference{calendarUnit}},
	{name: "any", function: corpus.Any},
	{name: "slice_of_any", function: corpus.SliceOfAny},
	{name: "map_of_any", function: corpus.MapOfAny},
	{name: "raw", function: corpus.Raw},
	{name: "number", function: corpus.Number},
	{name: "url", function: corpus.URL, unsound: urlText, loose: urlText},
	{name: "addr", function: corpus.Addr, but: []difference{ownParser}},
	{name: "prefix", function: corpus.Prefix, but: []difference{ownParser}},
	{name: "ip", function: corpus.IP, but: []difference{ownParser}},
	{name: "log_level", function: corpus.LogLevel, but: []difference{ownParser}},
	{name: "null_int", function: corpus.NullInt, unsound: nullValue, loose: nullValue},
	{name: "null_string", function: corpus.NullString, unsound: nullValue, loose: nullValue},
	{name: "big_int", function: corpus.BigInt},
	{name: "big_float", function: corpus.BigFloat, but: []difference{ownParser}},
	{name: "addr_port", function: corpus.AddrPort, but: []difference{ownParser}},
	{name: "null_time", function: corpus.NullTime, unsound: nullValue, loose: nullValue},
	{name: "promoted_time", function: corpus.PromotedTime, but: []difference{leapSecond}},
	{name: "text", function: corpus.Text, but: []difference{ownParser}},
	{name: "text_of_string", function: corpus.TextOfString},
	{name: "slice_of_text", function: corpus.SliceOfText},
	{name: "promoted_text", function: corpus.PromotedText},
	{name: "described_json", function: corpus.DescribedJSON},
	{name: "own_schema", function: corpus.OwnSchema},
	{name: "page_of_int", function: corpus.PageOfInt},
	{name: "page_of_pages", function: corpus.PageOfPages},
	{name: "pair_of", function: corpus.PairOf},
	{name: "set_of", function: corpus.SetOf},
	{name: "table_of", function: corpus.TableOf},
	{name: "recursive_slice", function: corpus.RecursiveSlice},
	{name: "recursive_pointer", function: corpus.RecursivePointer},
	{name: "recursive_map", function: corpus.RecursiveMap},
	{name: "recursive_list", function: corpus.RecursiveList},
	{name: "mutually_recursive", function: corpus.MutuallyRecursive},
	{name: "recursive_twins", function: corpus.RecursiveTwins},
	{name: "recursive_unicode", function: corpus.RecursiveUnicode},
	{name: "union", function: corpus.Union, view: corpus.FigureView{}},
	{name: "union_list", function: corpus.UnionList, view: []corpus.EntryView{}},
	{name: "union_parts", function: corpus.UnionParts, view: corpus.DrawingView{}},
	{name: "represented_text", function: corpus.RepresentedText, view: corpus.MoneyView{}, but: []difference{ownParser}},
	{name: "represented_int", function: corpus.RepresentedInt, view: new(corpus.TicksView)},
	{name: "represented_object", function: corpus.RepresentedObject, view: corpus.HeatView(0)},
	{name: "represented_list", function: corpus.RepresentedList, view: []corpus.WordsView{}},
	{name: "represented_keys", function: corpus.RepresentedKeys, view: map[corpus.MoneyView]corpus.TicksView{}, but: []difference{mapKey}},
	{name: "represented_parts", function: corpus.RepresentedParts, view: corpus.BillView{}, unsound: nullElement, but: []difference{mapKey, ownParser}},
	{name: "generated_by_google", function: corpus.GeneratedByGoogle, unsound: nullElement},
	{name: "generated_by_open_api", function: corpus.GeneratedByOpenAPI, but: []difference{ownMethod}},
	{name: "generated_enums", function: corpus.GeneratedEnums, but: []difference{ownMethod}},
	{name: "generated_params", function: corpus.GeneratedParams, but: []difference{ownMethod}},
	{name: "generated_options", function: corpus.GeneratedOptions, but: []difference{ownMethod}},
	{name: "nulls", function: corpus.Nulls},
	{name: "slice_of_triples", function: corpus.SliceOfTriples},
	{name: "slice_of_raws", function: corpus.SliceOfRaws},
	{name: "map_of_kept", function: corpus.MapOfKept},
	{name: "slice_of_nulls", function: corpus.SliceOfNulls, unsound: nullValue, loose: nullValue},
}

// resultRows are types that are only allowed as results.
var resultRows = []row{
	{name: "own_json", function: corpus.OwnJSON},
	{name: "text_one_way", function: corpus.TextOneWay},
	{name: "errors", function: corpus.Errors, view: corpus.OutcomeView{}},
	{name: "slice_of_errors", function: corpus.SliceOfErrors, view: []*string{}},
	{name: "map_of_errors", function: corpus.MapOfErrors, view: map[string]*string{}},
}
