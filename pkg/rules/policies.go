package rules

import (
	"errors"
	"path"
	"slices"
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

func (p PoliciesConfig) empty() bool { return p.Bundle == "" && len(p.Folders)+len(p.VerifyKeys) == 0 }
