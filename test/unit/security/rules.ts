/** A share: `user:u1`, `group:g1` or `default`. */
export type ShareText = string;

export interface RuleParts {
  readonly id?: string;
  readonly column?: string;
  readonly members?: unknown;
  readonly allMembers?: unknown;
  readonly exclusionary?: unknown;
}

export const only = (...members: readonly string[]): RuleParts => ({ members });
export const allBut = (...members: readonly string[]): RuleParts => ({ members, exclusionary: true });
export const everything: RuleParts = { members: [], allMembers: true };
export const nothing: RuleParts = { members: [], allMembers: false };

/** A rule of an extract datamodel for these shares. */
export function rule(
  { id, column = 'Stores.Region', ...content }: RuleParts,
  ...shares: readonly ShareText[]
) {
  const [table = '', name = ''] = column.split('.');
  return {
    ...(id === undefined ? {} : { _id: id }),
    server: 'LocalHost',
    elasticube: 'Retail',
    table,
    column: name,
    datatype: 'text',
    allMembers: null,
    exclusionary: false,
    ...content,
    shares: shares.map((share) => {
      const [type = '', party] = share.split(':');
      return { type, ...(party === undefined ? {} : { party }) };
    }),
  };
}

/** A rule of a live datamodel for these shares. */
export function liveRule(parts: RuleParts, ...shares: readonly ShareText[]): Record<string, unknown> {
  const { server: _server, elasticube: _elasticube, exclusionary, ...rest } = rule(parts, ...shares);
  return {
    ...rest,
    fullname: 'live:Support',
    live: true,
    ...(exclusionary === true ? { exclusionary } : {}),
    shares: rest.shares.map(({ type, party }) => ({
      type,
      ...(party === undefined ? {} : { partyId: party }),
    })),
  };
}
