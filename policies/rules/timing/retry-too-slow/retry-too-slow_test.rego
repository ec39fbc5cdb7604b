package rules["timing"]["retry-too-slow_test"]
