package model_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/aiongen/aiongen/gen/internal/model"
)

// TestSettleRefs checks on random graphs that HoldsRef returns the same before and after
// SettleRefs, also if some types were settled by an earlier call.
func TestSettleRefs(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		all := make([]*model.Type, 2+random.IntN(60))
		for i := range all {
			all[i] = &model.Type{Kind: model.StructKind}
		}
		for i, typ := range all {
			switch random.IntN(30) {
			case 0:
				typ.Kind = model.Ref
				continue
			case 1, 2, 3:
				typ.Kind = model.String
				continue
			case 4, 5, 6, 7:
				typ.Kind, typ.Elem = model.Slice, all[random.IntN(len(all))]
				continue
			}
			for n := range random.IntN(3) {
				to := all[random.IntN(len(all))]
				if n == 0 && i+1 < len(all) {
					to = all[i+1]
				}
				typ.Fields = append(typ.Fields, &model.Field{Name: fmt.Sprint(n), Type: to})
			}
		}
		want := make([]bool, len(all))
		for i, typ := range all {
			want[i] = typ.HoldsRef()
		}
		all[random.IntN(len(all))].SettleRefs()
		all[0].SettleRefs()
		for i, typ := range all {
			if typ.HoldsRef() != want[i] || (typ.FindRef() != nil) != want[i] {
				t.Fatalf("type %d of %d: %v, want %v", i, len(all), !want[i], want[i])
			}
		}
	}
}
