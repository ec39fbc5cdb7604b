package rules["visibility"]["test-limbo_test"]
