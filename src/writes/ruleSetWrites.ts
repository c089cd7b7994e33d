import type { JsonObject } from '../base/json.ts';
import type { RuleSubject } from '../catalog/ruleSubject.ts';
import { guardsOf } from '../security/change/guards.ts';
import { type NamedParty, readRules } from '../security/readRule.ts';
import type { Write } from './operation.ts';

/** A rule of a column that becomes another one: without `before` it is new, without `after` it goes. */
export interface RuleStep {
  readonly before?: JsonObject | undefined;
  readonly after?: JsonObject | undefined;
}

/** The requests that rules of a subject are changed by. */
export interface RuleRequests {
  create(rules: readonly JsonObject[]): Write;
  /** One request where the platform has an update, else a new rule and the end of the old one. */
  change(before: JsonObject, after: JsonObject): readonly Write[];
  remove(rule: JsonObject): Write;
}

/**
 * The writes of several changes to the rules of one column, in an order in which nobody sees at any moment what neither
 * the rules before nor those after show them. Between two requests old and new rules stand side by side, which can
 * show somebody whom two of the changes concern more than either (platform-facts 3.3 knows no transaction). So:
 * - a single change that is a single request is sent as it is;
 * - changes that concern different users stand alone, in any order, and around one change of another rule;
 * - whoever gets a rule gets it before the default rule changes, and loses it after;
 * - all else goes behind a guard: *Nothing*, which wins over every rule, for all parties of the change.
 */
export function ruleSetWrites(
  subject: RuleSubject,
  steps: readonly RuleStep[],
  requests: RuleRequests,
): readonly Write[] {
  const inOrder = unguarded(steps);
  const writes = (inOrder ?? [steps]).flatMap((some) => requestsOf(some, requests));
  const isSafe = inOrder !== undefined && steps.every((step) => requestsOf([step], requests).length === 1);
  return isSafe ? writes : behindGuards(subject, steps, writes, requests);
}

function requestsOf(steps: readonly RuleStep[], requests: RuleRequests): readonly Write[] {
  const made = steps
    .filter(({ before }) => before === undefined)
    .map(({ after }) => after)
    .filter((after) => after !== undefined);
  return [
    ...(made.length === 0 ? [] : [requests.create(made)]),
    ...steps.flatMap(({ before, after }) =>
      before !== undefined && after !== undefined ? requests.change(before, after) : [],
    ),
    ...steps.flatMap(({ before, after }) =>
      before !== undefined && after === undefined ? [requests.remove(before)] : [],
    ),
  ];
}

/** The steps in groups that may follow each other without a guard; `undefined` where no order is known to be good. */
function unguarded(steps: readonly RuleStep[]): readonly (readonly RuleStep[])[] | undefined {
  return steps.length <= 1 ? [steps] : (besideUsers(steps) ?? besideDefault(steps));
}

/** Users who have nothing to do with each other, and at most one rule that changes for whom it was for. */
function besideUsers(steps: readonly RuleStep[]): readonly (readonly RuleStep[])[] | undefined {
  const users = steps.flatMap(partiesOf).filter(({ type }) => type === 'user');
  const [other, ...more] = steps.filter((step) => partiesOf(step).some(({ type }) => type !== 'user'));
  if (new Set(users.map(keyOf)).size < users.length || more.length > 0) {
    return undefined;
  }
  if (other === undefined) {
    return [steps];
  }
  const [was, is] = [other.before, other.after].map((rule) => new Set(named(rule).map(keyOf)));
  const rest = steps.filter((step) => step !== other);
  const isSame = was?.symmetricDifference(is ?? was).size === 0 && other.after !== undefined;
  const areWhole = rest.every(({ before, after }) => before === undefined || after === undefined);
  // A rule of one's own narrows what the group sees (platform-facts 3.3): first it comes, last it goes.
  return isSame && areWhole
    ? [rest.filter(({ after }) => after), [other], rest.filter(({ before }) => before)]
    : undefined;
}

/** The default rule and one other: whoever gets a rule gets it before the default changes, and loses it after. */
function besideDefault(steps: readonly RuleStep[]): readonly (readonly RuleStep[])[] | undefined {
  const isDefault = (step: RuleStep): boolean => partiesOf(step).every(({ type }) => type === 'default');
  const [ofDefault] = steps.filter(isDefault);
  const [other] = steps.filter((step) => partiesOf(step).every(({ type }) => type !== 'default'));
  if (steps.length > 2 || ofDefault === undefined || other === undefined || ofDefault === other) {
    return undefined;
  }
  const [was, is] = [other.before, other.after].map((rule) => new Set(named(rule).map(keyOf)));
  const [doJoin, doLeave] = [is?.isSubsetOf(was ?? is) === false, was?.isSubsetOf(is ?? was) === false];
  if (doJoin && doLeave) {
    return undefined;
  }
  return doLeave ? [[ofDefault], [other]] : [[other], [ofDefault]];
}

/** Whom a rule names; a rule that says nothing of its parties concerns nobody. */
const named = (rule: JsonObject | undefined): readonly NamedParty[] =>
  readRules(rule === undefined ? [] : [rule]).flatMap(({ parties }) => parties);

const keyOf = ({ type, id = '' }: NamedParty): string => JSON.stringify([type, id]);

/** Whom a step concerns, each once. */
const partiesOf = ({ before, after }: RuleStep): readonly NamedParty[] => [
  ...new Map([...named(before), ...named(after)].map((party) => [keyOf(party), party])).values(),
];

function behindGuards(
  subject: RuleSubject,
  steps: readonly RuleStep[],
  writes: readonly Write[],
  requests: RuleRequests,
): readonly Write[] {
  const rules = steps.flatMap(({ before, after }) => [before, after].filter((rule) => rule !== undefined));
  // What rules hold came out of JSON or is made of texts and lists.
  const guards = guardsOf(rules, subject.kind) as unknown as readonly JsonObject[];
  return [
    ...guards.map((guard): Write => ({ ...requests.create([guard]), step: 'guard' })),
    ...writes,
    ...guards.map((_guard, index) => guardEnd(subject, { write: index, from: [0, '_id'] })),
  ];
}

/** The end of a guard that an earlier write of the operation has made. */
export const guardEnd = (
  subject: RuleSubject,
  made: { readonly write: number; readonly from: readonly (string | number)[] },
): Write => ({
  endpoint: subject.kind === 'live' ? 'liveRules.delete' : 'extractRules.delete',
  params: {},
  target: { kind: 'rules', subject },
  made: [{ into: ['params', 'ruleId'], ...made }],
  step: 'guard',
});
