import { defineConfig } from 'vitest/config';
import { soak } from './test/support/soak.ts';

/** Speed is told by the benches: here a slow machine, and a soak, may take their time. */
const patienceMs = 300_000 * soak;

/** Unit tests are pure; integration tests talk to the built sandbox process over a real socket. */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          setupFiles: ['test/support/seed.ts'],
          include: ['test/unit/**/*.test.ts', 'test/architecture.test.ts'],
          pool: 'threads',
          testTimeout: patienceMs,
          isolate: false,
        },
      },
      {
        test: {
          name: 'integration',
          setupFiles: ['test/support/seed.ts'],
          include: ['test/integration/**/*.test.ts'],
          pool: 'forks',
          testTimeout: patienceMs,
          hookTimeout: patienceMs,
        },
      },
    ],
  },
});
