// The software bill of materials of an image, CycloneDX 1.6 as JSON, by the library of the CycloneDX project.
import { Enums, Models, Serialize, Spec } from '@cyclonedx/cyclonedx-library';
import { PackageURL } from 'packageurl-js';

function componentOf(place, { name, version, manifest }) {
  const [group, base] = name.startsWith('@') ? name.split('/') : [undefined, name];
  const component = new Models.Component(Enums.ComponentType.Library, base, { group, version, bomRef: place });
  component.purl = new PackageURL('npm', group, base, version).toString();
  component.description = manifest.description;
  if (typeof manifest.license === 'string') component.licenses.add(new Models.NamedLicense(manifest.license));
  return component;
}

/** Text of the bill: every package below `node_modules`, and which needs which. The same input gives the same text. */
export function billOfMaterials(service, packages) {
  const bom = new Models.Bom();
  const root = new Models.Component(Enums.ComponentType.Application, service.name, { version: service.version });
  root.bomRef.value = service.name;
  bom.metadata.component = root;
  const components = new Map([...packages].map(([place, entry]) => [place, componentOf(place, entry)]));
  for (const [place, entry] of packages) {
    const component = components.get(place);
    for (const dependency of entry.dependencies) component.dependencies.add(components.get(dependency).bomRef);
    bom.components.add(component);
  }
  for (const name of service.dependencies) root.dependencies.add(components.get(name).bomRef);
  const serializer = new Serialize.JsonSerializer(new Serialize.JSON.Normalize.Factory(Spec.Spec1dot6));
  return `${serializer.serialize(bom, { sortLists: true, space: 2 })}\n`;
}
