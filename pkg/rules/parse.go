package rules

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/url"
	"path/filepath"
	"regexp"
	"strings"
	"sync"

	"github.com/flux-remedy/remedy/pkg/release"

	yamlv3 "go.yaml.in/yaml/v3"
	kjson "sigs.k8s.io/json"
	"sigs.k8s.io/yaml"
)

// ParseConfig reads a configuration document. An unknown field, an unknown word
// and a value out of range are errors. The ids and parameters of rules are checked
// by [Engine.Under], which knows the rules.
func ParseConfig(data []byte) (*Config, error) {
	written, err := oneDocument(data)
	if err != nil {
		return nil, err
	}
	raw, err := yaml.YAMLToJSONStrict(data)
	if m := repeated().FindStringSubmatch(fmt.Sprint(err)); m != nil {
		return nil, fmt.Errorf("line %s: key %s is already defined in this mapping", m[1], m[2])
	} else if err != nil {
		return nil, err
	}
	config := &Config{}
	unknown, err := kjson.UnmarshalStrict(raw, config)
	if err != nil {
		unknown = append(unknown, err)
	}
	if len(unknown) > 0 {
		return nil, explain(raw, written, errors.Join(unknown...))
	}
	if config.APIVersion != ConfigAPIVersion || config.Kind != ConfigKind {
		return nil, fmt.Errorf("apiVersion %q and kind %q: want %s and %s",
			config.APIVersion, config.Kind, ConfigAPIVersion, ConfigKind)
	}
	config.Spec.cleanPaths()
	return config, config.Spec.validate()
}

// repeated matches what the library says of a key that is written twice.
var repeated = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`line (\d+): (?:mapping )?key (.+) already `) })

// oneDocument returns the document of a stream, and refuses several: only the first would be read.
func oneDocument(data []byte) (*yamlv3.Node, error) {
	stream := yamlv3.NewDecoder(bytes.NewReader(data))
	document, more := &yamlv3.Node{}, &yamlv3.Node{}
	if err := stream.Decode(document); errors.Is(err, io.EOF) {
		return nil, nil
	} else if err != nil {
		return nil, errors.New(strings.TrimPrefix(err.Error(), "yaml: "))
	}
	if err := stream.Decode(more); !errors.Is(err, io.EOF) {
		return nil, errors.New("holds more than one document")
	}
	return document, nil
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
