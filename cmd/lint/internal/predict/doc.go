// Package predict runs forecasts for the releases of a tree.
//
//  1. [Options.Check] refuses what was asked for, before anything is read.
//  2. [Options.Report] simulates the releases that match (predict.go).
//  3. [Names] and [List] say what can be asked for (scenarios.go).
package predict
