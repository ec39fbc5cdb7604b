package overview

import (
	"fmt"
	"strings"

	"github.com/flux-remedy/remedy/pkg/release"
)

// Drift is a field of a release on a cluster that is not as Git says.
type Drift struct {
	Path string `json:"path"`
	// Git and Cluster are the values; absent where there is none, and of values of the chart,
	// which are not read.
	Git     string `json:"git,omitempty"`
	Cluster string `json:"cluster,omitempty"`
	// By are those who set the field beside what applies it, and At when the last of them did
	// (RFC 3339). Without them Git is newer than what is applied, or the cluster has another
	// source.
	By []string `json:"by,omitempty"`
	At string   `json:"at,omitempty"`
	// File and Line are where Git sets it.
	File string `json:"file,omitempty"`
	Line int    `json:"line,omitempty"`
}

// String says how a field differs, and who set it.
func (d Drift) String() string {
	line := d.Path + ": "
	switch {
	case d.Git == "" && d.Cluster == "":
		line += "set on the cluster"
	case d.Git == "":
		line += d.Cluster + ", not set in Git"
	case d.Cluster == "":
		line += fmt.Sprintf("not set, Git says %s (%s:%d)", d.Git, d.File, d.Line)
	default:
		line += fmt.Sprintf("%s, Git says %s (%s:%d)", d.Cluster, d.Git, d.File, d.Line)
	}
	if len(d.By) > 0 {
		return line + "; set by " + strings.Join(d.By, ", ") + " " + utc(d.At)
	}
	return line + "; not applied yet, or from another revision"
}

// InGit is what a repository says of the clusters.
type InGit struct {
	// Undetermined counts what the repository leaves open. A release that Git does not have
	// may be made there, and so is not called missing in Git.
	Undetermined int `json:"undetermined,omitempty"`
	// Missing are releases of a repository that the cluster does not have.
	Missing []Missing `json:"missing,omitempty"`
}

// Missing is a release that Git has and the cluster has not.
type Missing struct {
	release.Name
	Cluster string `json:"cluster,omitempty"`
	File    string `json:"file"`
	Line    int    `json:"line"`
}

// drift are the lines on what is not as Git says.
func (r Report) drift() []string {
	var lines []string
	for _, one := range r.Releases {
		if one.NotInGit {
			lines = append(lines, one.label()+" is not in the repository")
		}
		for i, d := range one.Drift {
			if i == 0 {
				lines = append(lines, one.label()+" is not as Git says")
			}
			lines = append(lines, "  "+d.String())
		}
	}
	for _, m := range r.Missing {
		lines = append(lines, fmt.Sprintf("%s is not on the cluster: %s:%d", Release{Subject: Subject{Name: m.Name, Cluster: m.Cluster}}.label(), m.File, m.Line))
	}
	if r.Undetermined > 0 {
		lines = append(lines, fmt.Sprintf("undetermined in the repository: %d; releases may come from there that Git does not show", r.Undetermined))
	}
	return lines
}
