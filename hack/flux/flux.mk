# A real Flux for tests: see hack/flux/doc.go. Outside of make test, since building the
# controllers and letting them fail takes minutes.

TESTFLUX = go -C hack test -tags flux -count=1 -timeout 60m -parallel 1000 $(if $(RUN),-run '$(RUN)') ./flux

.PHONY: flux-assets
flux-assets: envtest-assets ## Controllers of Flux for test-flux, in bin/flux
	@hack/flux/assets.sh $(CONTROLLER)

.PHONY: test-flux
test-flux: build flux-assets ## Hold what is said to unmodified controllers of Flux on a real API server (RUN=^TestApplied$$: a part of it)
	$(TESTFLUX) $(if $(RECORDINGS),-recordings $(RECORDINGS))

.PHONY: record
record: flux-assets ## Write what helm-controller does to testdata/forecast, which make test replays (CONTROLLER=v1.4.0: of that version)
	$(TESTFLUX) -run '$(or $(RUN),^TestForecast$$)' -recordings $(CURDIR)/testdata/forecast $(if $(CONTROLLER),-controller $(CONTROLLER))

.PHONY: record-nights
record-nights: build flux-assets ## Write the statuses of releases in trouble to testdata/incident, which make test holds to its law
	$(TESTFLUX) -run '^TestNights$$' -recordings $(CURDIR)/testdata/incident

.PHONY: record-waves
record-waves: flux-assets ## Write what failing releases hold up to testdata/wave, which make test replays
	$(TESTFLUX) -run '^TestWave$$' -recordings $(CURDIR)/testdata/wave

.PHONY: flux-update
flux-update: flux-news ## When Flux releases: say what is newer, take its newest controllers, test, record, and print what they do otherwise
	@hack/flux/update.sh

# The newest of each minor version that differs, and those that forecasts are held to.
CRDS = 1.3.0 1.4.0 1.5.5 1.6.5 1.7.1

.PHONY: crds
crds: ## Write the definitions of HelmRelease that the tables are made from to testdata/crds
	@hack/flux/crds.sh $(CRDS)

.PHONY: flux-since
flux-since: ## After make crds generate: write which Flux brought what of its APIs, from clones of its controllers in the folder CLONES
	@go -C hack run ./flux/since $(abspath $(CLONES))

.PHONY: flux-news
flux-news: ## Print which of Flux's API, controllers and gates are newer than what is known, and what they change
	@go -C hack run ./flux/news
