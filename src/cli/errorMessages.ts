import { isIPv6 } from 'node:net';
import type { Remedy } from '../client/apiError.ts';
import { ApiError, NetworkError } from '../client/errors.ts';
import { RepetitionError } from '../client/uncertainEffect.ts';
import { getErrorChain } from '../base/errorChain.ts';
import { english } from '../base/localize.ts';
import { isJsonObject } from '../base/json.ts';
import { getPlanSubjectName } from '../changes/model/planSubjects.ts';
import { RuleChangeRefusedError } from '../changes/rules/ruleTarget.ts';
import { ClaimedError } from '../changes/journal/claimedError.ts';
import type { HistoryEntry } from '../changes/journal/entry.ts';
import { getWrittenObjectId } from '../changes/journal/undoCustomData.ts';
import { JournalError } from '../changes/journal/journalError.ts';
import type { RecordedProcess } from '../changes/journal/processIdentity.ts';
import { formatApiError } from '../client/messages/formatApiError.ts';
import { formatMissingRules } from '../changes/messages/formatConflict.ts';
import { formatRuleProblem } from '../changes/messages/refusedRuleChange.ts';
import {
  AbandonedUndoError,
  ConflictError,
  EndedError,
  FormerNameTakenError,
  MissingRulesError,
  NameTakenError,
  SecretsNeededError,
  UnrecordedRulesError,
} from '../changes/run/writeErrors.ts';
import { formatConflictingRules } from './formatConflictingRules.ts';
import { formatFileError, getFileErrorPath } from './formatFileError.ts';
import { type ExitCode, exitCodes, CommandRefusedError } from './exitCodes.ts';

/** The texts of remedies that concern arguments of the command line. */
const remedies: Readonly<Partial<Record<Remedy, string>>> = {
  'sign-in': 'Check the API token.',
  'check-certificate': "Check the server's certificate, or pass its CA certificate with --ca FILE.",
  'check-address': 'Check the address in --url or in the environment.',
  'check-proxy': 'Check the proxy in the environment (HTTPS_PROXY, HTTP_PROXY, NO_PROXY).',
  reload: 'Check the name and try again.',
};

/** What is known about a change that has found a conflict. */
type ConflictingChange = Pick<HistoryEntry, 'operation' | 'writeStates'> &
  Partial<Pick<HistoryEntry, 'before'>>;

/**
 * Formats the error for a document that another user has changed in the meantime.
 * @param change the change that found the conflict, if it is recorded
 */
export function formatConflict(error: ConflictError, change?: ConflictingChange): string {
  const { kind } = error.ref;
  if (error instanceof NameTakenError) {
    return `Someone else has created a ${formatDocument(error)} on the server in the meantime. Rename or delete it, and finish the change, or roll the change back.`;
  }
  if (error instanceof FormerNameTakenError) {
    return `Someone else has created a ${formatDocument(error)} on the server in the meantime. A rollback would restore an item with the same name, so rename or delete it first.`;
  }
  if (error instanceof MissingRulesError) {
    return formatMissingRules(english, error);
  }
  switch (kind) {
    case 'rule':
    case 'rules':
    case 'columnRules':
      return `The rules on ${formatConflictingRules(error, change)} were changed on the server in the meantime.`;
    case 'customData':
    case 'customDataObject':
      return `The ${formatCustomData(error, change)} was ${error.document === undefined ? 'deleted' : 'changed'} on the server in the meantime.`;
    case 'tableExpression':
    case 'columnExpression':
      return 'The SQL was changed on the server in the meantime.';
    case 'datamodel':
    case 'dataset':
    case 'table':
    case 'column':
    case 'relation':
    case 'viewpoint':
    case 'build':
      return `The ${formatDocument(error)} was changed on the server in the meantime.`;
  }
}

const formatDocument = ({ ref: { kind }, document }: ConflictError): string =>
  [kind, getDocumentName(document)].filter((word) => word !== '').join(' ');

/** Names a custom data object as the project does: it has no name itself. */
function formatCustomData({ ref }: ConflictError, change?: ConflictingChange): string {
  const name =
    ref.kind === 'customDataObject'
      ? change?.operation.writes.find((write) => getWrittenObjectId(write) === ref.objectId)?.name
      : undefined;
  return name === undefined ? 'custom data' : `custom data object ${name}`;
}

const getDocumentName = (document: ConflictError['document']): string =>
  isJsonObject(document) ? getPlanSubjectName(document) : '';

/** Formats the reason why a change stopped after it had begun. */
export function formatStopError(error: unknown, change?: ConflictingChange): string {
  if (error instanceof JournalError) {
    return error.message;
  }
  return error instanceof ConflictError ? formatConflict(error, change) : formatCliError(error);
}

/** Formats an error and its remedy in one line. */
export function formatCliError(error: unknown): string {
  if (error instanceof ApiError) {
    return formatApiError(english, error, (remedy) =>
      [describeUnreachable(error), getRemedyText(remedy)].filter((text) => text !== undefined).join(' '),
    );
  }
  if (error instanceof ConflictError) {
    return `${formatConflict(error)} Nothing was written. Run the command again.`;
  }
  const ruleProblem = formatRuleProblem(english, error, formatCliError);
  if (ruleProblem !== undefined) {
    return ruleProblem;
  }
  if (error instanceof EndedError) {
    return 'The change is already finished or rolled back.';
  }
  if (error instanceof ClaimedError) {
    return formatClaimedError(error);
  }
  if (error instanceof JournalError) {
    return `${error.message} Nothing was written.`;
  }
  const path = getFileErrorPath(error);
  if (path !== undefined) {
    return `Can't use ${path}. ${formatFileError(error)}`;
  }
  return error instanceof Error ? error.message : String(error);
}

/** The error code of Node.js for an address at which nothing listens. Other codes mean that it can't be reached. */
const connectionRefusedCode = 'ECONNREFUSED';

/**
 * Names the address that can't be reached, without the path and the user of its URL; `undefined` if the error doesn't
 * contain it.
 */
function describeUnreachable(error: ApiError): string | undefined {
  const failure = error instanceof RepetitionError ? error.failure : error;
  if (!(failure instanceof NetworkError) || (failure.kind !== 'refused' && failure.kind !== 'dns')) {
    return undefined;
  }
  for (const cause of getErrorChain(failure).toReversed()) {
    const { code, address, port, hostname } = cause as NodeJS.ErrnoException & {
      readonly address?: unknown;
      readonly port?: unknown;
      readonly hostname?: unknown;
    };
    if (typeof hostname === 'string' && failure.kind === 'dns') {
      return `Host not found: ${hostname}.`;
    }
    if (typeof address === 'string' && typeof port === 'number') {
      const host = `${isIPv6(address) ? `[${address}]` : address}:${port}`;
      return code === connectionRefusedCode ? `${host} refused the connection.` : `${host} can't be reached.`;
    }
  }
  return undefined;
}

/** Describes which process is making a change, and what to do if it's no longer running. */
function formatClaimedError({ holder: { state, owner, path } }: ClaimedError): string {
  const remedy = path === undefined ? 'run the command again with --take-over' : `delete ${path}`;
  const ownerText = owner === undefined ? '' : `: ${formatProcess(owner)}`;
  switch (state) {
    case 'id-in-use':
      return `Another process is changing the instance${ownerText}. Wait until it has finished, and run the command again. If that process belongs to another program, ${remedy}.`;
    case 'unknown':
      return `Another process is changing the instance, or was killed${ownerText}. If that process is no longer running, ${remedy}.`;
    case 'running':
    case 'ended':
      return 'Another process is changing the instance. Wait until it has finished, and run the command again.';
  }
}

const formatProcess = ({ pid, host }: RecordedProcess): string =>
  host === undefined ? `process ${pid}` : `process ${pid} on ${host}`;

/** Returns the text of a remedy; `undefined` if the command line has none. */
const getRemedyText = (remedy: Remedy): string | undefined => remedies[remedy] ?? otherRemedies[remedy];

const otherRemedies: Readonly<Partial<Record<Remedy, string>>> = {
  'ask-administrator': "Ask an administrator for permission, or use an administrator's API token.",
  'check-version': "Check the platform's version and license.",
  'check-network': 'Check the network.',
  'make-smaller': 'Split the file.',
  wait: 'Try again later.',
  repeat: 'Try again.',
  'look-before-repeating': 'It might have succeeded. Check before you try again.',
};

/** Codes of errors after which nothing was written: nothing was sent, or the server refused the size of a rule. */
const refusedCodes: ReadonlySet<string> = new Set([
  'read-only',
  'locked',
  'signed-out',
  'bad-token',
  'bad-address',
  'invalid-request',
  'rule-too-large',
]);

/** Returns the exit code for an error that a command throws before it has written anything. */
export function getErrorExitCode(error: unknown, signal: AbortSignal): ExitCode {
  if (signal.aborted) {
    return exitCodes.failed;
  }
  const isRefusal =
    error instanceof CommandRefusedError ||
    error instanceof ConflictError ||
    error instanceof EndedError ||
    error instanceof AbandonedUndoError ||
    error instanceof UnrecordedRulesError ||
    error instanceof ClaimedError ||
    error instanceof JournalError ||
    error instanceof SecretsNeededError ||
    error instanceof RuleChangeRefusedError ||
    (error instanceof ApiError && refusedCodes.has(error.code));
  if (isRefusal) {
    return exitCodes.refused;
  }
  return error instanceof ApiError ? exitCodes.unknown : exitCodes.failed;
}
