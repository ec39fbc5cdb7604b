package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/flux-remedy/remedy/cmd/lint/internal/cluster/live/livetest"
	"github.com/flux-remedy/remedy/cmd/lint/internal/cluster/overview"
)

// manyClusters is how many clusters are asked: `go test ./cmd/lint -run TestAuditMany -v -clusters 300` measures what
// docs/audit.md says of them.
var manyClusters = flag.Int("clusters", 30, "how many `CLUSTERS` TestAuditMany asks, one in thirty of which hangs")

// manyServers starts clusters of 30 releases, of which every tenth has given up. One in thirty answers nothing.
func manyServers(t *testing.T) (file string, hanging []string) {
	t.Helper()
	servers := map[string]*livetest.Server{}
	for i := range *manyClusters {
		name := fmt.Sprintf("prod-%04d", i)
		var releases []map[string]any
		for n := range 30 {
			releases = append(releases, oneOfMany(n))
		}
		servers[name] = livetest.New(t, releases...)
		if i%30 == 7 {
			hanging = append(hanging, name)
			servers[name].Before = func(_ http.ResponseWriter, r *http.Request) bool {
				<-r.Context().Done()
				return true
			}
		}
	}
	file = filepath.Join(t.TempDir(), "kubeconfig")
	if err := livetest.Kubeconfig(file, "prod-0000", servers); err != nil {
		t.Fatal(err)
	}
	return file, hanging
}

func oneOfMany(n int) map[string]any {
	conditions := []any{map[string]any{"type": "Ready", "status": "True", "reason": "UpgradeSucceeded", "message": "it", "lastTransitionTime": "2026-01-02T03:04:05Z"}}
	if n%10 == 0 {
		conditions = []any{
			map[string]any{"type": "Ready", "status": "False", "reason": "UpgradeFailed", "message": fmt.Sprintf("Helm upgrade failed for release apps/app-%d: timed out", n), "lastTransitionTime": "2026-01-02T03:04:05Z"},
			map[string]any{"type": "Stalled", "status": "True", "reason": "RetriesExceeded", "message": "it", "lastTransitionTime": "2026-01-02T03:04:05Z"},
		}
	}
	return map[string]any{
		"apiVersion": "helm.toolkit.fluxcd.io/v2", "kind": "HelmRelease",
		"metadata": map[string]any{"name": fmt.Sprintf("app-%d", n), "namespace": "apps", "generation": int64(1)},
		"spec":     map[string]any{"interval": "1h", "chartRef": map[string]any{"kind": "OCIRepository", "name": "app"}, "values": map[string]any{"text": strings.Repeat("x", 2000)}},
		"status": map[string]any{
			"observedGeneration": int64(1), "lastAttemptedGeneration": int64(1), "lastAttemptedReleaseAction": "upgrade", "upgradeFailures": int64(n % 10), "conditions": conditions,
			"history": []any{map[string]any{"version": int64(1), "status": "deployed", "chartVersion": "1.0.0", "name": "app", "namespace": "apps"}},
		},
	}
}

// Of many clusters each is written as soon as it is known, whatever hangs. A signal ends the waiting: what is known is
// written, and what is missing is named.
func TestAuditMany(t *testing.T) {
	file, hanging := manyServers(t)
	program, err := exec.LookPath("flux-remedy")
	if err != nil {
		t.Fatal(err)
	}
	known := 30 * (*manyClusters - len(hanging))
	for _, stop := range []bool{false, true} {
		cmd, errs := exec.Command(program, "audit", "--all-contexts", "--kubeconfig", file, "-o", "jsonl"), &bytes.Buffer{}
		cmd.Stderr, cmd.Env = errs, append(os.Environ(), "GOGC=") // as users run it
		if stop {
			cmd.Args = append(cmd.Args, "--cluster-timeout", "1h")
		} else if *manyClusters < 300 {
			cmd.Args = append(cmd.Args, "--cluster-timeout", "2s")
		}
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		begun := time.Now()
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		lines, last, first := 0, "", time.Duration(0)
		in := bufio.NewScanner(out)
		for in.Buffer(nil, 1<<20); in.Scan(); last = in.Text() {
			if lines++; lines == 1 {
				first = time.Since(begun)
			}
			if lines == known && stop { // only those that hang are left
				if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
					t.Error(err)
				}
			}
		}
		_ = cmd.Wait()
		var end overview.Report
		if err := json.Unmarshal([]byte(last), &end); err != nil || lines != known+1 || end.Summary.Releases != known || len(end.Releases) > 0 || len(end.Clusters) != *manyClusters {
			t.Errorf("%v: %d lines, %d releases in %d clusters\n%s", err, lines, end.Summary.Releases, len(end.Clusters), errs)
		}
		code, says := exitFailure, "cluster "+hanging[0]+" ("
		if stop {
			code, says = 130, fmt.Sprintf("interrupted while asking clusters: %d of %d clusters had not answered: %s", len(hanging), *manyClusters, strings.Join(hanging, ", "))
		}
		if got := cmd.ProcessState.ExitCode(); got != code || !strings.Contains(errs.String(), says) {
			t.Errorf("exit code %d, want %d and %q in\n%s", got, code, says, errs)
		}
		of := cmd.ProcessState.SysUsage().(*syscall.Rusage)
		t.Logf("%d clusters, %d hang: first line after %s, all after %s, %s of CPU, %d MiB", *manyClusters, len(hanging),
			first.Round(time.Millisecond), time.Since(begun).Round(time.Millisecond), cmd.ProcessState.UserTime()+cmd.ProcessState.SystemTime(), of.Maxrss/1024)
	}
}
