import * as z from 'zod';
import { parseLossless } from '../../base/json.ts';
import { resourceRefSchema } from '../../catalog/resourceRef.ts';
import { type Operation, operationCauses, type Write } from '../model/operation.ts';
import { maskDocument, maskText } from '../../base/secrets/maskSecrets.ts';
import { maskBody, maskOperation } from '../model/maskWrite.ts';
import type { RestoredId } from '../model/inverseWrites.ts';
import type { SentRequest } from '../model/sentRequest.ts';
import { partyTypes } from '../../contract/rule.ts';
import { type StoredWrite, valuePathSchema, writeSchema } from './storedOperation.ts';
import {
  appliedProjectSchema,
  jsonSchema,
  requiredBuildSchema,
  visibleUntilBuildSchema,
} from './appliedProject.ts';
import { type ProcessIdentity, type RecordedProcess, processIdentitySchema } from './processIdentity.ts';

const documentSchema = z.object({
  ref: resourceRefSchema,
  document: jsonSchema.optional(),
  /** For rules: the datamodels of the operation that they may apply to. Absent in journals of earlier versions. */
  datamodels: z.array(z.string()).readonly().optional(),
});

/** A document from before the operation, secrets masked; `document` is absent if it did not exist. */
export type JournalDocument = z.infer<typeof documentSchema>;

const actorSchema = z.object({ user: z.string(), host: z.string() });

/** Who made a change: the user of the operating system, and the computer. */
export type Actor = z.infer<typeof actorSchema>;

const changedEnvironmentSchema = z.object({
  name: z.string(),
  role: z.string(),
  /** Absent in journals of earlier versions. */
  address: z.string().optional(),
});

/** The environment that a change was made in: its name, and the role and the address that it had then. */
export type ChangedEnvironment = z.infer<typeof changedEnvironmentSchema>;

const beginSchema = z.object({
  line: z.literal('begin'),
  id: z.string(),
  at: z.number(),
  pid: z.number(),
  /** Absent in journals of earlier versions. */
  process: processIdentitySchema.optional(),
  operation: z.object({
    connectionId: z.string(),
    cause: z.enum(operationCauses),
    subject: z.object({ name: z.string(), within: z.array(z.string()) }),
    project: appliedProjectSchema.optional(),
    cubeSets: z.array(z.string()).optional(),
    visibleUntilBuild: z.array(visibleUntilBuildSchema).optional(),
    builds: z.array(requiredBuildSchema).optional(),
    writes: z.array(writeSchema),
  }),
  before: z.array(documentSchema),
  actor: actorSchema.optional(),
  environment: changedEnvironmentSchema.optional(),
  /** The entry whose operation this one undoes. */
  undoes: z.string().optional(),
  /** The names of what this undo has not restored, since it was changed later. */
  kept: z.array(z.string()).optional(),
  /** The requests of rule changes are recorded, too; absent in journals of earlier versions. */
  requests: z.literal(true).optional(),
  /** The documents contain the rules on the names that it changes; absent in journals of earlier versions. */
  rules: z.literal(true).optional(),
  /** Items that are restored under another ID: the old ID, and where the new one is in the responses. */
  comesBack: z.array(z.object({ old: z.string(), write: z.number(), from: valuePathSchema })).optional(),
});

/** What the first line of each journal contains: this version records more than earlier ones. */
export const beginMembers = { line: 'begin', requests: true, rules: true } as const;

const resultSchema = z.object({
  state: z.enum(['done', 'failed', 'unknown']),
  /** The path of the request as sent, without the query. */
  path: z.string(),
  status: z.number().optional(),
  ms: z.number(),
  /** The server's response, secrets masked. */
  answer: jsonSchema.optional(),
  /** The reason why it failed, for the user: with the server's message, secrets masked. Not for the log. */
  problem: z.string().optional(),
  /**
   * Temporary deny rules are in force, so the parties of the rules see nothing. `only`: everything else is done;
   * `open`: other changes remain.
   */
  denied: z.enum(['open', 'only']).optional(),
  /**
   * A failed write certainly had no effect and will have none: the server has refused each of its requests, or none was
   * sent. Without this, a check has shown no effect, but a request may still have one later. Absent in journals of
   * earlier versions, and for changes of rules, where the current rules decide.
   */
  refused: z.literal(true).optional(),
  /** Some of the requests of the write succeeded, so something has changed. */
  partly: z.literal(true).optional(),
  /** Another user has meanwhile changed other rules of the same columns; those changes were kept. */
  metOthers: z.literal(true).optional(),
});

/** The result of one write. */
export type WriteResult = z.infer<typeof resultSchema>;

/** `stopped`: a write failed, or may have, and the next ones were not sent. `rolled-back`: it was then undone. */
const endStates = ['done', 'stopped', 'rolled-back'] as const;
export type EndState = (typeof endStates)[number];

const ruleScopesSchema = z.array(
  z.object({
    table: z.string(),
    column: z.string(),
    parties: z.array(
      z.object({ type: z.enum(partyTypes), id: z.string().optional(), name: z.string().optional() }),
    ),
  }),
);

/** A line of a journal. The names of members and lines stay as earlier versions wrote them: `spots` are scopes. */
const lineSchema = z.discriminatedUnion('line', [
  beginSchema,
  /** Another process has resumed the operation. */
  z.object({ line: z.literal('claim'), pid: z.number(), process: processIdentitySchema.optional() }),
  z.object({ line: z.literal('sending'), write: z.number() }),
  /** Temporary deny rules are about to be created. */
  z.object({ line: z.literal('deny'), spots: z.array(z.string()) }),
  /** Rules were created; these are the IDs that the server returned. */
  z.object({ line: z.literal('made'), ids: z.array(z.string()) }),
  /** A request of a rule change is about to be sent; the requests of an operation are numbered. */
  z.object({
    line: z.literal('request'),
    request: z.int().nonnegative(),
    write: z.number(),
    method: z.string(),
    path: z.string(),
    denies: ruleScopesSchema.optional(),
    allows: ruleScopesSchema.optional(),
  }),
  z.object({
    line: z.literal('response'),
    request: z.int().nonnegative(),
    state: z.enum(['done', 'failed', 'unknown', 'not-sent']),
    status: z.number().optional(),
    ms: z.number(),
    problem: z.string().optional(),
  }),
  z.object({ line: z.literal('result'), write: z.number(), result: resultSchema }),
  z.object({
    line: z.literal('end'),
    state: z.enum(endStates),
    /** Hashes of the documents after the operation, so that undoing it overwrites nothing newer. */
    after: z.array(z.object({ ref: resourceRefSchema, hash: z.string() })),
    /** Items that were restored under another ID: the old one and the new one. */
    moved: z.array(z.tuple([z.string(), z.string()])).optional(),
    /** The user canceled the operation. */
    canceled: z.literal(true).optional(),
    /** The user gave up the operation. Earlier versions ignore this and treat it as stopped. */
    abandoned: z.literal(true).optional(),
  }),
]);
export type JournalLine = z.infer<typeof lineSchema>;

/** What the requests of a write have left so far, although it isn't done. */
type LeftEffects = Pick<WriteResult, 'denied' | 'partly'>;

/**
 * The state of a write: `waiting` to be sent, `sending` if no result has been recorded yet, or its result. A write that
 * is sent again keeps the effects of its earlier requests.
 */
export type WriteState = WriteResult | ({ readonly state: 'waiting' | 'sending' } & LeftEffects);

/** Returns the state of a write that is about to be sent, or sent again. */
export const toSending = ({ denied, partly }: LeftEffects = {}): WriteState => ({
  state: 'sending',
  ...(denied === undefined ? {} : { denied }),
  ...(partly === undefined ? {} : { partly }),
});

/** Returns whether a write was sent, and its outcome isn't known. */
export const isUnresolved = (state: WriteState['state'] | undefined): boolean =>
  state === 'sending' || state === 'unknown';

/** Returns whether a write isn't done, and may have had an effect, or may still have one. */
export const isInDoubt = (state: WriteState | undefined): boolean =>
  isUnresolved(state?.state) || (state?.state === 'failed' && state.refused !== true);

/** An operation with everything that its journal records. */
export interface HistoryEntry {
  readonly id: string;
  /** The start time, in milliseconds since the epoch. */
  readonly startedAt: number;
  /** As it was sent, with secrets masked; masked writes can't be sent again. */
  readonly operation: Operation;
  readonly before: readonly (JournalDocument & {
    /** The old title of a datamodel that is restored under another one, which `document` has. Not in the journal. */
    readonly formerTitle?: string;
  })[];
  /** The states of the writes of the operation, by index. */
  readonly writeStates: readonly WriteState[];
  /**
   * The scopes for which temporary deny rules were created, or may have been, as the keys that `getScopeKey` returns.
   */
  readonly denyScopes: readonly string[];
  /** IDs of the rules that the server reported as created. */
  readonly createdRuleIds: readonly string[];
  /**
   * The requests of its rule changes, in the order in which they were sent. Absent if an earlier version recorded it.
   */
  readonly requests?: readonly SentRequest[];
  /**
   * `before` contains all rules on the tables that the operation creates, renames, shows, or deletes, or whose columns
   * it creates, renames, shows, or deletes. Absent if an earlier version recorded it.
   */
  readonly recordsRules?: true;
  /** Absent while the operation runs, and permanently if its process was killed. */
  readonly end?: EndState;
  /** True if the operation stopped because the user canceled it. */
  readonly isCanceled?: true;
  /** True if the user gave up the stopped operation: what it has written stays, and it is never continued. */
  readonly isAbandoned?: true;
  /** Hashes of the documents after the operation. */
  readonly versionsAfter: readonly { readonly ref: JournalDocument['ref']; readonly hash: string }[];
  /** The ID of the entry whose operation this one undoes. */
  readonly undoneEntryId?: string;
  /** For an undo: the names of what it has not restored, since it was changed later. */
  readonly keptNames?: readonly string[];
  /** Items that are restored under another ID; needed to resume the operation. */
  readonly restoredIds?: readonly RestoredId[];
  /** Items that were restored under another ID: the old one and the new one. */
  readonly changedIds: readonly (readonly [oldId: string, newId: string])[];
  /** The ID of the process that began or last claimed it. */
  readonly pid: number;
  /** What distinguishes this process from others with the same ID. Absent if an earlier version recorded it. */
  readonly process?: ProcessIdentity;
  /** Who made the change; recorded by the command line only. */
  readonly actor?: Actor;
  /** The environment that it was made in; recorded by the command line only. */
  readonly environment?: ChangedEnvironment;
  /**
   * The address of the change if it may be another server than that of the connection: then it can't be undone with
   * this connection. Not in the journal.
   */
  readonly otherAddress?: string;
  /**
   * True if the command line made the change with another tenant than that of the connection, or without one. Not in
   * the journal.
   */
  readonly hasOtherTenant?: true;
  /** The other program that has made the change: only that one can finish or roll it back. */
  readonly source?: 'command-line';
}

/**
 * Parses a journal. Ignores unreadable lines, since the last one may be truncated if the process was killed. Returns
 * `undefined` if the first line is unreadable.
 */
export function parseJournal(text: string): HistoryEntry | undefined {
  const lines = text.split('\n').flatMap((line) => parseLine(line) ?? []);
  const [begin] = lines;
  if (begin?.line !== 'begin') {
    return undefined;
  }
  const { id, at, actor, environment, undoes, kept: keptNames, comesBack: restoredIds } = begin;
  // An earlier version may have stored values that only this version recognizes as secrets.
  const {
    project,
    cubeSets = project?.cubeSets,
    visibleUntilBuild,
    builds,
    writes: storedWrites,
    ...recorded
  } = begin.operation;
  const operation = maskOperation({
    ...recorded,
    writes: storedWrites.map(toWrite),
    ...(project === undefined ? {} : { project }),
    ...(cubeSets === undefined ? {} : { cubeSets }),
    ...(visibleUntilBuild === undefined ? {} : { visibleUntilBuild }),
    ...(builds === undefined ? {} : { builds }),
  });
  const before = begin.before.map(maskJournalDocument);
  const writes = operation.writes.map((): WriteState => ({ state: 'waiting' }));
  let end: Extract<JournalLine, { line: 'end' }> | undefined;
  let { pid, process } = begin;
  const denyScopes: string[] = [];
  const createdRuleIds: string[] = [];
  const requests: SentRequest[] = [];
  for (const line of lines.slice(1)) {
    if (line.line === 'sending' && writes[line.write]?.state !== 'done') {
      writes[line.write] = toSending(writes[line.write]);
      end = undefined;
    } else if (line.line === 'result' && line.write < writes.length) {
      writes[line.write] = maskResult(operation.writes[line.write], line.result);
    } else if (line.line === 'request') {
      const { request, write: writeIndex, method, path, denies = [], allows = [] } = line;
      requests[request] = { writeIndex, method, path, addedDenials: denies, removedDenials: allows };
    } else if (line.line === 'response') {
      const { line: _line, request, problem, ...result } = line;
      const sent = requests[request];
      if (sent !== undefined) {
        const maskedProblem = problem === undefined ? {} : { problem: maskText(problem) };
        requests[request] = { ...sent, result: { ...result, ...maskedProblem } };
      }
    } else if (line.line === 'deny') {
      denyScopes.push(...line.spots);
    } else if (line.line === 'made') {
      createdRuleIds.push(...line.ids);
    } else if (line.line === 'end') {
      end = line;
    } else if (line.line === 'claim') {
      ({ pid, process } = line);
      end = undefined;
    }
  }
  return {
    id,
    startedAt: at,
    operation,
    before,
    writeStates: writes,
    denyScopes,
    createdRuleIds,
    versionsAfter: end?.after ?? [],
    changedIds: end?.moved ?? [],
    pid,
    ...(process === undefined ? {} : { process }),
    ...(end === undefined ? {} : { end: end.state }),
    ...(end?.canceled === true ? { isCanceled: true } : {}),
    ...(end?.abandoned === true ? { isAbandoned: true } : {}),
    ...(actor === undefined ? {} : { actor }),
    ...(environment === undefined ? {} : { environment }),
    ...(begin.requests === true ? { requests: requests.filter(Boolean) } : {}),
    ...(begin.rules === true ? { recordsRules: true } : {}),
    ...(undoes === undefined ? {} : { undoneEntryId: undoes }),
    ...(keptNames === undefined ? {} : { keptNames }),
    ...(restoredIds === undefined ? {} : { restoredIds }),
  };
}

/** Returns the process that began or last claimed an operation. */
export const toRecordedProcess = ({ pid, process: identity }: HistoryEntry): RecordedProcess => ({
  pid,
  ...identity,
});

const toWrite = ({ made: outputRefs, ...write }: StoredWrite): Write => ({
  ...write,
  ...(outputRefs === undefined ? {} : { outputRefs }),
});

const maskJournalDocument = ({ ref, document, datamodels }: JournalDocument): JournalDocument => ({
  ref,
  ...(datamodels === undefined ? {} : { datamodels }),
  ...(document === undefined ? {} : { document: maskDocument(ref.kind, document) }),
});

const maskResult = (write: Write | undefined, result: WriteResult): WriteResult => ({
  ...result,
  ...(write === undefined || result.answer === undefined ? {} : { answer: maskBody(write, result.answer) }),
  ...(result.problem === undefined ? {} : { problem: maskText(result.problem) }),
});

function parseLine(text: string): JournalLine | undefined {
  if (text.trim() === '') {
    return undefined;
  }
  try {
    return lineSchema.safeParse(parseLossless(text)).data;
  } catch {
    // The line is truncated.
    return undefined;
  }
}
