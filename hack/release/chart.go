package main

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strings"
)

// chart writes the Helm chart, as "helm package" does, with the version that is released.
func (r release) chart() (sum, error) {
	files, err := readTree(filepath.Join(r.root, "manifests", "chart"))
	if err != nil {
		return sum{}, err
	}
	for i, f := range files {
		if f.name == "Chart.yaml" {
			if files[i].data, err = r.versioned(f.data); err != nil {
				return sum{}, err
			}
		}
		files[i].name = program + "/" + f.name
	}
	data, err := tarball(files)
	if err != nil {
		return sum{}, err
	}
	return r.put(program+"-"+r.number()+".tgz", data)
}

// versioned returns Chart.yaml with the version that is released.
func (r release) versioned(data []byte) ([]byte, error) {
	var out []string
	set := 0
	for line := range bytes.Lines(data) {
		for field, value := range map[string]string{"version": r.number(), "appVersion": r.version} {
			if bytes.HasPrefix(line, []byte(field+": ")) {
				line = fmt.Appendf(nil, "%s: %s\n", field, value)
				set++
			}
		}
		out = append(out, string(line))
	}
	if set != 2 {
		return nil, fmt.Errorf("the chart has no version and appVersion in Chart.yaml")
	}
	return []byte(strings.Join(out, "")), nil
}
