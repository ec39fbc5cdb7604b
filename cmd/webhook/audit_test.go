package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/envtest"
)

// auditLog is the API server's audit log of requests for HelmReleases: a folder
// with the audit policy and the log.
type auditLog string

const auditPolicy = `apiVersion: audit.k8s.io/v1
kind: Policy
omitStages: [RequestReceived]
rules:
- level: Metadata
  resources: [{group: helm.toolkit.fluxcd.io, resources: [helmreleases]}]
- level: None
`

// newAuditLog configures an API server, which is not started yet, to write one.
func newAuditLog(server *envtest.APIServer) (auditLog, error) {
	dir, err := os.MkdirTemp("", "remedy-audit")
	if err != nil {
		return "", err
	}
	a := auditLog(dir)
	server.Configure().Set("audit-policy-file", a.file("policy.yaml")).Set("audit-log-path", a.file("log"))
	return a, os.WriteFile(a.file("policy.yaml"), []byte(auditPolicy), 0o600)
}

func (a auditLog) file(name string) string { return filepath.Join(string(a), name) }

func (a auditLog) remove() error { return os.RemoveAll(string(a)) }

// of returns the annotations of the one request for a namespace.
func (a auditLog) of(namespace string) (map[string]string, error) {
	all, err := a.all(namespace)
	if err != nil {
		return nil, err
	}
	return all[0], nil
}

// auditEvent is what tests read of a request.
type auditEvent struct {
	RequestReceivedTimestamp time.Time
	ObjectRef                struct{ Namespace string }
	Annotations              map[string]string
}

// all returns the annotations of the requests for a namespace, at least one, in the order in which
// the API server received them: it logs each after its answer.
func (a auditLog) all(namespace string) (found []map[string]string, err error) {
	data, err := os.ReadFile(a.file("log"))
	if err != nil {
		return nil, err
	}
	var events []auditEvent
	for line := range strings.Lines(string(data)) {
		if !strings.Contains(line, namespace) {
			continue // there may be many
		}
		var event auditEvent
		if json.Unmarshal([]byte(line), &event) == nil && event.ObjectRef.Namespace == namespace {
			events = append(events, event)
		}
	}
	slices.SortStableFunc(events, func(a, b auditEvent) int { return a.RequestReceivedTimestamp.Compare(b.RequestReceivedTimestamp) })
	for _, event := range events {
		found = append(found, event.Annotations)
	}
	if len(found) == 0 {
		return nil, errors.New("nothing about " + namespace)
	}
	return found, nil
}

// TestAuditLog reads decisions from the API server's audit log.
func TestAuditLog(t *testing.T) {
	c, u, i := judged(t, "self-signed")
	policy := i.metric("remedy_webhook_policy_info")
	tomorrow := time.Now().AddDate(0, 0, 1).Format(time.DateOnly)
	for _, want := range []struct {
		tier, spec, waiver string
		denied             bool
		annotations        map[string]string
	}{
		{"production", bad, "", true, map[string]string{"decision": "denied", "denied": "no-recovery"}},
		{"staging", bad, "", false, map[string]string{"decision": "warned", "warned": "no-recovery"}},
		{"production", retried, "", false, map[string]string{"decision": "allowed"}},
		{"production", bad, tomorrow + " moves", false, map[string]string{"decision": "allowed", "waived": "no-recovery", "requestedBy": "admin"}},
	} {
		namespace, object := u.namespace(want.tier), helmRelease("app", want.spec)
		if want.waiver != "" {
			object.SetAnnotations(map[string]string{"waive.flux-remedy.io/no-recovery": want.waiver})
		}
		if _, err := u.releases(namespace).Create(t.Context(), object, metav1.CreateOptions{}); (err != nil) != want.denied {
			t.Fatal(err)
		}
		want.annotations["tier"] = want.tier
		eventually(t, "the audit log tells of "+namespace, func() error {
			all, err := c.audit.of(namespace)
			if err != nil {
				return err
			}
			got := map[string]string{}
			for key, value := range all {
				if key, ours := strings.CutPrefix(key, want.tier+".flux-remedy.io/"); ours {
					got[key] = value
				}
			}
			config, rules, _ := strings.Cut(got["policy"], "/")
			if line := fmt.Sprintf("remedy_webhook_policy_info{bundle=\"\",config=%q,digest=%q,rules=%q,version=%q} 1", config, got["digest"], rules, version); line != policy {
				return fmt.Errorf("policy %q, in force is %s", got["policy"], policy)
			}
			delete(got, "digest")
			delete(got, "enforcement")
			if delete(got, "policy"); !maps.Equal(got, want.annotations) {
				return fmt.Errorf("got %v, want %v", got, want.annotations)
			}
			return nil
		})
	}
}
