package rules

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/flux-remedy/remedy/pkg/release"
)

// Law are the limits that several rules share, as the policies see them.
type Law struct {
	// MaxRetries is the most retries of an install or an upgrade that is remediated.
	MaxRetries int `json:"maxRetries"`
	// StatefulCharts are the names of charts that hold data: databases, queues,
	// storage, and their operators.
	StatefulCharts []string `json:"statefulCharts"`
}

// LawSetting changes the law; a field that is not set leaves it as it is.
type LawSetting struct {
	// MaxRetries is the most retries of an install or an upgrade that is
	// remediated. Default: 10.
	MaxRetries *int `json:"maxRetries,omitempty" jsonschema:"minimum=0"`
	// StatefulCharts are the names of charts that hold data (databases, queues,
	// storage): they are not to be uninstalled and installed again. Default: the
	// list on the page of the rule about them.
	StatefulCharts []string `json:"statefulCharts,omitempty"`
}

// LawConfig changes the law in all tiers, and in single ones.
type LawConfig struct {
	LawSetting `json:",inline"`
	// Tiers overrides it in a tier.
	Tiers map[release.Tier]LawSetting `json:"tiers,omitempty"`
}

// DefaultLaw returns the law of an empty configuration.
func DefaultLaw() Law {
	return Law{
		MaxRetries:     10,
		StatefulCharts: statefulCharts(),
	}
}

// with returns the law changed by a setting.
func (l Law) with(s LawSetting) Law {
	if s.MaxRetries != nil {
		l.MaxRetries = *s.MaxRetries
	}
	if s.StatefulCharts != nil {
		l.StatefulCharts = s.StatefulCharts
	}
	return l
}

// set sets one field by its name in the configuration; nil unsets it.
func (s *LawSetting) set(name string, value any) error {
	raw, err := json.Marshal(map[string]any{name: value})
	if err != nil {
		return err
	}
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(s); err != nil {
		return fmt.Errorf("%v is no value of spec.law.%s", value, name)
	}
	return nil
}

func (s LawSetting) validate() error {
	if s.MaxRetries != nil && *s.MaxRetries < 0 {
		return fmt.Errorf("maxRetries is %d: want 0 or more", *s.MaxRetries)
	}
	return nil
}

func (l LawConfig) validate() error {
	errs := []error{l.LawSetting.validate()}
	for tier, setting := range l.Tiers {
		_, err := release.ParseTier(string(tier))
		errs = append(errs, err, setting.validate())
	}
	return errors.Join(errs...)
}
