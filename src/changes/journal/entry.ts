import * as z from 'zod';
import { type JsonValue, parseLossless } from '../../base/json.ts';
import { resourceRefSchema } from '../../catalog/resourceRef.ts';
import {
  type Operation,
  operationCauses,
  type Write,
  type WriteEndpointId,
  writeEndpoints,
} from '../model/operation.ts';
import { maskDocument, maskText } from '../../base/secrets/maskSecrets.ts';
import { maskBody, maskOperation } from '../model/maskWrite.ts';
import type { MovedId } from '../model/inverseWrites.ts';

/** Any JSON without loss; a number kept as its source text is no plain object. */
const json = z.custom<JsonValue>((value) => value !== undefined);

const valuePath = z.array(z.union([z.string(), z.number()]));

/** A version of before may have sent what this one does not know: of such an operation nothing could be said. */
const isWriteEndpoint = (id: unknown): id is WriteEndpointId => writeEndpoints.some((known) => known === id);

const writeSchema: z.ZodType<Write> = z.object({
  endpoint: z.custom<WriteEndpointId>(isWriteEndpoint),
  params: z.record(z.string(), z.string()),
  body: json.optional(),
  target: resourceRefSchema.optional(),
  made: z
    .array(
      z.object({
        into: z.tuple([z.enum(['params', 'body'])], z.union([z.string(), z.number()])),
        write: z.number(),
        from: valuePath,
      }),
    )
    .optional(),
  sendEncryptedParameters: z.literal(true).optional(),
  step: z.enum(['guard', 'replaced']).optional(),
  batch: z.object({ ids: z.array(z.string()).optional(), maxBytes: z.number().optional() }).optional(),
}) as z.ZodType<Write>;

const documentSchema = z.object({ ref: resourceRefSchema, document: json.optional() });

/** A document as it was before the operation; `document` is absent where there was none. Secrets are masked. */
export type KeptDocument = z.infer<typeof documentSchema>;

const beginSchema = z.object({
  line: z.literal('begin'),
  id: z.string(),
  at: z.number(),
  pid: z.number(),
  operation: z.object({
    connectionId: z.string(),
    cause: z.enum(operationCauses),
    subject: z.object({ name: z.string(), within: z.array(z.string()) }),
    writes: z.array(writeSchema),
  }),
  before: z.array(documentSchema),
  /** The entry whose operation this one takes back. */
  undoes: z.string().optional(),
  /** What comes back under another id, and which answer has it. */
  comesBack: z.array(z.object({ old: z.string(), write: z.number(), from: valuePath })).optional(),
});

const resultSchema = z.object({
  state: z.enum(['done', 'failed', 'unknown']),
  /** The path of the request without query, as it was sent. */
  path: z.string(),
  status: z.number().optional(),
  ms: z.number(),
  /** What the server answered, secrets masked. */
  answer: json.optional(),
  /** Why it failed, fit for a log: no body, no token. */
  problem: z.string().optional(),
  /**
   * Temporary deny rules are in force, so that the parties of the rules see nothing: `only` where nothing else is left
   * to do.
   */
  denied: z.enum(['open', 'only']).optional(),
  /** Of several requests some were carried out, so that something has changed. */
  partly: z.literal(true).optional(),
  /** Somebody else has changed other rules of the same columns in the meantime; theirs were left as they are. */
  metOthers: z.literal(true).optional(),
});

/** What became of one write. */
export type WriteResult = z.infer<typeof resultSchema>;

/** `stopped`: a write failed or may have, and the rest was not sent. `rolled-back`: what was done was taken back. */
const endStates = ['done', 'stopped', 'rolled-back'] as const;
export type EndState = (typeof endStates)[number];

/** What a journal consists of, one line each. */
const lineSchema = z.discriminatedUnion('line', [
  beginSchema,
  /** Another process goes on with the operation. */
  z.object({ line: z.literal('claim'), pid: z.number() }),
  z.object({ line: z.literal('sending'), write: z.number() }),
  /** Temporary deny rules are about to be put there. */
  z.object({ line: z.literal('deny'), spots: z.array(z.string()) }),
  /** Rules were made, by the identifiers that the server answered. */
  z.object({ line: z.literal('made'), ids: z.array(z.string()) }),
  z.object({ line: z.literal('result'), write: z.number(), result: resultSchema }),
  z.object({
    line: z.literal('end'),
    state: z.enum(endStates),
    /** Hashes of the documents as the operation left them, so that taking it back overwrites nothing newer. */
    after: z.array(z.object({ ref: resourceRefSchema, hash: z.string() })),
    /** What came back under another id: the old one and the new. */
    moved: z.array(z.tuple([z.string(), z.string()])).optional(),
  }),
]);
export type JournalLine = z.infer<typeof lineSchema>;

/** What became of a write: its result, `sending` when it was never told, or `waiting` when it was not sent. */
export type WriteState = WriteResult | { readonly state: 'waiting' | 'sending' };

/** One operation with all that is known of it. */
export interface HistoryEntry {
  readonly id: string;
  /** When it began, in milliseconds since the epoch. */
  readonly at: number;
  /** As it was sent, with secrets masked: a write that carried one cannot be repeated from here. */
  readonly operation: Operation;
  readonly before: readonly KeptDocument[];
  /** As many as the operation has writes. */
  readonly writes: readonly WriteState[];
  /** Where temporary deny rules were put, or may have been: see `getSpotKey` of `src/changes/rules`. */
  readonly denied: readonly string[];
  /** Identifiers of the rules that the server answered to have made. */
  readonly made: readonly string[];
  /** Absent while it runs, and for ever when the process that ran it was killed. */
  readonly end?: EndState;
  readonly after: readonly { readonly ref: KeptDocument['ref']; readonly hash: string }[];
  readonly undoes?: string;
  /** What comes back under another id, for whoever goes on with it. */
  readonly restoredIds?: readonly MovedId[];
  /** What came back under another id: the old one and the new. */
  readonly moved: readonly (readonly [old: string, now: string])[];
  /** The process that began or took it over last. */
  readonly pid: number;
}

/**
 * Reads a journal. Its last line may have been cut off when the process was killed: what cannot be read is as if it
 * had not been written. `undefined` where not even the beginning can be read.
 */
export function readJournal(text: string): HistoryEntry | undefined {
  const lines = text.split('\n').flatMap((line) => parseLine(line) ?? []);
  const [begin] = lines;
  if (begin?.line !== 'begin') {
    return undefined;
  }
  const { id, at, undoes, comesBack: restoredIds } = begin;
  // An earlier version knew fewer secrets than this one: nothing that it kept is shown or sent.
  const operation = maskOperation(begin.operation);
  const before = begin.before.map(maskKept);
  const writes = operation.writes.map((): WriteState => ({ state: 'waiting' }));
  let end: Extract<JournalLine, { line: 'end' }> | undefined;
  let { pid } = begin;
  const denied: string[] = [];
  const made: string[] = [];
  for (const line of lines.slice(1)) {
    if (line.line === 'sending' && writes[line.write]?.state !== 'done') {
      writes[line.write] = { state: 'sending' };
      end = undefined;
    } else if (line.line === 'result' && line.write < writes.length) {
      writes[line.write] = maskResult(operation.writes[line.write], line.result);
    } else if (line.line === 'deny') {
      denied.push(...line.spots);
    } else if (line.line === 'made') {
      made.push(...line.ids);
    } else if (line.line === 'end') {
      end = line;
    } else if (line.line === 'claim') {
      pid = line.pid;
      end = undefined;
    }
  }
  return {
    id,
    at,
    operation,
    before,
    writes,
    denied,
    made,
    after: end?.after ?? [],
    moved: end?.moved ?? [],
    pid,
    ...(end === undefined ? {} : { end: end.state }),
    ...(undoes === undefined ? {} : { undoes }),
    ...(restoredIds === undefined ? {} : { restoredIds }),
  };
}

const maskKept = ({ ref, document }: KeptDocument): KeptDocument => ({
  ref,
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
    // Cut off in the middle.
    return undefined;
  }
}
