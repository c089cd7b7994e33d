import type { PlatformClient } from '../client/platformClient.ts';
import { isJsonObject, type JsonValue } from '../base/json.ts';
import type { Directory, PartyKind } from '../catalog/people/directory.ts';

/** Who somebody meant by a text. */
export type ResolvedParty =
  | {
      readonly kind: 'found';
      readonly id: string;
      readonly name: string;
      /** An identifier that nobody reports: it may be right all the same. */
      readonly isUnreported: boolean;
    }
  /** A name that leads to two or more. */
  | { readonly kind: 'several'; readonly ids: readonly string[] }
  | { readonly kind: 'unknown'; readonly nearest: string | undefined; readonly isAbsent: boolean };

/**
 * Finds the identifier that a text stands for, lest a name is saved as one: rules carry identifiers alone (spec,
 * "Data security rule"), and the platform takes whatever it is sent (platform-facts 3.1). A group that nobody has met
 * yet is asked for by its name (spec, "Group lookup record"); users cannot be looked up so.
 * @throws ApiError of the look-up
 */
export async function resolveParty(
  { directory, client }: { readonly directory: Directory; readonly client: Pick<PlatformClient, 'groups'> },
  { type, text }: { readonly type: PartyKind; readonly text: string },
  signal?: AbortSignal,
): Promise<ResolvedParty> {
  const resolution = directory.resolve(type, text);
  switch (resolution.kind) {
    case 'known':
      return { kind: 'found', id: resolution.id, name: resolution.name, isUnreported: false };
    case 'identifier':
      return { kind: 'found', id: resolution.id, name: resolution.id, isUnreported: true };
    case 'several':
      return resolution;
    case 'unknown': {
      const name = text.trim();
      if (type === 'user' || resolution.isAbsent || name === '') {
        return resolution;
      }
      const { value: group, json } = await client.groups.find(name, signal);
      const ids = readIds(json);
      if (ids.length > 1) {
        return { kind: 'several', ids };
      }
      return group === undefined ? resolution : { kind: 'found', id: group._id, name, isUnreported: false };
    }
  }
}

/** The identifiers of an array of records; the spec says that the first item is the group, not that it is the only one. */
const readIds = (json: JsonValue | undefined): readonly string[] => [
  ...new Set(
    (Array.isArray(json) ? (json as readonly JsonValue[]) : []).flatMap((record) =>
      isJsonObject(record) && typeof record['_id'] === 'string' ? [record['_id']] : [],
    ),
  ),
];
