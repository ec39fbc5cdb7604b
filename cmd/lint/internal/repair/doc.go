// Package repair edits files so that findings go away, as far as no release
// objects.
//
//  1. A planner translates the fixes of findings into edits of files. Equal edits
//     are one change; where it may, one patch changes many releases.
//  2. Package draft makes the edits in memory. The tree is looked at again with them.
//  3. A review compares the states before and after. A release objects if it is
//     worse off, or changed although it was accepted as it was.
//  4. A [Repairer] makes the changes that nobody objects to, and [draft.Files.Write]
//     replaces the files on disk, each whole or not at all.
package repair
