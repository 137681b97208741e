package populated

import (
	"encoding/json"
	"fmt"
	"reflect"
	"time"
)

// MarshalJSON implements the json.Marshaller interface for type Group.
func (g Group) MarshalJSON() ([]byte, error) {
	objectMap := make(map[string]any)
	populate(objectMap, "id", g.ID)
	populate(objectMap, "location", g.Location)
	populate(objectMap, "managedBy", g.ManagedBy)
	populate(objectMap, "properties", g.Properties)
	populate(objectMap, "tags", g.Tags)
	populateAny(objectMap, "template", g.Template)
	populateDateTimeRFC3339(objectMap, "createdAt", g.CreatedAt)
	populateByteArray(objectMap, "data", g.Data, func() any { return "raw" })
	objectMap["kind"] = "Group"
	return json.Marshal(objectMap)
}

// UnmarshalJSON implements the json.Unmarshaller interface for type Group.
func (g *Group) UnmarshalJSON(data []byte) error {
	var rawMsg map[string]json.RawMessage
	if err := json.Unmarshal(data, &rawMsg); err != nil {
		return fmt.Errorf("unmarshalling type %T: %v", g, err)
	}
	for key, val := range rawMsg {
		var err error
		switch key {
		case "id":
			err = unpopulate(val, "ID", &g.ID)
		case "location":
			err = unpopulate(val, "Location", &g.Location)
		case "managedBy":
			err = unpopulate(val, "ManagedBy", &g.ManagedBy)
		case "properties":
			err = unpopulate(val, "Properties", &g.Properties)
		case "tags":
			err = unpopulate(val, "Tags", &g.Tags)
		case "template":
			err = unpopulate(val, "Template", &g.Template)
		case "createdAt":
			err = unpopulate(val, "CreatedAt", &g.CreatedAt)
		}
		if err != nil {
			return fmt.Errorf("unmarshalling type %T: %v", g, err)
		}
	}
	return nil
}

// MarshalJSON implements the json.Marshaller interface for type Properties.
func (p Properties) MarshalJSON() ([]byte, error) {
	objectMap := make(map[string]any)
	populate(objectMap, "provisioningState", p.ProvisioningState)
	populate(objectMap, "children", p.Children)
	return json.Marshal(objectMap)
}

// UnmarshalJSON implements the json.Unmarshaller interface for type Properties.
func (p *Properties) UnmarshalJSON(data []byte) error {
	var rawMsg map[string]json.RawMessage
	if err := json.Unmarshal(data, &rawMsg); err != nil {
		return err
	}
	if err := unpopulate(rawMsg["provisioningState"], "ProvisioningState", &p.ProvisioningState); err != nil {
		return err
	}
	return unpopulate(rawMsg["children"], "Children", &p.Children)
}

// MarshalJSON implements the json.Marshaller interface for type Open.
func (o Open) MarshalJSON() ([]byte, error) {
	objectMap := make(map[string]any)
	populate(objectMap, "name", o.Name)
	if o.AdditionalProperties != nil {
		for key, val := range o.AdditionalProperties {
			objectMap[key] = val
		}
	}
	return json.Marshal(objectMap)
}

// UnmarshalJSON implements the json.Unmarshaller interface for type Open.
func (o *Open) UnmarshalJSON(data []byte) error { return json.Unmarshal(data, &o.AdditionalProperties) }

func populate(m map[string]any, k string, v any) {
	if v != nil && !reflect.ValueOf(v).IsNil() {
		m[k] = v
	}
}

func populateAny(m map[string]any, k string, v any) {
	if v != nil {
		m[k] = v
	}
}

func populateDateTimeRFC3339(m map[string]any, k string, t *time.Time) {
	if t != nil {
		m[k] = t.Format(time.RFC3339Nano)
	}
}

func populateByteArray(m map[string]any, k string, b []byte, convert func() any) {
	if len(b) > 0 {
		m[k] = convert()
	}
}

func unpopulate(data json.RawMessage, fn string, v any) error {
	if data == nil {
		return nil
	}
	if err := json.Unmarshal(data, v); err != nil {
		return fmt.Errorf("struct field %s: %v", fn, err)
	}
	return nil
}
