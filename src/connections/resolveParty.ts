import type { PlatformClient } from '../client/platformClient.ts';
import { isJsonObject, type JsonValue } from '../base/json.ts';
import type { UserDirectory, PartyKind } from '../catalog/people/userDirectory.ts';

/** The result of resolving a typed text to a user or group. */
export type ResolvedParty =
  | {
      readonly kind: 'found';
      readonly id: string;
      readonly name: string;
      /** An ID that no source reports: it may still be correct. */
      readonly isUnreported: boolean;
    }
  /** A name that two or more users or groups have. */
  | { readonly kind: 'several'; readonly ids: readonly string[] }
  /**
   * `nearest` is the most similar known name. `isAbsent` is true if the instance lists all users or all groups, and the
   * text is none of them.
   */
  | { readonly kind: 'unknown'; readonly nearest: string | undefined; readonly isAbsent: boolean };

interface ResolveOptions {
  /**
   * True to look up a group even if the instance lists all groups and this is none of them: it may be newer than the
   * list. For a name that a user has just typed, not for tables of rules: these may have hundreds of wrong names.
   */
  readonly asksServerIfUnlisted?: boolean;
  readonly signal?: AbortSignal;
}

/**
 * Finds the ID for a text that is an ID or a name, so that no name is saved in place of an ID: rules contain only IDs
 * (rest-api.md, "Data security rule"), but the platform accepts any text (platform-facts.md, 3.1). An unknown group is
 * looked up by its name (rest-api.md, "Group lookup record"); users cannot be looked up this way.
 * @throws ApiError of the look-up
 */
export async function resolveParty(
  {
    directory,
    client,
  }: { readonly directory: UserDirectory; readonly client: Pick<PlatformClient, 'groups'> },
  { type, text }: { readonly type: PartyKind; readonly text: string },
  { asksServerIfUnlisted = false, signal }: ResolveOptions = {},
): Promise<ResolvedParty> {
  const resolution = directory.resolve(type, text);
  switch (resolution.kind) {
    case 'known':
      return { kind: 'found', id: resolution.id, name: resolution.name, isUnreported: false };
    case 'identifier':
      // The name is unknown.
      return { kind: 'found', id: resolution.id, name: resolution.id, isUnreported: true };
    case 'several':
      return resolution;
    case 'unknown': {
      const name = text.trim();
      if (type === 'user' || (resolution.isAbsent && !asksServerIfUnlisted) || name === '') {
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

/** The IDs of an array of records; the guide says that the first item is the group, not that it is the only one. */
const readIds = (json: JsonValue | undefined): readonly string[] => [
  ...new Set(
    (Array.isArray(json) ? (json as readonly JsonValue[]) : []).flatMap((record) =>
      isJsonObject(record) && typeof record['_id'] === 'string' ? [record['_id']] : [],
    ),
  ),
];
