import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(import.meta.dirname, '../fixtures/recorded');

/** A recorded payload as it came (see its README for where from). */
export const readRecordedText = (name: string): string => readFileSync(join(folder, name), 'utf8');

/** A recorded payload as JSON. */
export const readRecorded = (name: string): unknown => JSON.parse(readRecordedText(name));
