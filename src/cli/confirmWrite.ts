import type { HistoryEntry } from '../changes/journal/entry.ts';
import type { ConnectionRole } from '../connections/connection.ts';
import type { Arguments } from './command.ts';
import { quoteWord } from './commandHint.ts';
import { CommandRefusedError } from './exitCodes.ts';

/**
 * Requires that an instance may be written to: a production instance needs a confirmation with the name of its
 * environment (decisions.md, "Command line"), and a confirmation of another environment is a mistake on any instance.
 * @throws CommandRefusedError
 */
export function requireWritable(
  { environmentName, role }: { readonly environmentName: string; readonly role: ConnectionRole },
  args: Arguments,
): void {
  if (role === 'read-only') {
    throw new CommandRefusedError(`The environment ${environmentName} is read-only.`);
  }
  if (role === 'production' && args.getValue('confirm') !== environmentName) {
    throw new CommandRefusedError(
      `The environment ${environmentName} is a production instance. To write to it, add --confirm ${quoteWord(environmentName)}.`,
    );
  }
  if (args.has('confirm') && args.getValue('confirm') !== environmentName) {
    throw new CommandRefusedError(
      `--confirm names a different environment. The one to write to is ${environmentName}.`,
    );
  }
}

/**
 * Requires that an interrupted change may be ended. One that was made in a production environment needs the
 * confirmation even if the options don't name that environment, since `--url` alone has no role.
 * @throws CommandRefusedError as {@link requireWritable}
 */
export function requireEndable(
  { environment }: Pick<HistoryEntry, 'environment'>,
  target: { readonly environmentName: string; readonly role: ConnectionRole },
  args: Arguments,
): void {
  const isProtected = target.role === 'production' || target.role === 'read-only';
  requireWritable(
    environment?.role === 'production' && !isProtected
      ? { environmentName: environment.name, role: 'production' }
      : target,
    args,
  );
}
