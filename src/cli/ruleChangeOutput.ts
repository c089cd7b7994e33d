import type * as z from 'zod';
import { type Preview, createPartyNamer } from '../changes/bulkRules/preview.ts';
import { english } from '../base/localize.ts';
import { formatGrant, formatParty, summarizeGrant } from '../webviews/protocol/ruleFormat.ts';
import { type ChangeRow, computeChangeRows } from '../security/change/changeRows.ts';
import type { Grant } from '../security/readRules.ts';
import { isAllValues, isNoValues } from '../security/valueSet.ts';
import type { importOutputSchema } from './outputSchemas.ts';

type ImportOutput = z.infer<typeof importOutputSchema>;
type Change = ImportOutput['changes'][number];

/** Converts a change to JSON output, with one item per column and party. */
export function toRuleChangeOutputs(preview: Preview): Change[] {
  const getPartyName = createPartyNamer(preview);
  return computeChangeRows(preview.difference).map(
    ({ kind, table, column, party, before, after }: ChangeRow) => {
      const name = getPartyName(party);
      return {
        kind,
        table,
        column,
        party: {
          type: party.type,
          ...(party.id === undefined ? {} : { id: party.id }),
          ...(name === undefined ? {} : { name }),
        },
        before: before.map(toGrantOutput),
        after: after.map(toGrantOutput),
      };
    },
  );
}

function toGrantOutput(grant: Grant): Change['before'][number] {
  if (grant === 'unclear') {
    return { kind: 'uncertain', values: [] };
  }
  if (isAllValues(grant) || isNoValues(grant)) {
    return { kind: isNoValues(grant) ? 'nothing' : 'everything', values: [] };
  }
  return { kind: grant.kind, values: [...grant.values] };
}

export function countChangesByKind(changes: readonly Change[]): ImportOutput['counts'] {
  const counts = { add: 0, change: 0, delete: 0 };
  for (const { kind } of changes) {
    counts[kind] += 1;
  }
  return counts;
}

const changeSigns = { add: '+', change: '~', delete: '-' } as const;

/** Formats one line of a change: `~ Orders.Region  group Sales: only "North" → only "North", "South"`. */
export function formatRuleChangeLine({ kind, table, column, party, before, after }: Change): string {
  const partyLabel = formatParty({ type: party.type, name: party.name ?? party.id ?? '' }, english);
  const [grantsBefore, grantsAfter] = [before, after].map((grants) => grants.map(toGrant));
  const formatGrants = (grants: readonly Grant[] = [], otherSideGrants: readonly Grant[] = []): string =>
    grants.map((grant) => formatGrant(summarizeGrant(grant, otherSideGrants), english)).join(' + ');
  const description =
    kind === 'change'
      ? `${formatGrants(grantsBefore, grantsAfter)} → ${formatGrants(grantsAfter, grantsBefore)}`
      : formatGrants(kind === 'add' ? grantsAfter : grantsBefore);
  return `${changeSigns[kind]} ${table}.${column}  ${partyLabel}: ${description}`;
}

function toGrant({ kind, values }: Change['before'][number]): Grant {
  switch (kind) {
    case 'uncertain':
      return 'unclear';
    case 'everything':
      return { kind: 'except', values: new Set() };
    case 'nothing':
      return { kind: 'only', values: new Set() };
    case 'only':
    case 'except':
      return { kind, values: new Set(values) };
  }
}
