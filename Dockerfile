# The webhook's image for those who build with a container engine; make image
# builds the same without one.
FROM --platform=$BUILDPLATFORM golang:1.26 AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY cmd cmd
COPY pkg pkg
COPY policies policies
ARG TARGETOS TARGETARCH VERSION=devel
RUN CGO_ENABLED=0 GOOS=$TARGETOS GOARCH=$TARGETARCH \
    go build -trimpath -ldflags "-s -w -X main.version=$VERSION" -o /remedy-webhook ./cmd/webhook

FROM gcr.io/distroless/static-debian12:nonroot
COPY --from=build /remedy-webhook /remedy-webhook
USER 65532:65532
EXPOSE 9443 8080
ENTRYPOINT ["/remedy-webhook"]
