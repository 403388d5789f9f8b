# The image of a simulator host with Geant4 as simC: docker build -f docker/geant4.Dockerfile -t tally/simulators-geant4 .
#
# Geant4 comes from PyPI with the program simulators/geant4, and without CERN's data sets. A site that has them puts them into an
# image of its own (FROM this one, COPY), or mounts them, and names them in `env` (simulators/geant4/README.md).
ARG BASE=debian:12-slim

FROM ${BASE} AS base
# What the package of Geant4 is linked to, and no wheel has.
RUN apt-get update \
    && apt-get install -y --no-install-recommends python3 libgl1 libice6 libsm6 libx11-6 libxext6 \
    && rm -rf /var/lib/apt/lists/*

FROM base AS build
RUN apt-get update && apt-get install -y --no-install-recommends python3-venv
RUN python3 -m venv /opt/tally-geant4
COPY simulators/geant4 /src
RUN /opt/tally-geant4/bin/pip install --no-cache-dir --no-compile /src

FROM base
COPY --from=build /opt/tally-geant4 /opt/tally-geant4
# Fails where a library is missing.
RUN /opt/tally-geant4/bin/tally-geant4 --version
USER 10001:10001
