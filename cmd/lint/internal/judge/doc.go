// Package judge says what is wrong with the releases of a tree, and what of it
// is new. It reads and writes no files.
//
//  1. [Evaluate] asks the engine about every release of a tree: a [State].
//  2. [State.Report] and [State.Side] put what the engine says in its places in
//     the files, for package report.
//  3. A [Run] is a state with what was looked at to reach it. It lists waivers,
//     and drops the findings that a [Baseline] or an earlier state has as well.
package judge
