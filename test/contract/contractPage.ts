import { type EndpointId, endpoints } from '../../src/contract/endpoints.ts';
import type { ProfileName } from '../../src/sandbox/profiles/profile.ts';
import { getProfile } from '../../src/sandbox/profiles/profiles.ts';
import type { ExchangeSide } from '../support/endpoints/example.ts';
import { deviations, getExample } from '../support/endpoints/examples.ts';
import { findListedDeviations } from './deviations.ts';
import type { ContractBreach } from './exchanges.ts';

/** The breaches found while walking through each profile. */
export type WalkBreaches = Readonly<Record<ProfileName, readonly ContractBreach[]>>;

const noDeviationText = 'matches';

/**
 * The result for one side of an operation in a profile: no deviation, or the names of the deviations that explain the
 * breaches.
 */
function formatResult(
  walks: WalkBreaches,
  profile: ProfileName,
  endpoint: EndpointId,
  sides: readonly ExchangeSide[],
): string {
  if (getProfile(profile).paths.missingEndpoints.includes(endpoint)) {
    return 'missing';
  }
  const names = walks[profile]
    .filter((breach) => breach.endpoint === endpoint && sides.includes(breach.side))
    .flatMap((breach) => findListedDeviations(breach, profile))
    .map(({ name }) => name);
  return names.length === 0 ? noDeviationText : [...new Set(names)].join(', ');
}

/** The name of the deviation that explains why the vendor's contract does not have an operation. */
function getMissingReason(id: EndpointId): string {
  const reason = getExample(id).deviations?.find(({ side }) => side === 'path')?.name;
  if (reason === undefined) {
    throw new Error(`The vendor's contract has no operation for ${id}, and no deviation says why`);
  }
  return reason;
}

function createRow(walks: WalkBreaches, id: EndpointId): string {
  const { vendorOperation: operation } = getExample(id);
  const createCells = (isDescribed: boolean, sides: readonly ExchangeSide[]): readonly string[] =>
    (['guide', 'contract'] as const).map((profile) =>
      isDescribed ? formatResult(walks, profile, id, sides) : 'not described',
    );
  const { method, path } = endpoints[id];
  return [
    `\`${method} ${path}\``,
    operation === undefined ? `none: ${getMissingReason(id)}` : `\`${operation.signature}\``,
    ...createCells(operation?.request !== undefined || operation?.query !== undefined, ['request']),
    ...createCells(operation !== undefined, ['response']),
  ].join(' | ');
}

/** The page `test/contract.md`. */
export const formatContractPage = (walks: WalkBreaches): string =>
  [
    "# The product against the vendor's published contract",
    '',
    'Generated; after a change run `UPDATE=1 vitest run contract/coverage contract/contract`. A client walks through every',
    'endpoint of the demo sandbox in both profiles, and each request and response is compared with the schemas, statuses and',
    "spellings of the vendor's contract (`test/support/endpoints`).",
    '',
    "| Endpoint | In the vendor's contract | Request, guide | Request, contract | Answer, guide | Answer, contract |",
    '|---|---|---|---|---|---|',
    ...(Object.keys(endpoints) as EndpointId[]).map((id) => `| ${createRow(walks, id)} |`),
    '',
    '## Intentional deviations',
    '',
    '| Name | Profiles | Side | Reason |',
    '|---|---|---|---|',
    ...deviations.map(
      ({ name, profile = 'both', side, reason }) => `| ${name} | ${profile} | ${side} | ${reason} |`,
    ),
    '',
  ].join('\n');
