import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { UndiciTransport } from '../../../src/client/undiciTransport.ts';
import type { EndpointId } from '../../../src/contract/endpoints.ts';
import { type ProfileName, profileNames } from '../../../src/sandbox/profiles/profile.ts';
import { getProfile } from '../../../src/sandbox/profiles/profiles.ts';
import { findListedDeviations } from '../../contract/deviations.ts';
import { ContractExchanges } from '../../contract/exchanges.ts';
import { formatContractPage } from '../../contract/contractPage.ts';
import { walkAllMethods } from '../../contract/walk.ts';
import { deviations, endpointIds } from '../../support/endpoints/examples.ts';
import { startTemporarySandbox } from '../../support/temporarySandbox.ts';
import { createRealClient } from '../client/realClient.ts';

const pagePath = join(import.meta.dirname, '../../contract.md');

const exchanges: Record<ProfileName, ContractExchanges> = {
  guide: new ContractExchanges(),
  contract: new ContractExchanges(),
};

/** Returns the endpoints of a profile that have had no successful response so far. */
function findMissingSuccesses(profile: ProfileName): readonly EndpointId[] {
  const { missingEndpoints } = getProfile(profile).paths;
  const { successfulEndpoints } = exchanges[profile];
  return endpointIds.filter((id) => !successfulEndpoints.has(id) && !missingEndpoints.includes(id));
}

beforeAll(async () => {
  for (const profile of profileNames) {
    const sandbox = await startTemporarySandbox('demo', { profile });
    const transport = exchanges[profile].wrapTransport(new UndiciTransport({}));
    const { client } = createRealClient(sandbox.url, sandbox.adminToken, { deps: { transport } });
    try {
      await walkAllMethods(client, sandbox.folder, () => findMissingSuccesses(profile));
    } finally {
      client.dispose();
      await sandbox.stop();
    }
  }
});

describe.each(profileNames)('profile %s', (profile) => {
  test('every endpoint responds with a success', () => {
    const { missingEndpoints } = getProfile(profile).paths;
    const { successfulEndpoints } = exchanges[profile];
    expect(endpointIds.filter((id) => !successfulEndpoints.has(id))).toEqual(missingEndpoints);
  });

  test("every deviation from the vendor's contract is listed with its reason", () => {
    const unexplained = exchanges[profile].breaches.filter(
      (each) => findListedDeviations(each, profile).length !== 1,
    );
    expect(unexplained).toEqual([]);
  });
});

test('every listed deviation occurs in at least one profile', () => {
  const occurring = new Set(
    profileNames.flatMap((profile) =>
      exchanges[profile].breaches.flatMap((breach) => findListedDeviations(breach, profile)),
    ),
  );
  expect(deviations.filter((each) => !occurring.has(each))).toEqual([]);
});

test('test/contract.md is up to date', () => {
  const { guide, contract } = exchanges;
  const content = formatContractPage({ guide: guide.breaches, contract: contract.breaches });
  if (process.env['UPDATE'] === '1') {
    writeFileSync(pagePath, content);
  }
  expect(readFileSync(pagePath, 'utf8')).toBe(content);
});
