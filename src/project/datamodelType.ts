import { type JsonValue, getMember } from '../base/json.ts';

/** Returns the type of a datamodel as received, whose letter case differs between servers (platform-facts.md, 2.1). */
export function readDatamodelType(document: JsonValue | undefined): 'extract' | 'live' {
  const type = getMember(document, 'type');
  return typeof type === 'string' && type.toLowerCase() === 'live' ? 'live' : 'extract';
}
