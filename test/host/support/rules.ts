import type { Rule } from '../../../src/contract/rule.ts';
import type { JourneySandbox } from '../../editor/support/journeySandbox.ts';

export const retailRulesPath = '/api/elasticubes/LocalHost/Retail/datasecurity';
export const marketingRulesPath = '/api/elasticubes/LocalHost/Marketing/datasecurity';
/** The rules of a live datamodel. */
export const supportRulesPath = '/api/v1/elasticubes/live/Support%20Desk/datasecurity';

/** Reads the rules of a column, and formats each as `Sales North: Nordics; North`: its parties, and its values. */
export async function readColumnRules(
  sandbox: JourneySandbox,
  path: string,
  name: string,
): Promise<readonly string[]> {
  const rules = (await sandbox.request('GET', path)) as readonly Rule[];
  return rules
    .filter(({ table, column }) => `${table}.${column}` === name)
    .map(({ members, allMembers, exclusionary, shares }) => {
      const parties = (shares ?? [])
        .map(({ type, party, partyId, partyName }) => partyName ?? partyId ?? party ?? type)
        .toSorted();
      const values = (members ?? []).map(String).toSorted().join('; ');
      const grant =
        allMembers === true
          ? 'All'
          : values === ''
            ? 'Nothing'
            : exclusionary === true
              ? `All but ${values}`
              : values;
      return `${parties.join(', ')}: ${grant}`;
    })
    .toSorted();
}

/** Remembers the rules of the sandbox; at the end of the block, turns off all faults and restores these rules. */
export async function backUpRules(sandbox: JourneySandbox, path = retailRulesPath): Promise<AsyncDisposable> {
  const read = async () => (await sandbox.request('GET', path)) as readonly Rule[];
  const before = await read();
  const getColumns = (rules: readonly Rule[]) =>
    new Map(rules.map(({ table, column }) => [JSON.stringify([table, column]), { table, column }]));
  return {
    async [Symbol.asyncDispose]() {
      await sandbox.request('PUT', '/sandbox/faults', { faults: [] });
      for (const { table, column } of getColumns(await read()).values()) {
        await sandbox.request('DELETE', `${path}?${new URLSearchParams({ table, column })}`);
      }
      await sandbox.request('POST', path, before.map(toNewRule));
    },
  };
}

/** The rule without the fields that the server assigns, and refuses in a POST. */
const toNewRule = ({ table, column, datatype, members, allMembers, exclusionary, shares }: Rule) => ({
  table,
  column,
  datatype,
  members,
  allMembers,
  exclusionary,
  shares: (shares ?? []).map(({ type, party, partyId }) =>
    type === 'default' ? { type } : { type, party: party ?? partyId },
  ),
});
