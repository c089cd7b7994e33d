import type { JsonObject } from '../../base/json.ts';
import type { RuleSubject } from '../../catalog/ruleSubject.ts';
import { readRules } from '../../security/readRule.ts';
import type { HistoryEntry } from './entry.ts';
import { getObjects, getText } from '../model/readJson.ts';
import { getRuleId } from '../rules/ruleReversal.ts';

/**
 * Finds the rules that a bulk change, such as one from the grid, replaced with others: a deleted rule and a created one
 * for the same parties on the same column, if there is exactly one of each.
 * @returns pairs of the old and the new ID
 */
export function replacedRules(entry: HistoryEntry): HistoryEntry['moved'] {
  const [deleted, made] = [groupByPlace(getDeletedRules(entry)), groupByPlace(getCreatedRules(entry))];
  return [...deleted].flatMap(([place, olds]) => {
    const [[old, ...moreOld], [next, ...moreNext]] = [olds, made.get(place) ?? []];
    const isOne = moreOld.length + moreNext.length === 0;
    return old !== undefined && next !== undefined && isOne
      ? [[getRuleId(old), getRuleId(next)] as const]
      : [];
  });
}

interface RuleOfSubject {
  readonly subject: RuleSubject;
  readonly rule: JsonObject;
}

function getDeletedRules({ operation, before, writes }: HistoryEntry): readonly RuleOfSubject[] {
  const ids = new Set(
    operation.writes.flatMap(({ endpoint, step, batch, params }, index) =>
      isRuleEndpoint(endpoint, 'delete') && step === undefined && writes[index]?.state === 'done'
        ? (batch?.ids ?? [getText(params['ruleId'])])
        : [],
    ),
  );
  return before
    .flatMap(({ ref, document }) =>
      'subject' in ref
        ? getObjects(ref.kind === 'rule' && document !== undefined ? [document] : document).map((rule) => ({
            subject: ref.subject,
            rule,
          }))
        : [],
    )
    .filter(({ rule }) => ids.has(getText(rule['_id'])));
}

const getCreatedRules = ({ operation, writes }: HistoryEntry): readonly RuleOfSubject[] =>
  operation.writes.flatMap(({ endpoint, step, target }, index) => {
    const state = writes[index];
    return isRuleEndpoint(endpoint, 'create') &&
      step === undefined &&
      state?.state === 'done' &&
      target !== undefined &&
      'subject' in target
      ? getObjects(state.answer).map((rule) => ({ subject: target.subject, rule }))
      : [];
  });

const isRuleEndpoint = (endpoint: string, action: 'create' | 'delete'): boolean =>
  endpoint === `liveRules.${action}` || endpoint === `extractRules.${action}`;

/** Groups rules by parties and column. Omits rules that can't be parsed or have no ID. */
function groupByPlace(all: readonly RuleOfSubject[]): ReadonlyMap<string, readonly JsonObject[]> {
  const rules = new Map(
    all.filter(({ rule }) => getRuleId(rule) !== '').map((one) => [getRuleId(one.rule), one]),
  );
  const placed = [...rules.values()].flatMap(({ subject, rule }) =>
    readRules([rule]).map(({ table, column, parties }) => {
      const whom = parties.map(({ type, id = '' }) => `${type}:${id}`).sort();
      return { place: JSON.stringify([subject, table, column, whom]), rule };
    }),
  );
  return new Map(
    [...Map.groupBy(placed, ({ place }) => place)].map(([place, some]) => [
      place,
      some.map(({ rule }) => rule),
    ]),
  );
}
