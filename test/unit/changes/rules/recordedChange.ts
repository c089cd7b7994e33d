import type { JsonObject } from '../../../../src/base/json.ts';
import type { RequestProgressObserver } from '../../../../src/changes/rules/ruleServer.ts';
import { getText } from '../../../../src/changes/model/jsonMembers.ts';
import { RulesChangedError } from '../../../../src/changes/rules/ruleItems.ts';
import { type RuleEdit, RuleChangeRefusedError } from '../../../../src/changes/rules/ruleTarget.ts';
import {
  FakeFailure,
  FakeRuleServer,
  type FakeRuleFault,
  type SamePartiesEffect,
} from '../../../fakes/fakeRuleServer.ts';
import { RuleChangeAttempt, type RuleChangeCase } from '../ruleChangeAttempt.ts';

type Edit = Omit<RuleEdit, 'writeIndex'>;

/** A change of rules, with what fails and what another user does in the meantime. */
export interface RecordedChange extends RuleChangeCase {
  readonly fault?: FakeRuleFault | undefined;
  /** What another user changes right before a request. */
  readonly otherUserChange?: { readonly requestIndex: number; readonly edit: Edit } | undefined;
  /** How a change is ended that has stopped. */
  readonly ending: 'resume' | 'roll back';
}

/**
 * Formats a rule: its ID, its column, its parties, and what it shows. A party is `d` (everyone else), a user (`u1`), or
 * a group (`g1`); `x1` has an unknown type. A rule shows `all`, `none`, some values (`ab`), or all but some (`-ab`). A
 * field that the product doesn't know follows as `#`.
 */
function formatRule({ _id, ...rule }: JsonObject): string {
  const { column, members, allMembers, exclusionary, shares, note } = rule;
  const parties = (shares as readonly JsonObject[]).map(({ party, partyId }) =>
    getText(party ?? partyId ?? 'd'),
  );
  const values = (members as readonly string[]).join('');
  const grant =
    values === '' ? (allMembers === true ? 'all' : 'none') : `${exclusionary === true ? '-' : ''}${values}`;
  const id = _id === undefined || _id === null ? [] : [getText(_id)];
  return [
    ...id,
    getText(column),
    ...parties,
    grant,
    ...(note === undefined ? [] : [`#${getText(note)}`]),
  ].join(' ');
}

const formatRules = (rules: readonly JsonObject[]): string => rules.map(formatRule).join('; ');

function parseRule(text: string, kind: RuleChangeCase['kind']): JsonObject {
  const words = text.split(' ');
  const id = /^[CD]$/.test(words[0] ?? '') ? undefined : words.shift();
  const note = words.at(-1)?.startsWith('#') === true ? words.pop()?.slice(1) : undefined;
  const [column = '', ...parties] = words;
  const grant = parties.pop() ?? '';
  const hasValues = grant !== 'all' && grant !== 'none';
  return {
    ...(id === undefined ? {} : { _id: id }),
    table: 'T',
    column,
    datatype: 'text',
    members: hasValues ? grant.replace('-', '').split('') : [],
    allMembers: hasValues ? null : grant === 'all',
    exclusionary: grant.startsWith('-'),
    ...(kind === 'live' ? { live: true, fullname: 'live:M' } : { server: 'LocalHost', elasticube: 'M' }),
    ...(note === undefined ? {} : { note: note === '' ? null : note }),
    shares: parties.map((party): JsonObject => {
      const type = { d: 'default', u: 'user', g: 'group' }[party.charAt(0)] ?? 'unknown';
      return type === 'default' ? { type } : { type, [kind === 'live' ? 'partyId' : 'party']: party };
    }),
  };
}

const formatEdit = ({ before, after, discardsFormerFields }: Edit): string =>
  [
    before === undefined ? 'nothing' : formatRule(before),
    discardsFormerFields === true ? '=>' : '->',
    after === undefined ? 'nothing' : formatRule(after),
  ].join(' ');

function parseEdit(text: string, kind: RuleChangeCase['kind']): Edit {
  const [before = '', arrow, after = ''] = text.split(/ (->|=>) /);
  return {
    ...(before === 'nothing' ? {} : { before: parseRule(before, kind) }),
    ...(after === 'nothing' ? {} : { after: parseRule(after, kind) }),
    ...(arrow === '=>' ? { discardsFormerFields: true } : {}),
  };
}

/** Formats a change as lines that {@link parseRecordedChange} parses. */
export function formatRecordedChange(change: RecordedChange): readonly string[] {
  const { fault, otherUserChange, edits } = change;
  return [
    [
      change.kind,
      ...(change.isStrict ? ['strict'] : []),
      ...(change.allowsDuplicateParties ? ['twice'] : []),
      ...(change.canDeleteSingleRules ? ['deletes'] : []),
      change.samePartiesEffect,
    ].join(' '),
    `rules: ${formatRules(change.rules)}`,
    `edits: ${edits.map(formatEdit).join('; ')}`,
    ...(fault === undefined ? [] : [`fault: ${fault.kind} ${fault.requestIndex}`]),
    ...(otherUserChange === undefined
      ? []
      : [`other user: ${otherUserChange.requestIndex} ${formatEdit(otherUserChange.edit)}`]),
    ...(change.ending === 'resume' ? [] : ['then: roll back']),
  ];
}

export function parseRecordedChange(lines: readonly string[]): RecordedChange {
  const [options = '', ...fields] = lines;
  const words = options.split(' ');
  const getField = (name: string): string | undefined =>
    fields.find((field) => field.startsWith(`${name}: `))?.slice(name.length + 2);
  const kind = words[0] === 'live' ? 'live' : 'extract';
  const splitField = (name: string): readonly string[] => (getField(name) ?? '').split('; ').filter(Boolean);
  const rules = splitField('rules').map((text) => parseRule(text, kind));
  const [faultKind, faultIndex] = getField('fault')?.split(' ') ?? [];
  const [, otherIndex, otherEdit = ''] = /^(\d+) (.*)$/.exec(getField('other user') ?? '') ?? [];
  return {
    kind,
    isStrict: words.includes('strict'),
    allowsDuplicateParties: words.includes('twice'),
    canDeleteSingleRules: words.includes('deletes'),
    samePartiesEffect: words.at(-1) as SamePartiesEffect,
    rules,
    edits: splitField('edits').map((text, writeIndex) => ({ ...parseEdit(text, kind), writeIndex })),
    fault:
      faultKind === undefined
        ? undefined
        : { kind: faultKind as FakeRuleFault['kind'], requestIndex: Number(faultIndex) },
    otherUserChange:
      otherIndex === undefined
        ? undefined
        : { requestIndex: Number(otherIndex), edit: parseEdit(otherEdit, kind) },
    ending: getField('then') === undefined ? 'resume' : 'roll back',
  };
}

/** A server that records the requests; those between two reads are a phase. */
class RecordingServer extends FakeRuleServer {
  #phases: string[][] = [];

  override list(): Promise<readonly JsonObject[]> {
    this.#phases.push([]);
    return super.list();
  }

  override create(
    rules: readonly JsonObject[],
    observer: RequestProgressObserver,
  ): Promise<readonly string[]> {
    this.#record(rules.map((rule) => `+ ${formatRule(rule)}`));
    return super.create(rules, observer);
  }

  override update(
    rules: readonly { readonly id: string; readonly rule: JsonObject }[],
    observer: RequestProgressObserver,
  ): Promise<void> {
    this.#record(rules.map(({ id, rule }) => `${id} = ${formatRule({ ...rule, _id: null })}`));
    return super.update(rules, observer);
  }

  override delete(ids: readonly string[], observer: RequestProgressObserver): Promise<void> {
    this.#record(ids.map((id) => `- ${id}`));
    return super.delete(ids, observer);
  }

  #record(requests: readonly string[]): void {
    this.#phases.at(-1)?.push(...(requests.length === 0 ? ['nothing'] : requests));
  }

  /** Returns the requests since the last call, a line for each phase. */
  takePhases(): readonly string[] {
    const lines = this.#phases.filter((phase) => phase.length > 0).map((phase) => phase.join('; '));
    this.#phases = [];
    return lines;
  }
}

const describeError = (error: unknown): string =>
  error === undefined
    ? ''
    : error instanceof RuleChangeRefusedError
      ? `: ${error.code} ${formatRule(error.rule)}`
      : `: ${error instanceof FakeFailure ? error.failure : (error as Error).name}${error instanceof RulesChangedError ? ` ${formatRule(error.rule)}` : ''}`;

/** Makes a change, and returns what was sent and what came of it. */
export async function runRecordedChange(change: RecordedChange): Promise<readonly string[]> {
  let attempt: RuleChangeAttempt;
  try {
    attempt = new RuleChangeAttempt(change, RecordingServer);
  } catch (error) {
    return [`impossible${describeError(error)}`];
  }
  const server = attempt.server as RecordingServer;
  server.fault = change.fault;
  server.beforeRequest = (requestIndex) => {
    if (requestIndex === change.otherUserChange?.requestIndex) {
      const { before, after } = change.otherUserChange.edit;
      const others = server.rules.filter(({ _id }) => _id !== before?.['_id']);
      server.setRules(
        after === undefined ? others : [...others, { ...after, _id: before?.['_id'] ?? 'other' }],
      );
    }
  };
  const format = (outcome: string): readonly string[] => [
    ...server.takePhases().map((line) => `  ${line}`),
    `${outcome}${describeError(attempt.error)}${attempt.hasConcurrentChanges ? ', met changes by others' : ''}`,
  ];
  const outcome = await attempt.run();
  const lines = [...format(outcome)];
  if (outcome === 'stopped') {
    server.fault = undefined;
    lines.push(...format(await (change.ending === 'resume' ? attempt.run() : attempt.rollBack())));
  }
  const { rejectsSecondRule, canDeleteSingleRules } = attempt.behavior;
  const behaviors = [
    rejectsSecondRule && 'refuses a second rule',
    canDeleteSingleRules && 'deletes single rules',
  ].filter(Boolean);
  return [
    ...lines,
    `now: ${formatRules(server.rules)}`,
    `requests of edits: ${attempt.answeredWrites.map((index) => index ?? '-').join(' ')}`,
    `created: ${[...attempt.createdIds].join(' ')}`,
    ...(behaviors.length === 0 ? [] : [`the server: ${behaviors.join(', ')}`]),
  ];
}
