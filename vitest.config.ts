import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { soakFactor } from './test/support/soak.ts';

/** The benches measure speed: here a slow machine, and a soak, may take their time. */
const patienceMs = 300_000 * soakFactor;

/** `expect.poll` would give up after a second, which a page or a process can take on a busy machine. */
const patientPolls = { poll: { timeout: 15_000 } };

const integration = (name: string, profile: 'guide' | 'contract', include: string[]) => ({
  test: {
    name,
    setupFiles: ['test/support/propertyTestSeed.ts'],
    globalSetup: ['test/support/prepareIntegrationTests.ts'],
    include,
    pool: 'forks' as const,
    testTimeout: patienceMs,
    hookTimeout: patienceMs,
    expect: patientPolls,
    provide: { profile },
  },
});

/** The project of the unit tests. */
export const unitTests = {
  name: 'unit',
  setupFiles: ['test/support/propertyTestSeed.ts'],
  include: ['test/unit/**/*.test.ts', 'test/architecture.test.ts'],
  pool: 'threads' as const,
  testTimeout: patienceMs,
  expect: patientPolls,
  isolate: false,
};

/** Unit tests are pure; tests of pages are their host, in a browser; integration tests talk to the sandbox over a real socket, in each of its profiles. */
export default defineConfig({
  test: {
    // One for each core: most integration tests wait for other processes.
    maxWorkers: availableParallelism(),
    projects: [
      {
        test: unitTests,
      },
      {
        test: {
          name: 'pages',
          globalSetup: ['test/pages/support/bundlePages.ts'],
          include: ['test/pages/**/*.test.ts'],
          pool: 'threads',
          testTimeout: 60_000,
          expect: patientPolls,
        },
      },
      {
        test: {
          name: 'journeys',
          include: ['test/editor/journeys/**/*.journey.test.ts'],
          pool: 'forks',
          // Every step has a time limit of its own; a walk of many steps takes minutes on a busy machine.
          testTimeout: 600_000,
          hookTimeout: 60_000,
        },
      },
      integration('integration', 'guide', ['test/integration/**/*.test.ts']),
      // Those whose subject depends on what the platform does, on the vendor's opinion of it.
      integration('integration-contract', 'contract', [
        'test/integration/{changes,documents}/**/*.test.ts',
        'test/integration/client/{faults,sandbox*}.test.ts',
      ]),
    ],
  },
});
