package main

import (
	"bytes"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"text/template"

	images "github.com/flux-remedy/remedy/hack/image/program"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
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

// imageSources are the programs of each image; it runs the first.
var imageSources = map[string][]source{
	program:          sources,
	"remedy-webhook": {{"remedy-webhook", ".", "./cmd/webhook"}},
}

// images writes the images for the platforms of Linux, each as an OCI layout of one index, and files
// with their digests and with what they are made of.
func (r release) images(temp string) (sums []sum, err error) {
	if !slices.ContainsFunc(r.platforms, func(p platform) bool { return p.OS == "linux" }) {
		return nil, nil
	}
	for _, name := range []string{program, "remedy-webhook"} {
		index, built, err := r.index(temp, imageSources[name])
		if err != nil {
			return nil, err
		}
		bill, err := r.bill(built, program+"_"+r.number()+"_image_"+name+".cdx.json")
		if err != nil {
			return nil, err
		}
		written, err := r.layout("image_"+name, index.Digest, func(p layout.Path) error { return p.AppendIndex(index) })
		if err != nil {
			return nil, err
		}
		sums = append(append(sums, written...), bill)
	}
	return sums, nil
}

// index returns the image of some programs for the platforms of Linux, and the programs of the last one.
func (r release) index(temp string, of []source) (index v1.ImageIndex, built []string, err error) {
	index = empty.Index
	for _, p := range r.platforms {
		if p.OS != "linux" {
			continue
		}
		built = nil
		for _, s := range of {
			name, err := r.build(temp, p, s)
			if err != nil {
				return nil, nil, err
			}
			built = append(built, name)
		}
		platform := v1.Platform{OS: p.OS, Architecture: p.Arch}
		image, err := images.Image(r.base, platform, built)
		if err != nil {
			return nil, nil, err
		}
		index = mutate.AppendManifests(index, mutate.IndexAddendum{Add: image, Descriptor: v1.Descriptor{Platform: &platform}})
	}
	return index, built, nil
}
