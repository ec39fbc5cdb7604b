package rules

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/url"
	"path/filepath"
	"slices"
	"time"

	"github.com/flux-remedy/remedy/pkg/release"

	"github.com/bmatcuk/doublestar/v4"
	yamlv3 "go.yaml.in/yaml/v3"
	kjson "sigs.k8s.io/json"
	"sigs.k8s.io/yaml"
)

// The configuration document: the file it is in, its apiVersion and its kind.
const (
	ConfigFile       = ".flux-remedy.yaml"
	ConfigAPIVersion = "flux-remedy.io/v1alpha1"
	ConfigKind       = "RemediationPolicy"
)

// Config is the one file that both programs read: a KRM document, strict, so
// that a misspelt field is an error. The zero value has every default.
type Config struct {
	// APIVersion is flux-remedy.io/v1alpha1.
	APIVersion string `json:"apiVersion" jsonschema:"enum=flux-remedy.io/v1alpha1"`
	// Kind is RemediationPolicy.
	Kind string `json:"kind" jsonschema:"enum=RemediationPolicy"`
	// Metadata is for tools that want a name; nothing here reads it.
	Metadata map[string]any `json:"metadata,omitempty"`
	// Spec is the policy.
	Spec ConfigSpec `json:"spec"`
}

// ConfigSpec is the policy of a repository or a cluster.
type ConfigSpec struct {
	// Extends is another configuration that this one builds on: a file (.yaml, .yml or .json)
	// or a bundle. What is set here replaces what is set there; tiers, clusters, overrides,
	// waivers, exemptions and globs are added. The path is relative to the root of the
	// repository around this file or, outside of a repository, to its folder.
	Extends string `json:"extends,omitempty"`
	// Policies names the rules beside the built-in ones, where no flag does.
	Policies PoliciesConfig `json:"policies,omitzero"`
	// DefaultTier is the tier of a release that nothing else classifies.
	// Default: production, the strictest.
	DefaultTier release.Tier `json:"defaultTier,omitempty"`
	// Tiers classify releases by where they are; the first match wins.
	Tiers []TierRule `json:"tiers,omitempty"`
	// TierMarkers says which annotations and labels flux-remedy.io/tier of a
	// release or its Namespace are followed: raise only those that name a stricter
	// tier, allow all, forbid none. Default: raise.
	TierMarkers release.Markers `json:"tierMarkers,omitempty" jsonschema:"enum=raise,enum=allow,enum=forbid"`
	// Clusters declares the clusters that are bootstrapped from outside of the
	// repository, so that their entries are not in it. Only the linter reads it.
	Clusters []ClusterConfig `json:"clusters,omitempty"`
	// Sources are the folders that hold the content of Flux sources, by
	// KIND/NAMESPACE/NAME, relative to the folder of the configuration. Only the
	// linter reads it; a folder outside of the repository needs --source.
	Sources map[string]string `json:"sources,omitempty"`
	// Controller describes the helm-controller that will act on the releases.
	Controller ControllerConfig `json:"controller,omitzero"`
	// Law sets the limits that several rules share.
	Law LawConfig `json:"law,omitzero"`
	// RulesAsOf holds back what later versions report: findings of rules that are newer,
	// and of what rules have come to report since, are warnings that fail no run and
	// deny nothing. Default: everything counts at once.
	RulesAsOf string `json:"rulesAsOf,omitempty"`
	// Rules sets severity and parameters by rule id.
	Rules map[string]RuleConfig `json:"rules,omitempty"`
	// Waivers accept findings for a reason and a time.
	Waivers WaiverConfig `json:"waivers,omitzero"`
	// Undetermined says what need not be judged.
	Undetermined UndeterminedConfig `json:"undetermined,omitzero"`
	// Baseline is the file of the findings that are known, relative to the folder of the
	// configuration. "flux-remedy lint" reads it where no flag names what is known, and
	// nothing else does.
	Baseline string `json:"baseline,omitempty"`
	// Admission is what only the webhook reads.
	Admission AdmissionConfig `json:"admission,omitzero"`
	// Audit is what only "flux-remedy audit" reads.
	Audit AuditConfig `json:"audit,omitzero"`
	// Fix says how findings are repaired.
	Fix FixConfig `json:"fix,omitzero"`
	// RulePages is the address of the folder that holds the pages of the built-in rules, to
	// which reports link, as https://git.example.com/acme/flux-remedy/blob/v0.1.0/policies/rules.
	// Default: that of the build, or no links.
	RulePages string `json:"rulePages,omitempty"`
	// Ignore lists globs of paths that are not read, relative to the root.
	Ignore []string `json:"ignore,omitempty"`
}

// Match selects releases; each list that is given must have a glob that
// matches, and ** crosses folders.
type Match struct {
	// Paths are globs of the file's path relative to the root.
	Paths []string `json:"paths,omitempty"`
	// Namespaces are globs of the release's namespace.
	Namespaces []string `json:"namespaces,omitempty"`
	// Clusters are globs of the name of the cluster that applies the release.
	Clusters []string `json:"clusters,omitempty"`
}

// TierRule puts what it matches in a tier.
type TierRule struct {
	// Tier is production, staging or development.
	Tier  release.Tier `json:"tier"`
	Match `json:",inline"`
}

// ControllerConfig is the helm-controller and where it differs.
type ControllerConfig struct {
	// Version of helm-controller, as 1.6.3. Default: the newest that is known.
	Version string `json:"version,omitempty"`
	// Gates are the feature gates given to it, by name.
	Gates release.Gates `json:"gates,omitempty"`
	// Overrides replace version and gates for what they match; the last
	// match wins, gate by gate.
	Overrides []ControllerOverride `json:"overrides,omitempty"`
}

// ControllerOverride is a different helm-controller for what it matches.
type ControllerOverride struct {
	Match `json:",inline"`
	// Version of helm-controller there.
	Version string `json:"version,omitempty"`
	// Gates given to it there.
	Gates release.Gates `json:"gates,omitempty"`
}

// Place is where a release is, for matching. Path is relative to the root, with
// slashes; empty fields match no glob.
type Place struct{ Path, Namespace, Cluster string }

// ParseConfig reads a configuration document. An unknown field, an unknown word
// and a value out of range are errors. The ids and parameters of rules are checked
// by [Engine.Under], which knows the rules.
func ParseConfig(data []byte) (*Config, error) {
	if err := oneDocument(data); err != nil {
		return nil, err
	}
	raw, err := yaml.YAMLToJSONStrict(data)
	if err != nil {
		return nil, err
	}
	config := &Config{}
	unknown, err := kjson.UnmarshalStrict(raw, config)
	if err != nil {
		unknown = append(unknown, err)
	}
	if len(unknown) > 0 {
		return nil, explain(raw, errors.Join(unknown...))
	}
	if config.APIVersion != ConfigAPIVersion || config.Kind != ConfigKind {
		return nil, fmt.Errorf("apiVersion %q and kind %q: want %s and %s",
			config.APIVersion, config.Kind, ConfigAPIVersion, ConfigKind)
	}
	return config, config.Spec.validate()
}

// oneDocument refuses a stream of several documents: only the first would be read.
func oneDocument(data []byte) error {
	stream := yamlv3.NewDecoder(bytes.NewReader(data))
	var document yamlv3.Node
	if err := stream.Decode(&document); err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	if err := stream.Decode(&document); !errors.Is(err, io.EOF) {
		return errors.New("holds more than one document")
	}
	return nil
}

// Evidence adds what the configuration says of a place to the evidence of a tier.
func (c *Config) Evidence(e release.Evidence, place Place) release.Evidence {
	e.Configured, _ = c.TierOf(place)
	e.Default, e.Markers = c.DefaultTier(), c.Spec.TierMarkers
	return e
}

// TierOf returns the tier of the first entry of spec.tiers that matches a place, or
// that of its cluster in spec.clusters, and whether there is one.
func (c *Config) TierOf(place Place) (release.Tier, bool) {
	for _, rule := range c.Spec.Tiers {
		if rule.matches(place) {
			return rule.Tier, true
		}
	}
	if declared := c.cluster(place.Cluster); declared != nil && declared.Tier != "" {
		return declared.Tier, true
	}
	return "", false
}

// DefaultTier returns the tier of a release that nothing classifies.
func (c *Config) DefaultTier() release.Tier {
	if c.Spec.DefaultTier == "" {
		return release.Production
	}
	return c.Spec.DefaultTier
}

// Enforcement returns what the webhook does about errors in a tier.
func (c *Config) Enforcement(tier release.Tier) Enforcement { return c.Spec.Admission.in(tier) }

// Waivers returns the waivers of a release, valid or expired: first those of its
// annotations, then the configuration's entries. Each annotation that cannot be read or is
// beyond the limits is a [WaiverError].
func (c *Config) Waivers(r *release.Release, now time.Time) ([]Waiver, []*WaiverError) {
	return c.Spec.Waivers.of(r, now)
}

// ControllerAt returns the helm-controller for a place: base with the
// configuration's version and gates over it. Base is the controller that the tree
// installs, or the zero value.
func (c *Config) ControllerAt(place Place, base release.Controller) release.Controller {
	out := base.With(c.Spec.Controller.Version, c.Spec.Controller.Gates)
	if declared := c.cluster(place.Cluster); declared != nil {
		out = out.With(declared.Controller.Version, declared.Controller.Gates)
	}
	for _, o := range c.Spec.Controller.Overrides {
		if o.matches(place) {
			out = out.With(o.Version, o.Gates)
		}
	}
	return out
}

// Ignores reports whether spec.ignore matches a path relative to the root.
func (c *Config) Ignores(path string) bool {
	return matchAny(c.Spec.Ignore, path)
}

func (m Match) matches(place Place) bool {
	return (len(m.Paths) == 0 || matchAny(m.Paths, place.Path)) &&
		(len(m.Namespaces) == 0 || matchAny(m.Namespaces, place.Namespace)) &&
		(len(m.Clusters) == 0 || matchAny(m.Clusters, place.Cluster))
}

func matchAny(globs []string, s string) bool {
	return s != "" && slices.ContainsFunc(globs, func(glob string) bool {
		return doublestar.MatchUnvalidated(glob, s)
	})
}

func (s *ConfigSpec) validate() error {
	var errs []error
	check := func(err error, format string, args ...any) {
		if err != nil {
			errs = append(errs, fmt.Errorf("spec.%s: %w", fmt.Sprintf(format, args...), err))
		}
	}
	if s.DefaultTier != "" {
		_, err := release.ParseTier(string(s.DefaultTier))
		check(err, "defaultTier")
	}
	if s.TierMarkers != "" {
		_, err := release.ParseMarkers(string(s.TierMarkers))
		check(err, "tierMarkers")
	}
	check(s.validatePolicies(), "policies")
	for i, rule := range s.Tiers {
		_, err := release.ParseTier(string(rule.Tier))
		check(errors.Join(err, rule.validate()), "tiers[%d]", i)
	}
	for i, declared := range s.Clusters {
		check(declared.validate(), "clusters[%d]", i)
	}
	check(validClusters(s.Clusters), "clusters")
	check(validSources(s.Sources), "sources")
	check(release.Controller{Version: s.Controller.Version, Gates: s.Controller.Gates}.Validate(), "controller")
	for i, o := range s.Controller.Overrides {
		check(errors.Join(o.validate(), release.Controller{Version: o.Version, Gates: o.Gates}.Validate()), "controller.overrides[%d]", i)
	}
	for _, id := range sortedKeys(s.Rules) {
		check(s.Rules[id].validate(), "rules.%s", id)
	}
	check(validRulesAsOf(s.RulesAsOf), "rulesAsOf")
	check(s.Law.validate(), "law")
	check(errors.Join(s.Waivers.validateAnnotations(), s.Waivers.WaiverLimits.validate()), "waivers")
	for i, entry := range s.Waivers.Entries {
		check(entry.validate(), "waivers.entries[%d]", i)
	}
	for i, entry := range s.Undetermined.Accept {
		check(entry.validate(), "undetermined.accept[%d]", i)
	}
	check(validBaseline(s.Baseline), "baseline")
	check(s.Admission.validate(), "admission")
	for i, exemption := range s.Admission.Exempt {
		check(exemption.validate(), "admission.exempt[%d]", i)
	}
	check(s.Audit.validate(), "audit")
	check(s.Fix.validate(), "fix")
	check(validPages(s.RulePages), "rulePages")
	check(validGlobs(s.Ignore), "ignore")
	return errors.Join(errs...)
}

func validPages(address string) error {
	if at, err := url.Parse(address); address != "" && (err != nil || at.Scheme != "https" || at.Host == "") {
		return fmt.Errorf("%q is no https address", address)
	}
	return nil
}

func validBaseline(file string) error {
	if file != "" && !filepath.IsLocal(filepath.FromSlash(file)) {
		return fmt.Errorf("%s is not below the folder of the configuration: name it on the command line, with --baseline", file)
	}
	return nil
}

func (m Match) validate() error {
	if len(m.Paths)+len(m.Namespaces)+len(m.Clusters) == 0 {
		return errors.New("matches nothing: give paths, namespaces or clusters")
	}
	return validGlobs(m.Paths, m.Namespaces, m.Clusters)
}

func validGlobs(lists ...[]string) error {
	for _, glob := range slices.Concat(lists...) {
		if !doublestar.ValidatePattern(glob) {
			return fmt.Errorf("%q is no valid glob", glob)
		}
	}
	return nil
}
