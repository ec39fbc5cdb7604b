package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	admissionv1 "k8s.io/api/admission/v1"
	authenticationv1 "k8s.io/api/authentication/v1"
	"k8s.io/apimachinery/pkg/runtime"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"

	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
)

// admissionCase is a document of testdata/admission; its README explains it.
type admissionCase struct {
	Name        string                    `json:"name"`
	Tier        release.Tier              `json:"tier"`
	Config      rules.ConfigSpec          `json:"config"`
	Requester   authenticationv1.UserInfo `json:"requester"`
	Operation   admissionv1.Operation     `json:"operation"`
	SubResource string                    `json:"subResource"`
	Object      map[string]any            `json:"object"`
	Old         map[string]any            `json:"old"`
	Want        struct {
		Outcome                           outcome
		Why                               string
		Denied, Warned, Inherited, Waived []string
		Message, Warnings                 []string
		Unknown, Undetermined             []string
		Silent                            bool
	} `json:"want"`
}

var day = time.Date(2026, time.June, 15, 12, 0, 0, 0, time.UTC)

func TestDecisions(t *testing.T) {
	files, err := filepath.Glob("../../testdata/admission/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	p, err := sources{}.load(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		for _, c := range readCases(t, file) {
			t.Run(strings.TrimSuffix(filepath.Base(file), ".yaml")+"/"+c.Name, func(t *testing.T) { c.check(t, p.engine) })
		}
	}
}

func readCases(t *testing.T, file string) []admissionCase {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var cases []admissionCase
	documents := utilyaml.NewYAMLOrJSONDecoder(bytes.NewReader(data), 4096)
	for {
		var raw json.RawMessage
		if err := documents.Decode(&raw); errors.Is(err, io.EOF) {
			return cases
		} else if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		c := admissionCase{Tier: release.Production}
		strict := json.NewDecoder(bytes.NewReader(raw))
		strict.DisallowUnknownFields()
		if err := strict.Decode(&c); err != nil {
			t.Fatalf("%s: %s: %v", file, c.Name, err)
		}
		cases = append(cases, c)
	}
}

func (c *admissionCase) check(t *testing.T, engine *rules.Engine) {
	config := &rules.Config{Spec: c.Config}
	engine, err := engine.Under(config)
	if err != nil {
		t.Fatal(err)
	}
	p := &ruleset{engine: engine, config: config}
	r := reviewOf(t, c.request(t))
	d, err := p.decide(context.Background(), r, c.Tier, day)
	if err != nil {
		t.Fatal(err)
	}
	if d.outcome != c.Want.Outcome || d.why != c.Want.Why {
		t.Errorf("%s %q, want %s %q", d.outcome, d.why, c.Want.Outcome, c.Want.Why)
	}
	for _, part := range []struct {
		what string
		got  []rules.Finding
		want []string
	}{
		{"denied", d.denied, c.Want.Denied},
		{"warned", d.warned, c.Want.Warned},
		{"inherited", d.inherited, c.Want.Inherited},
		{"waived", d.waived, c.Want.Waived},
	} {
		if got := ids(part.got); !slices.Equal(got, part.want) {
			t.Errorf("%s %v, want %v", part.what, got, part.want)
		}
	}
	if !slices.Equal(d.unknown, c.Want.Unknown) || !slices.Equal(d.open, c.Want.Undetermined) {
		t.Errorf("unknown %q, undetermined %q, want %q and %q", d.unknown, d.open, c.Want.Unknown, c.Want.Undetermined)
	}
	c.checkAnswer(t, responseOf(d))
}

func (c *admissionCase) checkAnswer(t *testing.T, answer *admissionv1.AdmissionResponse) {
	t.Helper()
	message := ""
	if answer.Allowed != (c.Want.Outcome != denied) {
		t.Errorf("allowed %t", answer.Allowed)
	}
	if !answer.Allowed {
		message = answer.Result.Message
	}
	if len(message) > maxDenial {
		t.Errorf("the message has %d bytes", len(message))
	}
	for _, want := range c.Want.Message {
		if !strings.Contains(message, want) {
			t.Errorf("the message does not say %q:\n%s", want, message)
		}
	}
	if c.Want.Silent && len(answer.Warnings) > 0 {
		t.Errorf("%d warnings", len(answer.Warnings))
	}
	if by := answer.AuditAnnotations["requestedBy"]; c.Want.Outcome == exempt && c.Requester.Username != "" && by != c.Requester.Username {
		t.Errorf("requestedBy is %q", by)
	}
	all := strings.Join(answer.Warnings, "\n")
	for _, want := range c.Want.Warnings {
		if !strings.Contains(all, want) {
			t.Errorf("no warning says %q:\n%s", want, all)
		}
	}
	for _, warning := range answer.Warnings {
		if len(warning) > maxWarning {
			t.Errorf("a warning has %d bytes", len(warning))
		}
	}
}

func (c *admissionCase) request(t *testing.T) *admissionv1.AdmissionRequest {
	t.Helper()
	r := &admissionv1.AdmissionRequest{
		UserInfo: c.Requester, Operation: c.Operation, SubResource: c.SubResource, Namespace: "apps", Name: "app",
		Object: raw(t, c.Object), OldObject: raw(t, c.Old),
	}
	if r.Operation == "" {
		r.Operation = admissionv1.Create
		if c.Old != nil {
			r.Operation = admissionv1.Update
		}
	}
	return r
}

// raw encodes a complete HelmRelease with the fields of an object over it; nothing for
// nil.
func raw(t *testing.T, object map[string]any) runtime.RawExtension {
	t.Helper()
	if object == nil {
		return runtime.RawExtension{}
	}
	whole := helmRelease("app", "{}").Object
	whole["metadata"].(map[string]any)["namespace"] = "apps"
	merge(whole, object)
	data, err := json.Marshal(whole)
	if err != nil {
		t.Fatal(err)
	}
	return runtime.RawExtension{Raw: data}
}

func merge(into, from map[string]any) {
	for key, value := range from {
		inner, isMap := into[key].(map[string]any)
		if more, ok := value.(map[string]any); ok && isMap {
			merge(inner, more)
		} else {
			into[key] = value
		}
	}
}
