package charts

import (
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

// deepest is how deep dependencies of dependencies are looked for.
const deepest = 5

// complete lays the dependencies of a chart that is a folder into its charts/, as source-controller
// does before it packs the chart, from the folders of the user. What is not there is named when
// the chart is rendered, if it is enabled.
func (l *Library) complete(files map[string][]byte, depth int) error {
	for _, wanted := range readMetadata(files[chartFile]).Dependencies {
		if holds(files, "charts/"+wanted.Name) || depth == deepest {
			continue
		}
		found, err := l.find(wanted.Name, wanted.Version)
		if err != nil {
			continue
		}
		archive, inner, err := found.read()
		if err == nil {
			err = l.complete(inner, depth+1)
		}
		if err != nil {
			return err
		}
		if archive != nil {
			files["charts/"+path.Base(found.file)] = archive
		}
		for name, text := range inner {
			files["charts/"+wanted.Name+"/"+name] = text
		}
	}
	return nil
}

// holds reports whether there is a folder of a name, or an archive that begins with it.
func holds(files map[string][]byte, name string) bool {
	return slices.ContainsFunc(slices.Collect(maps.Keys(files)), func(file string) bool {
		return strings.HasPrefix(file, name+"/") || strings.HasPrefix(file, name+"-") && strings.HasSuffix(file, ".tgz")
	})
}
