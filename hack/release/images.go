package main

import (
	"slices"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/mutate"

	images "github.com/flux-remedy/remedy/hack/image/program"
)

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
