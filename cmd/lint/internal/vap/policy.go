package vap

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
	yamlv3 "go.yaml.in/yaml/v3"
)

// object is a ValidatingAdmissionPolicy or its binding.
type object struct {
	APIVersion string         `yaml:"apiVersion"`
	Kind       string         `yaml:"kind"`
	Metadata   map[string]any `yaml:"metadata"`
	Spec       any            `yaml:"spec"`
}

type policySpec struct {
	FailurePolicy    string         `yaml:"failurePolicy"`
	MatchConstraints map[string]any `yaml:"matchConstraints"`
	MatchConditions  []condition    `yaml:"matchConditions"`
	Variables        []variable     `yaml:"variables"`
	Validations      []validation   `yaml:"validations"`
	AuditAnnotations []annotation   `yaml:"auditAnnotations"`
}

// annotation is one of the API server's audit log.
type annotation struct {
	Key             string `yaml:"key"`
	ValueExpression string `yaml:"valueExpression"`
}

type bindingSpec struct {
	PolicyName        string         `yaml:"policyName"`
	ValidationActions []string       `yaml:"validationActions,flow"`
	MatchResources    map[string]any `yaml:"matchResources"`
}

// set is the policies of all tiers.
type set struct {
	objects []object
	digest  string   // of the policies and the configuration
	unsaid  []string // rules of severity error in some tier that CEL cannot say
	page    func(rules.Rule) string
}

// actions are what a binding does about a fault.
var actions = map[rules.Enforcement]string{rules.EnforceDeny: "Deny", rules.EnforceWarn: "Warn", rules.EnforceAudit: "Audit"}

// policies returns two policies for each tier that is enforced, one for errors and one
// for warnings. The engine is under the configuration; cluster is the name that
// entries of it match, and may be empty.
func policies(engine *rules.Engine, config *rules.Config, cluster string, now time.Time, page func(rules.Rule) string) (*set, error) {
	all := &set{digest: engine.Digest().String(), page: page}
	controller := config.ControllerAt(rules.Place{Cluster: cluster}, release.Controller{})
	table, err := standings(controller)
	if err != nil {
		return nil, err
	}
	for _, tier := range release.Tiers {
		enforcement := config.Enforcement(tier)
		if enforcement == rules.EnforceOff {
			continue
		}
		faults, unsaid := faults(engine, tier)
		all.leaveOut(unsaid)
		known := slices.Concat(settings(controller, engine.Law(tier)), []variable{waivers(config.Spec.Waivers, tier, now)}, table)
		all.add(tier, "", actions[enforcement], config, known, faults, rules.Error)
		if enforcement == rules.EnforceDeny {
			enforcement = rules.EnforceWarn
		}
		all.add(tier, "-warnings", actions[enforcement], config, known, faults, rules.Warning)
	}
	return all, nil
}

// leaveOut notes the rules that CEL cannot say, each once.
func (s *set) leaveOut(ids []string) {
	for _, id := range ids {
		if !slices.Contains(s.unsaid, id) {
			s.unsaid = append(s.unsaid, id)
		}
	}
}

// add adds the policy of the faults of a severity, if there are any, and its binding.
func (s *set) add(tier release.Tier, suffix, action string, config *rules.Config, known []variable, all []fault, severity rules.Severity) {
	spec := policySpec{
		FailurePolicy:    "Ignore",
		MatchConstraints: map[string]any{"matchPolicy": "Equivalent", "resourceRules": resources},
		MatchConditions:  conditions(config.Spec.Admission),
		Variables:        slices.Clone(known),
		AuditAnnotations: []annotation{{"digest", "'" + s.digest + "'"}, {"unknown", "variables.unknown.join(',')"}},
	}
	for _, f := range needed(all, severity) {
		spec.Variables = append(spec.Variables, f.variables()...)
		if f.severity == severity {
			spec.Validations = append(spec.Validations, f.validation(all, s.page(f.rule)))
		}
	}
	if len(spec.Validations) == 0 {
		return
	}
	name := fmt.Sprintf("flux-remedy-%s%s", tier, suffix)
	s.objects = append(s.objects, s.made("ValidatingAdmissionPolicy", name, spec),
		s.made("ValidatingAdmissionPolicyBinding", name, bindingSpec{
			PolicyName: name, ValidationActions: []string{action},
			MatchResources: map[string]any{"namespaceSelector": selector(tier)},
		}))
}

var resources = []any{map[string]any{
	"apiGroups": []string{release.Group}, "apiVersions": release.Versions, "resources": []string{"helmreleases"},
	"operations": []string{"CREATE", "UPDATE"}, "scope": "Namespaced",
}}

func (s *set) made(kind, name string, spec any) object {
	return object{
		APIVersion: "admissionregistration.k8s.io/v1", Kind: kind, Spec: spec,
		Metadata: map[string]any{
			"name": name, "labels": map[string]any{"app.kubernetes.io/part-of": "flux-remedy"},
			"annotations": map[string]any{"flux-remedy.io/policy-digest": s.digest},
		},
	}
}

// Write writes two policies for each tier that is enforced, and their bindings, as
// documents of YAML, which are the same for the same rules and configuration. The engine is
// under the configuration; cluster is the name that entries of it match, and may be empty.
// Page returns what to read about a rule.
func Write(w io.Writer, engine *rules.Engine, config *rules.Config, cluster string, now time.Time, page func(rules.Rule) string) error {
	if err := checkGlobs(config); err != nil {
		return err
	}
	s, err := policies(engine, config, cluster, now, page)
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintf(w, "# Written by \"flux-remedy vap\" from its rules and the configuration. Write it anew when either\n"+
		"# changes. Errors that CEL cannot say: %s.\n", orNone(s.unsaid)); err != nil {
		return err
	}
	for _, o := range s.objects {
		if _, err := io.WriteString(w, "---\n"); err != nil {
			return err
		}
		encoder := yamlv3.NewEncoder(w)
		encoder.SetIndent(2)
		if err := encoder.Encode(o); err != nil {
			return fmt.Errorf("write %s: %w", o.Kind, err)
		}
	}
	return nil
}

func orNone(ids []string) string {
	if len(ids) == 0 {
		return "none"
	}
	return strings.Join(ids, ", ")
}
