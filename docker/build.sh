#!/usr/bin/env bash
# docker/build.sh [registry/prefix] [--push] [--only service]: builds the images of all services, or of one, labelled with
# version and revision. The tag is the version of a release, or that of tools/image/version.mjs, which no release has. What services share is built once.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
prefix=tally push= only=
while [ $# -gt 0 ]; do
  case "$1" in
    --push) push=1 ;;
    --only) only="$2"; shift ;;
    -*) echo "docker/build.sh [registry/prefix] [--push] [--only service]" >&2; exit 2 ;;
    *) prefix="$1" ;;
  esac
  shift
done
if [ -n "$only" ] && [ ! -d "services/$only" ]; then echo "there is no service $only" >&2; exit 2; fi
for dir in services/${only:-*}/; do
  service="$(basename "$dir")"
  version="$(node tools/image/version.mjs "$service")"
  docker build -f docker/Dockerfile -t "$prefix/$service:$version" \
    --build-arg SERVICE="$service" --build-arg VERSION="$version" \
    --build-arg REVISION="$(git rev-parse HEAD)" --build-arg CREATED="$(git show -s --format=%cI HEAD)" .
  if [ -n "$push" ]; then docker push "$prefix/$service:$version"; fi
done
