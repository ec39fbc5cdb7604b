// Package fix edits manifests in memory and puts them in their place.
//
//  1. Open names the paths below which files may be changed.
//  2. Files.With applies edits to a copy; Overlay gives its content to who wants
//     to see what would come of it, Diff to who wants to read it.
//  3. Write replaces the files on disk one by one, each whole or not at all;
//     Restore puts back what was there.
package fix
