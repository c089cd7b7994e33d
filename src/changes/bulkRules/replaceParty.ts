import type { JsonObject } from '../../base/json.ts';
import type { PlatformClient } from '../../client/platformClient.ts';
import { getSubjectTitle, type RuleSubject } from '../../catalog/ruleSubject.ts';
import {
  computePartyChange,
  type PartyChange,
  type PartyReplacement,
} from '../../security/change/partyReplacement.ts';
import { readArray } from '../../security/readRules.ts';
import { hashDocument } from '../model/documentHash.ts';
import { DocumentReader } from '../model/documentReader.ts';
import { loadViewpointsIfSupported } from '../model/loadViewpointsIfSupported.ts';
import type { Operation } from '../model/operation.ts';
import { readViewpointDocuments } from '../model/readViewpointDocuments.ts';
import { asObject, getDocumentName, getText } from '../model/jsonMembers.ts';
import { createBulkRuleOperation } from '../operations/ruleActions.ts';
import type { ExpectedVersion } from '../run/runOptions.ts';

/** What replacing a party changes in one datamodel or cube set. */
export interface SubjectPartyChange {
  readonly subject: RuleSubject;
  readonly skippedColumns: PartyChange['skippedColumns'];
  /** False if the server returned no rules at all: a cube set of this name may not exist. */
  readonly hasRules: boolean;
  /** Absent if no rule changes. */
  readonly operation?: Operation;
  /** The hash of the rules that the change was computed from: if they have changed, nothing is sent. */
  readonly expectedVersions: readonly ExpectedVersion[];
}

/** A datamodel or cube set whose rules could not be read. */
export interface UnreadableSubject {
  readonly subject: RuleSubject;
  readonly error: unknown;
}

/** The number of datamodels whose rules are read at the same time. */
const maxConcurrentReads = 4;

/**
 * Computes how a user or group is removed from the rules of several datamodels and cube sets, or replaced. Sends no
 * write. A datamodel whose rules can't be read doesn't prevent the others.
 */
export async function planPartyReplacement(
  client: PlatformClient,
  subjects: readonly RuleSubject[],
  replacement: PartyReplacement,
  {
    connectionId,
    maxBytes,
    signal,
    onRead,
  }: {
    readonly connectionId: string;
    readonly maxBytes: number;
    readonly signal: AbortSignal;
    readonly onRead: () => void;
  },
): Promise<{
  readonly changes: readonly SubjectPartyChange[];
  readonly unreadable: readonly UnreadableSubject[];
}> {
  const results = new Map<RuleSubject, SubjectPartyChange | UnreadableSubject>();
  const queue = subjects.values();
  const readRemaining = async (): Promise<void> => {
    for (const subject of queue) {
      signal.throwIfAborted();
      const ref = { kind: 'rules', subject } as const;
      try {
        const document = await new DocumentReader(client, signal).readDocument(ref);
        const rules = readArray(document);
        const change = computePartyChange(rules, replacement, subject.kind);
        results.set(subject, {
          subject,
          skippedColumns: change.skippedColumns,
          hasRules: rules.length > 0,
          expectedVersions: [{ ref, hash: hashDocument('rules', document) }],
          ...createChange(change, subject, { connectionId, maxBytes }),
        });
      } catch (error) {
        signal.throwIfAborted();
        results.set(subject, { subject, error });
      }
      onRead();
    }
  };
  await Promise.all(Array.from({ length: maxConcurrentReads }, readRemaining));
  // In the order of `subjects`, not in the order in which the responses arrived.
  const ordered = subjects.flatMap((subject) => results.get(subject) ?? []);
  return {
    changes: ordered.filter((result) => 'expectedVersions' in result),
    unreadable: ordered.filter((result) => 'error' in result),
  };
}

function createChange(
  { updates, deletes }: PartyChange,
  subject: RuleSubject,
  { connectionId, maxBytes }: { readonly connectionId: string; readonly maxBytes: number },
): Pick<SubjectPartyChange, 'operation'> {
  if ([...updates, ...deletes].length === 0) {
    return {};
  }
  const location = { connectionId, within: [getSubjectTitle(subject)] };
  const change = {
    adds: [],
    deletes,
    updates: updates.map(({ before, after }) => ({ before: asObject(before), after: asObject(after) })),
  };
  return { operation: createBulkRuleOperation(location, subject, change, maxBytes) };
}

/** A viewpoint that is shared with a user or group. */
export interface SharedViewpoint {
  readonly id: string;
  readonly name: string;
}

/**
 * Finds the viewpoints that are shared with a user or group, by its ID or name (rest-api.md, "ViewpointVisibility").
 * @throws ApiError
 */
export async function findSharedViewpoints(
  client: PlatformClient,
  { type, id, name }: { readonly type: 'user' | 'group'; readonly id: string; readonly name: string },
  signal: AbortSignal,
): Promise<readonly SharedViewpoint[]> {
  const documents = await loadViewpointsIfSupported(() =>
    readViewpointDocuments(client, { with: ['visibility'] }, signal),
  );
  return documents
    .filter(({ visibility }) => {
      const list = asObject(visibility)[type === 'user' ? 'users' : 'groups'];
      return Array.isArray(list) && list.some((party) => party === id || party === name);
    })
    .map((document: JsonObject) => ({ id: getText(document['id']), name: getDocumentName(document) }));
}
