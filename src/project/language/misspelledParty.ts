import type { JsonPath } from '../../base/json.ts';
import type { PartyType } from '../../contract/terms.ts';
import { getFieldText } from '../../json/language/columnProposals.ts';
import { locateOffset } from '../../json/language/jsonLocation.ts';
import type { JsonDocument } from '../../json/text/parseJsonTree.ts';
import type { MisspelledName } from '../files/misspelledName.ts';

type PartyKind = Exclude<PartyType, 'default'>;

/** The users and groups of an instance. */
interface KnownParties {
  /**
   * Returns the names that were probably meant by a name that no user or group has; empty if it's unknown whether one
   * has it.
   */
  findMeantNames(type: PartyKind, name: string): readonly string[];
}

/**
 * Returns the name of a user or group at an offset in a file with rules or in a viewpoint, if the instance lists all
 * users and groups, none of them has the name, and others were probably meant. Otherwise, returns `undefined`. Without
 * complete lists, an unknown name may be right.
 */
export function findMisspelledParty(
  document: JsonDocument,
  offset: number,
  parties: KnownParties,
): MisspelledName | undefined {
  const { location } = locateOffset(document, offset);
  const name = location?.literal?.value;
  if (location === undefined || typeof name !== 'string') {
    return undefined;
  }
  const { path, enclosingObjects } = location;
  const type = getPartyKind(path, enclosingObjects[0] && getFieldText(enclosingObjects[0], 'type'));
  const candidates = type === undefined ? [] : parties.findMeantNames(type, name);
  return candidates.length === 0 ? undefined : { name, path, candidates, changesAccess: true };
}

/**
 * Returns which kind of party a value names; `undefined` if it is neither `shares[].party` of a rule nor an item of a
 * viewpoint's visibility.
 */
function getPartyKind(path: JsonPath, shareType: string | undefined): PartyKind | undefined {
  const [list, key] = path;
  if (path.length === 3 && list === 'visibility') {
    return key === 'users' ? 'user' : key === 'groups' ? 'group' : undefined;
  }
  const isParty = path.length === 4 && path[1] === 'shares' && path[3] === 'party';
  return isParty && (shareType === 'user' || shareType === 'group') ? shareType : undefined;
}
