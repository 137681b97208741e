package llamacpp

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
)

// The size of the random model. Its tokens are three special ones and all bytes.
const (
	width      = 32
	hidden     = 64
	tokenCount = 3 + 256
)

// gguf writes a file in the format of llama.cpp's models, version 3.
type gguf struct{ bytes.Buffer }

// The types of values in the metadata.
const (
	typeUint32  uint32 = 4
	typeInt32   uint32 = 5
	typeFloat32 uint32 = 6
	typeString  uint32 = 8
	typeArray   uint32 = 9
)

func (g *gguf) number(values ...any) {
	for _, v := range values {
		if err := binary.Write(g, binary.LittleEndian, v); err != nil {
			panic(err) // a buffer takes everything, and the values have fixed sizes
		}
	}
}

func (g *gguf) text(s string) {
	g.number(uint64(len(s)))
	g.WriteString(s)
}

func (g *gguf) key(name string, kind uint32) {
	g.text(name)
	g.number(kind)
}

// array starts an array in the metadata that has an element for each token.
func (g *gguf) array(name string, kind uint32) {
	g.key(name, typeArray)
	g.number(kind, uint64(tokenCount))
}

// tensor is a tensor of 32-bit floats.
type tensor struct {
	name string
	dims []uint64
}

func (t tensor) size() uint64 {
	n := uint64(1)
	for _, d := range t.dims {
		n *= d
	}
	return n
}

// randomModel returns a model of the architecture llama with one layer and random weights.
func randomModel(seed uint64) []byte {
	tensors := []tensor{
		{"token_embd.weight", []uint64{width, tokenCount}}, {"output_norm.weight", []uint64{width}}, {"output.weight", []uint64{width, tokenCount}},
		{"blk.0.attn_norm.weight", []uint64{width}}, {"blk.0.ffn_norm.weight", []uint64{width}},
		{"blk.0.attn_q.weight", []uint64{width, width}}, {"blk.0.attn_k.weight", []uint64{width, width}},
		{"blk.0.attn_v.weight", []uint64{width, width}}, {"blk.0.attn_output.weight", []uint64{width, width}},
		{"blk.0.ffn_gate.weight", []uint64{width, hidden}}, {"blk.0.ffn_up.weight", []uint64{width, hidden}}, {"blk.0.ffn_down.weight", []uint64{hidden, width}},
	}
	g := &gguf{}
	g.WriteString("GGUF")
	g.number(uint32(3), uint64(len(tensors)), uint64(metadataCount))
	g.metadata()
	offset := uint64(0)
	for _, t := range tensors {
		g.text(t.name)
		g.number(uint32(len(t.dims)), t.dims, uint32(0), offset) // 0 is the type of 32-bit floats
		offset += t.size() * 4                                   // a multiple of 32, as the format requires
	}
	for g.Len()%32 != 0 {
		g.WriteByte(0)
	}
	r := rand.New(rand.NewPCG(seed, 0))
	for _, t := range tensors {
		for range t.size() {
			g.number(float32(r.NormFloat64()))
		}
	}
	return g.Bytes()
}

// metadataCount is how many keys metadata writes.
const metadataCount = 16

func (g *gguf) metadata() {
	for _, m := range []struct{ name, value string }{{"general.architecture", "llama"}, {"general.name", "random"}, {"tokenizer.ggml.model", "llama"}} {
		g.key(m.name, typeString)
		g.text(m.value)
	}
	for _, m := range []struct {
		name  string
		value uint32
	}{
		{"llama.context_length", 8192}, {"llama.embedding_length", width}, {"llama.block_count", 1}, {"llama.feed_forward_length", hidden},
		{"llama.attention.head_count", 2}, {"llama.rope.dimension_count", width / 2},
		{"tokenizer.ggml.unknown_token_id", 0}, {"tokenizer.ggml.bos_token_id", 1}, {"tokenizer.ggml.eos_token_id", 2},
	} {
		g.key(m.name, typeUint32)
		g.number(m.value)
	}
	g.key("llama.attention.layer_norm_rms_epsilon", typeFloat32)
	g.number(float32(1e-5))
	g.array("tokenizer.ggml.tokens", typeString)
	for _, token := range []string{"<unk>", "<s>", "</s>"} {
		g.text(token)
	}
	for b := range 256 {
		g.text(fmt.Sprintf("<0x%02X>", b))
	}
	g.array("tokenizer.ggml.scores", typeFloat32)
	g.number(make([]float32, tokenCount))
	g.array("tokenizer.ggml.token_type", typeInt32)
	g.number(int32(2), int32(3), int32(3)) // unknown, control
	for range 256 {
		g.number(int32(6)) // a byte
	}
}
