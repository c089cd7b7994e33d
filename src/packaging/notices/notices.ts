/** A third-party package that is bundled with the product. */
export interface ShippedPackage {
  readonly name: string;
  readonly version: string;
  /** The SPDX identifier in its manifest. */
  readonly license: string | undefined;
  /** The texts of its license and notice files. */
  readonly texts: readonly string[];
}

/** Licenses that allow bundling a package with the product if its license text is included. */
const permittedLicenses = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'CC-BY-4.0',
  'ISC',
  'MIT',
]);

/** Returns the package folders of the inputs of bundles (`esbuild --metafile`), those of nested packages too. */
export function getPackageFolders(inputs: Iterable<string>): readonly string[] {
  const folders = new Set<string>();
  for (const input of inputs) {
    const folder = /^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(input.replaceAll('\\', '/'))?.[0];
    if (folder !== undefined) {
      folders.add(folder);
    }
  }
  return [...folders].sort();
}

/**
 * Formats the notices that are shipped with the product.
 * @throws Error with every package whose license is not permitted or has no text
 */
export function formatNotices(packages: readonly ShippedPackage[]): string {
  const problems = packages.flatMap(({ name, version, license, texts }) => {
    if (!permittedLicenses.has(license ?? '')) {
      return [`${name} ${version}: its license is ${license ?? 'unknown'}`];
    }
    return texts.length === 0 ? [`${name} ${version}: it comes without the text of its license`] : [];
  });
  if (problems.length > 0) {
    throw new Error(`These packages cannot be shipped:\n${problems.join('\n')}`);
  }
  const sections = packages.map(({ name, version, license, texts }) =>
    [`${name} ${version} (${license})`, ...texts.map((text) => text.trim())].join('\n\n'),
  );
  return [
    'Datamodel Studio contains the following packages, each under its own license.',
    ...sections,
    '',
  ].join(`\n\n${'-'.repeat(80)}\n\n`);
}
