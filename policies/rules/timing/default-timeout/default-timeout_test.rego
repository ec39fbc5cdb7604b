package rules["timing"]["default-timeout_test"]
