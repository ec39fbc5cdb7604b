package rules.api["removed-api_test"]
