package rules["timing"]["zero-timeout_test"]
