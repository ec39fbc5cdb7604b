package rules["timing"]["retry-too-fast_test"]
