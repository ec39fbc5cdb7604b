package charts

import (
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"
	"strings"
)

// read returns a chart of a folder: an archive, or its files.
func (h held) read() (archive []byte, files map[string][]byte, err error) {
	root, err := os.OpenRoot(h.dir)
	if err != nil {
		return nil, nil, err
	}
	defer root.Close()
	if strings.HasSuffix(h.file, ".tgz") {
		archive, err = readFile(root.FS(), h.file, maxChart)
		return archive, nil, err
	}
	folder, err := fs.Sub(root.FS(), h.file)
	if err == nil {
		files, err = folderFiles(folder)
	}
	return nil, files, err
}

// maxDependencies is how many charts are laid into one chart, those of dependencies included.
const maxDependencies = 100

// errEndless is the error of a chart whose dependencies depend on too many others, or on themselves.
var errEndless = fmt.Errorf("it has more than %d dependencies, with those of the dependencies", maxDependencies)

// complete lays the dependencies of a chart that is a folder into its charts/, as source-controller
// does before it packs the chart, from the folders of the user. What is not there is named when
// the chart is rendered, if it is enabled.
func (l *Library) complete(job *Job) (err error) {
	left := maxDependencies
	job.Laid, err = l.lay(job.Files, &left)
	return err
}

// lay completes a chart with as many others as are left, and returns where they are.
func (l *Library) lay(files map[string][]byte, left *int) (laid []string, err error) {
	for _, wanted := range readMetadata(files[chartFile]).Dependencies {
		if holds(files, "charts/"+wanted.Name) {
			continue
		}
		found, err := l.find(wanted.Name, wanted.Version)
		if err != nil {
			continue
		}
		if *left--; *left < 0 {
			return nil, errEndless
		}
		archive, inner, err := found.read()
		if err != nil {
			return nil, err
		}
		at := "charts/" + wanted.Name
		if archive != nil {
			at = "charts/" + path.Base(found.file)
			files[at] = archive
		}
		below, err := l.lay(inner, left)
		if err != nil {
			return nil, err
		}
		laid = append(laid, at)
		for _, name := range below {
			laid = append(laid, at+"/"+name)
		}
		for name, text := range inner {
			files[at+"/"+name] = text
		}
		if tooLarge(files) {
			return nil, errTooLarge
		}
	}
	return laid, nil
}

// tooLarge reports whether a chart with its dependencies is larger than what is read of one.
func tooLarge(files map[string][]byte) bool {
	size := 0
	for _, text := range files {
		size += len(text)
	}
	return size > maxChart || len(files) > maxFiles
}

// holds reports whether there is a folder of a name, or an archive that begins with it.
func holds(files map[string][]byte, name string) bool {
	return slices.ContainsFunc(slices.Collect(maps.Keys(files)), func(file string) bool {
		return strings.HasPrefix(file, name+"/") || strings.HasPrefix(file, name+"-") && strings.HasSuffix(file, ".tgz")
	})
}
