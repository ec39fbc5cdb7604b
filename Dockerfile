# The images for those who build with a container engine; make image builds the same
# without one. The last is the webhook's; --target flux-remedy is that of the audit.
FROM --platform=$BUILDPLATFORM golang:1.26.5@sha256:3aff6657219a4d9c14e27fb1d8976c49c29fddb70ba835014f477e1c70636647 AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY cmd cmd
COPY internal internal
COPY pkg pkg
COPY policies policies
ARG TARGETOS TARGETARCH VERSION=devel
RUN CGO_ENABLED=0 GOOS=$TARGETOS GOARCH=$TARGETARCH \
    go build -trimpath -ldflags "-s -w -X main.version=$VERSION" -o /remedy-webhook ./cmd/webhook && \
    CGO_ENABLED=0 GOOS=$TARGETOS GOARCH=$TARGETARCH \
    go build -trimpath -ldflags "-s -w -X main.version=$VERSION" -o /flux-remedy ./cmd/lint && \
    CGO_ENABLED=0 GOOS=$TARGETOS GOARCH=$TARGETARCH \
    go build -C cmd/lint/charts -trimpath -ldflags "-s -w" -o /flux-remedy-charts .

FROM gcr.io/distroless/static-debian12:nonroot@sha256:afa5c872c891853ca7fcf1f12c3edb23f7eeef36189728842dd51042ff57f7ab AS flux-remedy
COPY --from=build /flux-remedy /flux-remedy-charts /
USER 65532:65532
ENTRYPOINT ["/flux-remedy"]

FROM gcr.io/distroless/static-debian12:nonroot@sha256:afa5c872c891853ca7fcf1f12c3edb23f7eeef36189728842dd51042ff57f7ab
COPY --from=build /remedy-webhook /remedy-webhook
USER 65532:65532
EXPOSE 9443 8080
ENTRYPOINT ["/remedy-webhook"]
