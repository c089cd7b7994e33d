import { getRefKey } from '../../catalog/resourceRef.ts';
import { formatRuleColumn } from '../../catalog/ruleSubject.ts';
import type { Clock } from '../../base/clock.ts';
import type { HistoryEntry } from '../journal/entry.ts';
import { getRemainingIndices } from './recordedRuleChecks.ts';
import { DocumentReader, type RetryRead } from '../model/documentReader.ts';
import type { ReadDocument } from '../model/readDocument.ts';
import { getObjects, getText } from '../model/jsonMembers.ts';
import { fulfills, getScopeKey, parseRuleDocuments } from '../rules/parsedRuleDocument.ts';
import { RequiredRules, type RequiredRule } from '../rules/requiredRules.ts';
import { createRuleConflict } from './conflicts.ts';
import { BusyServerWaits } from './busyServer.ts';
import type { ExecutionInput } from './executionInput.ts';
import { createRetryRead } from './rateLimit.ts';
import type { WriteSession } from './runOptions.ts';
import { type ConflictError, type MissingRule, MissingRulesError } from './writeErrors.ts';

/**
 * Checks that rules are in force. Sends one request per datamodel or cube set, and none without rules.
 * @throws MissingRulesError if others have changed or deleted some of them
 * @throws ApiError
 */
export async function checkRequiredRules(
  required: readonly RequiredRule[],
  reader: Pick<DocumentReader, 'readDocument'>,
): Promise<void> {
  const conflicts: ConflictError[] = [];
  const exposedColumns = new Set<string>();
  const missingRules: MissingRule[] = [];
  const bySubject = Map.groupBy(required, ({ subject }) => getRefKey({ kind: 'rules', subject }));
  for (const group of bySubject.values()) {
    const subject = group[0]?.subject;
    if (subject === undefined) {
      continue;
    }
    const current = parseRuleDocuments(getObjects(await reader.readDocument({ kind: 'rules', subject })));
    // Grouped, since a datamodel may have thousands of rules, and this runs for each write.
    const byScope = Map.groupBy(current, getScopeKey);
    const missing = group.filter(
      ({ parsed }) => byScope.get(getScopeKey(parsed))?.some((other) => fulfills(other, parsed)) !== true,
    );
    if (missing.length > 0) {
      const parsed = missing.map((rule) => rule.parsed);
      conflicts.push(createRuleConflict(subject, parsed, current));
      missingRules.push(...parsed.map(({ document }) => ({ subject, rule: document })));
      getExposedColumns(missing).forEach((column) => exposedColumns.add(column));
    }
  }
  const [conflict, ...otherConflicts] = conflicts;
  if (conflict !== undefined) {
    throw new MissingRulesError(conflict, {
      otherConflicts,
      exposedColumns: [...exposedColumns],
      missingRules,
    });
  }
}

const getExposedColumns = (rules: readonly RequiredRule[]): readonly string[] =>
  rules
    .filter(({ isExposed }) => isExposed)
    .map(({ subject, parsed: { document } }) =>
      formatRuleColumn(subject, { table: getText(document['table']), column: getText(document['column']) }),
    );

/**
 * Checks, before an operation is resumed, the rules that its remaining writes rely on ({@link RequiredRules}), so that
 * nothing is sent if some are missing. Rules that remain to be changed are left out: they are compared when that is
 * done.
 * @param before the documents from before the operation
 * @throws MissingRulesError if others have changed or deleted such a rule
 * @throws ApiError
 */
export async function checkRemainingRules(
  { operation, writeStates }: HistoryEntry,
  before: readonly ReadDocument[],
  reader: Pick<DocumentReader, 'readDocument'>,
): Promise<void> {
  const required = new RequiredRules(operation.writes, before);
  const isDone = (index: number): boolean => writeStates[index]?.state === 'done';
  await checkRequiredRules(
    required.getForAll(getRemainingIndices({ operation, writeStates }), isDone),
    reader,
  );
}

interface RuleCheckDeps extends Pick<ExecutionInput, 'operation' | 'before' | 'options'> {
  readonly session: Pick<WriteSession, 'client'>;
  readonly clock: Clock;
}

/** Checks the rules that the writes of an operation rely on, right before these are sent. */
export class RequiredRuleCheck {
  readonly #deps: RuleCheckDeps;
  readonly #required: RequiredRules;

  constructor(deps: RuleCheckDeps) {
    this.#deps = deps;
    this.#required = new RequiredRules(deps.operation.writes, deps.before);
  }

  /**
   * Checks the rules that a write relies on; of rules that are changed together, pass the first write.
   * @param givenRetryRead runs each read, and may run it again if it fails; by default, while the server is busy
   * @throws MissingRulesError
   * @throws ApiError, also if the signal is aborted while the server is busy: see `toReportedError`
   */
  async run(index: number, givenRetryRead?: RetryRead): Promise<void> {
    const required = this.#required.getForWrite(index);
    if (required.length > 0) {
      const { session, operation, options, clock } = this.#deps;
      const retryRead =
        givenRetryRead ?? createRetryRead(operation, options, new BusyServerWaits({ clock, ...options }));
      await checkRequiredRules(required, new DocumentReader(session.client, options.signal, retryRead));
    }
  }
}
