# A real Flux for tests: see hack/flux/doc.go. Outside of make test, since building the
# controllers and letting them fail takes minutes.

.PHONY: flux-assets
flux-assets: envtest-assets ## Controllers of Flux for test-flux, in bin/flux
	@hack/flux/assets.sh

.PHONY: test-flux
test-flux: build flux-assets ## Hold what is said to unmodified controllers of Flux on a real API server
	go -C hack test -tags flux -count=1 -timeout 60m -parallel 120 ./flux

.PHONY: record
record: flux-assets ## Write what the controllers of hack/flux do to testdata/forecast, which make test replays
	go -C hack test -tags flux -count=1 -timeout 60m -parallel 120 ./flux -run TestForecast -recordings $(CURDIR)/testdata/forecast
