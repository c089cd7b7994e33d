import type * as z from 'zod';
import { type Preview, createPartyNamer } from '../changes/bulkRules/preview.ts';
import { english } from '../base/localize.ts';
import { formatGrant, formatParty, summarizeGrant } from '../webviews/protocol/ruleFormat.ts';
import { type ChangeRow, computeChangeRows } from '../security/change/changeRows.ts';
import type { Grant } from '../security/readRule.ts';
import { isAllValues, isNoValues } from '../security/valueSet.ts';
import type { importOutput } from './outputs.ts';

type Import = z.infer<typeof importOutput>;
type Change = Import['changes'][number];

/** Converts the effects of a change, by column and party. */
export function toChangeOutputs(preview: Preview): Change[] {
  const nameOf = createPartyNamer(preview);
  return computeChangeRows(preview.difference).map(
    ({ kind, table, column, party, before, after }: ChangeRow) => {
      const name = nameOf(party);
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

export function countChangesByKind(changes: readonly Change[]): Import['counts'] {
  const counts = { add: 0, change: 0, delete: 0 };
  for (const { kind } of changes) {
    counts[kind] += 1;
  }
  return counts;
}

const signs = { add: '+', change: '~', delete: '-' } as const;

/** Formats one line of a change: `~ Orders.Region  group Sales: only North → only North, South`. */
export function formatChangeLine({ kind, table, column, party, before, after }: Change): string {
  const who = formatParty({ type: party.type, name: party.name ?? party.id ?? '' }, english);
  const [were, are] = [before, after].map((grants) => grants.map(toGrant));
  const words = (grants: readonly Grant[] = [], others: readonly Grant[] = []): string =>
    grants.map((grant) => formatGrant(summarizeGrant(grant, others), english)).join(' + ');
  const what =
    kind === 'change' ? `${words(were, are)} → ${words(are, were)}` : words(kind === 'add' ? are : were);
  return `${signs[kind]} ${table}.${column}  ${who}: ${what}`;
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
