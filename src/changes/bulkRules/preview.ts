import { createBulkRuleOperation } from '../operations/ruleActions.ts';
import { getSubjectTitle } from '../../catalog/ruleSubject.ts';
import { silentLog } from '../../base/log.ts';
import { KnownValuesReader } from '../../connections/knownValuesReader.ts';
import { createUserDirectory } from '../../connections/createUserDirectory.ts';
import { readUsersAndGroups } from '../../connections/readUsersAndGroups.ts';
import type { Session } from '../../connections/sessions.ts';
import type { UserDirectory } from '../../catalog/people/userDirectory.ts';
import {
  type ColumnWithoutDefault,
  findColumnsWithoutDefault,
} from '../../security/change/columnsWithoutDefault.ts';
import { findOverlappingRules, type OverlappingRules } from '../../security/change/overlappingRules.ts';
import { type RuleDifference, computeRuleDifference } from '../../security/change/ruleDifference.ts';
import { readNamedParties } from '../../security/copy/namedParties.ts';
import { findTableSpellings, type TableSpelling } from '../../security/change/tableSpellings.ts';
import { type PartyRef, readArray } from '../../security/readRules.ts';
import type { TablePartyName } from '../../security/ruleTable/tableRule.ts';
import { getTablePartyKey } from '../../security/ruleTable/unresolvedParties.ts';
import { hashDocument } from '../model/documentHash.ts';
import { DocumentReader } from '../model/documentReader.ts';
import type { Operation } from '../model/operation.ts';
import type { RuleChangeRefusedError } from '../rules/ruleTarget.ts';
import type { ExpectedVersion } from '../run/runOptions.ts';
import type { Writer } from '../run/writer.ts';
import type { PartyContradiction } from './comparePartyNames.ts';
import { findParties, type FoundParties, noParties } from './findParties.ts';
import type { ChangeChoices, RuleSource, BulkRuleTarget, SourceRules } from './ruleSource.ts';
import { type CurrentTables, isDatamodelSubject, loadCurrentTables } from './loadCurrentTables.ts';

/** A rule change that was computed but not applied. */
export interface Preview<Source extends RuleSource = RuleSource> extends CurrentTables {
  readonly target: BulkRuleTarget;
  readonly source: Source;
  readonly choices: ChangeChoices;
  readonly sourceRules: SourceRules;
  readonly foundParties: FoundParties;
  /**
   * The party names in the table that no one has now, if the change changes nothing: the user or group was renamed or
   * deleted since the table was written.
   */
  readonly formerNames: readonly TablePartyName[];
  /** The rules of the target before the change. */
  readonly currentRules: readonly unknown[];
  readonly difference: RuleDifference;
  /** Columns that the change leaves without a default rule, or without any rule. */
  readonly uncoveredColumns: readonly ColumnWithoutDefault[];
  /** Parties that the change leaves with several different rules on one column. */
  readonly overlappingRules: readonly OverlappingRules[];
  /** Values that other rules on the same column spell differently. */
  readonly spellings: readonly TableSpelling[];
  /** The target is a cube set for which the server lists no rules, so it may not exist. */
  readonly isUnconfirmedCubeSet: boolean;
  /** The reason why the operation would be refused, if that was checked: no safe order of requests makes the change. */
  readonly refusal: RuleChangeRefusedError | undefined;
  /** The operation to run; it has no writes if nothing changes. */
  readonly operation: Operation;
  /** The hash of the rules that the preview was computed from: if they have changed, nothing is sent. */
  readonly expectedVersions: readonly ExpectedVersion[];
}

/** The instance that a change is computed for. */
export interface PreviewSession extends Pick<Session, 'client' | 'catalog'> {
  /** Returns the users and groups of the instance; if absent, they are requested when names have to be resolved. */
  readonly getDirectory?: () => Promise<UserDirectory>;
  /** Checks the operation as its run does; if absent, it's checked only when it's planned or run. */
  readonly findRuleRefusal?: Writer['findRuleRefusal'];
}

/** The input of a preview: the source of the rules, the target, and the options. */
export interface PreviewRequest<Source extends RuleSource> {
  readonly target: BulkRuleTarget;
  readonly source: Source;
  readonly choices: ChangeChoices;
  /** The maximum body of one request, in bytes of UTF-8. */
  readonly maxBytes: number;
}

/**
 * Computes what a source would change, based on the current rules of the server. Sends no write.
 * @throws ApiError
 */
export async function createPreview<Source extends RuleSource>(
  { getDirectory, findRuleRefusal, ...session }: PreviewSession,
  { target, source, choices, maxBytes }: PreviewRequest<Source>,
  progress: { readonly onLookUp: (done: number, total: number) => void; readonly signal: AbortSignal },
): Promise<Preview<Source>> {
  const { subject, connectionId } = target;
  const ref = { kind: 'rules', subject } as const;
  const [document, currentTables] = await Promise.all([
    new DocumentReader(session.client, progress.signal).readDocument(ref),
    loadCurrentTables(session, subject),
  ]);
  const { catalog } = currentTables;
  const current = readArray(document);
  const wantedRules = await source.readRules(choices, catalog);
  const foundParties =
    source.hasPartyIds === true
      ? noParties
      : await findParties(
          { client: session.client, directory: await loadDirectory(session, getDirectory) },
          wantedRules,
          {
            current,
            getSourceName: source.getName,
            ...progress,
          },
        );
  const difference = computeRuleDifference({
    tableRules: wantedRules.rules,
    existingRules: current,
    binding: subject,
    mode: isUnreadable(wantedRules) ? 'add' : choices.mode,
    findPartyId: (party) =>
      source.hasPartyIds === true ? party.idOrName : foundParties.ids.get(getTablePartyKey(party)),
    catalog,
  });
  const isFormerName = ({ isUnused }: PartyContradiction): boolean => difference.isUnchanged && isUnused;
  const location = { connectionId, within: [getSubjectTitle(subject)] };
  const operation = createBulkRuleOperation(location, subject, difference, maxBytes);
  return {
    target,
    source,
    choices,
    sourceRules: wantedRules,
    foundParties: {
      ...foundParties,
      contradictions: foundParties.contradictions.filter((name) => !isFormerName(name)),
    },
    formerNames: foundParties.contradictions.filter(isFormerName),
    currentRules: current,
    difference,
    uncoveredColumns: findColumnsWithoutDefault(current, difference, catalog),
    overlappingRules: findOverlappingRules(current, difference),
    spellings: findTableSpellings(
      wantedRules.rules,
      current,
      difference,
      new KnownValuesReader().readIndexes(session.catalog, subject),
    ),
    isUnconfirmedCubeSet: current.length === 0 && !(await isDatamodelSubject(session, subject)),
    ...currentTables,
    refusal: await findRuleRefusal?.(operation, [{ ref, document }]),
    operation,
    expectedVersions: [{ ref, hash: hashDocument('rules', document) }],
  };
}

/**
 * Returns whether errors leave no rule of a source, such as in an empty file. Then it isn't known which rules a mode
 * that replaces rules would delete: probably not all of them.
 */
const isUnreadable = ({ rules, problems }: SourceRules): boolean =>
  rules.length === 0 && problems.some(isError);

const isError = ({ severity }: SourceRules['problems'][number]): boolean => severity === 'error';

const loadDirectory = async (
  { client, catalog }: PreviewSession,
  getDirectory: PreviewSession['getDirectory'],
): Promise<UserDirectory> =>
  getDirectory === undefined
    ? createUserDirectory({ ...(await readUsersAndGroups(client, silentLog)) }, catalog.knownResources)
    : getDirectory();

/**
 * Returns whether errors prevent the change: unreadable rows, unresolved or contradictory names, rules that can't be
 * expressed, or no safe order of requests.
 */
export const isBlocked = ({ sourceRules, difference, foundParties, refusal }: Preview): boolean =>
  refusal !== undefined ||
  difference.obstacles.length > 0 ||
  foundParties.ambiguousParties.length > 0 ||
  foundParties.contradictions.length > 0 ||
  sourceRules.problems.some(isError);

/**
 * Creates a function that returns the name of a user or group in a change; `undefined` if neither the instance nor the
 * source knows it.
 */
export function createPartyNamer({
  source,
  sourceRules,
  currentRules,
  foundParties,
}: Preview): (party: Pick<PartyRef, 'type' | 'id'>) => string | undefined {
  const namedParties = sourceRules.rules
    .flatMap(({ parties }) => parties)
    .map((party) => ({
      type: party.type,
      id: foundParties.ids.get(getTablePartyKey(party)),
      name: party.idOrName,
    }))
    .filter(({ id, name }) => id !== name);
  const names = new Map([
    ...foundParties.names,
    ...[
      ...namedParties,
      ...readNamedParties(currentRules),
      ...foundParties.groups.map(({ id, name }) => ({ type: 'group', id, name })),
    ].map(({ type, id, name }) => [`${type}:${id}`, name] as const),
  ]);
  return ({ type, id = '' }) => names.get(`${type}:${id}`) ?? source.getName?.({ type, idOrName: id });
}
