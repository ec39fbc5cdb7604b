// Package predict runs forecasts for the releases of a tree.
//
//  1. [Options.Check] refuses what was asked for, before anything is read.
//  2. [Options.Report] simulates the releases that match.
//  3. [Options.Write] does so for one state of a tree, or compares two.
//  4. [Names] and [List] say what can be asked for.
package predict
