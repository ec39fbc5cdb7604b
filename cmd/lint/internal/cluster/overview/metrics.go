package overview

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/flux-remedy/remedy/cmd/lint/internal/files"
)

// WriteMetrics replaces a file of metrics, which the textfile collector of node-exporter
// reads: it finds the old content or the new one.
func WriteMetrics(file string, r Report, now time.Time) error {
	if err := files.Replace(file, metrics(r, now)); err != nil {
		return fmt.Errorf("write metrics: %w", err)
	}
	return nil
}

// metrics returns a report in the text format of Prometheus.
func metrics(r Report, now time.Time) []byte {
	releases, stuck, since, findings := family{}, family{}, family{}, family{}
	for _, one := range r.Releases {
		in := []string{"cluster", one.Cluster, "tier", string(one.Tier)}
		releases.add(1, append(in[:4:4], "phase", string(one.Phase))...)
		for _, f := range one.Findings {
			if f.Waived == nil {
				findings.add(1, append(in[:4:4], "severity", string(f.Severity))...)
			}
		}
		if !one.needsSomebody() {
			continue
		}
		why := append(in[:4:4], "reason", one.reason())
		stuck.add(1, why...)
		began, _ := time.Parse(time.RFC3339, one.Since) // zero if it is not known
		since.add(float64(max(began.Unix(), 0)), append(why[:6:6], "namespace", one.Namespace, "name", one.Name.Name)...)
	}
	complete := family{}
	for _, c := range r.Clusters {
		complete.add(1, "cluster", c.Name)
		if c.Incomplete {
			complete.add(-1, "cluster", c.Name)
		}
	}
	var out bytes.Buffer
	family{{labelled("digest", r.InForce.Digest.String(), "bundle", r.InForce.Bundle), 1}}.write(&out, "policy_info", "What the releases are judged by.")
	releases.write(&out, "releases", "HelmReleases in each phase.")
	stuck.write(&out, "stuck_releases", "HelmReleases that need somebody, by why.")
	since.write(&out, "stuck_release_since_timestamp_seconds", "Since when a HelmRelease needs somebody; 0 if that is not known.")
	findings.write(&out, "findings", "Findings that nothing waives.")
	complete.write(&out, "cluster_complete", "1 if all of a cluster could be read.")
	family{{value: float64(len(r.Problems))}}.write(&out, "audit_problems", "What could not be read.")
	family{{value: float64(now.Unix())}}.write(&out, "audit_timestamp_seconds", "When the clusters were looked at.")
	return out.Bytes()
}

// family are the samples of one metric.
type family []sample

type sample struct {
	labels string // as they are written; empty if there are none
	value  float64
}

// add adds to the sample with some labels: names and values in turn.
func (f *family) add(value float64, labels ...string) {
	at := labelled(labels...)
	i, found := slices.BinarySearchFunc(*f, at, func(s sample, at string) int { return cmp.Compare(s.labels, at) })
	if !found {
		*f = slices.Insert(*f, i, sample{labels: at})
	}
	(*f)[i].value += value
}

// labelled writes labels: names and values in turn.
func labelled(labels ...string) string {
	var text strings.Builder
	for i := 0; i < len(labels); i += 2 {
		fmt.Fprintf(&text, `%s="%s",`, labels[i], escaped.Replace(strings.ToValidUTF8(labels[i+1], "?")))
	}
	return strings.TrimSuffix(text.String(), ",")
}

// escaped writes the value of a label.
var escaped = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`)

func (f family) write(out *bytes.Buffer, name, help string) {
	name = "flux_remedy_" + name
	fmt.Fprintf(out, "# HELP %s %s\n# TYPE %s gauge\n", name, help, name)
	for _, s := range f {
		at := ""
		if s.labels != "" {
			at = "{" + s.labels + "}"
		}
		fmt.Fprintf(out, "%s%s %s\n", name, at, strconv.FormatFloat(s.value, 'f', -1, 64))
	}
}
