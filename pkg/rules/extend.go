package rules

import (
	"encoding/json"
	"errors"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/flux-remedy/remedy/pkg/release"

	"sigs.k8s.io/yaml"
)

// ExtendsBundle reports whether the configuration extends that of a bundle, and not a file.
func (s *ConfigSpec) ExtendsBundle() bool {
	return s.Extends != "" && !slices.Contains([]string{".yaml", ".yml", ".json"}, path.Ext(s.Extends))
}

// Named returns the policies that the configuration names, those of the bundle that it extends
// with them.
func (s *ConfigSpec) Named() PoliciesConfig {
	out := s.Policies
	if s.ExtendsBundle() {
		out.Bundle = s.Extends
	}
	return out
}

// PoliciesConfig names the rules beside the built-in ones. Paths are relative to the root of
// the repository around the configuration or, outside of a repository, to its folder.
type PoliciesConfig struct {
	// Folders hold rules of your own, which are added to the built-in ones.
	Folders []string `json:"folders,omitempty"`
	// Bundle is the file or folder of a bundle, which has all rules. Its configuration, if it
	// has one, is extended by this one.
	Bundle string `json:"bundle,omitempty"`
	// VerifyKeys are files with public keys or certificates, or env:NAME. One of them must
	// have signed the bundle.
	VerifyKeys []string `json:"verifyKeys,omitempty"`
}

func (s *ConfigSpec) validatePolicies() error {
	p := s.Named()
	switch {
	case s.ExtendsBundle() && s.Policies.Bundle != "" && s.Policies.Bundle != s.Extends:
		return errors.New("bundle: spec.extends names another one")
	case p.Bundle != "" && len(p.Folders) > 0:
		return errors.New("bundle and folders exclude each other: the bundle has all rules")
	case p.Bundle == "" && len(p.VerifyKeys) > 0:
		return errors.New("verifyKeys: there is no bundle to verify")
	case slices.Contains(p.Folders, ""), slices.Contains(p.VerifyKeys, ""):
		return errors.New("an empty path names nothing")
	}
	return nil
}

// joinedLists are the lists of a configuration that an extending one adds to. True if its items come
// last, for there the last match wins.
var joinedLists = map[string]bool{
	"tiers": false, "clusters": false, "controller.overrides": true, "waivers.entries": false,
	"undetermined.accept": false, "admission.exempt": false, "ignore": false,
}

// Extend returns the configuration that one makes which extends another: what it sets replaces
// what the other one sets, field by field. Lists whose items each say something by themselves
// are joined, so that the items of the extending one win. The other one extends nothing, and
// names no policies; its baseline stays out, for it lists what was found in its own repository.
func Extend(own, other []byte) (*Config, error) {
	base, err := ParseConfig(other)
	switch {
	case err != nil:
		return nil, err
	case base.Spec.Extends != "":
		return nil, errors.New("spec.extends: it is extended itself: one configuration can extend one other")
	case !base.Spec.Policies.empty():
		return nil, errors.New("spec.policies: only a configuration that nothing extends names policies")
	}
	below, err := document(other)
	above, err2 := document(own)
	if err := errors.Join(err, err2); err != nil {
		return nil, err
	}
	if spec, ok := below["spec"].(map[string]any); ok {
		delete(spec, "baseline")
	}
	raw, err := json.Marshal(extend(nil, above, below))
	if err != nil {
		return nil, err
	}
	return ParseConfig(raw)
}

func (p PoliciesConfig) empty() bool { return p.Bundle == "" && len(p.Folders)+len(p.VerifyKeys) == 0 }

func document(data []byte) (out map[string]any, err error) {
	err = yaml.Unmarshal(data, &out)
	return out, err
}

// extend returns a value of a configuration over that of another one.
func extend(at []string, own, other any) any {
	if above, ok := own.(map[string]any); ok {
		if below, ok := other.(map[string]any); ok {
			out := maps.Clone(below)
			for key, value := range above {
				out[key] = extend(append(slices.Clone(at), key), value, below[key])
			}
			return out
		}
	}
	above, ok := own.([]any)
	below, also := other.([]any)
	last, joins := joinedLists[strings.Join(at[min(1, len(at)):], ".")]
	switch {
	case own == nil:
		return other
	case !ok || !also || !joins:
		return own
	case last:
		return slices.Concat(below, above)
	}
	return slices.Concat(above, below)
}

// Inherited returns where a path of an extending configuration is written: the path with the index
// that it has there, and whether that is in the other document.
func Inherited(own, other []byte, field release.Path) (at release.Path, inherited bool) {
	above, err := document(own)
	below, err2 := document(other)
	if errors.Join(err, err2) != nil {
		return field, false
	}
	at = slices.Clone(field)
	for i, step := range field {
		index, ok := step.(int)
		last, joins := joinedLists[strings.TrimPrefix(field[:i].String(), "spec.")]
		if !ok || !joins {
			continue
		}
		mine, _ := field[:i].In(above).([]any)
		theirs, _ := field[:i].In(below).([]any)
		switch {
		case last && index >= len(theirs):
			at[i] = index - len(theirs)
		case !last && index >= len(mine):
			at[i], inherited = index-len(mine), true
		case last:
			inherited = true
		}
		return at, inherited
	}
	return at, field.In(above) == nil && field.In(below) != nil
}
