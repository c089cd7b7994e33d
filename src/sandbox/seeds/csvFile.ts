import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Papa from 'papaparse';

export type CsvValue = string | number | boolean | null;

/** Writes `<folder>/files/<name>` with a header; the sandbox imports its rows. */
export function writeCsv(
  folder: string,
  name: string,
  header: readonly string[],
  rows: readonly (readonly CsvValue[])[],
  delimiter = ',',
): void {
  const files = join(folder, 'files');
  mkdirSync(files, { recursive: true });
  writeFileSync(join(files, name), `${Papa.unparse([header, ...rows], { delimiter, newline: '\n' })}\n`);
}
