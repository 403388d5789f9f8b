#!/usr/bin/env bash
# docker/build.sh [registry/prefix] [--push]: builds the images of all services, labelled with version and revision.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
prefix="${1:-tally}"
push="${2:-}"
version="$(node -p 'require("./package.json").version')"
for dir in services/*/; do
  service="$(basename "$dir")"
  docker build -f docker/Dockerfile -t "$prefix/$service:$version" \
    --build-arg SERVICE="$service" --build-arg VERSION="$version" \
    --build-arg REVISION="$(git rev-parse HEAD)" --build-arg CREATED="$(git show -s --format=%cI HEAD)" .
  if [ "$push" = --push ]; then docker push "$prefix/$service:$version"; fi
done
