import { changeRules } from '../../actions/ruleActions.ts';
import { subjectTitle } from '../../catalog/ruleSubject.ts';
import type { Session } from '../../connections/sessions.ts';
import type { SubjectTarget } from '../../contributions.ts';
import { setting } from '../../platform/settings.ts';
import { type ColumnLeftOpen, columnsLeftOpen } from '../../security/change/columnsLeftOpen.ts';
import { type RuleDifference, ruleDifference } from '../../security/change/ruleDifference.ts';
import { partyKey } from '../../security/ruleTable/partiesOf.ts';
import type { Catalog } from '../../sql/language.ts';
import { documentHash } from '../../writes/documentHash.ts';
import { DocumentReader } from '../../writes/documentReader.ts';
import type { Operation } from '../../writes/operation.ts';
import type { Expected } from '../../writes/runOptions.ts';
import type { ChangeChoices, ChangeSource, WantedRules } from './changeSource.ts';
import { findParties, type FoundParties } from './findParties.ts';
import { tablesNow } from './tablesNow.ts';

/** A change of rules that was worked out and not made. */
export interface Preview {
  readonly target: SubjectTarget;
  readonly source: ChangeSource;
  readonly choices: ChangeChoices;
  readonly wanted: WantedRules;
  readonly found: FoundParties;
  readonly difference: RuleDifference;
  /** Where it would be open what everybody else sees. */
  readonly leftOpen: readonly ColumnLeftOpen[];
  /** The tables of the target, where they are known. */
  readonly catalog: Catalog | undefined;
  /** What would be sent; nothing to send where it has no writes. */
  readonly operation: Operation;
  /** The rules that it was worked out from must still be there as they were. */
  readonly expect: readonly Expected[];
}

const bytesPerKilobyte = 1024;

/**
 * Works out what a source would change, from the rules that the server has at this moment.
 * @throws ApiError
 */
export async function makePreview(
  session: Session,
  target: SubjectTarget,
  source: ChangeSource,
  choices: ChangeChoices,
  progress: { readonly onLookUp: (done: number, total: number) => void; readonly signal: AbortSignal },
): Promise<Preview> {
  const { subject, connectionId } = target;
  const ref = { kind: 'rules', subject } as const;
  const [document, catalog] = await Promise.all([
    new DocumentReader(session.client, progress.signal).document(ref),
    tablesNow(session, subject),
  ]);
  const current: readonly unknown[] = Array.isArray(document) ? document : [];
  const wanted = await source.read(choices, catalog);
  const found =
    source.hasIds === true
      ? { ids: new Map<string, string>(), groups: [], unseen: [] }
      : await findParties(session.client, wanted.rules, { current, nameOf: source.nameOf, ...progress });
  const difference = ruleDifference({
    table: wanted.rules,
    current,
    place: subject,
    scope: choices.scope,
    identify: (party) => (source.hasIds === true ? party.name : found.ids.get(partyKey(party))),
    catalog,
  });
  const place = { connectionId, within: [subjectTitle(subject)] };
  return {
    target,
    source,
    choices,
    wanted,
    found,
    difference,
    leftOpen: columnsLeftOpen(current, difference),
    catalog,
    operation: changeRules(place, subject, difference, setting('rules.batchSize') * bytesPerKilobyte),
    expect: [{ ref, hash: documentHash('rules', document) }],
  };
}

/** What keeps the change from being made: rows that cannot be read, names that nobody knows, rules that have no form. */
export const isBlocked = ({ wanted, difference }: Preview): boolean =>
  difference.obstacles.length > 0 || wanted.problems.some(({ severity }) => severity === 'error');
