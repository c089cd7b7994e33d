import { HttpError } from '../../client/errors.ts';
import { type JsonObject, type JsonValue, getMember } from '../../base/json.ts';
import { livePrefix } from '../../contract/rule.ts';
import type { RuleSubject } from '../../catalog/ruleSubject.ts';
import type { DocumentRef } from '../documentAddress.ts';
import { DocumentRefusedError } from '../refusals.ts';
import {
  checkOnlyEditable,
  type DocumentKindDescriptor,
  type EveryoneElseDecision,
  getListItems,
  requireObjectValue,
} from './documentKind.ts';
import {
  applyRuleWrites,
  createCreationWrite,
  fetchRuleDocuments,
  isEditableRuleField,
} from './ruleKinds.ts';

type RuleRef = Extract<DocumentRef, { kind: 'rule' }>;

/**
 * A rule that is not on the server yet: a save creates it. Until then, its document on the server is an empty rule. The
 * rules of its datamodel or cube set are read to find out whether its column has a rule for everyone else.
 */
export const newRuleKind: DocumentKindDescriptor<RuleRef> = {
  language: 'jsonc',
  isEditable: isEditableRuleField,
  // Not shared with documents of existing rules, which exist only if the rules could be read.
  getSourceKey: ({ ruleId, subject }) => JSON.stringify([ruleId, subject]),
  async fetch(client, { subject }, signal) {
    try {
      return await fetchRuleDocuments(client, subject, signal);
    } catch (error) {
      // Some servers have no rules of a datamodel before its first build (platform-facts.md, 6.2).
      if (error instanceof HttpError && error.isNotFound) {
        return { value: [], text: '', json: [], status: 200 };
      }
      throw error;
    }
  },
  getVisiblePart: (_source, { subject }) => createEmptyRule(subject),
  getCreatedName,
  createWrites({ subject }, { source, next, everyoneElse }) {
    const rule = requireObjectValue(next);
    checkOnlyEditable(createEmptyRule(subject), rule, isEditableRuleField);
    if (isForEveryoneElse(rule) || hasDefaultRule(getListItems(source), rule)) {
      return [createCreationWrite(subject, [rule])];
    }
    if (everyoneElse === undefined) {
      throw new DocumentRefusedError('default-rule-undecided', { createdName: getCreatedName(rule) });
    }
    return [
      createCreationWrite(
        subject,
        everyoneElse === 'none' ? [rule] : [rule, createDefaultRule(rule, everyoneElse)],
      ),
    ];
  },
  applyWrites: (_ref, completed) => applyRuleWrites(completed),
};

/** Creates a rule without column and parties. It grants no values, which is safe for anyone. */
const createEmptyRule = (subject: RuleSubject): JsonObject => ({
  ...(subject.kind === 'live'
    ? { fullname: `${livePrefix}${subject.title}`, live: true }
    : { server: subject.server, elasticube: subject.elasticube }),
  table: '',
  column: '',
  datatype: 'text',
  members: [],
  allMembers: false,
  // Live rules have this field only if it is true: the guide does not list it for them (platform-facts.md, 6.2).
  ...(subject.kind === 'live' ? {} : { exclusionary: false }),
  shares: [],
});

/** Creates the rule for everyone else, on the column of another rule (rest-api.md, "Kinds of rule" 1). */
const createDefaultRule = (rule: JsonObject, access: EveryoneElseDecision): JsonObject => ({
  ...rule,
  members: [],
  allMembers: access === 'everything',
  ...('exclusionary' in rule ? { exclusionary: false } : {}),
  shares: [{ type: 'default' }],
});

const hasDefaultRule = (rules: readonly JsonValue[], { table, column }: JsonObject): boolean =>
  rules.some(
    (rule) =>
      getMember(rule, 'table') === table && getMember(rule, 'column') === column && isForEveryoneElse(rule),
  );

const isForEveryoneElse = (rule: JsonValue): boolean =>
  getListItems(getMember(rule, 'shares')).some((share) => getMember(share, 'type') === 'default');

function getText(value: JsonValue, name: string): string {
  const member = getMember(value, name);
  return typeof member === 'string' ? member : '';
}

function getCreatedName(rule: JsonValue): string {
  return `${getText(rule, 'table')}.${getText(rule, 'column')}`;
}
