import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Papa from 'papaparse';

export type CsvValue = string | number | boolean | null;

/** Writes a CSV file with a header line to `<folder>/files/<name>`, from where builds import it. */
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
