package rules["timing"]["slow-recovery_test"]
