# METADATA
# title: The pace of retries
# description: How quickly the attempts of RetryOnFailure may follow each other, for rules and fixes.
package remedy.lib.pace

# regal ignore:pointless-import
import data.remedy.lib

# The retry interval where none is set, in seconds.
default_interval := 300

# The most of a worker's time that a failing release takes, in percent.
busy(timeout, interval) := (100 * timeout) / (timeout + interval)

# Reports whether the attempts follow each other too quickly.
too_fast(_, interval) if interval < input.params["retry-too-fast"].min

too_fast(timeout, interval) if busy(timeout, interval) > input.params["retry-too-fast"].maxBusy

# The shortest of the usual retry intervals that is not too fast for a timeout, in seconds.
# Undefined if all of them are.
fitting(timeout) := min([seconds | some seconds in _usual; not too_fast(timeout, seconds)])

_usual := [60, 120, 180, 300, 600, 900, 1200, 1800, 2700, 3600, 7200, 10800, 14400, 21600, 28800, 43200]

# The longest one that is ever written.
longest := max(_usual)

# Reports whether the pace is judged at all.
judged if not input.off["retry-too-fast"]

# What is written in place of a retry interval that is too short for the timeout of a half.
instead(half, interval) := fitting(_short(half, interval))

# Reports whether the default is too short for the timeout of a half, and so is all that is written in its place.
unfit(half) if {
	timeout := _short(half, default_interval)
	not fitting(timeout)
}

# The timeout of a half, where it is known and the retry interval is too short for it.
_short(half, interval) := timeout if {
	judged
	timeout := input.timeouts[half]
	too_fast(timeout, interval)
}

# Reports whether a retry interval is longer than the most that is allowed.
too_slow(interval) if {
	not input.off["retry-too-slow"]
	interval > object.get(input.params, ["retry-too-slow", "max"], interval)
}

# The edit that sets the retry interval of a half.
edit(half, seconds) := lib.set(lib.at(half, ["strategy", "retryInterval"]), lib.duration(seconds))
