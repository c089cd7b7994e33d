import { readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ShippedPackage, formatNotices, getPackageFolders } from './notices.ts';

const root = join(import.meta.dirname, '../../..');

/**
 * Writes the notices of the bundled packages and deletes the bundles' metafiles. Runs when the extension is built;
 * fails if a license is not permitted.
 */
function writeNotices(): void {
  const metafiles = ['host', 'webviews', 'cli'].map((name) => join(root, `dist/${name}.meta.json`));
  const inputs = metafiles.flatMap((path) =>
    Object.keys((JSON.parse(readFileSync(path, 'utf8')) as { inputs: object }).inputs),
  );
  const packages = getPackageFolders(inputs).map((folder) => readShippedPackage(join(root, folder)));
  writeFileSync(join(root, 'dist/ThirdPartyNotices.txt'), formatNotices(packages));
  metafiles.forEach((path) => rmSync(path));
}

function readShippedPackage(folder: string): ShippedPackage {
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Omit<
    ShippedPackage,
    'texts'
  >;
  const texts = readdirSync(folder)
    .filter((file) => /^(?:licen[cs]e|copying|notice)/i.test(file))
    .sort()
    .map((file) => readFileSync(join(folder, file), 'utf8'));
  return { ...manifest, texts };
}

writeNotices();
