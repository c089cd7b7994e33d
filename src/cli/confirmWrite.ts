import type { HistoryEntry } from '../changes/journal/entry.ts';
import type { ConnectionRole } from '../connections/connection.ts';
import type { Arguments } from './command.ts';
import { quoteWord } from './commandHint.ts';
import { CommandRefusedError } from './exitCodes.ts';
import type { ProtectedInstance } from './projectTarget.ts';

/** The environment of an instance to write to, with the role that applies. */
interface TargetEnvironment extends Pick<ProtectedInstance, 'environmentName' | 'roleOrigin'> {
  readonly role: ConnectionRole;
}

/**
 * Requires that an instance may be written to: a production instance needs a confirmation with the name of its
 * environment (decisions.md, "Command line"), and a confirmation of another environment is a mistake on any instance.
 * @throws CommandRefusedError
 */
export function requireWritable(environment: TargetEnvironment, args: Arguments): void {
  const { environmentName, role } = environment;
  if (role === 'read-only') {
    throw new CommandRefusedError(describeReadOnly(environment));
  }
  if (role === 'production' && args.getValue('confirm') !== environmentName) {
    throw new CommandRefusedError(
      `The environment ${environmentName} is a production instance${formatRoleReason(environment)}. To write to it, add --confirm ${quoteWord(environmentName)}.`,
    );
  }
  if (args.has('confirm') && args.getValue('confirm') !== environmentName) {
    throw new CommandRefusedError(
      `--confirm specifies a different environment. The environment to write to is ${environmentName}.`,
    );
  }
}

/**
 * Returns the hint of a command without `--execute`: to add it, or, for a read-only instance, why it would be refused.
 * @param purpose what the command does with `--execute`, such as `write`
 */
export const getExecuteHint = (environment: TargetEnvironment, purpose: string): string =>
  environment.role === 'read-only' ? describeReadOnly(environment) : `Add --execute to ${purpose}.`;

/** Returns the hint of a command without `--execute` that finishes, rolls back, or abandons an interrupted change. */
export const getRecoveryExecuteHint = (
  change: Pick<HistoryEntry, 'environment'>,
  target: ProtectedInstance,
  purpose: string,
): string => getExecuteHint(getRecoveryEnvironment(change, target), purpose);

const describeReadOnly = (environment: TargetEnvironment): string =>
  `The environment ${environment.environmentName} is read-only${formatRoleReason(environment)}.`;

const formatRoleReason = ({ roleOrigin }: TargetEnvironment): string =>
  roleOrigin === undefined ? '' : `, because the environment ${roleOrigin} has the same address`;

/**
 * Requires that the instance may be written to in order to finish, roll back, or abandon an interrupted change.
 * @throws CommandRefusedError as {@link requireWritable}
 */
export const requireRecoveryAllowed = (
  change: Pick<HistoryEntry, 'environment'>,
  target: ProtectedInstance,
  args: Arguments,
): void => requireWritable(getRecoveryEnvironment(change, target), args);

/** Returns the value of `--confirm` that the recovery of an interrupted change needs; `undefined` if it needs none. */
export function getRequiredConfirmation(
  change: Pick<HistoryEntry, 'environment'>,
  target: ProtectedInstance,
): string | undefined {
  const { environmentName, role } = getRecoveryEnvironment(change, target);
  return role === 'production' ? environmentName : undefined;
}

/**
 * Returns the environment whose role applies to the recovery of an interrupted change. A change that was made in a
 * production environment needs the confirmation even if the options don't name that environment: with `--url` alone,
 * the role is always development.
 */
const getRecoveryEnvironment = (
  { environment }: Pick<HistoryEntry, 'environment'>,
  { environmentName, connection: { role }, roleOrigin }: ProtectedInstance,
): TargetEnvironment =>
  environment?.role === 'production' && role !== 'production' && role !== 'read-only'
    ? { environmentName: environment.name, role: 'production' }
    : { environmentName, role, roleOrigin };
