package main

import (
	"bytes"
	"text/template"
)

// formula is a formula of Homebrew.
var formula = template.Must(template.New("formula").Parse(`class FluxRemedy < Formula
  desc "{{ .Description }}"
  homepage "{{ .Repository }}"
  version "{{ .Version }}"
  license "Apache-2.0"
{{ range .Systems }}
  on_{{ .Name }} do
{{- range .Archives }}
    on_{{ .CPU }} do
      url "{{ .URL }}"
      sha256 "{{ .Hex }}"
    end
{{- end }}
  end
{{ end }}
  def install
    bin.install "flux-remedy", "flux-remedy-charts"
    man1.install Dir["man/man1/*"]
    bash_completion.install "completions/bash/flux-remedy"
    zsh_completion.install "completions/zsh/_flux-remedy"
    fish_completion.install "completions/fish/flux-remedy.fish"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/flux-remedy version")
  end
end
`))

type brewSystem struct {
	Name     string
	Archives []brewArchive
}

type brewArchive struct{ CPU, URL, Hex string }

// brew writes the formula of the archives.
func (r release) brew(archives []sum) error {
	systems := []brewSystem{{Name: "macos"}, {Name: "linux"}}
	for _, s := range archives {
		a := brewArchive{map[string]string{"amd64": "intel", "arm64": "arm"}[s.Arch], r.address(s.name), s.hex}
		switch s.OS {
		case "darwin":
			systems[0].Archives = append(systems[0].Archives, a)
		case "linux":
			systems[1].Archives = append(systems[1].Archives, a)
		}
	}
	var out bytes.Buffer
	err := formula.Execute(&out, map[string]any{
		"Description": pluginDescription, "Repository": r.repository, "Version": r.number(), "Systems": systems,
	})
	if err != nil {
		return err
	}
	_, err = r.put(program+".rb", out.Bytes())
	return err
}

// krew is the manifest of a plugin of kubectl, as krew reads it.
type krew struct {
	APIVersion string `yaml:"apiVersion"`
	Kind       string `yaml:"kind"`
	Metadata   struct {
		Name string `yaml:"name"`
	} `yaml:"metadata"`
	Spec struct {
		Version          string         `yaml:"version"`
		Homepage         string         `yaml:"homepage"`
		ShortDescription string         `yaml:"shortDescription"`
		Description      string         `yaml:"description"`
		Platforms        []krewPlatform `yaml:"platforms"`
	} `yaml:"spec"`
}

type krewPlatform struct {
	Selector struct {
		MatchLabels map[string]string `yaml:"matchLabels"`
	} `yaml:"selector"`
	URI    string `yaml:"uri"`
	SHA256 string `yaml:"sha256"`
	Bin    string `yaml:"bin"`
}

// krewPlugin writes the manifest of the archives: kubectl flux-remedy.
func (r release) krewPlugin(archives []sum) error {
	k := krew{APIVersion: "krew.googlecontainertools.github.com/v1alpha2", Kind: "Plugin"}
	k.Metadata.Name = program
	k.Spec.Version, k.Spec.Homepage, k.Spec.ShortDescription = r.version, r.repository, pluginDescription
	k.Spec.Description = "Judges HelmReleases as Flux will apply them, says what helm-controller would do when an install or an\n" +
		"upgrade fails, and why a release of a running cluster is stuck.\n"
	for _, s := range archives {
		p := krewPlatform{URI: r.address(s.name), SHA256: s.hex, Bin: program}
		p.Selector.MatchLabels = map[string]string{"os": s.OS, "arch": s.Arch}
		if s.OS == "windows" {
			p.Bin += ".exe"
		}
		k.Spec.Platforms = append(k.Spec.Platforms, p)
	}
	return r.yaml("krew.yaml", k)
}

// address is where a file is found once it is published.
func (r release) address(name string) string {
	return r.repository + "/releases/download/" + r.version + "/" + name
}
