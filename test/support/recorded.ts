import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(import.meta.dirname, '../fixtures/recorded');

/** Returns a recorded payload unchanged (see its README for the source). */
export const readRecordedText = (name: string): string => readFileSync(join(folder, name), 'utf8');

/** Returns a recorded payload as JSON. */
export const readRecorded = (name: string): unknown => JSON.parse(readRecordedText(name));
