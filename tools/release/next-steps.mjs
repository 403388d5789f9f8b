// What a release asks of whoever makes it, as text for a terminal.

/** After `pnpm release <version>`. */
export const wholeSteps = (version) => `This folder is ${version}. Look at it (git diff), then:

  npm test && pnpm check:previous --table
  git commit -am "chore(release): release ${version}" && git tag -a v${version} -m ${version}
  docker/build.sh registry.example.org/tally          # and push the images
  python3 -m build clients/python                     # wheel and sdist, in clients/python/dist
  npm run setup && pnpm release --cli dist            # the command tally: npm install -g dist/tally-cli-${version}.tgz`;

/** After `pnpm release --service <service> <version>`. */
export const serviceSteps = (service, version) => `services/${service} is ${version}. Look at it (git diff), then:

  pnpm jest services/${service} && pnpm check:previous --service ${service}
  git commit -am "chore(${service}): release ${version}" && git tag -a ${service}-v${version} -m "${service} ${version}"
  docker/build.sh registry.example.org/tally --push --only ${service}
  helm upgrade tally k8s/chart -n tally -f my-values.yaml --set services.${service}.image.tag=${version}

The chart knows nothing of ${version}: sites keep services.${service}.image.tag in their values until the next release of the whole.`;
