import { defaultPatience, type Patience } from '../api/bulk/patience.ts';
import { type RuleBatchReport, writeRules } from '../api/bulk/ruleBatches.ts';
import { fingerprint, RuleTally } from '../api/bulk/ruleTally.ts';
import { cubeRuleWriter, liveRuleWriter, type RuleWriter } from '../api/bulk/ruleWriters.ts';
import type { WriteDocument } from '../api/payloads/document.ts';
import type { PlatformClient } from '../api/platformClient.ts';
import type { Clock } from '../base/clock.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../base/json.ts';
import type { RuleSubject } from '../catalog/ruleSubject.ts';
import { deleteRules } from './ruleDeletions.ts';
import type { Write } from './operation.ts';

export interface BatchDeps {
  readonly client: PlatformClient;
  readonly clock: Clock;
  /** Rules of the subject that are there before this write, as far as they are known: with their ids. */
  readonly present: readonly JsonObject[];
  /** What the writes named in `batch.madeBy` made. */
  readonly made: readonly JsonObject[];
  /** An earlier attempt may have done some of it: the server is looked at first. */
  readonly mayHaveHappened: boolean;
  readonly signal?: AbortSignal | undefined;
  /** How many of its rules the write has dealt with. */
  readonly onProgress?: ((done: number) => void) | undefined;
  readonly onWait?: ((ms: number) => void) | undefined;
  /** Pause between two looks after a lost answer, in milliseconds. */
  readonly settleMs?: number | undefined;
}

/** Whether some of the rules are on the server is not known, and looking at it does not tell. */
export class BatchInDoubtError extends Error {
  override readonly name = 'BatchInDoubtError';
}

/** The server takes some of the rules for wrong; `refused` are their places in the body, and why. */
export class RulesRefusedError extends Error {
  override readonly name = 'RulesRefusedError';
  readonly refused: RuleBatchReport['failed'];

  constructor(refused: RuleBatchReport['failed']) {
    super(`${refused.length} rules were refused`, { cause: refused[0]?.error });
    this.refused = refused;
  }
}

/**
 * Sends a write of many rules in as many requests as it takes: waits where the server is busy, halves what is too
 * large or too slow, and after a lost answer sends only what a look at the server does not find. No rule is written
 * twice, and one that is gone already is not missed.
 * @returns the rules that were made, in the order of the body; nothing for a deletion
 * @throws ApiError, RulesRefusedError, BatchInDoubtError, and the signal's reason when it was cancelled between two requests
 */
export async function sendBatch(write: Write, deps: BatchDeps): Promise<JsonValue | undefined> {
  const { target } = write;
  if (target?.kind !== 'rules') {
    throw new RangeError('A batch is about the rules of one datamodel');
  }
  const patience: Patience = { ...defaultPatience, onWait: deps.onWait };
  if (write.endpoint.endsWith('.delete')) {
    const ids = [...(write.batch?.ids ?? []), ...deps.made.flatMap(idOf)];
    await deleteRules(target.subject, ids, { ...deps, patience });
    return undefined;
  }
  return addRules(write, target.subject, { ...deps, patience });
}

const idOf = ({ _id: id }: JsonObject): readonly string[] =>
  typeof id === 'string' && id !== '' ? [id] : [];

async function addRules(
  write: Write,
  subject: RuleSubject,
  deps: BatchDeps & { readonly patience: Patience },
): Promise<JsonValue> {
  const { client, clock, patience, signal, settleMs } = deps;
  const rules = (write.body ?? []) as readonly JsonObject[] as readonly WriteDocument[];
  const writer = subject.kind === 'live' ? liveRuleWriter(client, subject) : cubeRuleWriter(client, subject);
  const made = new MadeRules(writer, new Set(deps.present.flatMap(idOf)));
  const expected = new RuleTally(made.spelled(deps.present, rules).map(fingerprint));
  const all = rules.map((_rule, index) => index);
  const start: RuleBatchReport = {
    written: [],
    failed: [],
    notSent: deps.mayHaveHappened ? [] : all,
    inDoubt: deps.mayHaveHappened ? all : [],
    stoppedBy: undefined,
    expected,
  };
  const options = {
    // The write is as long as one request may be; what is refused for its size is halved.
    maxBytes: Number.MAX_SAFE_INTEGER,
    clock,
    signal,
    settleMs,
    patience,
    present: expected,
    narrow: true,
    onProgress: ({ done }: { readonly done: number }) => deps.onProgress?.(done),
  };
  const report = await writeRules(made, rules, options, start);
  if (report.failed.length > 0) {
    throw new RulesRefusedError(report.failed);
  }
  if (report.inDoubt.length > 0) {
    throw new BatchInDoubtError('Some rules may have been written', { cause: report.stoppedBy });
  }
  if (report.notSent.length > 0) {
    signal?.throwIfAborted();
    throw report.stoppedBy ?? new BatchInDoubtError('Some rules were not sent');
  }
  return made.answer(rules);
}

/** Writes rules and remembers what the server answered, so that what was made can be named. */
class MadeRules implements RuleWriter {
  readonly #writer: RuleWriter;
  readonly #known: ReadonlySet<string>;
  /** What was made, by what it says. */
  readonly #made = new Map<string, JsonObject[]>();

  constructor(writer: RuleWriter, known: ReadonlySet<string>) {
    this.#writer = writer;
    this.#known = known;
  }

  payload(rule: WriteDocument): JsonObject {
    return this.#writer.payload(rule);
  }

  async create(rules: readonly WriteDocument[]): Promise<unknown> {
    const answer = (await this.#writer.create(rules)) as { readonly value?: unknown };
    const items = Array.isArray(answer.value)
      ? (answer.value as readonly unknown[]).filter(isJsonObject)
      : [];
    if (items.length === rules.length) {
      // One for each in order (platform-facts 3.1); an answer of another length names nobody.
      rules.forEach((rule, index) => this.#remember(fingerprint(this.payload(rule)), items[index]));
    }
    return answer;
  }

  list(rules: readonly WriteDocument[]): Promise<readonly JsonObject[]> {
    return this.#writer.list(rules);
  }

  /** Rules as {@link list} would spell them. */
  spelled(rules: readonly JsonObject[], sent: readonly WriteDocument[]): readonly JsonObject[] {
    const [first] = sent;
    const payload = first === undefined ? {} : this.payload(first);
    const place = Object.fromEntries(
      ['server', 'elasticube', 'fullname'].flatMap((name) =>
        payload[name] === undefined ? [] : [[name, payload[name]] as const],
      ),
    );
    return rules.map(({ server: _server, elasticube: _cube, fullname: _fullname, ...rule }) => ({
      ...rule,
      ...place,
    }));
  }

  /** The rules as the server has them, one for each that was sent; asks for those that no answer named. */
  async answer(rules: readonly WriteDocument[]): Promise<JsonValue> {
    const keys = rules.map((rule) => fingerprint(this.payload(rule)));
    const named = [...this.#made.values()].reduce((sum, list) => sum + list.length, 0);
    if (named < keys.length) {
      const mine = new Set([...this.#made.values()].flat().flatMap(idOf));
      for (const rule of await this.list(rules)) {
        const isNew = idOf(rule).some((id) => !this.#known.has(id) && !mine.has(id));
        if (isNew) {
          this.#remember(fingerprint(rule), rule);
        }
      }
    }
    return keys.map((key) => this.#made.get(key)?.shift() ?? null);
  }

  #remember(key: string, rule: JsonObject | undefined): void {
    if (rule !== undefined) {
      this.#made.set(key, [...(this.#made.get(key) ?? []), rule]);
    }
  }
}
