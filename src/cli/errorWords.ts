import type { Remedy } from '../client/apiError.ts';
import { ApiError } from '../client/errors.ts';
import { english } from '../base/words.ts';
import { RuleChangeRefusedError } from '../changes/rules/ruleTarget.ts';
import { ClaimedError } from '../changes/journal/history.ts';
import { apiErrorText } from '../client/words/apiErrorWords.ts';
import { ruleProblemText } from '../changes/words/refusedRuleChange.ts';
import { ConflictError, EndedError, SecretsNeededError } from '../changes/run/problems.ts';
import { type ExitCode, exitCodes, Refusal } from './exitCodes.ts';

/** What helps on the command line, where the words of the editor would lead nowhere. */
const remedies: Readonly<Partial<Record<Remedy, string>>> = {
  'sign-in': 'Check the API token.',
  'check-certificate': "Check the server's certificate, or name its authority with --ca FILE.",
  'check-address': 'Check --url.',
  'check-proxy': 'Check the proxy in the environment (HTTPS_PROXY, HTTP_PROXY, NO_PROXY).',
  reload: 'Check the name and try again.',
};

const changedText = 'The rules were changed on the server in the meantime.';

/** Why a change stopped that had begun. */
export const stopText = (error: unknown): string =>
  error instanceof ConflictError ? changedText : errorText(error);

/** What went wrong and what helps, in one line. */
export function errorText(error: unknown): string {
  if (error instanceof ApiError) {
    return apiErrorText(english, error, remedyText);
  }
  if (error instanceof ConflictError) {
    return `${changedText} Nothing was written. Run the command again.`;
  }
  const ruleProblem = ruleProblemText(english, error, errorText);
  if (ruleProblem !== undefined) {
    return ruleProblem;
  }
  if (error instanceof EndedError) {
    return 'The change is already finished or undone.';
  }
  if (error instanceof ClaimedError) {
    return 'Another process is working on this change.';
  }
  return error instanceof Error ? error.message : String(error);
}

/** The words that the editor has too where the command line needs no own ones. */
const remedyText = (remedy: Remedy): string | undefined => remedies[remedy] ?? shared[remedy];

const shared: Readonly<Partial<Record<Remedy, string>>> = {
  'ask-administrator': 'Ask an administrator of the platform.',
  'check-version': 'Check the version and the license of the platform.',
  'check-network': 'Check the network.',
  'make-smaller': 'Split the file.',
  wait: 'Try again later.',
  repeat: 'Try again.',
  'look-before-repeating': 'It may have happened anyway: check before you repeat it.',
};

/** Codes of what the client refuses by itself: nothing was sent. */
const refusedCodes: ReadonlySet<string> = new Set([
  'read-only',
  'locked',
  'signed-out',
  'bad-token',
  'bad-address',
  'invalid-request',
  'rule-too-large',
]);

/** The exit code of what a command rejects with before it has written anything. */
export function exitCodeOf(error: unknown, signal: AbortSignal): ExitCode {
  if (signal.aborted) {
    return exitCodes.failed;
  }
  const isRefusal =
    error instanceof Refusal ||
    error instanceof ConflictError ||
    error instanceof EndedError ||
    error instanceof ClaimedError ||
    error instanceof SecretsNeededError ||
    error instanceof RuleChangeRefusedError ||
    (error instanceof ApiError && refusedCodes.has(error.code));
  if (isRefusal) {
    return exitCodes.refused;
  }
  return error instanceof ApiError ? exitCodes.unknown : exitCodes.failed;
}
