import type { PlatformClient } from '../client/platformClient.ts';
import { isJsonObject, type JsonValue } from '../base/json.ts';
import type { Directory, PartyKind } from '../catalog/people/directory.ts';

/** Who somebody meant by a text. */
export type Identified =
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
export async function identify(
  { directory, client }: { readonly directory: Directory; readonly client: Pick<PlatformClient, 'groups'> },
  { type, text }: { readonly type: PartyKind; readonly text: string },
  signal?: AbortSignal,
): Promise<Identified> {
  const meant = directory.resolve(type, text);
  switch (meant.kind) {
    case 'known':
      return { kind: 'found', id: meant.id, name: meant.name, isUnreported: false };
    case 'identifier':
      return { kind: 'found', id: meant.id, name: meant.id, isUnreported: true };
    case 'several':
      return meant;
    case 'unknown': {
      const name = text.trim();
      if (type === 'user' || meant.isAbsent || name === '') {
        return meant;
      }
      const { value: group, json } = await client.groups.find(name, signal);
      const ids = idsIn(json);
      if (ids.length > 1) {
        return { kind: 'several', ids };
      }
      return group === undefined ? meant : { kind: 'found', id: group._id, name, isUnreported: false };
    }
  }
}

/** The identifiers of an array of records; the spec says that the first item is the group, not that it is the only one. */
const idsIn = (json: JsonValue | undefined): readonly string[] => [
  ...new Set(
    (Array.isArray(json) ? (json as readonly JsonValue[]) : []).flatMap((record) =>
      isJsonObject(record) && typeof record['_id'] === 'string' ? [record['_id']] : [],
    ),
  ),
];
