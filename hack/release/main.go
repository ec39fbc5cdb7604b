// Command release writes the files of a version of flux-remedy: an archive for
// each platform with a list of what it is made of, their checksums and provenance,
// the manifests from which the Flux CLI, kubectl (by krew) and Homebrew install it, the
// manifests of the webhook as an OCI artifact and as a Helm chart, and the images. The same sources and the same version of Go
// produce the same bytes.
//
//	go -C hack run ./release -version v0.1.0 -output ../dist/release
package main

import (
	"crypto/sha256"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/semver"
)

const (
	program = "flux-remedy"
	usage   = "make release VERSION=v0.1.0 REPOSITORY=https://example.com/acme/flux-remedy"
)

// platforms are those of the catalog of Flux CLI plugins, as it orders them.
var platforms = []platform{
	{"darwin", "amd64"},
	{"darwin", "arm64"},
	{"linux", "amd64"},
	{"linux", "arm64"},
	{"windows", "amd64"},
	{"windows", "arm64"},
}

type platform struct{ OS, Arch string }

// release is what to write, and where.
type release struct {
	root       string // of the sources
	version    string // as the tag, v1.2.3
	repository string // https URL, below which releases/download/TAG/ARCHIVE is found
	output     string // folder
	signer     string // command that signs a file; empty for none
	base       string // image that the images are built on, or scratch
	platforms  []platform
}

func main() {
	r := release{root: "..", platforms: platforms}
	flag.StringVar(&r.version, "version", "", "version to release, v1.2.3")
	flag.StringVar(&r.repository, "repository", "", "https URL of the repository that publishes it")
	flag.StringVar(&r.output, "output", "../dist/release", "folder to write")
	flag.StringVar(&r.signer, "sign", "", "command that signs a file, which is its last argument")
	flag.StringVar(&r.base, "base", "scratch", "image that the images are built on; only scratch needs no registry")
	flag.Parse()
	if err := r.write(); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

func (r release) write() error {
	if err := r.check(); err != nil {
		return err
	}
	temp, err := os.MkdirTemp("", "flux-remedy-release-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temp)
	if err := os.MkdirAll(r.output, 0o755); err != nil {
		return err
	}
	pages, err := r.pages(temp)
	if err != nil {
		return err
	}
	var sums, bills []sum
	for _, p := range r.platforms {
		built, err := r.buildAll(temp, p)
		if err != nil {
			return err
		}
		s, err := r.archive(built, p, pages)
		if err != nil {
			return fmt.Errorf("%s/%s: %w", p.OS, p.Arch, err)
		}
		b, err := r.bill(built, s.name+".cdx.json")
		if err != nil {
			return err
		}
		sums, bills = append(sums, s), append(bills, b)
	}
	if err := r.describe(sums); err != nil {
		return err
	}
	manifests, err := r.artifact()
	if err != nil {
		return fmt.Errorf("manifests: %w", err)
	}
	chart, err := r.chart()
	if err != nil {
		return fmt.Errorf("chart: %w", err)
	}
	images, err := r.images(temp)
	if err != nil {
		return fmt.Errorf("images: %w", err)
	}
	return errors.Join(r.provenance(slices.Concat(sums, bills, manifests, []sum{chart}, images)), r.sign(r.signer))
}

// check returns an error for what the Flux CLI would not install.
func (r release) check() error {
	if !semver.IsValid(r.version) || semver.Canonical(r.version) != r.version {
		return fmt.Errorf("version %q: want a tag such as v0.1.0: %s", r.version, usage)
	}
	if !strings.HasPrefix(r.repository, "https://") {
		return fmt.Errorf("repository %q: want the https URL that will publish the files: %s", r.repository, usage)
	}
	if entries, err := os.ReadDir(r.output); err == nil && len(entries) > 0 {
		return fmt.Errorf("%s is not empty: remove it, so that nothing old is published", r.output)
	}
	return nil
}

// number returns the version as in the catalog, 1.2.3.
func (r release) number() string { return strings.TrimPrefix(r.version, "v") }

// sum is a written archive and its SHA-256.
type sum struct {
	platform
	name string
	hex  string
}

func (r release) archive(built []string, p platform, pages []file) (sum, error) {
	var files []file
	for _, name := range built {
		bin, err := read(name, 0o755)
		if err != nil {
			return sum{}, err
		}
		files = append(files, bin)
	}
	name, pack := strings.Join([]string{program, r.number(), p.OS, p.Arch}, "_")+".tar.gz", tarball
	if p.OS == "windows" {
		name, pack = strings.TrimSuffix(name, ".tar.gz")+".zip", zipfile
	}
	data, err := pack(append(files, pages...))
	if err != nil {
		return sum{}, err
	}
	return sum{p, name, fmt.Sprintf("%x", sha256.Sum256(data))}, os.WriteFile(filepath.Join(r.output, name), data, 0o644)
}
