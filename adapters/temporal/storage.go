package temporal

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"

	common "go.temporal.io/api/common/v1"
	"go.temporal.io/sdk/converter"
	"google.golang.org/protobuf/proto"

	"github.com/aiongen/aiongen/runtime/memory"
)

// Storage returns what a client is dialled with, for what is larger than 64 KiB to be in
// a store and not in histories, which take 2 MiB at once and 50 MiB in all. All workers
// and clients need the same store. It is there under "payload/" and its hash, and nobody
// deletes it: that is to be done when no history has it any more.
func Storage(store memory.Store) converter.ExternalStorage {
	return converter.ExternalStorage{Drivers: []converter.StorageDriver{storage{store}}, PayloadSizeThreshold: 64 << 10}
}

type storage struct{ store memory.Store }

// Name and Type are in histories.
func (s storage) Name() string { return "aiongen" }
func (s storage) Type() string { return "aiongen.memory" }

const hash = "sha256"

// Store is [converter.StorageDriver]'s.
func (s storage) Store(ctx converter.StorageDriverStoreContext, payloads []*common.Payload) ([]converter.StorageDriverClaim, error) {
	claims := make([]converter.StorageDriverClaim, len(payloads))
	for i, p := range payloads {
		text, err := proto.MarshalOptions{Deterministic: true}.Marshal(p)
		if err != nil {
			return nil, err
		}
		sum := sha256.Sum256(text)
		key := hex.EncodeToString(sum[:])
		if err := s.store.Write(ctx.Context, "payload/"+key, text); err != nil {
			return nil, err
		}
		claims[i].ClaimData = map[string]string{hash: key}
	}
	return claims, nil
}

// Retrieve is [converter.StorageDriver]'s.
func (s storage) Retrieve(ctx converter.StorageDriverRetrieveContext, claims []converter.StorageDriverClaim) ([]*common.Payload, error) {
	payloads := make([]*common.Payload, len(claims))
	for i, claim := range claims {
		key := claim.ClaimData[hash]
		value, there, err := s.store.Read(ctx.Context, "payload/"+key)
		var text []byte
		if err == nil && there {
			err = json.Unmarshal(value, &text)
		}
		if err != nil {
			return nil, err
		}
		if sum := sha256.Sum256(text); !there || hex.EncodeToString(sum[:]) != key {
			return nil, fmt.Errorf("the store has no payload %s, or another one", key)
		}
		payloads[i] = new(common.Payload)
		if err := proto.Unmarshal(text, payloads[i]); err != nil {
			return nil, errors.Join(errors.New("payload "+key), err)
		}
	}
	return payloads, nil
}
