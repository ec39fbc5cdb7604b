# The webhook's image, without a container engine. To push it:
# go -C hack tool crane push ../bin/remedy-webhook.tar NAME

IMAGE_BASE ?= gcr.io/distroless/static-debian12:nonroot@sha256:afa5c872c891853ca7fcf1f12c3edb23f7eeef36189728842dd51042ff57f7ab
IMAGE_TAG  ?= remedy-webhook:$(VERSION)
IMAGE_ARCH ?= amd64

.PHONY: image
image: ## Build the webhook's image as bin/remedy-webhook.tar (IMAGE_BASE=scratch works offline)
	CGO_ENABLED=0 GOOS=linux GOARCH=$(IMAGE_ARCH) go build -trimpath -ldflags '$(LDFLAGS)' -o bin/image/remedy-webhook ./cmd/webhook
	go -C hack run ./image -base $(IMAGE_BASE) -arch $(IMAGE_ARCH) -tag $(IMAGE_TAG) \
		-program $(CURDIR)/bin/image/remedy-webhook -output $(CURDIR)/bin/remedy-webhook.tar

.PHONY: image-base
image-base: # the base image, for those who build otherwise
	@echo $(IMAGE_BASE)

.PHONY: image-audit
image-audit: ## Build the image of the component audit, as bin/flux-remedy.tar
	CGO_ENABLED=0 GOOS=linux GOARCH=$(IMAGE_ARCH) go build -trimpath -ldflags '$(LDFLAGS)' -o bin/image/flux-remedy ./cmd/lint
	CGO_ENABLED=0 GOOS=linux GOARCH=$(IMAGE_ARCH) go -C cmd/lint/charts build -trimpath -ldflags '-s -w' -o $(CURDIR)/bin/image/flux-remedy-charts .
	go -C hack run ./image -base $(IMAGE_BASE) -arch $(IMAGE_ARCH) -tag flux-remedy:$(VERSION) \
		-program $(CURDIR)/bin/image/flux-remedy,$(CURDIR)/bin/image/flux-remedy-charts -output $(CURDIR)/bin/flux-remedy.tar
