// Command image builds the OCI image of a program without a container
// engine: a base image and one layer with the program. It writes a tarball that
// crane, docker and ctr can load. The same sources produce the same bytes.
package main

import (
	"archive/tar"
	"bytes"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/google/go-containerregistry/pkg/crane"
	"github.com/google/go-containerregistry/pkg/name"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
)

func main() {
	base := flag.String("base", "scratch", "base image, or scratch")
	program := flag.String("program", "", "files of programs, built for -os and -arch, separated by commas; the image runs the first")
	system := flag.String("os", "linux", "operating system of the image")
	arch := flag.String("arch", "amd64", "architecture of the image")
	tag := flag.String("tag", "remedy-webhook:latest", "name of the image")
	output := flag.String("output", "image.tar", "file to write")
	flag.Parse()
	platform := v1.Platform{OS: *system, Architecture: *arch}
	if err := build(*base, platform, *program, *tag, *output); err != nil {
		fmt.Fprintln(os.Stderr, "image:", err)
		os.Exit(1)
	}
}

func build(base string, platform v1.Platform, program, tag, output string) error {
	ref, err := name.NewTag(tag)
	if err != nil {
		return err
	}
	image, err := baseImage(base, platform)
	if err != nil {
		return err
	}
	programs := strings.Split(program, ",")
	layer, err := layerOf(programs)
	if err != nil {
		return err
	}
	if image, err = mutate.AppendLayers(image, layer); err != nil {
		return err
	}
	if image, err = configure(image, platform, "/"+filepath.Base(programs[0])); err != nil {
		return err
	}
	return tarball.WriteToFile(output, ref, image)
}

func baseImage(base string, platform v1.Platform) (v1.Image, error) {
	if base == "scratch" {
		return empty.Image, nil
	}
	return crane.Pull(base, crane.WithPlatform(&platform))
}

// layerOf returns a layer with the programs alone, without times and owners.
func layerOf(programs []string) (v1.Layer, error) {
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, program := range programs {
		data, err := os.ReadFile(program)
		if err != nil {
			return nil, err
		}
		if err := w.WriteHeader(&tar.Header{Name: filepath.Base(program), Mode: 0o555, Size: int64(len(data)), Typeflag: tar.TypeReg}); err != nil {
			return nil, err
		}
		if _, err := w.Write(data); err != nil {
			return nil, err
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return tarball.LayerFromOpener(func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(b.Bytes())), nil })
}

// configure makes the image run the program, as an unprivileged user.
func configure(image v1.Image, platform v1.Platform, program string) (v1.Image, error) {
	file, err := image.ConfigFile()
	if err != nil {
		return nil, err
	}
	file = file.DeepCopy()
	file.OS, file.Architecture = platform.OS, platform.Architecture
	file.Config.User = "65532:65532"
	file.Config.Entrypoint = []string{program}
	file.Config.Cmd = nil
	file.Config.ExposedPorts = nil // manifests name the ports
	return mutate.ConfigFile(image, file)
}
