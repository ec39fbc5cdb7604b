package rules["visibility"]["test-contradiction_test"]
