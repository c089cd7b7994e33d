import { type JsonObject, type JsonValue, isJsonObject } from '../../base/json.ts';
import {
  createCustomDataDeletionWrite,
  createObjectCreationWrite,
  createObjectUpdateWrite,
} from '../../changes/model/customDataWrites.ts';
import type { Write } from '../../changes/model/operation.ts';
import { getText } from '../../changes/model/jsonMembers.ts';
import type { NamedCustomData } from '../instance/convertCustomData.ts';
import type { ItemKey } from '../item.ts';
import type { ItemChange, PartChange } from '../compare/itemChange.ts';
import { getRootMemberName } from '../compare/parts.ts';
import { findUnfulfilledConditions } from '../settings/customDataFilter.ts';
import { type PartyIds, formatPartyReference, toReferencedParty } from './partyIds.ts';
import type { ApplyProblem } from './problems.ts';
import { resolveReferences } from './references.ts';

/** The input from which the writes of custom data objects are created. */
export interface CustomDataCompileInput {
  readonly changes: readonly ItemChange[];
  /** The objects of the instance that the filters match. */
  readonly currentCustomData: readonly NamedCustomData[];
  /** The filters that find the objects. */
  readonly filters: ReadonlyMap<string, JsonObject>;
  readonly partyIds: PartyIds;
}

/** The writes of custom data objects. */
export interface CompiledCustomData {
  readonly writes: readonly Write[];
  readonly problems: readonly ApplyProblem[];
}

/**
 * Creates the writes of created, changed and deleted custom data objects. A change merges members into the object,
 * which is identified by its ID, because its filter might match other objects when the change is sent (rest-api.md,
 * "Custom data API").
 */
export function compileCustomData({
  changes,
  currentCustomData,
  filters,
  partyIds,
}: CustomDataCompileInput): CompiledCustomData {
  const problems: ApplyProblem[] = [];
  const ids = new Map(currentCustomData.map(({ name, objects }) => [name, getText(objects[0]?.['_id'])]));
  const writes = changes.flatMap(({ key, action, parts }): readonly Write[] => {
    if (key.kind !== 'customData') {
      return [];
    }
    const { name } = key;
    const objectId = ids.get(name) ?? '';
    if (action === 'delete') {
      return [{ ...createCustomDataDeletionWrite({ _id: objectId }), name }];
    }
    const resolve = (value: JsonValue): JsonObject => resolveParties(value, { key, partyIds, problems });
    const wanted = action === 'create' ? parts[0]?.after : Object.fromEntries(parts.map(toMember));
    if (findUnfulfilledConditions(wanted, filters.get(name) ?? {}, action === 'create').length > 0) {
      problems.push({ code: 'filter-mismatch', key, name });
    }
    return action === 'create'
      ? [{ ...createObjectCreationWrite(resolve(parts[0]?.after ?? null)), name }]
      : [{ ...createObjectUpdateWrite(objectId, resolve(Object.fromEntries(parts.map(toMember)))), name }];
  });
  return { writes, problems };
}

const toMember = ({ pointer, after }: PartChange): readonly [string, JsonValue] => [
  getRootMemberName(pointer),
  after ?? null,
];

/** Replaces references to users and groups by their IDs. */
function resolveParties(
  value: JsonValue,
  {
    key,
    partyIds,
    problems,
  }: { readonly key: ItemKey; readonly partyIds: PartyIds; readonly problems: ApplyProblem[] },
): JsonObject {
  const resolved = resolveReferences(value, [], (names) => {
    const party = toReferencedParty(names);
    const found = party === undefined ? undefined : partyIds.find(party);
    if (found !== undefined && 'id' in found) {
      return found.id;
    }
    problems.push({
      code: found?.problem ?? 'unknown-reference',
      key,
      name: party === undefined ? JSON.stringify(names) : formatPartyReference(party),
    });
    return '';
  });
  return isJsonObject(resolved.value) ? resolved.value : {};
}
