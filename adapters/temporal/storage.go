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

// Storage returns an option for a Temporal client that puts payloads larger than 64 KiB into store
// instead of histories, which are limited to 2 MiB per payload and 50 MiB in total. All workers
// and clients need the same store. The keys are "payload/" and a hash. Nothing deletes them:
// delete a key once no history refers to it. Writes and reads that fail are retried for three
// seconds.
func Storage(store memory.Store) converter.ExternalStorage {
	return converter.ExternalStorage{Drivers: []converter.StorageDriver{storageDriver{store}}, PayloadSizeThreshold: 64 << 10}
}

type storageDriver struct{ store memory.Store }

// Name and Type are recorded in histories.
func (s storageDriver) Name() string { return "aiongen" }
func (s storageDriver) Type() string { return "aiongen.memory" }

const hashKey = "sha256"

// Store implements [converter.StorageDriver].
func (s storageDriver) Store(ctx converter.StorageDriverStoreContext, payloads []*common.Payload) ([]converter.StorageDriverClaim, error) {
	claims := make([]converter.StorageDriverClaim, len(payloads))
	for i, p := range payloads {
		text, err := proto.MarshalOptions{Deterministic: true}.Marshal(p)
		if err != nil {
			return nil, err
		}
		sum := sha256.Sum256(text)
		key := hex.EncodeToString(sum[:])
		if err := retryStore(ctx.Context, func() error { return s.store.Write(ctx.Context, "payload/"+key, text) }); err != nil {
			return nil, err
		}
		claims[i].ClaimData = map[string]string{hashKey: key}
	}
	return claims, nil
}

// Retrieve implements [converter.StorageDriver].
func (s storageDriver) Retrieve(ctx converter.StorageDriverRetrieveContext, claims []converter.StorageDriverClaim) ([]*common.Payload, error) {
	payloads := make([]*common.Payload, len(claims))
	for i, claim := range claims {
		key := claim.ClaimData[hashKey]
		var value json.RawMessage
		var exists bool
		err := retryStore(ctx.Context, func() (err error) { value, exists, err = s.store.Read(ctx.Context, "payload/"+key); return err })
		var text []byte
		if err == nil && exists {
			err = json.Unmarshal(value, &text)
		}
		if err != nil {
			return nil, err
		}
		if sum := sha256.Sum256(text); !exists || hex.EncodeToString(sum[:]) != key {
			return nil, fmt.Errorf("the store has no payload %s, or one with another hash", key)
		}
		payloads[i] = new(common.Payload)
		if err := proto.Unmarshal(text, payloads[i]); err != nil {
			return nil, errors.Join(errors.New("payload "+key), err)
		}
	}
	return payloads, nil
}

// retryStore calls f until it succeeds or three seconds have passed. Without it, a brief failure of the
// store could lose the outcome of a call.
func retryStore(ctx context.Context, f func() error) error {
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
