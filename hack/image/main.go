// Command image builds the OCI image of a program without a container
// engine: a base image and one layer with the program. It writes a tarball that
// crane, docker and ctr can load. The same sources produce the same bytes.
package main

import (
	"flag"
	"fmt"
	"os"
	"strings"

	"github.com/google/go-containerregistry/pkg/name"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/tarball"

	"github.com/flux-remedy/remedy/hack/image/program"
)

func main() {
	base := flag.String("base", "scratch", "base image, or scratch")
	programs := flag.String("program", "", "files of programs, built for -os and -arch, separated by commas; the image runs the first")
	system := flag.String("os", "linux", "operating system of the image")
	arch := flag.String("arch", "amd64", "architecture of the image")
	tag := flag.String("tag", "remedy-webhook:latest", "name of the image")
	output := flag.String("output", "image.tar", "file to write")
	flag.Parse()
	platform := v1.Platform{OS: *system, Architecture: *arch}
	if err := build(*base, platform, *programs, *tag, *output); err != nil {
		fmt.Fprintln(os.Stderr, "image:", err)
		os.Exit(1)
	}
}

func build(base string, platform v1.Platform, programs, tag, output string) error {
	ref, err := name.NewTag(tag)
	if err != nil {
		return err
	}
	image, err := program.Image(base, platform, strings.Split(programs, ","))
	if err != nil {
		return err
	}
	return tarball.WriteToFile(output, ref, image)
}
