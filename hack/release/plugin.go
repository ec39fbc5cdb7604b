package main

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"

	"go.yaml.in/yaml/v3"
)

// plugin is the manifest of a Flux CLI plugin, as in flux2's RFC-0013 and the
// schema plugin-cli-v1beta1 of fluxcd/plugins.
type plugin struct {
	APIVersion  string          `yaml:"apiVersion"`
	Kind        string          `yaml:"kind"`
	Name        string          `yaml:"name"`
	Description string          `yaml:"description"`
	Homepage    string          `yaml:"homepage"`
	Source      string          `yaml:"source"`
	Bin         string          `yaml:"bin"`
	Versions    []pluginVersion `yaml:"versions"`
}

type pluginVersion struct {
	Version   string           `yaml:"version"`
	Platforms []pluginPlatform `yaml:"platforms"`
}

type pluginPlatform struct {
	OS       string `yaml:"os"`
	Arch     string `yaml:"arch"`
	URL      string `yaml:"url"`
	Checksum string `yaml:"checksum"`
}

// catalog is what the Flux CLI searches, of the schema
// plugincatalog-cli-v1beta1.
type catalog struct {
	APIVersion string         `yaml:"apiVersion"`
	Kind       string         `yaml:"kind"`
	Plugins    []catalogEntry `yaml:"plugins"`
}

type catalogEntry struct {
	Name        string `yaml:"name"`
	Description string `yaml:"description"`
	Homepage    string `yaml:"homepage"`
	Source      string `yaml:"source"`
	License     string `yaml:"license"`
}

const (
	pluginName        = "remedy"
	pluginAPI         = "cli.fluxcd.io/v1beta1"
	pluginDescription = "What Flux will do when a HelmRelease fails, before it happens"
)

// describe writes the checksums, and what names the archives: the manifest and the catalog of
// the Flux CLI, the manifest of krew, and the formula of Homebrew.
func (r release) describe(sums []sum) error {
	var list bytes.Buffer
	version := pluginVersion{Version: r.number()}
	for _, s := range sums {
		list.WriteString(s.hex + "  " + s.name + "\n")
		version.Platforms = append(version.Platforms, pluginPlatform{
			OS: s.OS, Arch: s.Arch, Checksum: "sha256:" + s.hex,
			URL: r.address(s.name),
		})
	}
	checksums := program + "_" + r.number() + "_checksums.txt"
	if err := os.WriteFile(filepath.Join(r.output, checksums), list.Bytes(), 0o644); err != nil {
		return err
	}
	if err := errors.Join(r.brew(sums), r.krewPlugin(sums)); err != nil {
		return err
	}
	err := r.yaml(pluginName+".yaml", plugin{
		APIVersion: pluginAPI, Kind: "Plugin", Name: pluginName, Description: pluginDescription,
		Homepage: r.repository, Source: r.repository, Bin: program, Versions: []pluginVersion{version},
	})
	if err != nil {
		return err
	}
	return r.yaml("catalog.yaml", catalog{
		APIVersion: pluginAPI, Kind: "PluginCatalog", Plugins: []catalogEntry{{
			Name: pluginName, Description: pluginDescription, Homepage: r.repository, Source: r.repository, License: "Apache-2.0",
		}},
	})
}

func (r release) yaml(name string, value any) error {
	var out bytes.Buffer
	encoder := yaml.NewEncoder(&out)
	encoder.SetIndent(2)
	if err := encoder.Encode(value); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(r.output, name), out.Bytes(), 0o644)
}
