// Package charts says what an uninstall of a release deletes, where the chart of the release can be
// had: in the tree, in folders that the user names, or rendered already.
//
//   - A [Library] holds the charts of the folders by name and version, and finds that of a [Query].
//   - A [Job] is rendered in another process, flux-remedy-charts, within the limits of the sandbox.
//   - What is rendered becomes a [loss.Loss]. What cannot be had or rendered has a reason instead.
//
// Nothing is fetched, and no cluster is asked.
package charts
