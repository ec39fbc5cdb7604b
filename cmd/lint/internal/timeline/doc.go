// Package timeline shows forecasts: for people in a terminal, in a pull request
// or in a browser, and as JSON for other tools. A format is one file.
package timeline
