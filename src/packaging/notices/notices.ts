/** A third-party package that is part of the product. */
export interface ShippedPackage {
  readonly name: string;
  readonly version: string;
  /** As its manifest names it (SPDX). */
  readonly license: string | undefined;
  /** The texts of its license files, the notice of an Apache one included. */
  readonly texts: readonly string[];
}

/** Licenses under which a package may be shipped with the product, accompanied by its own license text. */
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

/** The package folders among the inputs of bundles (`esbuild --metafile`); nested packages count on their own. */
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
 * The notices that are shipped with the product.
 * @throws Error that names every package whose license is not permitted or has no text.
 */
export function formatNotices(packages: readonly ShippedPackage[]): string {
  const refused = packages.flatMap(({ name, version, license, texts }) => {
    if (!permittedLicenses.has(license ?? '')) {
      return [`${name} ${version}: its license is ${license ?? 'unknown'}`];
    }
    return texts.length === 0 ? [`${name} ${version}: it comes without the text of its license`] : [];
  });
  if (refused.length > 0) {
    throw new Error(`These packages cannot be shipped:\n${refused.join('\n')}`);
  }
  const parts = packages.map(({ name, version, license, texts }) =>
    [`${name} ${version} (${license})`, ...texts.map((text) => text.trim())].join('\n\n'),
  );
  return ['Datamodel Studio contains the following packages, each under its own license.', ...parts, ''].join(
    `\n\n${'-'.repeat(80)}\n\n`,
  );
}
