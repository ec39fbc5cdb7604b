package rules.api["unsupported-strategy_test"]
