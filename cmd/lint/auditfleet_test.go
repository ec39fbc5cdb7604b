package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/kyaml/filesys"

	"github.com/flux-remedy/remedy/cmd/lint/internal/cluster/live/livetest"
	"github.com/flux-remedy/remedy/cmd/lint/internal/cluster/overview"
)

// fleetJobs returns the arguments of the CronJobs of the component audit-fleet, by name, and how many pods each
// has.
func fleetJobs(t *testing.T) (args map[string][]string, completions map[string]int) {
	t.Helper()
	built, err := krusty.MakeKustomizer(krusty.MakeDefaultOptions()).Run(filesys.MakeFsOnDisk(), "../../manifests/overlays/audit-fleet")
	if err != nil {
		t.Fatal(err)
	}
	args, completions = map[string][]string{}, map[string]int{}
	for _, r := range built.Resources() {
		var job struct {
			Kind     string
			Metadata struct{ Name string }
			Spec     struct {
				JobTemplate struct {
					Spec struct {
						CompletionMode           string
						Completions, Parallelism int
						Template                 struct {
							Spec struct{ Containers []struct{ Args []string } }
						}
					}
				}
			}
		}
		raw, err := r.MarshalJSON()
		if err != nil || json.Unmarshal(raw, &job) != nil {
			t.Fatal(err)
		}
		if of := job.Spec.JobTemplate.Spec; job.Kind == "CronJob" {
			args[job.Metadata.Name], completions[job.Metadata.Name] = of.Template.Spec.Containers[0].Args, of.Completions
			if of.Completions > 0 && (of.CompletionMode != "Indexed" || of.Parallelism != of.Completions) {
				t.Errorf("%s: %+v", job.Metadata.Name, of)
			}
		}
	}
	return args, completions
}

// TestAuditFleet runs what the pods of the component run, each on its part of some clusters. What is
// made of the parts is what one run says of all clusters; a pod that has not run is named.
func TestAuditFleet(t *testing.T) {
	args, completions := fleetJobs(t)
	shards := args["flux-remedy-audit-fleet"]
	pods := completions["flux-remedy-audit-fleet"]
	if pods < 2 || !slices.Contains(shards, fmt.Sprintf("--shard=$(JOB_COMPLETION_INDEX)/%d", pods)) || len(args) != 2 {
		t.Fatalf("%d pods, %q", pods, args)
	}
	dir := t.TempDir()
	clusters, reports := filepath.Join(dir, "clusters"), filepath.Join(dir, "reports")
	for _, folder := range []string{clusters, reports} {
		if err := os.Mkdir(folder, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	servers := map[string]*livetest.Server{}
	for i := range 40 {
		servers[fmt.Sprintf("prod-%02d", i)] = livetest.New(t, map[string]any{
			"apiVersion": "helm.toolkit.fluxcd.io/v2", "kind": "HelmRelease",
			"metadata": map[string]any{"name": "shop", "namespace": "apps", "generation": int64(1)},
			"spec":     map[string]any{"interval": "1h", "suspend": i%3 == 0, "chartRef": map[string]any{"kind": "OCIRepository", "name": "shop"}},
			"status": map[string]any{"observedGeneration": int64(1), "conditions": []any{
				map[string]any{"type": "Ready", "status": "True", "reason": "UpgradeSucceeded", "message": "it", "lastTransitionTime": "2026-01-02T03:04:05Z"},
			}},
		})
	}
	if err := livetest.Kubeconfig(filepath.Join(clusters, "fleet"), "prod-00", servers); err != nil {
		t.Fatal(err)
	}
	// here runs arguments of a container where its volumes are.
	here := func(want int, args []string, index int) string {
		t.Helper()
		in := strings.NewReplacer("$(JOB_COMPLETION_INDEX)", fmt.Sprint(index), "/clusters", clusters, "/reports", reports, "/etc/flux-remedy/.flux-remedy.yaml", "../../manifests/components/audit-fleet/config.yaml")
		var own []string
		for _, arg := range args {
			own = append(own, in.Replace(arg))
		}
		var stdout, stderr bytes.Buffer
		if code := run(t.Context(), own, streams{out: &stdout, err: &stderr}); code != want {
			t.Fatalf("%q exits with %d: %s%s", own, code, stdout.String(), stderr.String())
		}
		return stdout.String() + stderr.String()
	}
	for i := range pods - 1 {
		here(exitOK, shards, i)
	}
	if said := here(exitFailure, args["flux-remedy-audit-fleet-merge"], 0); !strings.Contains(said, fmt.Sprintf("shard %d/%d is missing", pods-1, pods)) {
		t.Error(said)
	}
	here(exitOK, shards, pods-1)
	here(exitOK, args["flux-remedy-audit-fleet-merge"], 0)
	for _, file := range []string{"audit.html", "flux_remedy.prom"} {
		if info, err := os.Stat(filepath.Join(reports, file)); err != nil || info.Size() == 0 {
			t.Error(err)
		}
	}
	whole := untimed(t, here(exitOK, slices.DeleteFunc(append(slices.Clone(shards), "--output=json"), func(arg string) bool {
		return strings.Contains(arg, "INDEX")
	}), 0))
	if merged := untimed(t, here(exitOK, []string{"audit", "merge", "/reports", "-o", "json", "--fail-on=off"}, 0)); merged != whole {
		t.Errorf("the parts say\n%s\nall say\n%s", merged, whole)
	}
}

// untimed returns a report without when it was made.
func untimed(t *testing.T, text string) string {
	t.Helper()
	var r overview.Report
	if err := json.Unmarshal([]byte(text), &r); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	r.Time = ""
	out, err := json.MarshalIndent(r, "", " ")
	if err != nil || r.Summary.Releases != 40 {
		t.Fatalf("%v, %+v", err, r.Summary)
	}
	return string(out)
}
