package main

import (
	"bytes"
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/CycloneDX/cyclonedx-go"
	provenance "github.com/in-toto/attestation/go/predicates/provenance/v1"
	attestation "github.com/in-toto/attestation/go/v1"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/types/known/structpb"
)

// bill writes what the programs of an archive are made of, as they say themselves: a CycloneDX
// document without a time, so that its bytes do not depend on the day.
func (r release) bill(built []string, name string) (sum, error) {
	var all []*debug.BuildInfo
	for _, program := range built {
		info, err := buildinfo.ReadFile(program)
		if err != nil {
			return sum{}, err
		}
		all = append(all, info)
	}
	info := all[0]
	bom := cyclonedx.NewBOM()
	root := asComponent(&debug.Module{Path: info.Main.Path, Version: r.version})
	root.Type = cyclonedx.ComponentTypeApplication
	bom.Metadata = &cyclonedx.Metadata{Component: &root}
	components := []cyclonedx.Component{asComponent(&debug.Module{Path: "std", Version: strings.TrimPrefix(info.GoVersion, "go")})}
	for _, info := range all {
		for _, module := range info.Deps {
			if module.Replace != nil {
				module = module.Replace
			}
			if c := asComponent(module); module.Version != "" && !slices.Contains(components, c) { // a folder is this repository
				components = append(components, c)
			}
		}
	}
	bom.Components = &components
	var out bytes.Buffer
	if err := cyclonedx.NewBOMEncoder(&out, cyclonedx.BOMFileFormatJSON).SetPretty(true).Encode(bom); err != nil {
		return sum{}, err
	}
	return r.put(name, out.Bytes())
}

func asComponent(module *debug.Module) cyclonedx.Component {
	url := "pkg:golang/" + module.Path + "@" + module.Version
	return cyclonedx.Component{
		BOMRef: url, Type: cyclonedx.ComponentTypeLibrary, Name: module.Path, Version: module.Version, PackageURL: url,
	}
}

func (r release) put(name string, data []byte) (sum, error) {
	return sum{name: name, hex: fmt.Sprintf("%x", sha256.Sum256(data))}, os.WriteFile(filepath.Join(r.output, name), data, 0o644)
}

const buildType = "/blob/main/hack/release" // below the repository

// provenance writes from what the files were made, and how: an in-toto statement
// with SLSA provenance. Whoever publishes it signs it.
func (r release) provenance(files []sum) error {
	parameters, err := structpb.NewStruct(map[string]any{"version": r.version, "repository": r.repository})
	if err != nil {
		return err
	}
	predicate := &provenance.Provenance{
		BuildDefinition: &provenance.BuildDefinition{BuildType: r.repository + buildType, ExternalParameters: parameters, ResolvedDependencies: r.sources()},
		RunDetails:      &provenance.RunDetails{Builder: &provenance.Builder{Id: r.repository + buildType}},
	}
	if err := predicate.Validate(); err != nil {
		return err
	}
	text, err := protojson.Marshal(predicate)
	if err != nil {
		return err
	}
	fields := &structpb.Struct{}
	if err := protojson.Unmarshal(text, fields); err != nil {
		return err
	}
	statement := &attestation.Statement{Type: attestation.StatementTypeUri, PredicateType: "https://slsa.dev/provenance/v1", Predicate: fields}
	for _, f := range files {
		statement.Subject = append(statement.Subject, &attestation.ResourceDescriptor{Name: f.name, Digest: map[string]string{"sha256": f.hex}})
	}
	if err := statement.Validate(); err != nil {
		return err
	}
	if text, err = protojson.Marshal(statement); err != nil {
		return err
	}
	var ordered any // protojson varies its spaces on purpose
	if err := json.Unmarshal(text, &ordered); err != nil {
		return err
	}
	if text, err = json.MarshalIndent(ordered, "", "  "); err != nil {
		return err
	}
	_, err = r.put(program+"_"+r.number()+"_provenance.intoto.json", append(text, '\n'))
	return err
}

// sources returns the commit that is built, if the sources are a repository.
func (r release) sources() []*attestation.ResourceDescriptor {
	commit, err := exec.Command("git", "-C", r.root, "rev-parse", "HEAD").Output()
	if err != nil {
		return nil
	}
	return []*attestation.ResourceDescriptor{{
		Uri: "git+" + r.repository + "@refs/tags/" + r.version, Digest: map[string]string{"gitCommit": strings.TrimSpace(string(commit))},
	}}
}

// sign runs a command of whoever publishes on each file, as its last argument. It
// leaves the signature beside it.
func (r release) sign(command string) error {
	entries, err := os.ReadDir(r.output)
	if err != nil || command == "" {
		return err
	}
	for _, entry := range entries {
		cmd := exec.Command("sh", "-c", command+` "$1"`, "sign", entry.Name())
		cmd.Dir, cmd.Stdout, cmd.Stderr = r.output, os.Stdout, os.Stderr
		if err := cmd.Run(); err != nil {
			return fmt.Errorf("sign %s: %w", entry.Name(), err)
		}
	}
	return nil
}
