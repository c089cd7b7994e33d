import { createHash } from 'node:crypto';
import { type JsonValue, isJsonObject } from '../base/json.ts';

export { isBookkeeping } from '../contract/bookkeeping.ts';

/** A short text that canonical texts share exactly when they are the same. */
export const hashOf = (canonical: string): string => createHash('sha256').update(canonical).digest('hex');

/** The member of an object; `undefined` where there is none, or no object. */
export const memberOf = (value: JsonValue | undefined, name: string): JsonValue | undefined =>
  isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
