package versions

import "runtime/debug"

// OfProgram returns the version that the build has set, else that of the module.
func OfProgram(set string) string {
	if set != "" {
		return set
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
}
