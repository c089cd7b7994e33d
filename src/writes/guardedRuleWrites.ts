import { type JsonObject, stringify } from '../base/json.ts';
import type { RuleSubject } from '../catalog/ruleSubject.ts';
import { guardedChange } from '../security/change/guardedChange.ts';
import type { DoomedRule } from '../security/change/ruleDifference.ts';
import type { UnknownObject } from '../security/readRule.ts';
import type { RuleBatch, Write } from './operation.ts';

/** The longest body of one request where nobody says otherwise, in bytes of UTF-8; the spec names no limit. */
export const defaultBatchBytes = 256 * 1024;

/** Deletions that one write stands for: what a history shows as one step. */
const deletionsPerWrite = 1000;

export interface RuleChange {
  readonly adds: readonly UnknownObject[];
  readonly deletes: readonly DoomedRule[];
  /** Rules of an extract datamodel that are changed where they are. */
  readonly updates?: readonly { readonly before: JsonObject; readonly after: JsonObject }[];
  /** Guards that an earlier operation left behind; they go last. */
  readonly leftGuards?: readonly string[];
}

/**
 * The writes of a change of many rules, in the order that shows nobody anything in between: guards, changes,
 * additions, deletions, the guards' end ({@link guardedChange}). Only what is a single request goes without guards: the spec
 * does not say that one POST of many rules takes effect at once.
 * @throws RangeError for a rule without identifier, which nobody could delete
 */
export function guardedRuleWrites(
  subject: RuleSubject,
  { leftGuards = [], updates = [], ...difference }: RuleChange,
  maxBytes = defaultBatchBytes,
): readonly Write[] {
  const { guards, adds, deletes } = guardedChange({ ...difference, updates }, subject, { atomic: 1 });
  const guarding = chunksOf(guards, maxBytes).map((rules) => creation(subject, rules, 'guard'));
  const madeBy = guarding.map((_write, index) => index);
  return [
    ...guarding,
    ...updates.map(({ after }) => update(subject, after)),
    ...chunksOf(adds, maxBytes).map((rules) => creation(subject, rules)),
    ...idChunks(deletes).map((ids) => deletion(subject, { ids })),
    ...(guarding.length > 0 || leftGuards.length > 0
      ? [deletion(subject, { ids: leftGuards, madeBy }, 'guard')]
      : []),
  ];
}

function creation(subject: RuleSubject, rules: readonly UnknownObject[], step?: 'guard'): Write {
  const isLive = subject.kind === 'live';
  return {
    endpoint: isLive ? 'liveRules.create' : 'extractRules.create',
    params: isLive ? { title: subject.title } : { server: subject.server, elasticube: subject.elasticube },
    target: { kind: 'rules', subject },
    // What rules hold came out of JSON or is made of texts and lists.
    body: rules as readonly JsonObject[],
    batch: {},
    ...(step === undefined ? {} : { step }),
  };
}

function update(subject: RuleSubject, rule: JsonObject): Write {
  const ruleId = typeof rule['_id'] === 'string' ? rule['_id'] : '';
  return {
    endpoint: 'extractRules.update',
    params: { ruleId },
    body: rule,
    target: { kind: 'rule', subject, ruleId },
  };
}

const deletion = (subject: RuleSubject, batch: RuleBatch, step?: 'guard'): Write => ({
  endpoint: subject.kind === 'live' ? 'liveRules.delete' : 'extractRules.delete',
  params: {},
  target: { kind: 'rules', subject },
  batch,
  ...(step === undefined ? {} : { step }),
});

/** Fills requests in order up to the byte limit; brackets and commas count. A longer rule is alone. */
function chunksOf(rules: readonly UnknownObject[], maxBytes: number): readonly (readonly UnknownObject[])[] {
  const filled: UnknownObject[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const rule of rules) {
    const size = new TextEncoder().encode(stringify(rule)).length + 1;
    if (bytes + size > maxBytes) {
      filled.push([]);
      bytes = 1;
    }
    filled.at(-1)?.push(rule);
    bytes += size;
  }
  return filled;
}

const idChunks = (ids: readonly string[]): readonly (readonly string[])[] =>
  Array.from({ length: Math.ceil(ids.length / deletionsPerWrite) }, (_chunk, index) =>
    ids.slice(index * deletionsPerWrite, (index + 1) * deletionsPerWrite),
  );
