import { joinNames } from '../base/joinNames.ts';
import { english } from '../base/localize.ts';
import type { HistoryEntry } from '../changes/journal/entry.ts';
import { listNeededVariables } from '../project/apply/connectionSecrets.ts';

/**
 * Says which environment variables finishing a change requires; `undefined` if it requires none.
 * @param options `address`: the address of the instance
 */
export async function describeNeededVariables(
  entry: Pick<HistoryEntry, 'operation' | 'writeStates'>,
  { env, address }: { readonly env: Readonly<Record<string, string | undefined>>; readonly address: string },
): Promise<string | undefined> {
  const names = await listNeededVariables(entry, address);
  const unset = names.filter((name) => (env[name] ?? '') === '');
  if (names.length === 0) {
    return undefined;
  }
  const requirement = `Finishing the change requires the environment ${names.length === 1 ? 'variable' : 'variables'} ${joinNames(names, english)}, because journals contain no secrets.`;
  return unset.length === 0 ? requirement : `${requirement} Not set: ${unset.join(', ')}.`;
}
