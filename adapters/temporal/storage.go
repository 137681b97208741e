package temporal

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	common "go.temporal.io/api/common/v1"
	"go.temporal.io/sdk/converter"
	"google.golang.org/protobuf/proto"

	"github.com/aiongen/aiongen/runtime/memory"
)

// Storage returns what a client is dialled with, for what is larger than 64 KiB to be in
// a store and not in histories, which take 2 MiB at once and 50 MiB in all. All workers
// and clients need the same store. It is there under "payload/" and its hash, and nobody
// deletes it: that is to be done when no history has it any more. A store that fails is asked
// again for three seconds.
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
		if err := again(ctx.Context, func() error { return s.store.Write(ctx.Context, "payload/"+key, text) }); err != nil {
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
		var value json.RawMessage
		var there bool
		err := again(ctx.Context, func() (err error) { value, there, err = s.store.Read(ctx.Context, "payload/"+key); return err })
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

// again does what a store may refuse for a moment: else it would be lost what came of a call,
// or that one was never begun. It gives up after three seconds.
func again(ctx context.Context, f func() error) error {
	for pause := 50 * time.Millisecond; ; pause *= 2 {
		err := f()
		if err == nil || ctx.Err() != nil || pause > 2*time.Second {
			return err
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(pause):
		}
	}
}
