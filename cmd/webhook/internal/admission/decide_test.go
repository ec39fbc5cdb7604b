package admission

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	admissionv1 "k8s.io/api/admission/v1"
	authenticationv1 "k8s.io/api/authentication/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"

	"github.com/flux-remedy/remedy/cmd/webhook/internal/admission/admissiontest"
	"github.com/flux-remedy/remedy/internal/slim"
	"github.com/flux-remedy/remedy/pkg/release"
	"github.com/flux-remedy/remedy/pkg/rules"
	"github.com/flux-remedy/remedy/policies"
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
		Outcome                           Outcome
		Why                               string
		Denied, Warned, Inherited, Waived []string
		Message, Warnings                 []string
		Unknown, Undetermined             []string
		Silent                            bool
	} `json:"want"`
}

var day = time.Date(2026, time.June, 15, 12, 0, 0, 0, time.UTC)

func TestDecisions(t *testing.T) {
	files, err := filepath.Glob("../../../../testdata/admission/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	p := newJudge(t)
	for _, file := range files {
		for _, c := range readCases(t, file) {
			t.Run(strings.TrimSuffix(filepath.Base(file), ".yaml")+"/"+c.Name, func(t *testing.T) { c.check(t, p.Engine) })
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
	p := &Judge{Engine: engine, Config: config, Version: "devel"}
	r := reviewOf(t, c.request(t))
	d, err := p.Decide(context.Background(), r, c.Tier, day)
	if err != nil {
		t.Fatal(err)
	}
	if d.Outcome != c.Want.Outcome || d.Why != c.Want.Why {
		t.Errorf("%s %q, want %s %q", d.Outcome, d.Why, c.Want.Outcome, c.Want.Why)
	}
	for _, part := range []struct {
		what string
		got  []rules.Finding
		want []string
	}{
		{"denied", d.Denied, c.Want.Denied},
		{"warned", d.Warned, c.Want.Warned},
		{"inherited", d.Inherited, c.Want.Inherited},
		{"waived", d.Waived, c.Want.Waived},
	} {
		if got := ids(part.got); !slices.Equal(got, part.want) {
			t.Errorf("%s %v, want %v", part.what, got, part.want)
		}
	}
	if !slices.Equal(d.Unknown, c.Want.Unknown) || !slices.Equal(d.Open, c.Want.Undetermined) {
		t.Errorf("unknown %q, undetermined %q, want %q and %q", d.Unknown, d.Open, c.Want.Unknown, c.Want.Undetermined)
	}
	c.checkAnswer(t, d.Response())
}

func (c *admissionCase) checkAnswer(t *testing.T, answer *admissionv1.AdmissionResponse) {
	t.Helper()
	message := ""
	if answer.Allowed != (c.Want.Outcome != Denied) {
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
	if by := answer.AuditAnnotations["requestedBy"]; c.Want.Outcome == Exempt && c.Requester.Username != "" && by != c.Requester.Username {
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
	whole := admissiontest.HelmRelease("app", "{}").Object
	whole["metadata"].(map[string]any)["namespace"] = "apps"
	admissiontest.Merge(whole, object)
	data, err := json.Marshal(whole)
	if err != nil {
		t.Fatal(err)
	}
	return runtime.RawExtension{Raw: data}
}

// newJudge returns a judge by the rules of the project and those of some folders.
func newJudge(t testing.TB, own ...fs.FS) *Judge {
	t.Helper()
	engine, err := rules.New(t.Context(), append([]fs.FS{policies.FS}, own...)...)
	if err != nil {
		t.Fatal(err)
	}
	return &Judge{Engine: engine, Config: &rules.Config{}}
}

// reviewOf returns a request as it is read.
func reviewOf(t testing.TB, request *admissionv1.AdmissionRequest) *Review {
	t.Helper()
	text, err := json.Marshal(&admissionv1.AdmissionReview{
		TypeMeta: metav1.TypeMeta{APIVersion: "admission.k8s.io/v1", Kind: "AdmissionReview"}, Request: request,
	})
	if err != nil {
		t.Fatal(err)
	}
	left, err := slim.Read(bytes.NewReader(text), Unread, slim.Limits{Bytes: 1 << 20, Values: 100_000, Above: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	r, err := Decode(left.Text)
	if err != nil {
		t.Fatal(err)
	}
	return r
}
