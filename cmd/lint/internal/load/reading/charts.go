package reading

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/flux-remedy/remedy/cmd/lint/internal/charts"
	"github.com/flux-remedy/remedy/cmd/lint/internal/limits"
	"github.com/flux-remedy/remedy/cmd/lint/internal/sandbox"
)

// chartProgram renders charts. It lies beside this program, or in the PATH.
const chartProgram = "flux-remedy-charts"

// openCharts prepares the library of charts, if there is any.
func (s *Source) openCharts(p Process) error {
	if len(s.Charts) == 0 && s.Rendered == "" || s.library != nil {
		return nil
	}
	library := &charts.Library{Dirs: s.Charts, Rendered: s.Rendered}
	if err := library.Check(); err != nil {
		return err
	}
	program, err := installed(chartProgram)
	if len(s.Charts) > 0 && err != nil {
		return err
	}
	worker := sandbox.Worker{Program: program, Memory: limits.Default().Share}
	if p.Watch != nil {
		worker.Memory = p.Watch.Share
	}
	library.Render = func(job charts.Job, out *charts.Result) error { return worker.Do(job, out) }
	s.library = library
	return nil
}

// installed returns the file of a program that lies beside this one, or else in the PATH.
func installed(name string) (string, error) {
	own, err := os.Executable()
	if err != nil {
		return "", err
	}
	if own, err = filepath.EvalSymlinks(own); err != nil {
		return "", err
	}
	file := filepath.Join(filepath.Dir(own), name+filepath.Ext(own))
	if _, err := os.Stat(file); err == nil {
		return file, nil
	}
	if file, err = exec.LookPath(name); err != nil {
		return "", fmt.Errorf("--charts: %s renders charts, and is neither beside this program nor in the PATH: put it there, or render them yourself and give --rendered", name)
	}
	return file, nil
}
