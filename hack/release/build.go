package main

import (
	"bytes"
	_ "embed"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"text/template"
)

// source is where a program of the archives is built.
type source struct{ name, module, folder string }

// sources are the programs of an archive: the linter, and what renders charts for it.
var sources = []source{{program, ".", "./cmd/lint"}, {program + "-charts", "cmd/lint/charts", "."}}

func (r release) buildAll(temp string, p platform) ([]string, error) {
	var out []string
	for _, s := range sources {
		built, err := r.build(temp, p, s)
		if err != nil {
			return nil, err
		}
		out = append(out, built)
	}
	return out, nil
}

// build returns a program for a platform; it is built once.
func (r release) build(temp string, p platform, s source) (string, error) {
	name := filepath.Join(temp, p.OS+"_"+p.Arch, s.name)
	if p.OS == "windows" {
		name += ".exe"
	}
	if _, err := os.Stat(name); err == nil {
		return name, nil
	}
	// Without the state of the repository, which differs between clones.
	cmd := exec.Command("go", "build", "-C", filepath.Join(r.root, s.module), "-trimpath", "-buildvcs=false",
		"-ldflags", "-s -w -X main.version="+r.version+" -X main.rulePages="+r.repository+"/blob/"+r.version+"/policies/rules", "-o", name, s.folder)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS="+p.OS, "GOARCH="+p.Arch,
		"GOFLAGS=", "GOEXPERIMENT=", "GOAMD64=v1", "GOARM64=v8.0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("build: %w\n%s", err, out)
	}
	return name, nil
}

//go:embed archive.md
var archiveText string

// archiveReadme is what an archive says of itself.
var archiveReadme = template.Must(template.New("README").Parse(archiveText))

// pages returns the other files of every archive: the license, what to begin with, and
// man pages and completions, which the program writes itself.
func (r release) pages(temp string) ([]file, error) {
	here, err := r.build(temp, platform{runtime.GOOS, runtime.GOARCH}, sources[0])
	if err != nil {
		return nil, err
	}
	license, err := read(filepath.Join(r.root, "LICENSE"), 0o644)
	if err != nil {
		return nil, err
	}
	var readme bytes.Buffer
	if err := archiveReadme.Execute(&readme, map[string]string{"Version": r.version, "Repository": r.repository}); err != nil {
		return nil, err
	}
	manual := filepath.Join(temp, "man")
	if out, err := exec.Command(here, "man", manual).CombinedOutput(); err != nil {
		return nil, fmt.Errorf("man pages: %w\n%s", err, out)
	}
	man, err := readAll(manual, "man/man1/")
	if err != nil {
		return nil, err
	}
	files := append([]file{license, {"README.md", 0o644, readme.Bytes()}}, man...)
	for _, c := range []struct{ shell, name string }{
		{"bash", program}, {"zsh", "_" + program}, {"fish", program + ".fish"}, {"powershell", program + ".ps1"},
	} {
		script, err := exec.Command(here, "completion", c.shell).Output()
		if err != nil {
			return nil, fmt.Errorf("completion %s: %w", c.shell, err)
		}
		files = append(files, file{"completions/" + c.shell + "/" + c.name, 0o644, script})
	}
	return files, nil
}

// readAll returns the files of a folder, with a prefix to their names.
func readAll(dir, prefix string) ([]file, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var files []file
	for _, entry := range entries {
		f, err := read(filepath.Join(dir, entry.Name()), 0o644)
		if err != nil {
			return nil, err
		}
		f.name = prefix + f.name
		files = append(files, f)
	}
	return files, nil
}
