import { type JsonValue, getMember } from '../../base/json.ts';
import { getText } from '../../changes/model/readJson.ts';

/** Returns the type of a datamodel as received, whose letter case differs between servers (platform-facts.md, 2.1). */
export const readDatamodelType = (document: JsonValue | undefined): 'extract' | 'live' =>
  getText(getMember(document, 'type')).toLowerCase() === 'live' ? 'live' : 'extract';
