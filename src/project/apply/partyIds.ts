import { type JsonObject, type JsonValue, getMember, isJsonObject } from '../../base/json.ts';
import { UserDirectory } from '../../catalog/people/userDirectory.ts';
import type { PlatformClient } from '../../client/platformClient.ts';
import { getObjects } from '../../changes/model/jsonMembers.ts';
import { resolveParty } from '../../connections/resolveParty.ts';
import { getNamedRuleParties } from '../instance/convertRules.ts';
import type { InstanceDocuments } from '../instance/convertInstance.ts';
import { getViewpointParties } from '../instance/convertViewpoint.ts';
import {
  type NumberedReferenceType,
  type NumberedReference,
  numberedReferenceTypes,
} from '../instance/parties.ts';
import { readItems } from '../instance/jsonLists.ts';
import type { ItemChange } from '../compare/itemChange.ts';
import type { ApplyProblemCode } from './problems.ts';

/** A user or group as a file names it. With type `id`, it's another identifier that the lock has a number for. */
export interface FileParty {
  readonly type: NumberedReferenceType;
  /** A name, or `{"bound": 3}`. */
  readonly reference: JsonValue;
}

/** The party of the target that a user or group in a file refers to, or the problem if there is no such party. */
export type FoundParty =
  | { readonly id: string }
  | { readonly problem: Extract<ApplyProblemCode, `${string}-party`>; readonly nearest?: string };

/** The users and groups of the target that the files of a project name. */
export interface PartyIds {
  find(party: FileParty): FoundParty;
}

const maxConcurrentLookups = 8;

/**
 * Finds the users and groups that changes need: in the lists of the instance, by the names in its rules, by the numbers
 * in the lock, and for groups also with a request. A name is never used as an ID.
 * @throws ApiError if a look-up fails
 */
export async function findPartyIds(
  changes: readonly ItemChange[],
  {
    documents,
    listsAll,
    numberedReferences,
    client,
    signal,
  }: {
    readonly documents: Omit<InstanceDocuments, 'numberedReferences'>;
    /** Whether the instance lists all of its users and groups to this token. */
    readonly listsAll: boolean;
    readonly numberedReferences: readonly NumberedReference[];
    readonly client: Pick<PlatformClient, 'groups'>;
    readonly signal: AbortSignal;
  },
): Promise<PartyIds> {
  const directory = createDirectory(documents, listsAll);
  const found = new Map<string, FoundParty>();
  const queue = new Map(collectParties(changes).map((party) => [getKey(party), party])).values();
  const findRemaining = async (): Promise<void> => {
    for (const party of queue) {
      found.set(getKey(party), await findParty(party, { directory, numberedReferences, client, signal }));
    }
  };
  await Promise.all(Array.from({ length: maxConcurrentLookups }, findRemaining));
  return { find: (party) => found.get(getKey(party)) ?? { problem: 'unknown-party' } };
}

function createDirectory(
  { datamodels, cubeSets, viewpoints, users, groups }: Omit<InstanceDocuments, 'numberedReferences'>,
  isComplete: boolean,
): UserDirectory {
  const rules = [...datamodels, ...cubeSets].flatMap((subject) => subject.rules);
  return new UserDirectory({
    users: { items: users, isComplete },
    groups: { items: groups, isComplete },
    references: [...getNamedRuleParties(rules), ...getViewpointParties(viewpoints)],
  });
}

const getKey = ({ type, reference }: FileParty): string => JSON.stringify([type, reference]);

async function findParty(
  { type, reference }: FileParty,
  {
    directory,
    numberedReferences,
    client,
    signal,
  }: {
    readonly directory: UserDirectory;
    readonly numberedReferences: readonly NumberedReference[];
    readonly client: Pick<PlatformClient, 'groups'>;
    readonly signal: AbortSignal;
  },
): Promise<FoundParty> {
  if (typeof reference !== 'string') {
    const number = isJsonObject(reference) ? reference['bound'] : undefined;
    const party = numberedReferences.find((other) => other.type === type && other.number === number);
    return party === undefined ? { problem: 'unbound-party' } : { id: party.id };
  }
  if (type === 'id') {
    return { problem: 'unbound-party' };
  }
  const resolved = await resolveParty({ directory, client }, { type, text: reference }, { signal });
  switch (resolved.kind) {
    case 'found':
      // An ID may come from another instance, so it isn't accepted in place of a name.
      return resolved.isUnreported ? { problem: 'unknown-party' } : { id: resolved.id };
    case 'several':
      return { problem: 'ambiguous-party' };
    case 'unknown':
      return {
        problem: 'unknown-party',
        ...(resolved.nearest === undefined ? {} : { nearest: resolved.nearest }),
      };
  }
}

/** Returns the users and groups in the wanted values of changes. */
const collectParties = (changes: readonly ItemChange[]): readonly FileParty[] =>
  changes.flatMap(({ key, parts }) => {
    const wanted = parts.flatMap(({ pointer, after }) => (after === undefined ? [] : [{ pointer, after }]));
    switch (key.kind) {
      case 'rules':
      case 'cubeSetRules':
        return wanted.flatMap(({ after }) =>
          getObjects(after).flatMap(({ shares }) => getShareParties(shares)),
        );
      case 'viewpoint':
        return wanted.flatMap(({ pointer, after }) =>
          pointer === '/visibility'
            ? getVisibilityParties(after)
            : pointer === ''
              ? getVisibilityParties(getMember(after, 'visibility'))
              : [],
        );
      case 'datamodel':
      case 'dataset':
      case 'table':
      case 'tableExpression':
      case 'columnExpression':
      case 'relation':
        return [];
      case 'customData':
        return wanted.flatMap(({ after }) => getReferencedParties(after));
    }
  });

/** Returns the users and groups of the shares of a rule. */
export const getShareParties = (shares: JsonValue | undefined): readonly FileParty[] =>
  getObjects(shares).flatMap(({ type, party }) =>
    (type === 'user' || type === 'group') && party !== undefined ? [{ type, reference: party }] : [],
  );

/**
 * Returns the user or group that a reference names, such as `{"$ref": {"user": "ann@example.com"}}`; `undefined` if it
 * names none.
 */
export function toReferencedParty(names: JsonObject): FileParty | undefined {
  const type = numberedReferenceTypes.find((kind) => names[kind] !== undefined);
  const reference = type === undefined ? undefined : names[type];
  return type === undefined || reference === undefined ? undefined : { type, reference };
}

function getReferencedParties(value: JsonValue): readonly FileParty[] {
  if (!isJsonObject(value)) {
    return readItems(value).flatMap(getReferencedParties);
  }
  const { $ref: names } = value;
  const party = isJsonObject(names) ? toReferencedParty(names) : undefined;
  return party === undefined ? Object.values(value).flatMap(getReferencedParties) : [party];
}

const getVisibilityParties = (visibility: JsonValue | undefined): readonly FileParty[] =>
  isJsonObject(visibility)
    ? [
        ...readItems(visibility['groups']).map((reference) => ({ type: 'group', reference }) as const),
        ...readItems(visibility['users']).map((reference) => ({ type: 'user', reference }) as const),
      ]
    : [];

/** Returns the name of a party for messages. */
export const formatPartyReference = ({ type, reference }: FileParty): string =>
  `${type} ${typeof reference === 'string' ? reference : JSON.stringify(reference)}`;
