import type { JsonObject } from '../../base/json.ts';
import type { RuleSubject } from '../../catalog/ruleSubject.ts';
import { readRules } from '../../security/readRules.ts';
import type { HistoryEntry } from './entry.ts';
import { getObjects, getText } from '../model/jsonMembers.ts';
import { getRuleId } from '../rules/ruleReversal.ts';

/**
 * Finds the rules that a bulk change, such as one from the grid, replaced with others: a deleted rule and a created one
 * for the same parties on the same column, if there is exactly one of each.
 * @returns pairs of the old and the new ID
 */
export function findReplacedRules(entry: HistoryEntry): HistoryEntry['changedIds'] {
  const [deleted, created] = [
    groupByPartyAndColumn(getDeletedRules(entry)),
    groupByPartyAndColumn(getCreatedRules(entry)),
  ];
  return [...deleted].flatMap(([key, deletedRules]) => {
    const [[deletedRule, ...otherDeletedRules], [createdRule, ...otherCreatedRules]] = [
      deletedRules,
      created.get(key) ?? [],
    ];
    const isPair = otherDeletedRules.length + otherCreatedRules.length === 0;
    return deletedRule !== undefined && createdRule !== undefined && isPair
      ? [[getRuleId(deletedRule), getRuleId(createdRule)] as const]
      : [];
  });
}

interface RuleOfSubject {
  readonly subject: RuleSubject;
  readonly rule: JsonObject;
}

function getDeletedRules({ operation, before, writeStates }: HistoryEntry): readonly RuleOfSubject[] {
  const ids = new Set(
    operation.writes.flatMap(({ endpoint, step, batch, params }, index) =>
      isRuleEndpoint(endpoint, 'delete') && step === undefined && writeStates[index]?.state === 'done'
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

const getCreatedRules = ({ operation, writeStates }: HistoryEntry): readonly RuleOfSubject[] =>
  operation.writes.flatMap(({ endpoint, step, target }, index) => {
    const state = writeStates[index];
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
function groupByPartyAndColumn(
  rulesOfSubjects: readonly RuleOfSubject[],
): ReadonlyMap<string, readonly JsonObject[]> {
  const rules = new Map(
    rulesOfSubjects.filter(({ rule }) => getRuleId(rule) !== '').map((item) => [getRuleId(item.rule), item]),
  );
  const keyedRules = [...rules.values()].flatMap(({ subject, rule }) =>
    readRules([rule]).map(({ table, column, parties }) => {
      const partyKeys = parties.map(({ type, id = '' }) => `${type}:${id}`).sort();
      return { key: JSON.stringify([subject, table, column, partyKeys]), rule };
    }),
  );
  return new Map(
    [...Map.groupBy(keyedRules, ({ key }) => key)].map(([key, items]) => [
      key,
      items.map(({ rule }) => rule),
    ]),
  );
}
