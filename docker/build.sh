#!/usr/bin/env bash
# docker/build.sh [registry/prefix]: builds the images of all services, labelled with version and revision.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
prefix="${1:-tally}"
version="$(node -p 'require("./package.json").version')"
for dir in services/*/; do
  service="$(basename "$dir")"
  docker build -f docker/Dockerfile -t "$prefix/$service:$version" \
    --build-arg SERVICE="$service" --build-arg VERSION="$version" \
    --build-arg REVISION="$(git rev-parse HEAD)" --build-arg CREATED="$(git show -s --format=%cI HEAD)" .
done
